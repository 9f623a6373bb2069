"""Kimi Code, over chat completions. Its hooks are tables of config.toml, next to its settings."""

import json
from pathlib import Path
from typing import Any

from clients.agents.base import MCP, URL, Agent, Keys, Payload, tool, write_json

CONFIG = f"""\
default_model = "s"

[providers.scripted]
type = "openai"
base_url = "{URL}/v1"
api_key = "dummy"

[models.s]
provider = "scripted"
model = "scripted-model"
max_context_size = 128000
"""


class KimiCode(Agent):
    name = "kimi-code"
    hook_files = (".kimi-code/config.toml",)
    events = tuple(
        "SessionStart SessionEnd UserPromptSubmit TurnStarted PreToolUse PostToolUse "
        "PostToolUseFailure SubagentStart SubagentStop Stop StopFailure".split()
    )
    unawaited = frozenset(
        "TurnStarted PostToolUse PostToolUseFailure SubagentStop StopFailure".split()
    )
    loses_last_end = True
    volatile = ((r"Wall time: [\d.]+ seconds", "Wall time: -"), (r"session_[\w-]+", "session_-"))

    def own_environment(self, home: Path) -> dict[str, str]:
        return {"KIMI_DISABLE_TELEMETRY": "1", "KIMI_CODE_NO_AUTO_UPDATE": "1"}

    def arguments(self, prompt: str) -> list[str]:
        return ["-p", prompt]

    def configure(self, home: Path, project: Path) -> None:
        server = {"command": MCP[0], "args": MCP[1:]}
        write_json(home / ".kimi-code/mcp.json", {"mcpServers": {"demo": server}})
        (home / self.hook_files[0]).write_text(CONFIG)

    def add_commands(self, home: Path, name: str, commands: dict[str, str]) -> None:
        with open(home / self.hook_files[0], "a") as file:
            for event, command in commands.items():
                line = json.dumps(command)
                file.write(f'\n[[hooks]]\nevent = "{event}"\ncommand = {line}\n')

    def seen(self, event: str, payload: Payload) -> Keys:
        return [(event, payload.get("tool_call_id"))]

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        path = str(project / a.get("path", ""))
        match kind:
            case "shell":
                return tool("Bash", command=a["command"])
            case "write":
                return tool("Write", path=path, content=a["content"])
            case "read":
                return tool("Read", path=path)
            case "edit":
                return tool("Edit", path=path, old_string=a["old"], new_string=a["new"])
            case "mcp":
                return tool("mcp__demo__" + a["tool"], text=a["text"])
            case "subagent":
                return tool("Agent", description="task", prompt=a["prompt"], subagent_type="coder")
        raise KeyError(kind)
