"""Codex's hooks. A closed schema: a stray key or an unsupported word makes the answer invalid.
Sources: the schemas in 0.169.0, trials with it."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(
        kinds(
            tool="PreToolUse PermissionRequest",
            gate="UserPromptSubmit",
            turn="Stop SubagentStop",
            after="PostToolUse",
        ),
        "codex.answers.read",
        exits=(0,),
        requires_reason=True,
    ),
    folders="/.codex/ rollout-*",
    # The client ends them after a second.
    budgets_ms={"SessionEnd": 640, "Interrupt": 640},
    attended={"originator": {"codex_exec": False}, "source": {"exec": False, "cli": True}},
    unattended="codex exec e --yolo --full-auto --dangerously-bypass-approvals-and-sandbox",
)
