"""Droid, over chat completions. Sub-agents need its vendor's service."""

from pathlib import Path
from typing import Any

from clients.agents.base import MCP, URL, GroupedHooks, Keys, Payload, tool, write_json

MODEL = "custom:scripted-model-0"


class Droid(GroupedHooks):
    name = "droid"
    hook_files = (".factory/settings.json",)
    events = tuple(
        "SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse Notification Stop "
        "SubagentStop PreCompact".split()
    )
    names_calls = False
    # PostToolUse follows a success alone.
    shows_failures = False

    def own_environment(self, home: Path) -> dict[str, str]:
        return {"FACTORY_DROID_AUTO_UPDATE_ENABLED": "false", "FACTORY_DISABLE_KEYRING": "1"}

    def arguments(self, prompt: str) -> list[str]:
        return ["exec", "--auto", "high", "-m", MODEL, prompt]

    def configure(self, home: Path, project: Path) -> None:
        model = {
            "model": "scripted-model",
            "id": MODEL,
            "index": 0,
            "displayName": "Scripted",
            "baseUrl": URL + "/v1",
            "apiKey": "dummy",
            "provider": "generic-chat-completion-api",
            "maxOutputTokens": 4096,
            "maxContextLimit": 128000,
        }
        settings = {
            "customModels": [model],
            "sessionDefaultSettings": {"model": MODEL},
            "cloudSessionSync": False,
        }
        write_json(home / self.hook_files[0], settings)
        server = {"type": "stdio", "command": MCP[0], "args": MCP[1:], "disabled": False}
        write_json(home / ".factory/mcp.json", {"mcpServers": {"demo": server}})

    def seen(self, event: str, payload: Payload) -> Keys:
        return [(event, None)]

    def key(self, line: Payload) -> tuple[str, str | None]:
        return line["native_event"], None  # its payloads have no call id

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        path = str(project / a.get("path", ""))
        match kind:
            case "shell":
                return tool(
                    "Execute",
                    summary="Run one small command",
                    command=a["command"],
                    riskLevelReason="small",
                    riskLevel="low",
                )
            case "write":
                return tool("Create", file_path=path, content=a["content"])
            case "read":
                return tool("Read", file_path=path)
            case "edit":
                return tool("Edit", file_path=path, old_str=a["old"], new_str=a["new"])
            case "mcp":
                return tool("demo___" + a["tool"], text=a["text"])
            case "subagent":
                prompt = a["prompt"]
                return tool("Task", description="task", prompt=prompt, subagent_type="worker")
        raise KeyError(kind)
