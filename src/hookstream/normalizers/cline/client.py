"""Cline: an executable named after each event; no list of hooks, no timeout that we set.

Sources: the extension's and the SDK's code, trials with CLI 3.0.65. The extension reads
~/Documents/Cline/Hooks alone; CLI and SDK read that and ~/.cline/hooks and run all they find.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.core.places import Place, editors
from hookstream.normalizers.client import Client, ClientTelemetry, HookScripts, Unread

if TYPE_CHECKING:
    from hookstream.core.places import Machine

HOME = Place("~/.cline")
DOCUMENTS = Place("~/Documents/Cline")
EXTENSIONS = (".vscode/extensions", ".vscode-server/extensions", ".cursor/extensions")
# Where a hook of another has the plain name, the CLI also runs one with an ending.
ENDINGS = ("", ".sh", ".bash")
ANSWER = '{"cancel": false}'
TASK = "tasks/*/api_conversation_history.json"
TASKS = tuple(
    f"globalStorage/{extension}/{TASK}"
    for extension in ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline")
)


def has_no_extension(machine: Machine) -> bool:
    """Return whether the CLI alone is here, which reads its own folder first."""
    folders = [machine.home / name for name in EXTENSIONS]
    has = any(any(folder.glob("saoudrizwan.claude-dev-*")) for folder in folders)
    return not has and not DOCUMENTS.path(machine).is_dir()


def gaps(machine: Machine) -> list[str]:
    """The reason why no script runs: on Windows the client runs those of PowerShell alone."""
    if machine.platform != "win32":
        return []
    return ["Cline on Windows runs hooks that are .ps1 files; hookstream's are shell scripts"]


CLIENT = Client(
    "cline",
    "Cline",
    programs="cline",
    traces=(".cline", "Documents/Cline"),
    home=HOME,
    recorded="3.0.65",
    events=tuple(
        "TaskStart TaskResume TaskCancel TaskComplete TaskError SessionShutdown UserPromptSubmit "
        "PreToolUse PostToolUse PreCompact Notification".split()
    ),
    files={
        "user": (
            HookScripts(
                (DOCUMENTS / "Hooks", HOME / "hooks"), ENDINGS, ".cline", ANSWER, has_no_extension
            ),
        ),
        "project": (HookScripts((Place("./.clinerules/hooks"),), ENDINGS, ".cline", ANSWER),),
    },
    gaps=gaps,
    sessions=(
        Place("$CLINE_DATA_DIR/sessions or ~/.cline/data/sessions"),
        Place("$CLINE_SESSION_DATA_DIR or ~/.cline/data/sessions"),
    ),
    unread=(
        Unread("tasks of the extension in VS Code: no version recorded", editors(TASKS[0])),
        Unread("tasks of Roo Code, a client made of Cline's extension", editors(TASKS[1])),
        Unread("tasks of the extension's core: no version recorded", (HOME / "data" / TASK,)),
    ),
    telemetry=ClientTelemetry(
        scopes="cline",
        services="cline",
        switch="telemetry goes to an address of the vendor's, which no setting changes",
    ),
    input_includes_cache=True,
    proofs="nyp yyp yyn ppn ppn ppn nnn nnn ypy nyy ypp",
    mcp_files=(Place("./cline_mcp_settings.json"),),
    documents="sessions/*/*.json",
)
