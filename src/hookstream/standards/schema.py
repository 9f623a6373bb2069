"""The strict JSON Schemas (2020-12) of Agent Hooks 0.1.0, AARTS 0.1 and hookstream's wrapper, by
file name, built from the tables that render them.

Stricter than the published Agent Hooks schema, whose `data` is open: each event type and each hook
point checks its own fields. `hookstream validate` uses the files in `schemas/`, which a test keeps
equal to what is built here.
"""

from __future__ import annotations

from typing import Any

from hookstream.core.event import EVENT_TYPES, FACTS, HOOK_POINTS, OUTCOMES, TOOL_CATEGORIES
from hookstream.standards import hook_points
from hookstream.standards.agent_hooks import ENUM_DATA, METADATA_KEY, PLACES
from hookstream.standards.proper import HINT

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NAME: Schema = {"type": "string", "minLength": 1}
# One value, not the hint of an enum written as one string with bars; the name of an MCP tool may
# hold anything.
WORD: Schema = {"type": "string", "minLength": 1, "not": {"pattern": HINT.pattern}}
SPAN: Schema = {"type": "number", "minimum": 0}
COUNT: Schema = {"type": "integer", "minimum": 0}
DIGEST: Schema = {"type": "string", "pattern": "^(sha256|hmac-sha256):[0-9a-f]{64}$"}
TIME: Schema = {
    "type": "string",
    "pattern": (
        "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])"
        "[Tt]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?"
        "([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)$"
    ),
}
UUID: Schema = {
    "type": "string",
    "pattern": "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
}
PERCENT: Schema = {"type": "number", "minimum": 0, "maximum": 100}
KINDS: dict[type, Schema] = {
    str: TEXT,
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    list: {"type": "array"},
}


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


ARTIFACT: Schema = {
    "type": "object",
    "required": ["type", "value"],
    "properties": {
        "type": {
            "enum": (
                "url command file_path content package prompt_fragment credential "
                "network_address"
            ).split()
        },
        "value": TEXT,
        "context": TEXT,
        "source_field": TEXT,
    },
}  # fmt: skip
VERDICT: Schema = {
    "type": "object",
    "required": ["decision", "category", "severity", "source"],
    "properties": {
        "decision": {"enum": ["allow", "deny", "ask"]},
        "category": NAME,
        "severity": {"enum": ["info", "warning", "critical"]},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "source": NAME,
        "artifacts": {"type": "array", "items": TEXT},
        "matched_rule_id": TEXT,
        "reasons": {"type": "array", "items": TEXT},
        "directives": {"type": "object"},
        "suggested_resolutions": {"type": "array", "items": TEXT},
    },
}
FIELD_KINDS: dict[str, Schema] = {
    "full_prompt": {"type": ["string", "array"]},
    "context_before": {"type": ["string", "array"]},
    "tool_result": {"type": ["string", "object"]},
    "exit_code": {"type": "integer"},
    "execution_duration_ms": {"type": "number", "minimum": 0},
    "token_count": COUNT,
    "token_count_before": COUNT,
    "token_count_after": COUNT,
    "resolution": NAME,  # a word of a later version, too
    "compaction_reason": {"enum": ["token_limit", "user_triggered", "automatic", "policy"]},
    "compaction_strategy": {"enum": list(hook_points.STRATEGIES)},
    "compaction_strategy_used": {"enum": list(hook_points.STRATEGIES)},
    "input_source": {"enum": list(hook_points.INPUT_SOURCES)},
    "load_context": {"enum": ["main_session", "sub_agent", "skill_invocation", ""]},
    "transport": {"enum": [*hook_points.TRANSPORTS, ""]},
    "raw_input": {"type": "string"},
    "attached_files": {"type": "array"},
}  # fmt: skip
SIDES: Schema = {"type": ["string", "object", "array"]}
SHAPES: dict[str, Schema] = {
    "text": TEXT,
    "flag": {"type": "boolean"},
    "list": {"type": "array"},
    "texts": {"type": "array", "items": TEXT},
    "object": {"type": "object"},
    "value": SIDES,
    "point": {"type": "string", "pattern": f"^{hook_points.POINT.pattern}$"},
    "verdict": VERDICT,
}


def aarts_schema() -> Schema:
    """The pure AARTS object: envelope, extensions and fields by hook point."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:hookstream:schema:aarts-event:0.1",
        "title": "AARTS 0.1 event",
        "type": "object",
        "required": ["hook_point", "session_id", "timestamp", "host_id", "aarts_version"],
        "properties": {
            "hook_point": SHAPES["point"],
            "session_id": NAME,
            "timestamp": TIME,
            "host_id": {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"},
            "host_version": TEXT,
            "aarts_version": {"type": "string", "pattern": f"^{hook_points.VERSION.pattern}$"},
            "locale": TEXT,
        },
        "allOf": [
            {
                "if": {
                    "required": ["hook_point"],
                    "properties": {"hook_point": {"const": point}},
                },
                "then": _point(point),
            }
            for point in HOOK_POINTS
        ],
    }


def _point(point: str) -> Schema:
    properties: Schema = {}
    required: list[str] = []
    for field, fact, empty in hook_points.FIELDS[point]:
        kind = FIELD_KINDS.get(field)
        properties[field] = kind or (SIDES if fact in hook_points.CONTENT else TEXT)
        if empty is not None:
            required.append(field)
    if point in hook_points.TURN_POINTS:
        properties["turn_id"] = TEXT
        required.append("turn_id")
    if point in hook_points.TOOL_POINTS:
        properties |= {
            "tool_name": {"enum": list(TOOL_CATEGORIES)},
            "tool_name_native": TEXT,
            "tool_input": {"type": "object"},
            "artifacts": {"type": "array", "items": ARTIFACT},
        }
        required += ["tool_name", "tool_input", "artifacts"]
    for field, shape, is_required in hook_points.MORE[point]:
        properties[field] = {"enum": list(shape)} if type(shape) is tuple else SHAPES[shape]
        if is_required and field not in required:
            required.append(field)
    out: Schema = {
        "properties": properties,
        "required": sorted(required),
    }
    if point in hook_points.TOOL_POINTS:
        out["if"] = {"properties": {"tool_name": {"const": "other"}}}
        out["then"] = {"required": ["tool_name_native"]}
    return out


def verdict_schema() -> Schema:
    """A verdict alone, as an engine answers or logs it."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:hookstream:schema:aarts-verdict:0.1",
        "title": "AARTS 0.1 verdict",
        **VERDICT,
    }


def handshake_schema() -> Schema:
    """The question or the answer about versions."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:hookstream:schema:aarts-handshake:0.1",
        "title": "AARTS 0.1 version handshake",
        "type": "object",
        "anyOf": [{"required": ["aarts_version"]}, {"required": ["compatible", "engine_id"]}],
        "properties": {
            "aarts_version": NAME,
            "compatible": {"type": "boolean"},
            "engine_id": NAME,
            "engine_version": TEXT,
        },
    }


def wrapper_schema() -> Schema:
    """hookstream's wrapper: the AARTS object or null, the verdict or null, the side record."""
    lists = {"type": "array", "items": TEXT}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:hookstream:schema:aarts-wrapper:1",
        "title": "hookstream's wrapper of an AARTS event",
        "type": "object",
        "required": ["aarts", "verdict", "hookstream"],
        "additionalProperties": False,
        "properties": {
            "aarts": {
                "oneOf": [{"type": "null"}, {"$ref": "urn:hookstream:schema:aarts-event:0.1"}]
            },
            "verdict": {"oneOf": [{"type": "null"}, VERDICT]},
            "hookstream": {
                "type": "object",
                "required": ["event_id", "event_type", "synthesized", "redacted", "unavailable"],
                "properties": {
                    "event_id": UUID,
                    "about": UUID,
                    "hook_point": {"enum": [*HOOK_POINTS, None]},
                    "host_id": TEXT,
                    "session_id": NAME,
                    "timestamp": TIME,
                    "certainty": {"enum": ["observed", "inferred"]},
                    "event_type": NAME,
                    "hookstream_version": NAME,
                    "synthesized": lists,
                    "redacted": lists,
                    "unavailable": lists,
                    "completeness": {"enum": ["full", "partial"]},
                    "sequence": COUNT,
                },
            },
        },
        # A type of the standard is at a hook point of the standard, or at none.
        "if": {
            "properties": {
                "hookstream": {
                    "required": ["event_type"],
                    "properties": {"event_type": {"enum": list(EVENT_TYPES)}},
                }
            }
        },
        "then": {
            "properties": {"aarts": {"properties": {"hook_point": {"enum": list(HOOK_POINTS)}}}}
        },
    }


def rejection_schema() -> Schema:
    """A line that is not an event: why, how long, which bytes; never its content."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:hookstream:schema:rejection:1",
        "title": "hookstream rejection",
        "type": "object",
        "required": ["schema", "reason", "length", "sha256", "source", "offset"],
        "properties": {
            "schema": {"const": "hookstream/rejection/1"},
            "reason": NAME,
            "length": COUNT,
            "sha256": {"type": "string", "pattern": "^([0-9a-f]{64})?$"},
            "source": TEXT,
            "offset": COUNT,
        },
    }


SCHEMAS = {
    "agent-hooks-event.json": agent_hooks_schema,
    "aarts-event.json": aarts_schema,
    "aarts-verdict.json": verdict_schema,
    "aarts-handshake.json": handshake_schema,
    "aarts-wrapper.json": wrapper_schema,
    "rejection.json": rejection_schema,
}
