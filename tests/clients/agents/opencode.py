"""OpenCode, over chat completions. Its hooks are functions of a plugin, so the recorder is one."""

import shutil
from pathlib import Path
from typing import Any

from clients.agents.base import HOOKS, MCP, URL, Agent, Keys, Payload, tool, write_json


def is_ended_answer(info: Payload) -> bool:
    """A message is told many times; the prompt's own message repeats chat.message."""
    return info["role"] == "assistant" and ("completed" in info["time"] or "error" in info)


def is_ended_part(part: Payload) -> bool:
    """A call or a text is told at every step of its way."""
    if part["type"] == "tool":
        return part["state"]["status"] in ("completed", "error")
    return part["type"] == "text" and "end" in part.get("time", {})


class OpenCode(Agent):
    name = "opencode"
    pre_tool = "tool.execute.before"
    volatile = ((r"ses_\w+", "ses_-"), (r"\x1b\[\d*m", ""))
    wraps = False
    hands_over = False
    settings = ".config/opencode/opencode.json"
    hook_files = (".config/opencode/plugin/*.js",)
    # Functions of a plugin first, then events of the bus.
    events = tuple(
        "chat.message tool.execute.before tool.execute.after experimental.text.complete "
        "session.created session.idle session.status session.error session.deleted "
        "message.updated message.part.updated".split()
    )

    def own_environment(self, home: Path) -> dict[str, str]:
        # It tries to install its plugin package at every start; without retries that fails at once.
        return {
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_SHARE": "1",
            "npm_config_offline": "true",
            "npm_config_fetch_retries": "0",
        }

    def arguments(self, prompt: str) -> list[str]:
        return ["run", prompt]

    def configure(self, home: Path, project: Path) -> None:
        model = {
            "name": "Scripted",
            "limit": {"context": 128000, "output": 4096},
            "cost": {"input": 1, "output": 2},
            "tool_call": True,
        }
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Scripted",
            "options": {"baseURL": URL + "/v1", "apiKey": "dummy"},
            "models": {"scripted-model": model},
        }
        settings = {
            "autoupdate": False,
            "share": "disabled",
            "model": "scripted/scripted-model",
            "small_model": "scripted/scripted-model",
            "enabled_providers": ["scripted"],
            "provider": {"scripted": provider},
            "permission": dict.fromkeys(("bash", "edit", "read", "webfetch"), "allow"),
            "mcp": {"demo": {"type": "local", "command": MCP, "enabled": True}},
        }
        write_json(home / self.settings, settings)

    def add_policy(self, home: Path, text: str) -> None:
        self._plugin(home, "policy", {"deny": text})

    def add_recorder(self, home: Path, file: Path) -> None:
        # Plugins are asked in the order of their names, and a refusal ends the round.
        self._plugin(home, "a-recorder", {"file": str(file), "events": self.events})

    def _plugin(self, home: Path, name: str, orders: dict[str, Any]) -> None:
        folder = (home / self.settings).parent / "plugin"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(HOOKS / f"opencode_{name}.js", folder / f"{name}.js")
        write_json(home / f".capture/{name}.json", orders)

    def seen(self, event: str, payload: Payload) -> Keys:
        properties = payload.get("event", {}).get("properties", {})
        if event == "session.status" and properties["status"]["type"] != "retry":
            return []  # what the client's screen shows
        if event == "session.created" and "parentID" in properties["info"]:
            return 2 * [(event, None)]  # the session, and the sub-agent whose it is
        if event == "message.updated":
            return [(event, None)] if is_ended_answer(properties["info"]) else []
        if event == "message.part.updated":
            part = properties["part"]
            return [(event, part.get("callID"))] if is_ended_part(part) else []
        call = payload.get("input") or {}
        if event == "tool.execute.after" and call.get("tool") == "task":
            return [(event, call["callID"]), (event, None)]  # the call, and the sub-agent's end
        return [(event, call.get("callID"))]

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        path = str(project / a.get("path", ""))
        match kind:
            case "shell":
                return tool("bash", command=a["command"], description="run a command")
            case "write":
                return tool("write", filePath=path, content=a["content"])
            case "read":
                return tool("read", filePath=path)
            case "edit":
                return tool("edit", filePath=path, oldString=a["old"], newString=a["new"])
            case "mcp":
                return tool("demo_" + a["tool"], text=a["text"])
            case "subagent":
                prompt = a["prompt"]
                return tool("task", description="task", prompt=prompt, subagent_type="general")
        raise KeyError(kind)
