"""GitHub Copilot CLI, over chat completions."""

from pathlib import Path
from typing import Any

from clients.agents.base import (
    MCP,
    URL,
    Agent,
    Keys,
    Payload,
    tool,
    write_json,
)


class Copilot(Agent):
    name = "copilot"
    events = tuple(
        "sessionStart sessionEnd userPromptSubmitted userPromptTransformed preToolUse "
        "preMcpToolCall postToolUse postToolUseFailure errorOccurred agentStop subagentStart "
        "subagentStop preCompact permissionRequest notification".split()
    )
    pre_tool = "preToolUse"
    hook_files = (".copilot/hooks/*.json",)
    volatile = ((r"shellId: \d+", "shellId: -"),)

    def own_environment(self, home: Path) -> dict[str, str]:
        return {
            "COPILOT_PROVIDER_BASE_URL": URL + "/v1",
            "COPILOT_PROVIDER_API_KEY": "dummy",
            "COPILOT_MODEL": "claude-sonnet-4.6",
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PROVIDER_MAX_PROMPT_TOKENS": "120000",
        }

    def arguments(self, prompt: str) -> list[str]:
        return ["-p", prompt, "--allow-all", "--no-ask-user", "--no-color"]

    def answer(self, stdout: str) -> Any:
        # Calls side by side are shown in the order in which they end.
        return sorted(self.steady(stdout).split("\n"))

    def configure(self, home: Path, project: Path) -> None:
        for name in ("config.json", "settings.json"):
            trusted = {"trustedFolders": [str(project)], "banner": "never"}
            write_json(home / ".copilot" / name, trusted)
        server = {"type": "local", "command": MCP[0], "args": MCP[1:], "tools": ["*"]}
        write_json(home / ".copilot/mcp-config.json", {"mcpServers": {"demo": server}})

    def add_commands(self, home: Path, name: str, commands: dict[str, str]) -> None:
        # One file a hook. The first that denies ends the round, and the last by name runs first.
        table = {event: [{"type": "command", "bash": line}] for event, line in commands.items()}
        write_json(home / f".copilot/hooks/{name}.json", {"version": 1, "hooks": table})

    def seen(self, event: str, payload: Payload) -> Keys:
        return [(event, payload.get("toolCallId"))]

    def key(self, line: Payload) -> tuple[str, str | None]:
        # Only one of a call's events has an id, so it pairs nothing and is kept as it came.
        native = line.get("native") or {}
        return line["native_event"], native.get("toolCallId")

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        path = str(project / a.get("path", ""))
        match kind:
            case "shell":
                return tool("bash", command=a["command"], description="run a command")
            case "write":
                return tool("create", path=path, file_text=a["content"])
            case "read":
                return tool("view", path=path)
            case "edit":
                return tool("edit", path=path, old_str=a["old"], new_str=a["new"])
            case "mcp":
                return tool("demo-" + a["tool"], text=a["text"])
            case "subagent":
                return tool(
                    "task",
                    name="counter",
                    description="small task",
                    prompt=a["prompt"],
                    agent_type="general-purpose",
                    mode="sync",
                )
        raise KeyError(kind)
