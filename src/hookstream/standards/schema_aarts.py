"""JSON Schemas (2020-12) of AARTS 0.1 and of hookstream's wrapper, built from the tables that
render them: every hook point checks its extensions and its own fields."""

from __future__ import annotations

from hookstream.event import HOOK_POINTS, TOOL_CATEGORIES
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
    "resolution": {
        "enum": [
            "approved", "denied", "allow_always", "allow_similar", "deny_always", "deny_similar",
        ]
    },
    "compaction_reason": {"enum": ["token_limit", "user_triggered", "automatic", "policy"]},
    "compaction_strategy": {"enum": list(hook_points.STRATEGIES)},
    "compaction_strategy_used": {"enum": list(hook_points.STRATEGIES)},
    "input_source": {"enum": list(hook_points.INPUT_SOURCES)},
    "load_context": {"enum": ["main_session", "sub_agent", "skill_invocation", ""]},
    "transport": {"enum": [*hook_points.TRANSPORTS, ""]},
    "raw_input": {"type": "string"},
}  # fmt: skip
SIDES: Schema = {"type": ["string", "object", "array"]}
SPECIAL: dict[str, tuple[Schema, list[str]]] = {
    "PreSkillLoad": (
        {"frontmatter": {"type": "object"}, "declared_hooks": {"type": "array"}},
        ["frontmatter", "declared_hooks"],
    ),
    "PrePluginLoad": (
        {"file_paths": {"type": "array", "items": TEXT}, "declared_hooks": {"type": "array"}},
        ["file_paths", "declared_hooks"],
    ),
    "PostAskResolution": (
        {"original_hook_point": {"enum": list(HOOK_POINTS)}, "original_verdict": VERDICT},
        ["original_hook_point", "original_verdict", "resolution"],
    ),
}
MODIFICATION_POINTS = ("PostInputProcessing", "PostCompact", "PreToolInputModification")


def aarts_schema() -> Schema:
    """The pure AARTS object: envelope, extensions and fields by hook point."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:hookstream:schema:aarts-event:0.1",
        "title": "AARTS 0.1 event",
        "type": "object",
        "required": ["hook_point", "session_id", "timestamp", "host_id", "aarts_version"],
        "properties": {
            "hook_point": {"enum": list(HOOK_POINTS)},
            "session_id": NAME,
            "timestamp": TIME,
            "host_id": {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"},
            "host_version": TEXT,
            "aarts_version": {"const": hook_points.AARTS_VERSION},
            "locale": TEXT,
        },
        "allOf": [
            {
                "if": {"properties": {"hook_point": {"const": point}}},
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
            "is_sub_agent": {"type": "boolean"},
            "parent_session_id": NAME,
        }
        required += ["tool_name", "tool_input", "artifacts"]
    if point in hook_points.TRUST_POINTS:
        properties["source"] = {"enum": ["managed", "project", "user", "marketplace", ""]}
        required.append("source")
    if point in MODIFICATION_POINTS:
        properties |= {
            "original_value": SIDES,
            "modified_value": SIDES,
            "was_modified": {"type": "boolean"},
            "modifier_chain": {"type": "array"},
        }
        required += ["original_value", "modified_value", "was_modified", "modifier_chain"]
    more, needed = SPECIAL.get(point, ({}, []))
    out: Schema = {
        "properties": {**properties, **more},
        "required": sorted({*required, *needed}),
    }
    if point in hook_points.TOOL_POINTS:
        out["if"] = {"properties": {"tool_name": {"const": "other"}}}
        out["then"] = {"required": ["tool_name_native"]}
    return out


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
    }
