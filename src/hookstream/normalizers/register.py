"""Made by `python -m hookstream.normalizers.registering`; not to be edited."""

from __future__ import annotations

VENDORS: dict[str, str] = {
    "claude-code": "claude_code",
    "codex": "codex",
    "gemini-cli": "gemini_cli",
    "copilot": "copilot",
    "qwen-code": "qwen_code",
    "opencode": "opencode",
    "cline": "cline",
    "kimi-code": "kimi_code",
    "openclaw": "openclaw",
    "pi": "pi",
    "mistral-vibe": "mistral_vibe",
    "cursor": "cursor",
    "auggie": "auggie",
    "windsurf": "windsurf",
    "kiro": "kiro",
    "devin": "devin",
    "antigravity": "antigravity",
    "aos": "aos",
    "prisma-airs": "prisma_airs",
}

WITHOUT_HOOKS: dict[str, str] = {
    "otel-genai": "genai",
    "continue": "continue_dev",
    "n8n": "n8n",
    "glean": "glean",
}

MARKS: list[tuple[tuple[str, ...], str, str]] = [
    (("clineVersion",), "", "cline"),
    (("client_type",), "kimi", "kimi-code"),
    (("ctx", "event"), "", "openclaw"),
    (("cursor_version",), "", "cursor"),
    (("agent_action_name",), "", "windsurf"),
    (("jsonrpc",), "", "aos"),
    (("event",), "prisma_airs_", "prisma-airs"),
]

VARIABLES: dict[str, str] = {
    "GEMINI_SESSION_ID": "gemini-cli",
    "COPILOT_CLI": "copilot",
    "DEVIN_PROJECT_DIR": "devin",
}

FOLDERS: list[tuple[str, str]] = [
    ("/.claude/", "claude-code"),
    ("/.codex/", "codex"),
    ("rollout-*", "codex"),
    ("/.gemini/", "gemini-cli"),
    ("/.copilot/", "copilot"),
    ("/session-state/", "copilot"),
    ("copilot-chat", "copilot"),
    ("/.qwen/", "qwen-code"),
]

RUN_BY: dict[str, tuple[str, ...]] = {
    "claude-code": ("copilot",),
}
