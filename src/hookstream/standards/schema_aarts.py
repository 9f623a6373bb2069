"""JSON Schemas (2020-12) of AARTS 0.1 and of hookstream's wrapper, built from the tables that
render them: every hook point checks its extensions and its own fields."""

from __future__ import annotations

from hookstream.core.event import EVENT_TYPES, HOOK_POINTS, TOOL_CATEGORIES
from hookstream.standards import hook_points
from hookstream.standards.schema_parts import COUNT, NAME, TEXT, TIME, UUID, Schema

ARTIFACT: Schema = {
    "type": "object",
    "required": ["type", "value"],
    "properties": {
        "type": {
            "enum": [
                "url", "command", "file_path", "content", "package", "prompt_fragment",
                "credential", "network_address",
            ]
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
        known = FIELD_KINDS.get(field)
        properties[field] = known or (SIDES if fact in hook_points.CONTENT else TEXT)
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
