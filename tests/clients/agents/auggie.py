"""Auggie, over its own service's chat-stream. The service also has to switch hooks on."""

import json
import re
from pathlib import Path
from typing import Any

from clients.agents.base import MCP, URL, GroupedHooks, Keys, Payload, tool, write_json

REMINDER = "LIMIT THE FILE CONTENT TO AT MOST 150 LINES."
HELPER = """---
name: helper
description: Does a small task
---
You help.
"""


class Auggie(GroupedHooks):
    name = "auggie"
    hook_files = (".augment/settings.json",)
    events = tuple(
        "SessionStart SessionEnd PromptSubmit PreToolUse PostToolUse Notification Stop".split()
    )
    volatile = (
        (r"Request ID: [0-9a-f-]{36}", "Request ID: -"),
        (r"(?i)terminal ID \d+", "terminal ID -"),
    )

    def own_environment(self, home: Path) -> dict[str, str]:
        session = {"accessToken": "dummy", "tenantURL": URL + "/", "scopes": ["email"]}
        return {"AUGMENT_SESSION_AUTH": json.dumps(session)}

    def arguments(self, prompt: str) -> list[str]:
        return ["--print", prompt]

    def configure(self, home: Path, project: Path) -> None:
        server = {"command": MCP[0], "args": MCP[1:]}
        write_json(home / self.hook_files[0], {"mcpServers": {"demo": server}})
        agents = home / ".augment/agents"
        agents.mkdir(parents=True)
        (agents / "helper.md").write_text(HELPER)

    def seen(self, event: str, payload: Payload) -> Keys:
        return [(event, None)]  # its calls have no ids

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        match kind:
            case "shell":
                given = {"wait": True, "max_wait_seconds": 20, "cwd": str(project)}
                return tool("launch-process", command=a["command"], **given)
            case "write":
                given = {"path": a["path"], "file_content": a["content"]}
                return tool("save-file", instructions_reminder=REMINDER, **given)
            case "read":
                return tool("view", path=a["path"], type="file")
            case "edit":
                entry = {"old_str": a["old"], "new_str": a["new"]}
                entry |= {"old_str_start_line_number": 2, "old_str_end_line_number": 2}
                return tool(
                    "str-replace-editor",
                    command="str_replace",
                    path=a["path"],
                    instruction_reminder="ALWAYS BREAK DOWN EDITS INTO SMALLER CHUNKS.",
                    str_replace_entries=[entry],
                )
            case "mcp":
                return tool(f"{a['tool']}_demo", text=a["text"])
            case "subagent":
                lane = re.sub(r"\W", "", a["prompt"].partition("]")[0])
                return tool("sub-agent-helper", action="run", name=lane, instruction=a["prompt"])
        raise KeyError(kind)
