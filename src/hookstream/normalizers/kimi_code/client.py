"""Kimi Code: `[[hooks]]` tables in config.toml, timeouts in seconds.

Sources: the schema in 2.1.0 and trials with it. All hooks of an event run at once, and each is
asked; neither a project nor the whole machine has such a file.
"""

from __future__ import annotations

from typing import Any

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, HooksToml, Unread

HOME = Place("$KIMI_CODE_HOME or ~/.kimi-code")


def entry(event: str, command: str) -> dict[str, Any]:
    return {"event": event, "command": command, "timeout": 10}


CLIENT = Client(
    "kimi-code",
    "Kimi Code",
    programs="kimi",
    recorded="2.1.0",
    traces=(".kimi-code",),
    home=HOME,
    events=tuple(
        "SessionStart SessionEnd UserPromptSubmit UserPromptQueued TurnStarted PreToolUse "
        "PermissionRequest PermissionResult PostToolUse PostToolUseFailure SubagentStart "
        "SubagentStop TaskStarted Notification PreCompact PostCompact Stop StopFailure "
        "Interrupt".split()
    ),
    left_out={"SessionHeartbeat": "fires each minute and says only how long the session runs"},
    files={"user": (HooksToml(HOME / "config.toml", entry, "event"),)},
    sessions=(HOME / "sessions",),
    unread=(
        Unread(
            "sessions of Kimi CLI, before Kimi Code: none recorded",
            (Place("~/.kimi/sessions/*/*/wire.jsonl"),),
        ),
    ),
    never_asks="auto",
    asks_less="yolo",
    input_includes_cache=True,
    proofs="yy- yy- py- py- pp- pp- yy- yy- py- ny- yy-",
    mcp_files=(HOME / "mcp.json",),
)
