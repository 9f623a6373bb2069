"""GitHub Copilot: a separate file in the hooks folder, read by Copilot CLI and by VS Code.

Sources: the hooks reference, the CLI's change log, VS Code's documentation, trials with 1.0.102.
camelCase names, because two events fire only under them; the event is on the command line, since
those payloads do not name it. Any failure before a tool is a deny, hence the guard in the command.
The first hook that denies ends the round, and the last file by name runs first.
"""

from __future__ import annotations

import os
from typing import Any

from hookstream.core.places import Place, editors
from hookstream.normalizers.client import (
    Client,
    ClientSettings,
    ClientTelemetry,
    HooksJson,
    Permissions,
    Switch,
    Unread,
)
from hookstream.normalizers.copilot.rules import rules

HOME = Place("$COPILOT_HOME or ~/.copilot")
GITHUB = Place("./.github")
MANAGED = Place(
    "/etc/github-copilot/policy.d",
    "/etc/github-copilot/policy.d",
    "$PROGRAMDATA/GitHub/Copilot/policy.d or C:/ProgramData/GitHub/Copilot/policy.d",
)
EDITOR = Place("$XDG_CONFIG_HOME/Code/User/settings.json or ~/.config/Code/User/settings.json")
NAME = "zz-hookstream.json"


def entry(event: str, command: str) -> dict[str, Any]:
    field = "powershell" if os.name == "nt" else "bash"
    return {"type": "command", field: command, "timeoutSec": 10}


def hooks_in(folder: Place) -> tuple[HooksJson]:
    return (
        HooksJson(folder / NAME, entry, {"version": 1}, own=True, others="*.json", runs_in="bash"),
    )


def gaps(machine: ClientSettings) -> list[str]:
    """The switch of VS Code, and a policy file that the client drops; it does not report that."""
    reasons = []
    policy = MANAGED.path(machine) / NAME
    try:
        info = policy.stat()
    except OSError:
        info = None
    if info is not None and os.name != "nt" and (info.st_uid != 0 or info.st_mode & 0o022):
        why = "others can write it" if info.st_mode & 0o022 else "it is not root's"
        reasons.append(f"{policy}: {why}, so the client silently drops it")
    if machine.json(EDITOR.path(machine)).get("chat.useHooks") is False:
        reasons.append("chat.useHooks is false in VS Code: its agent runs no hook")
    return reasons


CLIENT = Client(
    "copilot",
    "GitHub Copilot",
    programs="copilot",
    traces=(".copilot",),
    home=HOME,
    recorded="1.0.102",
    windows_shell="powershell",
    events=tuple(
        "sessionStart sessionEnd userPromptSubmitted userPromptTransformed preToolUse "
        "preMcpToolCall postToolUse postToolUseFailure errorOccurred agentStop subagentStart "
        "subagentStop preCompact permissionRequest notification".split()
    ),
    aliases={"UserPromptSubmit": "userPromptSubmitted", "Stop": "agentStop"},
    project_note="it reads repository hooks only in folders that it trusts",
    files={
        "user": hooks_in(HOME / "hooks"),
        "project": hooks_in(GITHUB / "hooks"),
        "managed": hooks_in(MANAGED),
    },
    switches=(
        Switch(
            "disableAllHooks",
            True,
            (
                HOME / "settings.json",
                HOME / "config.json",
                GITHUB / "copilot/settings.json",
                HOME / "hooks" / NAME,
                GITHUB / "hooks" / NAME,
            ),
            "no hook but managed ones runs",
        ),
    ),
    gaps=gaps,
    sessions=(HOME / "session-state", HOME / "session-store.db"),
    unread=(
        Unread(
            "chats of VS Code: no version recorded",
            editors("workspaceStorage/*/chatSessions/*.json*"),
        ),
        Unread("sessions of versions before 1: none recorded", (HOME / "history-session-state/*",)),
    ),
    agents=(
        HOME / "agents/*.agent.md",
        GITHUB / "agents/*.agent.md",
        Place("./.claude/agents/*.md"),
    ),
    permissions=Permissions(rules, (HOME / "permissions-config.json",)),
    telemetry=ClientTelemetry(
        scopes="github.copilot",
        events="github.copilot.",
        services="github-copilot",
        switch="telemetry is switched on by environment variables only, see docs/telemetry.md",
    ),
    never_asks="allow-all",
    input_includes_cache=True,
    proofs="yyp yyp pyy pyy nyy nyp pyp pyy yyy nyy yyy",
    mcp_files=(HOME / "mcp-config.json", Place("./.vscode/mcp.json")),
    settings=(Place("./.vscode/settings.json"),),
)
