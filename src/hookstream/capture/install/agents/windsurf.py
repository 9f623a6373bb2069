"""Windsurf: hooks.json, a flat list an event, run in order; no timeout of its own.

Source: the vendor's hook page and field reports. Exit status 2 before an action ends the round,
so the observer stands first.
"""

from __future__ import annotations

import os
from typing import Any

from hookstream.capture.install.agent import Agent
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import Homes
from hookstream.capture.install.hooks_file import HooksFile

EVENTS = tuple(
    "pre_user_prompt pre_run_command post_run_command pre_read_code post_read_code "
    "pre_write_code post_write_code pre_mcp_tool_use post_mcp_tool_use post_cascade_response "
    "post_setup_worktree".split()
)
LEFT_OUT = {
    "post_cascade_response_with_transcript": "a hook there makes the client write whole "
    "transcripts to disk, and it repeats post_cascade_response",
}


def entry(event: str, command: str) -> dict[str, Any]:
    field = "powershell" if os.name == "nt" else "command"
    return {field: command, "show_output": False}


def files(homes: Homes, scope: str) -> list[ConfigFile]:
    if scope == "user":
        places = [homes.home / ".codeium" / "windsurf"]
        # The plugin for JetBrains reads its own file.
        if (homes.home / ".codeium" / "hooks.json").exists():
            places.append(homes.home / ".codeium")
    elif scope == "project":
        places = [homes.project / ".windsurf"]
    else:
        places = [homes.system("windsurf", "Windsurf", "Windsurf")]
    return [
        HooksFile(place / "hooks.json", "windsurf", EVENTS, entry, first=True) for place in places
    ]


AGENT = Agent(
    "windsurf",
    "Windsurf",
    ("windsurf",),
    (".codeium/windsurf", ".windsurf"),
    EVENTS,
    files,
    LEFT_OUT,
)
