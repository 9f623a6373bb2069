"""Windsurf: hooks.json, one flat list per event, run in order; no timeout.

Sources: the vendor's hook page and field reports. Exit status 2 before an action ends the round, so
the observer comes first.
"""

from __future__ import annotations

import os
from typing import Any

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, HooksJson, Unread

MANAGED = Place(
    "/etc/windsurf",
    "/Library/Application Support/Windsurf",
    "$PROGRAMDATA/Windsurf or C:/ProgramData/Windsurf",
)


def entry(event: str, command: str) -> dict[str, Any]:
    field = "powershell" if os.name == "nt" else "command"
    return {field: command, "show_output": False}


CLIENT = Client(
    "windsurf",
    "Windsurf",
    programs="windsurf",
    products=(
        "/usr/share/windsurf/resources/app",
        "/opt/windsurf/resources/app",
        "/Applications/Windsurf.app/Contents/Resources/app",
    ),
    traces=(".codeium/windsurf", ".windsurf"),
    windows_shell="powershell",
    events=tuple(
        "pre_user_prompt pre_run_command post_run_command pre_read_code post_read_code "
        "pre_write_code post_write_code pre_mcp_tool_use post_mcp_tool_use post_cascade_response "
        "post_setup_worktree".split()
    ),
    unread=(
        Unread("transcripts: no version recorded", (Place("~/.windsurf/transcripts/*.jsonl"),)),
        Unread("encrypted by the client", (Place("~/.codeium/windsurf/cascade/*.pb"),)),
    ),
    left_out={
        "post_cascade_response_with_transcript": "a hook there makes the client write whole "
        "transcripts to disk, and it repeats post_cascade_response",
    },
    files={
        "user": (
            HooksJson(Place("~/.codeium/windsurf/hooks.json"), entry, first=True),
            # The plugin for JetBrains reads its own file.
            HooksJson(Place("~/.codeium/hooks.json"), entry, first=True, optional=True),
        ),
        "project": (HooksJson(Place("./.windsurf/hooks.json"), entry, first=True),),
        "managed": (HooksJson(MANAGED / "hooks.json", entry, first=True),),
    },
)
