"""Qoder's hooks: Claude Code's answers; status 2 refuses. Sources: the vendor's reference, its
program 1.1.52; not tried."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import claude_like
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(
        kinds(
            tool="PreToolUse PermissionRequest",
            gate="UserPromptSubmit PreCompact",
            turn="Stop SubagentStop",
            after="PostToolUse PostToolUseFailure",
        ),
        claude_like,
    ),
    variables="QODER_HOOK_VERSION",
    folders="/.qoder/",
    version="QODER_HOOK_VERSION",
    unattended="qodercli -p --print; qoder -p --print",
)
