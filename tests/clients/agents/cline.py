"""Cline, over chat completions. Its hooks are scripts named after their events."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

from clients.agents.base import HOOKS, MCP, URL, Agent, Keys, Payload, tool, write_json


class Cline(Agent):
    name = "cline"
    hook_files = (".cline/hooks/*",)
    events = tuple(
        "TaskStart TaskResume TaskCancel TaskComplete TaskError SessionShutdown UserPromptSubmit "
        "PreToolUse PostToolUse PreCompact Notification".split()
    )
    # After the fifth failure in a row it aborts the call, and with it the run.
    aborts_loops = True

    def own_environment(self, home: Path) -> dict[str, str]:
        return {
            "CLINE_NO_AUTO_UPDATE": "1",
            "CLINE_TELEMETRY_DISABLED": "1",
            "CLINE_DISABLE_TELEMETRY": "1",
        }

    def arguments(self, prompt: str) -> list[str]:
        return ["--json", prompt]

    def configure(self, home: Path, project: Path) -> None:
        settings = {
            "provider": "openai-compatible",
            "apiKey": "dummy",
            "model": "scripted-model",
            "baseUrl": URL + "/v1",
        }
        provider = {
            "settings": settings,
            "tokenSource": "manual",
            "updatedAt": "2026-01-01T00:00:00.000Z",
        }
        folder = home / ".cline/data/settings"
        providers = {
            "version": 1,
            "lastUsedProvider": "openai-compatible",
            "modes": {},
            "providers": {"openai-compatible": provider},
        }
        write_json(folder / "providers.json", providers)
        server = {"command": MCP[0], "args": MCP[1:], "disabled": False}
        write_json(folder / "cline_mcp_settings.json", {"mcpServers": {"demo": server}})

    def add_policy(self, home: Path, text: str) -> None:
        policy = [sys.executable, "-I", str(HOOKS / "policy.py"), text, "--json"]
        self.add_commands(home, "sh", {self.pre_tool: shlex.join(policy)})

    def add_commands(self, home: Path, name: str, commands: dict[str, str]) -> None:
        """Beside the plain name, which install takes, stands one with an ending."""
        folder = home / ".cline/hooks"
        folder.mkdir(parents=True, exist_ok=True)
        ending = "sh" if name == "sh" else "bash"
        for event, command in commands.items():
            path = folder / f"{event}.{ending}"
            path.write_text(f"#!/bin/sh\n{command}\n")
            path.chmod(0o755)

    def answer(self, stdout: str) -> Any:
        events = [json.loads(line) for line in stdout.splitlines() if line.startswith("{")]
        results = [event for event in events if event.get("type") == "run_result"]
        return [
            (result["finishReason"], result["iterations"], result["text"]) for result in results
        ]

    def seen(self, event: str, payload: Payload) -> Keys:
        if event == "TaskComplete" and not payload.get("parent_agent_id"):
            return 2 * [(event, None)]  # the answer, and the session's end
        call = payload.get("tool_call") or payload.get("tool_result") or {}
        return [(event, call.get("id"))]

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        path = str(project / a.get("path", ""))
        match kind:
            case "shell":
                return tool("run_commands", commands=[a["command"]])
            case "write":
                return tool("editor", path=path, new_text=a["content"])
            case "read":
                return tool("read_files", files=[{"path": path}])
            case "edit":
                return tool("editor", path=path, old_text=a["old"], new_text=a["new"])
            case "mcp":
                return tool("demo__" + a["tool"], text=a["text"])
            case "subagent":
                return tool("spawn_agent", systemPrompt="You help.", task=a["prompt"])
        raise KeyError(kind)
