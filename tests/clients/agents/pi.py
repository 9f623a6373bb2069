"""Pi, over chat completions. Its hooks are functions of an extension, so the recorder is one."""

import shutil
from pathlib import Path
from typing import Any

from clients.agents.base import HOOKS, URL, Agent, Keys, Payload, tool, write_json


class Pi(Agent):
    name = "pi"
    pre_tool = "tool_execution_start"
    wraps = False
    shows_refusals = True
    hands_over = False
    hook_files = (".pi/agent/extensions/*.js",)
    events = tuple(
        "session_start session_shutdown input tool_execution_start tool_result "
        "tool_execution_end turn_end agent_end".split()
    )

    def own_environment(self, home: Path) -> dict[str, str]:
        return {"PI_OFFLINE": "1", "PI_TELEMETRY": "0"}

    def arguments(self, prompt: str) -> list[str]:
        return ["--provider", "scripted", "--model", "scripted-model", "-p", prompt]

    def configure(self, home: Path, project: Path) -> None:
        model = {"id": "scripted-model", "contextWindow": 128000, "maxTokens": 4096}
        provider = {
            "baseUrl": URL + "/v1",
            "api": "openai-completions",
            "apiKey": "dummy",
            "models": [model],
        }
        write_json(home / ".pi/agent/models.json", {"providers": {"scripted": provider}})

    def add_policy(self, home: Path, text: str) -> None:
        self._extension(home, "policy", {"deny": text})

    def add_recorder(self, home: Path, file: Path) -> None:
        self._extension(home, "recorder", {"file": str(file), "events": self.events})

    def _extension(self, home: Path, name: str, orders: dict[str, Any]) -> None:
        folder = home / ".pi/agent/extensions"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(HOOKS / f"pi_{name}.js", folder / f"{name}.js")
        write_json(home / f".capture/{name}.json", orders)

    def seen(self, event: str, payload: Payload) -> Keys:
        return [(event, payload.get("toolCallId"))]

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        path = str(project / a.get("path", ""))
        match kind:
            case "shell":
                return tool("bash", command=a["command"])
            case "write":
                return tool("write", path=path, content=a["content"])
            case "read":
                return tool("read", path=path)
            case "edit":
                return tool("edit", path=path, edits=[{"oldText": a["old"], "newText": a["new"]}])
            case "mcp" | "subagent":  # it has neither: an unknown tool
                return tool(f"no_{kind}", text=a.get("text", a.get("prompt")))
        raise KeyError(kind)
