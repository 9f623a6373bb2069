"""Cursor: hooks.json, a flat list an event, timeouts in seconds, `{}` as the answer.

Sources: the hook modules in the vendor's SDK 1.0.32 and its documentation. A file that names an
event the client does not know is invalid as a whole, hence `since`.
"""

from __future__ import annotations

from typing import Any

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, ClientSettings, HooksJson, Unread

HOME = Place("~/.cursor")
HOOKS = Place("./.cursor/hooks.json")
MANAGED = Place(
    "/etc/cursor",
    "/Library/Application Support/Cursor",
    "$PROGRAMDATA/Cursor or C:/ProgramData/Cursor",
)
SINCE = {
    (1, 7): "beforeShellExecution beforeMCPExecution beforeReadFile afterFileEdit "
    "beforeSubmitPrompt stop",
    (2, 1): "afterShellExecution afterMCPExecution afterAgentResponse afterAgentThought "
    "beforeTabFileRead afterTabFileEdit",
    (2, 4): "sessionStart sessionEnd preToolUse postToolUse postToolUseFailure subagentStart "
    "subagentStop preCompact",
    (3, 0): "workspaceOpen",
}
HEAD = {"version": 1}


def entry(event: str, command: str) -> dict[str, Any]:
    handler: dict[str, Any] = {"command": command, "timeout": 5}
    # After five rounds such hooks are no longer called.
    return {**handler, "loop_limit": None} if event in ("stop", "subagentStop") else handler


def gaps(machine: ClientSettings) -> list[str]:
    """A linked file of a project, which the client refuses."""
    path = HOOKS.path(machine)
    return (
        [f"{path} is a link: the client refuses linked project files"] if path.is_symlink() else []
    )


CLIENT = Client(
    "cursor",
    "Cursor",
    programs="cursor cursor-agent",
    products=(
        "/usr/share/cursor/resources/app",
        "/opt/Cursor/resources/app",
        "/opt/cursor/resources/app",
        "/Applications/Cursor.app/Contents/Resources/app",
    ),
    traces=(".cursor",),
    home=HOME,
    windows_shell="powershell",  # the payload is piped
    events=tuple(event for names in SINCE.values() for event in names.split()),
    since=SINCE,
    files={
        "user": (HooksJson(HOME / "hooks.json", entry, HEAD),),
        "project": (HooksJson(HOOKS, entry, HEAD),),
        "managed": (HooksJson(MANAGED / "hooks.json", entry, HEAD),),
    },
    gaps=gaps,
    sessions=(HOME / "projects",),
    unread=(
        Unread("chats of its terminal client: no version recorded", (HOME / "chats/*/*/store.db",)),
        Unread(
            "the editor's database: no version recorded",
            tuple(
                Place(folder) / "Cursor/User/globalStorage/state.vscdb"
                for folder in ("~/.config", "~/Library/Application Support", "~/AppData/Roaming")
            ),
        ),
    ),
    proofs="yyn yyn ynn nnn ynn ynn nnn pnn nyn pnn ynn",
    mcp_files=(Place("~/.cursor/mcp.json"), Place("./.cursor/mcp.json")),
)
