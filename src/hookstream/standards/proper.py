"""Conditions for an Event read from a standard to be written again: another producer's line, or one
that was damaged, may hold anything.

The envelope must be right, or the line is refused. A fact of the wrong type, or with a word no
vocabulary has, is not a fact; it is kept among the unmapped.
"""

from __future__ import annotations

import re

from hookstream.core.decisions import SUBJECTS
from hookstream.core.event import (
    CERTAINTIES,
    DECISIONS,
    EVENT_TYPES,
    FACTS,
    HOOK_POINTS,
    OUTCOMES,
    TOOL_CATEGORIES,
    WITNESSES,
    Event,
)
from hookstream.core.limits import SAFE_INTEGER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
TIME = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})", re.ASCII
)
OWN_TYPE = re.compile(r"vendor\.[a-z0-9]+(?:-[a-z0-9]+)*\.[A-Za-z0-9_.:\[\]-]+")
DIGEST = re.compile(r"(?:hmac-)?sha256:[0-9a-f]{64}")
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
STANDARD_TYPES = frozenset(EVENT_TYPES)
VERSION = re.compile(r"\d+\.\d+\.\d+", re.ASCII)
# What a type or hook point of a later version may be called.
PLAIN = re.compile(r"[A-Za-z0-9_.:\[\]-]{1,128}")
# An enum as the documents print it, where one of its words is wanted.
HINT = re.compile(r"^\w+( \| \w+)+$")
# Numbers that may be less than nothing.
SIGNED = frozenset(("exit_code", "tokens_removed"))
WORDS = {
    "action_category": frozenset(TOOL_CATEGORIES),
    "actor_type": frozenset(("user", "ai_agent", "system")),
    "agent_mode": frozenset(("agent", "plan", "execute", "chat", "edit")),
    "certainty": frozenset(CERTAINTIES),
    "decision": frozenset(DECISIONS),
    "decision_point": frozenset(HOOK_POINTS),
    "subject": frozenset(SUBJECTS),
    "outcome": frozenset(OUTCOMES),
    "severity": frozenset(("info", "warning", "critical")),
    "witness": frozenset(WITNESSES),
    "resolution": frozenset(
        "approved denied allow_always allow_similar deny_always deny_similar unknown".split()
    ),
}
ACTIONS = ("Action.Before", "Action.After")


def proper(event: Event) -> Event:
    """The Event with what cannot be a fact moved to `unmapped`. Raises ValueError naming the field
    of the envelope that is not right."""
    facts = event.facts
    for name, form in (("event_id", UUID), ("timestamp", TIME)):
        value = facts.get(name, "")
        if type(value) is not str or (name in facts and form.fullmatch(value) is None):
            raise ValueError(f"{name}: not of its form")
    if event.hook_point is not None and event.hook_point not in HOOK_POINTS:
        event.hook_point = None
    if SLUG.fullmatch(facts["tool"]) is None:
        event.native = {**(event.native or {}), "tool": facts["tool"]}
        facts["tool"] = slug(facts["tool"])
    wrong = [name for name, value in facts.items() if not fits(name, value)]
    if "decision_reason" in facts and facts.get("decision") not in DECISIONS:
        wrong.append("decision_reason")  # a reason for nothing
    for name in dict.fromkeys(wrong):
        event.unmapped = {**(event.unmapped or {}), name: facts.pop(name)}
    if event.hook_point == "PostAskResolution" and "resolution" not in facts:
        raise ValueError("resolution: missing, or no text")
    if event.type in ACTIONS and "action_name" not in facts:
        facts["action_name"] = "other"
        facts.setdefault("action_category", "other")
        event.synthesized += ["action_name"]
    if event.redactions:
        event.redactions = {rule: n for rule, n in event.redactions.items() if n > 0}
    return event


def type_of(name: str, tool: str) -> str:
    """The event type of a name in a line: itself where the standard has it or it is a vendor's own,
    else a vendor's own made of it, since consumers ignore what they do not know."""
    if name in STANDARD_TYPES or OWN_TYPE.fullmatch(name) is not None:
        return name
    word = name if PLAIN.fullmatch(name) is not None else "Unknown"
    return f"vendor.{slug(tool)}.{word}"


def fits(name: str, value: Any) -> bool:
    """Return whether a value can be the fact of this name."""
    if name == "about":  # of an event: its id
        return type(value) is str and UUID.fullmatch(value) is not None
    words = WORDS.get(name)
    if words is not None:
        return type(value) is str and value in words
    kind, want = FACTS[name]
    if kind == "content":
        return type(value) in (str, list, dict)
    if want is float:
        number = type(value) is float or (type(value) is int and abs(value) <= SAFE_INTEGER)
        return number and value >= 0 and (name != "percentage_used" or value <= 100)
    if want is int:
        return type(value) is int and (
            0 <= value <= SAFE_INTEGER or (name in SIGNED and -SAFE_INTEGER <= value < 0)
        )
    if want is str and name.endswith("_hash"):
        return type(value) is str and DIGEST.fullmatch(value) is not None
    if name == "action_name" and type(value) is str and HINT.search(value) is not None:
        return False
    return type(value) is want and value != ""


def slug(name: str) -> str:
    """A tool's name as the standards want it: lower-case words joined by hyphens."""
    return "-".join(re.findall("[a-z0-9]+", name.lower()))[:64].strip("-") or "other"
