"""Gemini CLI, over generateContent."""

from pathlib import Path
from typing import Any

from clients.agents.base import MCP, URL, GroupedHooks, Keys, Payload, tool, write_json


class GeminiCli(GroupedHooks):
    name = "gemini-cli"
    hook_files = (".gemini/settings.json",)
    matcher = "*"
    events = tuple(
        "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection "
        "BeforeTool AfterTool PreCompress Notification".split()
    )
    pre_tool = "BeforeTool"
    volatile = ((r"Process Group PGID: \d+", "Process Group PGID: -"),)

    def own_environment(self, home: Path) -> dict[str, str]:
        return {
            "GEMINI_API_KEY": "dummy",
            "GOOGLE_GEMINI_BASE_URL": URL,
            "GEMINI_TELEMETRY_ENABLED": "false",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "CI": "1",
        }

    def arguments(self, prompt: str) -> list[str]:
        return ["-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-p", prompt]

    def configure(self, home: Path, project: Path) -> None:
        settings = {
            "security": {
                "auth": {"selectedType": "gemini-api-key"},
                "folderTrust": {"enabled": False},
            },
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "mcpServers": {"demo": {"command": MCP[0], "args": MCP[1:]}},
        }
        write_json(home / self.hook_files[0], settings)

    def seen(self, event: str, payload: Payload) -> Keys:
        if event == "BeforeToolSelection":
            return []  # repeats the BeforeModel of the same request
        if payload.get("tool_name") == "invoke_agent":
            return 2 * [(event, None)]  # the call, and the sub-agent whose bracket it is
        return super().seen(event, payload)

    def subagent_end(self, text: str) -> dict[str, Any]:
        return {"calls": [tool("complete_task", result={"response": text})]}

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        path = a.get("path", "")
        match kind:
            case "shell":
                return tool("run_shell_command", command=a["command"], description="run it")
            case "write":
                return tool("write_file", file_path=path, content=a["content"])
            case "read":
                return tool("read_file", file_path=path)
            case "edit":
                return tool(
                    "replace",
                    file_path=path,
                    old_string=a["old"],
                    new_string=a["new"],
                    instruction="small edit",
                )
            case "mcp":
                return tool("mcp_demo_" + a["tool"], text=a["text"])
            case "subagent":
                return tool("invoke_agent", agent_name="generalist", prompt=a["prompt"])
        raise KeyError(kind)
