"""The clients, and what every hook asks of all of them, from their folders.

Made by `python -m hookstream.normalizers.registering`; not to be edited. `MARKS`: fields of a
payload, the beginning of the first one's text, the client. `VARIABLES`: of a hook's environment.
`FOLDERS`: parts of the places of session files, in lower case. `RUN_BY`: a client and those that
run the hooks of its settings files. `FORKS`: a client and those whose payloads look like its.
`UNATTENDED`: a program and the words with which it runs
without a person. `NEVER_ASKS`, `ASKS_LESS`: a client and its permission modes in which all runs
without a question, or a part. `INPUT_INCLUDES_CACHE`: clients whose input tokens include what was
cached. `DOCUMENTS`: patterns of the ends of paths of session files not in lines.
"""

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
    "droid": "droid",
    "grok-build": "grok_build",
    "kilo": "kilo",
    "qoder": "qoder",
    "goose": "goose",
}

WITHOUT_HOOKS: dict[str, str] = {
    "otel-genai": "genai",
    "continue": "continue_dev",
    "n8n": "n8n",
    "glean": "glean",
}

MARKS: list[tuple[tuple[str, ...], str, str]] = [
    (("hook_event_name", "traceparent"), "", "copilot"),
    (("hook_event_name", "tool_result"), "", "copilot"),
    (("clineVersion",), "", "cline"),
    (("client_type",), "kimi", "kimi-code"),
    (("ctx", "event"), "", "openclaw"),
    (("cursor_version",), "", "cursor"),
    (("agent_action_name",), "", "windsurf"),
    (("jsonrpc",), "", "aos"),
    (("event",), "prisma_airs_", "prisma-airs"),
    (("CLAUDE_ENV_FILE",), "", "droid"),
    (("session_duration_ms", "reason"), "", "droid"),
    (("tool_execution_count", "elapsed_time"), "", "droid"),
    (("hookEventName", "workspaceRoot"), "", "grok-build"),
    (("event", "matcher_context"), "", "goose"),
]

VARIABLES: dict[str, str] = {
    "GEMINI_SESSION_ID": "gemini-cli",
    "COPILOT_CLI": "copilot",
    "DEVIN_PROJECT_DIR": "devin",
    "DROID_PROJECT_DIR": "droid",
    "FACTORY_PROJECT_DIR": "droid",
    "GROK_HOOK_EVENT": "grok-build",
    "GROK_HOOK_NAME": "grok-build",
    "GROK_WORKSPACE_ROOT": "grok-build",
    "QODER_HOOK_VERSION": "qoder",
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
    ("/.factory/", "droid"),
    ("/.grok/", "grok-build"),
    ("/.qoder/", "qoder"),
    ("/goose/sessions/", "goose"),
]

RUN_BY: dict[str, tuple[str, ...]] = {
    "claude-code": ("copilot", "grok-build"),
    "cursor": ("grok-build",),
}

FORKS: dict[str, tuple[str, ...]] = {
    "opencode": ("kilo",),
}

UNATTENDED: dict[str, tuple[str, ...]] = {
    "claude": ("-p", "--print", "--dangerously-skip-permissions"),
    "codex": ("exec", "e", "--yolo", "--full-auto", "--dangerously-bypass-approvals-and-sandbox"),
    "gemini": ("-p", "--prompt", "--yolo", "-y"),
    "copilot": ("-p", "--prompt", "--allow-all-tools"),
    "qwen": ("-p", "--prompt", "--yolo", "-y"),
    "opencode": ("run",),
    "cline": ("--yolo", "-y"),
    "kimi": ("-p", "--prompt", "--yolo", "-y", "--auto"),
    "pi": ("-p", "--print"),
    "vibe": ("-p", "--prompt", "--auto-approve", "--yolo"),
    "cursor-agent": ("-p", "--print", "--force"),
    "auggie": ("-p", "--print"),
    "q": ("--trust-all-tools", "--no-interactive"),
    "kiro-cli": ("--trust-all-tools", "--no-interactive"),
    "agy": ("-p", "--prompt"),
    "droid": ("exec",),
    "grok": ("-p", "--prompt", "--always-approve"),
    "kilo": ("run",),
    "kilocode": ("run",),
    "qodercli": ("-p", "--print"),
    "qoder": ("-p", "--print"),
    "goose": ("run",),
}

NEVER_ASKS: dict[str, tuple[str, ...]] = {
    "claude-code": ("bypassPermissions",),
    "codex": ("bypassPermissions", "never"),
    "gemini-cli": ("yolo",),
    "copilot": ("allow-all",),
    "qwen-code": ("yolo",),
    "kimi-code": ("auto",),
    "droid": ("auto-high",),
    "grok-build": ("bypassPermissions", "always-approve"),
    "qoder": ("bypassPermissions",),
    "goose": ("auto",),
}

ASKS_LESS: dict[str, tuple[str, ...]] = {
    "claude-code": ("acceptEdits", "auto"),
    "codex": ("acceptEdits",),
    "gemini-cli": ("autoEdit", "auto_edit"),
    "qwen-code": ("auto-edit", "auto"),
    "kimi-code": ("yolo",),
    "droid": ("auto-low", "auto-medium"),
    "grok-build": ("acceptEdits", "auto"),
    "qoder": ("acceptEdits", "auto"),
    "goose": ("smart_approve",),
}

INPUT_INCLUDES_CACHE: list[str] = [
    "codex",
    "gemini-cli",
    "copilot",
    "qwen-code",
    "cline",
    "kimi-code",
    "mistral-vibe",
    "grok-build",
    "goose",
]

PROGRAMS: list[str] = [
    "claude",
    "codex",
    "gemini",
    "copilot",
    "qwen",
    "opencode",
    "cline",
    "kimi",
    "openclaw",
    "pi",
    "vibe",
    "cursor",
    "cursor-agent",
    "auggie",
    "windsurf",
    "devin",
    "agy",
    "antigravity",
    "droid",
    "grok",
    "kilo",
    "kilocode",
    "qodercli",
    "qoder",
    "goose",
]

DOCUMENTS: list[str] = [
    "chats[/\\\\]session\\-[^/\\\\]+\\.json",
    "opencode\\.db",
    "opencode\\-[^/\\\\]+\\.db",
    "storage[/\\\\]session[/\\\\][^/\\\\]+[/\\\\]ses_[^/\\\\]+\\.json",
    "sessions[/\\\\][^/\\\\]+[/\\\\][^/\\\\]+\\.json",
    "openclaw\\-agent\\.sqlite",
    "sessions[/\\\\][^/\\\\]+\\.jsonl\\.reset\\.[^/\\\\]+",
    "sessions[/\\\\][^/\\\\]+\\.jsonl\\.deleted\\.[^/\\\\]+",
    "\\.augment[/\\\\]sessions[/\\\\][^/\\\\]+\\.json",
    "kilo\\.db",
    "kilo\\-[^/\\\\]+\\.db",
    "sessions[/\\\\]sessions\\.db",
    "\\.continue[/\\\\]sessions[/\\\\][^/\\\\]+\\-[^/\\\\]+\\.json",
    "[^/\\\\]+\\.session\\.json",
    "\\.n8n[/\\\\]database\\.sqlite",
    "[^/\\\\]+\\.execution\\.json",
]
