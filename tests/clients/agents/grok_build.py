"""Grok Build, over chat completions. Its hooks are files of a folder, the settings are TOML."""

import json
from pathlib import Path
from typing import Any

from clients.agents.base import MCP, URL, GroupedHooks, Keys, Payload, read_json, tool, write_json

SETTINGS = {
    "models": {"default": "scripted"},
    "features": {"telemetry": False, "remote_fetch": False},
    "model.scripted": {
        "model": "grok-4.5",
        "base_url": URL + "/v1",
        "api_key": "dummy",
        "api_backend": "chat_completions",
        "context_window": 200000,
    },
    "mcp_servers.demo": {"command": MCP[0], "args": MCP[1:]},
}


class GrokBuild(GroupedHooks):
    name = "grok-build"
    hook_files = (".grok/hooks/hooks.json", ".grok/hooks/hookstream.json")
    volatile = ((r"[0-9a-f]{8}-[0-9a-f-]{27}", "-"),)
    events = tuple(
        "SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure "
        "PermissionDenied Notification Stop StopFailure StopCancelled SubagentStart SubagentStop "
        "PreCompact PostCompact".split()
    )

    def own_environment(self, home: Path) -> dict[str, str]:
        return {
            "XAI_API_KEY": "dummy",
            "GROK_TELEMETRY_ENABLED": "0",
            "GROK_TELEMETRY_TRACE_UPLOAD": "0",
            "GROK_FEEDBACK_ENABLED": "0",
        }

    def arguments(self, prompt: str) -> list[str]:
        return ["-p", prompt, "-m", "scripted", "--no-auto-update", "--always-approve"]

    def configure(self, home: Path, project: Path) -> None:
        lines = []
        for name, table in SETTINGS.items():
            lines.append(f"[{name}]")
            lines += [f"{key} = {json.dumps(value)}" for key, value in table.items()]
        path = home / ".grok/config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([*lines, ""]))

    def add_recorder(self, home: Path, file: Path) -> None:
        super().add_recorder(home, file)
        path = home / self.hook_files[0]
        settings = read_json(path)
        # A refusal ends the round: nothing behind it is run.
        for groups in settings["hooks"].values():
            groups.insert(0, groups.pop())
        write_json(path, settings)

    def seen(self, event: str, payload: Payload) -> Keys:
        if event == "Stop" and payload.get("reason") != "end_turn":
            return []  # at the end of the session, after its end
        if event == "SubagentStop":
            return 2 * [(event, None)]  # the sub-agent's answer, and its end
        return [(event, payload.get("toolUseId"))]

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        path = str(project / a.get("path", ""))
        match kind:
            case "shell":
                return tool("run_terminal_command", command=a["command"], description="run it")
            case "write":
                return tool("write", file_path=path, content=a["content"])
            case "read":
                return tool("read_file", target_file=path)
            case "edit":
                old, new = a["old"], a["new"]
                return tool("search_replace", file_path=path, old_string=old, new_string=new)
            case "mcp":
                return tool("demo__" + a["tool"], text=a["text"])
            case "subagent":
                return tool(
                    "spawn_subagent",
                    description="small task",
                    prompt=a["prompt"],
                    subagent_type="general-purpose",
                    run_in_background=False,
                )
        raise KeyError(kind)
