"""JSON Schema (2020-12) of Agent Hooks 0.1.0, built from the tables that render it.

Stricter than the published Agent Hooks schema, whose `data` says nothing: here every event type
and every hook point checks its own fields. `hookstream validate` uses the files in `schemas/`,
which a test keeps equal to what is built here.
"""

from __future__ import annotations

from hookstream.core.event import EVENT_TYPES, FACTS, HOOK_POINTS, OUTCOMES
from hookstream.standards.agent_hooks import ENUM_DATA, METADATA_KEY, PLACES
from hookstream.standards.schema_parts import (
    COUNT,
    DIGEST,
    KINDS,
    NAME,
    PERCENT,
    SPAN,
    TEXT,
    TIME,
    UUID,
    WORD,
    Schema,
)

DECISION: Schema = {
    "type": "object",
    "required": ["outcome"],
    "properties": {"outcome": {"enum": ["allow", "deny", "ask"]}, "reason": TEXT},
}
# A type that the standard does not have yet.
LATER = "^[A-Z][A-Za-z0-9]*(\\.[A-Z][A-Za-z0-9]*)+$"
TYPE: Schema = {
    "anyOf": [
        {"enum": list(EVENT_TYPES)},
        {
            "type": "string",
            "pattern": "^vendor\\.[a-z0-9]+(-[a-z0-9]+)*\\.[A-Za-z0-9_.:\\[\\]-]+$",
        },
        {"type": "string", "pattern": LATER},
    ]
}
# What an event type cannot do without.
REQUIRED_DATA = {
    "Action.Before": ["action"],
    "Action.After": ["action"],
}


def agent_hooks_schema() -> Schema:
    """Envelope, risk, and `data` by event type. A vendor's own type needs its prefix on a line of
    ours; consumers ignore what others call theirs."""
    rules = [
        {
            "if": {
                "required": ["event_type"],
                "properties": {"event_type": {"const": kind}},
            },
            "then": {
                "properties": {"data": _data(kind)},
                **({"required": ["data"]} if REQUIRED_DATA.get(kind) else {}),
            },
        }
        for kind in EVENT_TYPES
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:hookstream:schema:agent-hooks-event:0.1.0",
        "title": "Agent Hooks 0.1.0 event, strict",
        "type": "object",
        "required": [
            "spec_version", "event_id", "event_type", "timestamp", "source", "session_id",
        ],
        "properties": {
            "spec_version": {"type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+$"},
            "event_id": UUID,
            "event_type": NAME,
            "timestamp": TIME,
            "source": {
                "type": "object",
                "required": ["tool"],
                "properties": {"tool": NAME, "version": TEXT},
            },
            "session_id": NAME,
            "parent_session_id": NAME,
            "user": {"type": "object", "properties": {"id": TEXT, "name": TEXT}},
            "actor": {
                "type": "object",
                "required": ["type"],
                "properties": {
                    "type": {"enum": ["user", "ai_agent", "system"]}, "id": TEXT, "name": TEXT,
                },
            },
            "agent_mode": {"enum": ["agent", "plan", "execute", "chat", "edit"]},
            "data": {"type": "object"},
            "risk": {
                "type": "object",
                "properties": {
                    "score": {"type": "integer", "minimum": 0, "maximum": 100},
                    "level": {"enum": ["low", "medium", "high", "critical"]},
                    "factors": {"type": "array", "items": TEXT},
                },
            },
            "metadata": {"type": "object", "properties": {METADATA_KEY: _metadata()}},
        },
        "allOf": rules,
        "if": {
            "required": ["metadata"],
            "properties": {"metadata": {"required": [METADATA_KEY]}},
        },
        "then": {"properties": {"event_type": TYPE}},
    }  # fmt: skip


def _fact(fact: str) -> Schema:
    if fact in ENUM_DATA:
        return {"enum": list(ENUM_DATA[fact])}
    if fact.endswith("_hash"):
        return DIGEST
    if fact == "percentage_used":
        return PERCENT
    kind, want = FACTS[fact]
    if kind == "content":
        return {}
    if want is int and fact not in ("exit_code", "tokens_removed"):
        return COUNT
    return SPAN if fact.endswith("_ms") else KINDS[want]


def _data(kind: str) -> Schema:
    plain: Schema = {}
    result: Schema = {}
    places = PLACES[kind].items()
    for fact, (group, key) in places:
        if group == "":
            plain[key] = _fact(fact)
        elif group == "result":
            result[key] = _fact(fact)
    if any(group == "action" for _, (group, _) in places):
        plain["action"] = {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": WORD,
                "input": {"type": "object"},
                "result": {"type": "object", "properties": result},
            },
        }
    if kind.startswith("Context."):
        # The standard defines one `context` for both types; what one type is not given may not
        # be wrong either.
        for other in ("Context.UntilCompaction", "Context.Compaction"):
            for fact, (group, key) in PLACES[other].items():
                if group == "":
                    plain.setdefault(key, _fact(fact))
    if any(group == "decision" for _, (group, _) in places):
        plain["decision"] = DECISION
    if any(group == "usage" for _, (group, _) in places):
        plain["usage"] = {
            "type": "object",
            "properties": {
                "total_tokens": COUNT,
                "total_actions": COUNT,
                "duration_ms": {"type": "number", "minimum": 0},
            },
        }
    if kind == "Agent.Notification":
        plain["details"] = {"type": "object"}
    return {"type": "object", "properties": plain, "required": REQUIRED_DATA.get(kind, [])}


def _metadata() -> Schema:
    return {
        "type": "object",
        "properties": {
            **{fact: _fact(fact) for fact in FACTS if fact not in ENUM_DATA},
            "hook_point": {"enum": list(HOOK_POINTS)},
            "synthesized": {"type": "array", "items": TEXT},
            "redacted": {"type": "array", "items": TEXT},
            "redactions": {"type": "object", "additionalProperties": COUNT},
            "decision": {"enum": ["allow", "deny", "ask"]},
            "certainty": {"enum": ["observed", "inferred"]},
            "outcome": {"enum": list(OUTCOMES)},
        },
    }
