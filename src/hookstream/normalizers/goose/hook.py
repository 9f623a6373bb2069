"""Goose's hooks: status 2 or `decision: block` refuses, and what is neither decides nothing.

Sources: the vendor's page on hooks and its source; not tried. An observer that prints makes the
client say that its hook failed.
"""

from __future__ import annotations

from hookstream.normalizers.guard_answers import HookVerdict, garbage, text_of, word_of
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def answer(value: dict[str, Any], event: str) -> HookVerdict:
    """The decision; an object without one decides nothing."""
    word = word_of(value.get("decision"), ("allow", "block"))
    return HookVerdict(word, text_of(value.get("reason"))) if word else garbage()


HOOK = HookFacts(
    Contract(
        kinds(tool="PreToolUse", turn="Stop"),
        answer,
        "objects_only",
        fails="open_unless_configured",
    ),
    marks="event+matcher_context",
    folders="/goose/sessions/",
    unattended="goose run",
)
