"""Kimi Code: how it reads a policy hook's answer."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import HookVerdict, object_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read(found: dict[str, Any], event: str) -> HookVerdict:
    """Kimi Code: only a permissionDecision of deny decides anything."""
    own = object_of(found.get("hookSpecificOutput"))
    if own.get("permissionDecision") != "deny":
        return HookVerdict()
    return HookVerdict("deny", text_of(own.get("permissionDecisionReason")))
