"""Codex, over Responses. Its model settings stand on the command line: config.toml is install's."""

import json
import shlex
from pathlib import Path
from typing import Any

from clients.agents.base import MCP, URL, GroupedHooks, tool


def patch(*lines: str) -> dict[str, Any]:
    text = "\n".join(["*** Begin Patch", *lines, "*** End Patch", ""])
    return {"name": "apply_patch", "custom": text}


def marked(sign: str, text: str) -> list[str]:
    return [sign + line for line in text.rstrip("\n").split("\n")]


class Codex(GroupedHooks):
    name = "codex"
    hook_files = (".codex/hooks.json",)
    events = tuple(
        "SessionStart SessionEnd UserPromptSubmit PreModelRequest PostModelRequest PreToolUse "
        "PostToolUse PermissionRequest PreCompact PostCompact SubagentStart SubagentStop Stop "
        "Interrupt".split()
    )
    # There is one place for a notify program, and install has taken it.
    unshared = frozenset({"agent-turn-complete", "notify"})
    shows_failures = False
    volatile = (
        (r"Chunk ID: \w+", "Chunk ID: -"),
        (r"Wall time: [\d.]+ seconds", "Wall time: -"),
        (r'"nickname": ?"[^"]+"', '"nickname": "-"'),
        (r'"(?:agent_id|thread_id)": ?"[^"]+"', '"id": "-"'),
        (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "-"),
    )

    def own_environment(self, home: Path) -> dict[str, str]:
        return {"SCRIPTED_API_KEY": "dummy"}

    def arguments(self, prompt: str) -> list[str]:
        provider = "model_providers.scripted."
        settings = {
            "model": "gpt-5.5",
            "model_provider": "scripted",
            "check_for_update_on_startup": False,
            "analytics.enabled": False,
            "mcp_servers.demo.command": MCP[0],
            "mcp_servers.demo.args": MCP[1:],
            provider + "name": "scripted",
            provider + "base_url": URL + "/v1",
            provider + "wire_api": "responses",
            provider + "env_key": "SCRIPTED_API_KEY",
            provider + "request_max_retries": 2,
            provider + "stream_max_retries": 2,
            provider + "supports_websockets": False,
        }
        words = ["exec", "--json", "-s", "danger-full-access", "--dangerously-bypass-hook-trust"]
        for key, value in settings.items():
            words += ["-c", f"{key}={json.dumps(value)}"]
        return [*words, prompt]

    def answer(self, stdout: str) -> Any:
        events = [json.loads(line) for line in stdout.splitlines() if line.startswith("{")]
        items = [event["item"] for event in events if event["type"] == "item.completed"]
        return [item["text"] for item in items if item["type"] == "agent_message"]

    def configure(self, home: Path, project: Path) -> None:
        (home / ".codex").mkdir()

    def after_subagent(self) -> list[dict[str, Any]]:
        wait = tool("wait_agent", targets=["@AGENT"], timeout_ms=20000)
        return [{**wait, "namespace": "multi_agent_v1"}]

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        path = a.get("path", "")
        match kind:
            case "shell":
                return tool("exec_command", cmd=a["command"])
            case "write":
                return patch("*** Add File: " + path, *marked("+", a["content"]))
            case "read":
                return tool("exec_command", cmd="cat " + shlex.quote(path))
            case "edit":
                change = [*marked("-", a["old"]), *marked("+", a["new"])]
                return patch("*** Update File: " + path, "@@", *change)
            case "mcp":
                return {**tool(a["tool"], text=a["text"]), "namespace": "mcp__demo"}
            case "subagent":
                spawn = tool("spawn_agent", message=a["prompt"])
                return {**spawn, "namespace": "multi_agent_v1"}
        raise KeyError(kind)
