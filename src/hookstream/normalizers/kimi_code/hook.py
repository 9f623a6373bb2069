"""Kimi Code's hooks. Text on standard output of a prompt's hook goes into the context; JSON counts
at status 0, and of it a permissionDecision of deny alone. Sources: the published source of 2.1.0,
trials with it."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import HookVerdict, object_of, text_of
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any


def read(found: dict[str, Any], event: str) -> HookVerdict:
    """Kimi Code: only a permissionDecision of deny decides anything."""
    own = object_of(found.get("hookSpecificOutput"))
    if own.get("permissionDecision") != "deny":
        return HookVerdict()
    return HookVerdict("deny", text_of(own.get("permissionDecisionReason")))


HOOK = HookFacts(
    Contract(
        kinds(tool="PreToolUse", gate="UserPromptSubmit", turn="Stop"),
        read,
        exits=(0,),
    ),
    marks="client_type=kimi",
    unattended="kimi -p --prompt --yolo -y --auto",
)
