"""Antigravity's hooks. An empty decision is neutral; `allow` and `ask` are not. PostToolUse takes
an empty object only. Source: the vendor's guide and published trials with 1.1."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import HookVerdict, garbage, text_of, word_of
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any


def read(found: dict[str, Any], event: str) -> HookVerdict:
    """Antigravity: decision, and arguments laid over the model's; Stop can be continued."""
    reason = text_of(found.get("reason"), found.get("denyReason"))
    word = found.get("decision") or None
    if event == "Stop":
        return HookVerdict("deny" if word == "continue" else None, reason)
    word = word_of({"force_ask": "ask"}.get(word, word), ("allow", "deny", "ask"))  # type: ignore[arg-type]
    if word == "":
        return garbage()
    answer = HookVerdict(word, reason)
    if type(found.get("overwrite")) is dict and word != "deny":
        answer.input, answer.merged = found["overwrite"], True
        answer.decision = word or "allow"
    return answer


NEUTRAL = b'{"decision": ""}'
HOOK = HookFacts(
    Contract(kinds(tool="PreToolUse", turn="Stop"), read),
    answer=b"{}",
    answers={"PreToolUse": NEUTRAL, "Stop": NEUTRAL},
    unattended="agy -p --prompt",
)
