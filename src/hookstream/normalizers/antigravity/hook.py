"""Antigravity's hooks. An empty decision is neutral; `allow` and `ask` are not. PostToolUse takes
an empty object only. Source: the vendor's guide and published trials with 1.1."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

NEUTRAL = b'{"decision": ""}'
HOOK = HookFacts(
    Contract(kinds(tool="PreToolUse", turn="Stop"), "antigravity.answers.read"),
    answer=b"{}",
    answers={"PreToolUse": NEUTRAL, "Stop": NEUTRAL},
    unattended="agy -p --prompt",
)
