"""Claude Code, over Anthropic Messages."""

import json
from pathlib import Path
from typing import Any

from clients.agents.base import MCP, URL, GroupedHooks, Keys, Payload, tool, write_json


class ClaudeCode(GroupedHooks):
    name = "claude-code"
    hook_files = (".claude/settings.json",)
    # Without WorktreeCreate and WorktreeRemove: a hook there replaces the action.
    events = tuple(
        "SessionStart SessionEnd Setup UserPromptSubmit UserPromptExpansion PreToolUse PostToolUse "
        "PostToolUseFailure PostToolBatch PermissionRequest PermissionDenied Notification "
        "MessageDisplay Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact "
        "PreModelSwitch PostModelSwitch TaskCreated TaskCompleted TeammateIdle Elicitation "
        "ElicitationResult ConfigChange InstructionsLoaded CwdChanged FileChanged "
        "DirectoryAdded".split()
    )
    unawaited = frozenset({"StopFailure"})
    volatile = (
        # The refusal names the hook's command line, which a wrap changes.
        (r"(?s)hook error: \[.*?\]: (?=refused)", "hook error: "),
        # The client's own reminders go with whichever of two calls ends last.
        (r"(?s)\n\n<system-reminder>.*?</system-reminder>", ""),
        (r"agentId: \w+|to: '\w+'|duration_ms: \d+", "-"),
    )

    def own_environment(self, home: Path) -> dict[str, str]:
        return {
            "ANTHROPIC_BASE_URL": URL,
            "ANTHROPIC_API_KEY": "dummy",
            "IS_SANDBOX": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "CLAUDE_CODE_MAX_RETRIES": "2",
            "CLAUDE_CODE_TMPDIR": str(home / ".tmp"),
        }

    def arguments(self, prompt: str) -> list[str]:
        words = ["-p", prompt, "--output-format", "json", "--model", "claude-sonnet-4-5"]
        return [*words, "--permission-mode", "bypassPermissions"]

    def answer(self, stdout: str) -> Any:
        said = json.loads(stdout)
        return {name: said.get(name) for name in ("subtype", "is_error", "num_turns", "result")}

    def configure(self, home: Path, project: Path) -> None:
        trust = {
            "hasTrustDialogAccepted": True,
            "hasCompletedProjectOnboarding": True,
            "enabledMcpjsonServers": ["demo"],
        }
        write_json(
            home / ".claude.json",
            {
                "hasCompletedOnboarding": True,
                "bypassPermissionsModeAccepted": True,
                "customApiKeyResponses": {"approved": ["dummy"], "rejected": []},
                "projects": {str(project): trust},
            },
        )
        write_json(home / self.hook_files[0], {"enableAllProjectMcpServers": True})
        server = {"command": MCP[0], "args": MCP[1:]}
        write_json(project / ".mcp.json", {"mcpServers": {"demo": server}})

    def matcher_of(self, event: str) -> str | None:
        return ".env|.envrc" if event == "FileChanged" else None

    def seen(self, event: str, payload: Payload) -> Keys:
        if event == "PostToolBatch":
            return [(event, call["tool_use_id"]) for call in payload["tool_calls"]]
        if event == "SubagentStop" and payload.get("agent_type") == "":
            return []  # a compaction's own
        return super().seen(event, payload)

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        path = str(project / a.get("path", ""))
        match kind:
            case "shell":
                return tool("Bash", command=a["command"], description="run a command")
            case "write":
                return tool("Write", file_path=path, content=a["content"])
            case "read":
                return tool("Read", file_path=path)
            case "edit":
                return tool("Edit", file_path=path, old_string=a["old"], new_string=a["new"])
            case "mcp":
                return tool("mcp__demo__" + a["tool"], text=a["text"])
            case "subagent":
                return tool(
                    "Agent",
                    description="small task",
                    prompt=a["prompt"],
                    subagent_type="general-purpose",
                    run_in_background=False,
                )
        raise KeyError(kind)
