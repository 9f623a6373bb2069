"""Cline: how it reads a policy hook's answer."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import HookVerdict, garbage, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read(found: dict[str, Any], event: str) -> HookVerdict:
    """Cline: cancel, and overrideInput of the CLI."""
    cancel = found.get("cancel")
    if cancel is not None and type(cancel) is not bool:
        return garbage()
    reason = text_of(found.get("errorMessage"))
    if cancel:
        return HookVerdict("deny", reason, stops=True)
    answer = HookVerdict(None, reason)
    if type(found.get("overrideInput")) is dict:
        answer.input = found["overrideInput"]
        answer.decision = "allow"
    return answer
