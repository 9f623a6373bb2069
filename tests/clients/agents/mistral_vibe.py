"""Mistral Vibe, over chat completions. Its hooks are tables of hooks.toml."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

from clients.agents.base import HOOKS, MCP, URL, Agent, Keys, Payload, tool

CONFIG = f"""\
active_model = "s"
enable_telemetry = false
enable_update_checks = false

[[providers]]
name = "scripted"
api_base = "{URL}/v1"
api_key_env_var = ""

[[models]]
name = "scripted-model"
provider = "scripted"
alias = "s"

[[mcp_servers]]
name = "demo"
transport = "stdio"
command = {json.dumps(MCP[0])}
args = {json.dumps(MCP[1:])}
"""


class MistralVibe(Agent):
    name = "mistral-vibe"
    pre_tool = "pre_tool"
    hook_files = (".vibe/hooks.toml",)
    events = ("pre_tool", "post_tool", "post_agent")

    def arguments(self, prompt: str) -> list[str]:
        return ["-p", prompt, "--auto-approve", "--trust"]

    def configure(self, home: Path, project: Path) -> None:
        (home / ".vibe").mkdir()
        (home / ".vibe/config.toml").write_text(CONFIG)

    def add_policy(self, home: Path, text: str) -> None:
        policy = [sys.executable, "-I", str(HOOKS / "policy.py"), text, "--decision"]
        self.add_commands(home, "policy", {self.pre_tool: shlex.join(policy)})

    def add_commands(self, home: Path, name: str, commands: dict[str, str]) -> None:
        path = home / self.hook_files[0]
        held = path.read_text() if path.exists() else ""
        tables = ""
        for event, command in commands.items():
            named = f'name = "{name}-{event}"\ntype = "{event}"'
            tables += f"[[hooks]]\n{named}\ncommand = {json.dumps(command)}\n\n"
        # A refusal ends the round: the recorder comes before the policy.
        path.write_text(held + tables if name == "policy" else tables + held)

    def seen(self, event: str, payload: Payload) -> Keys:
        return [(event, payload.get("tool_call_id"))]

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        path = str(project / a.get("path", ""))
        match kind:
            case "shell":
                return tool("bash", command=a["command"])
            case "write":
                return tool("write_file", path=path, content=a["content"])
            case "read":
                return tool("read_file", path=path)
            case "edit":
                change = {"old_str": a["old"], "new_str": a["new"]}
                return tool("edit", path=path, content=[change])
            case "mcp":
                code = f"await tools.mcp_demo.{a['tool']}({{text: {json.dumps(a['text'])}}})"
                caught = f"try {{ {code} }} catch (e) {{ console.log('caught ' + e) }}"
                return tool("run_typescript", code=f"async function main() {{ {caught} }}")
            case "subagent":  # not offered: an unknown tool
                return tool("task", prompt=a["prompt"])
        raise KeyError(kind)
