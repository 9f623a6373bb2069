"""Qwen Code, over chat completions."""

from pathlib import Path
from typing import Any

from clients.agents.base import MCP, URL, GroupedHooks, Keys, Payload, tool, write_json


class QwenCode(GroupedHooks):
    name = "qwen-code"
    hook_files = (".qwen/settings.json",)
    matcher = "*"
    events = tuple(
        "SessionStart SessionEnd SessionDelete InstructionsLoaded UserPromptSubmit "
        "UserPromptExpansion PreToolUse PostToolUse PostToolUseFailure PostToolBatch "
        "PermissionRequest PermissionDenied Notification MessageDisplay Stop StopFailure "
        "SubagentStart SubagentStop PreCompact PostCompact TodoCreated TodoCompleted".split()
    )

    # Left alone, 3 of 6 runs lose the output of a command that ends at once.
    volatile = ((r"(?s)\nOutput: .*?\nError: ", "\nOutput: -\nError: "),)

    def own_environment(self, home: Path) -> dict[str, str]:
        return {
            "OPENAI_API_KEY": "dummy",
            "OPENAI_BASE_URL": URL + "/v1",
            "OPENAI_MODEL": "qwen3-coder-plus",
            "QWEN_CODE_SUPPRESS_YOLO_WARNING": "1",
        }

    def arguments(self, prompt: str) -> list[str]:
        return ["--approval-mode", "yolo", "-p", prompt]

    def configure(self, home: Path, project: Path) -> None:
        settings = {
            "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
            "model": {"name": "qwen3-coder-plus"},
            "general": {"enableAutoUpdate": False, "disableUpdateNag": True},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "mcpServers": {"demo": {"command": MCP[0], "args": MCP[1:]}},
        }
        write_json(home / self.hook_files[0], settings)

    def seen(self, event: str, payload: Payload) -> Keys:
        if event == "PostToolBatch":
            return [(event, call["tool_use_id"]) for call in payload["tool_calls"]]
        if event == "MessageDisplay" and payload.get("is_final") is False:
            return []  # a chunk of the message
        if event == "Stop" and "context_limit" in payload:
            return 2 * [(event, None)]  # the answer, and how full the context is
        if event == "UserPromptSubmit" and not payload.get("submitted_prompt"):
            return []  # sent before every model call, without anything a person typed
        return [(event, payload.get("tool_call_id"))]

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        path = str(project / a.get("path", ""))
        match kind:
            case "shell":
                command = a["command"]
                return tool("run_shell_command", command=command, is_background=False)
            case "write":
                return tool("write_file", file_path=path, content=a["content"])
            case "read":
                return tool("read_file", file_path=path)
            case "edit":
                return tool("edit", file_path=path, old_string=a["old"], new_string=a["new"])
            case "mcp":
                return tool("mcp__demo__" + a["tool"], text=a["text"])
            case "subagent":
                return tool(
                    "agent",
                    description="small task",
                    prompt=a["prompt"],
                    subagent_type="general-purpose",
                    run_in_background=False,
                )
        raise KeyError(kind)
