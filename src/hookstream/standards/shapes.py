"""Shapes of AARTS fields and verdicts that the standards allow without a fact, checked by
everything that reads a line or what an earlier reader kept of one."""

from __future__ import annotations

from hookstream.standards.hook_points import (
    AARTS_VERSION,
    FIELDS,
    MORE,
    POINT,
    RESOLUTIONS,
    TOOL_POINTS,
    VERDICT_WORDS,
    VERSION,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.jsons import JsonObject

ENVELOPE = frozenset(
    "hook_point session_id timestamp host_id host_version aarts_version turn_id verdict".split()
)
TOOL = frozenset(("tool_name", "tool_name_native", "tool_input", "artifacts"))
REASONS_BACK = {"user_triggered": "manual", "automatic": "auto", "token_limit": "threshold"}
# What a field of a hook point is: a fact's, kept as it is, of a wrong shape, not of the standard.
FACT, KEPT, WRONG, UNKNOWN_FIELD = "fact", "kept", "wrong", "unknown"
KINDS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "flag": (bool,),
    "list": (list,),
    "object": (dict,),
    "value": (str, list, dict),
}
VERDICT = ("decision", "category", "severity")
_VERDICT_SHAPES = {
    "artifacts": "texts",
    "matched_rule_id": "text",
    "reasons": "texts",
    "directives": "object",
    "suggested_resolutions": "texts",
}
VERDICT_FIELDS = frozenset((*VERDICT, "confidence", "source", *_VERDICT_SHAPES))
_SHAPES_AT = {
    point: {
        "locale": "text",
        **{field: shape for field, shape, _ in rows},
    }
    for point, rows in MORE.items()
}
_FACTS_AT = {
    point: ENVELOPE.union((field for field, _, _ in rows), TOOL if point in TOOL_POINTS else ())
    for point, rows in FIELDS.items()
}


def status_of(point: str, field: str, value: Any) -> str:
    """The kind of a hook point's field with this value."""
    if field == "aarts_version":
        is_other = type(value) is str and value != AARTS_VERSION and VERSION.fullmatch(value)
        return KEPT if is_other else FACT
    if field == "compaction_reason" and point == "PreCompact":
        if value == "policy":
            return KEPT
        return FACT if type(value) is str and value in REASONS_BACK else WRONG
    if field == "resolution" and value not in RESOLUTIONS and point == "PostAskResolution":
        return KEPT if type(value) is str and value else WRONG
    shape = _SHAPES_AT[point].get(field)
    if shape is not None:
        return KEPT if has_shape(value, shape) else WRONG
    return FACT if field in _FACTS_AT[point] else UNKNOWN_FIELD


def allowed(point: str | None, fields: JsonObject) -> JsonObject:
    """The fields that may be at a hook point; `point` None: at one of a later version."""
    if point is not None:
        return {
            field: value
            for field, value in fields.items()
            if status_of(point, field, value) in (KEPT, UNKNOWN_FIELD)
        }
    later = fields.get("hook_point")
    if later is None:
        return fields
    if type(later) is not str or later in FIELDS or POINT.fullmatch(later) is None:
        return {}
    version = fields.get("aarts_version", AARTS_VERSION)
    if type(version) is not str or VERSION.fullmatch(version) is None:
        return {}
    if any(type(fields.get(name, "")) is not str for name in ("host_version", "locale")):
        return {}
    return {key: value for key, value in fields.items() if key not in ("session_id", "host_id")}


def has_shape(value: Any, shape: Any) -> bool:
    """Return whether a value is what the standard allows at a field of this shape
    (hook_points.MORE).
    """
    kind = type(value)
    if type(shape) is tuple:
        return kind is str and value in shape
    if shape == "texts":
        return kind is list and all(type(text) is str for text in value)
    if shape == "point":
        return kind is str and POINT.fullmatch(value) is not None
    if shape == "verdict":
        return kind is dict and is_whole_verdict(value)
    return kind in KINDS[shape]


def is_verdict(value: JsonObject) -> bool:
    """Return whether an object is a verdict, complete or not."""
    return all(type(value.get(name)) is str for name in VERDICT) and (
        value["decision"] in VERDICT_WORDS["decision"]
    )


def is_whole_verdict(value: JsonObject) -> bool:
    """Return whether an object is a verdict as the standard wants it."""
    return (
        is_verdict(value)
        and value["severity"] in VERDICT_WORDS["severity"]
        and all(type(value.get(name)) is str and value[name] for name in ("category", "source"))
        and all(fits_verdict(name, value[name]) for name in value if name not in VERDICT)
    )


def fits_verdict(name: str, value: Any) -> bool:
    """Return whether a field of a verdict has its shape; one that is not of the standard has
    any.
    """
    if name == "confidence":
        return type(value) in (int, float) and 0 <= value <= 1
    if name == "source":
        return type(value) is str
    shape = _VERDICT_SHAPES.get(name)
    return name not in VERDICT if shape is None else has_shape(value, shape)


def allowed_verdict(fields: JsonObject) -> JsonObject:
    """The fields that may be added to a verdict made of facts."""
    return {
        name: value
        for name, value in fields.items()
        if name not in ("source", "matched_rule_id") and fits_verdict(name, value)
    }
