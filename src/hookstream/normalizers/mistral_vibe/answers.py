"""Mistral Vibe: how it reads a policy hook's answer."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import HookVerdict, object_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read(found: dict[str, Any], event: str) -> HookVerdict:
    """Mistral Vibe: a decision of deny, or other arguments for the call."""
    if found.get("decision") == "deny":
        return HookVerdict("deny", text_of(found.get("reason")))
    rewritten = object_of(found.get("hook_specific_output")).get("tool_input")
    if event == "pre_tool" and type(rewritten) is dict and found.get("decision") != "ask":
        return HookVerdict("allow", input=rewritten)
    return HookVerdict()
