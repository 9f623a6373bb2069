"""Copilot's hooks. Any status but 0 denies a tool call, a crash too, and so does an error of an
http hook; in VS Code 2 blocks and anything else continues. Sources: the hooks reference, trials
with 1.0.102, VS Code's documentation."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

CLOSED = frozenset("preToolUse permissionRequest PreToolUse PermissionRequest".split())
EVENTS = kinds(
    tool="preToolUse permissionRequest PreToolUse PermissionRequest",
    gate="userPromptSubmitted UserPromptSubmit",
    turn="agentStop Stop subagentStop SubagentStop",
    after="postToolUse PostToolUse postToolUseFailure PostToolUseFailure",
)
HOOK = HookFacts(
    Contract(EVENTS, "copilot.answers.read", exits=(0,), blocks=(), deny_on_other_exit=CLOSED),
    {"vscode": Contract(EVENTS, "guard_answers.claude_like", exits=(0,))},
    marks="hook_event_name+traceparent hook_event_name+tool_result",
    variables="COPILOT_CLI",
    folders="/.copilot/ /session-state/ copilot-chat",
    runs_hooks_of="claude-code",
    version="COPILOT_CLI_BINARY_VERSION",
    fails_closed=True,
    # Where a person started it, a loader runs the client.
    attended={"env.COPILOT_LOADER_PID": True, "reason": {"user_exit": True}},
    unattended="copilot -p --prompt --allow-all-tools",
)
