"""Kiro's hooks. Text goes into the context on agentSpawn and userPromptSubmit. The IDE 0.x gives
its context in USER_PROMPT, keeps standard input open and says nothing there. Source: the vendor's
documentation and schema."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(kinds(tool="preToolUse PreToolUse", after="postToolUse PostToolUse"), None, None),
    environment=("USER_PROMPT",),
    payload_variable="USER_PROMPT",
    first_byte_s=0.4,
    unattended="q --trust-all-tools --no-interactive; kiro-cli --trust-all-tools --no-interactive",
)
