"""An AARTS 0.1 object, hookstream's wrapper of one, a verdict alone or a handshake: back to the
Event it says.

Every field becomes a fact, or stays with the Event at its place (`emitter`): what the standard does
not define is counted as unmapped there.
"""

from __future__ import annotations

from hookstream.core.decisions import STATED
from hookstream.core.event import Event
from hookstream.core.jsons import objects
from hookstream.standards.aarts import SIDE_FACTS
from hookstream.standards.artifacts import read_artifacts, rendered
from hookstream.standards.hook_points import (
    CLOSED,
    CONTENT,
    FIELDS,
    POINT,
    RESOLUTIONS,
    TOOL_POINTS,
    UNKNOWN,
)
from hookstream.standards.proper import STANDARD_TYPES, fits, proper, slug, type_of
from hookstream.standards.shapes import (
    ENVELOPE,
    KEPT,
    REASONS_BACK,
    TOOL,
    UNKNOWN_FIELD,
    VERDICT_FIELDS,
    WRONG,
    fits_verdict,
    has_shape,
    is_verdict,
    status_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Tree = dict[str, Any]

# A verdict has no host: whose events these are where nothing says it.
NOBODY = "aarts"
HANDSHAKE = ("compatible", "engine_id")
# Fields of a verdict that are not fields of a hook point.
_FLAT = VERDICT_FIELDS - {"source", "artifacts"}
TYPE_OF = {
    "SessionStart": "Session.Start",
    "SessionEnd": "Session.End",
    "PreUserInput": "Prompt.Submitted",
    "PreLLMRequest": "Model.Requested",
    "PostLLMResponse": "Model.Responded",
    "PreCompact": "Context.Compaction",
    "PostCompact": "Context.Compaction",
    "PreToolUse": "Action.Before",
    "PostToolUse": "Action.After",
    "PreSubAgentSpawn": "Agent.Plan.Start",
    "PostSubAgentResult": "Agent.Plan.End",
    "PreOutputDeliver": "Agent.Response",
}
PHASES = {"PreCompact": "before", "PostCompact": "after"}


def read_aarts(line: Tree) -> Event:
    """A wrapper or a bare AARTS object to the Event it says. Raises ValueError naming the field.

    A verdict alone and a handshake may lack session and time: who reads them knows better.
    """
    side = line.get("hookstream")
    side = side if type(side) is dict else {}
    is_entry = is_verdict(line) and "aarts_version" not in line  # of an engine's log
    body = line.get("aarts", None if "hook_point" not in line or is_entry else line)
    verdict = line.get("verdict") if type(line.get("verdict")) is dict else None
    if type(body) is dict:
        event = _at_point(body, side)
        if verdict is None and is_verdict(body):
            verdict = {name: body[name] for name in _FLAT if name in body}
    elif is_handshake(line):
        event = _alone(line, "Handshake")
        rest = {key: line[key] for key in line if key not in _PLACE[:4]}
        event.emitter = {"aarts": rest} if rest else None
    else:
        if verdict is None and is_verdict(line):
            verdict, side = line, {**side, **line}
        event = _alone(side, "Verdict")
    event.read_back = True
    for name in (*SIDE_FACTS, "hookstream_version"):
        if side.get(name) is not None:
            event.facts[name] = side[name]
    if type(side.get("hook_point")) is str:
        event.facts["decision_point"] = side["hook_point"]
    if verdict is not None:
        _read_verdict(event, verdict, () if verdict is not line else _PLACE)
    for name in ("synthesized", "redacted"):
        if type(side.get(name)) is list:
            setattr(event, name, [word for word in side[name] if type(word) is str])
    event.redacted = [
        path.removeprefix("tool_") if path.startswith("tool_input") else path
        for path in event.redacted
    ]
    listed = side.get("synthesized")
    proper(event)
    # An own line has listed all that was concluded: AARTS has no place for the action's name.
    if type(listed) is list and "action_name" not in listed and "action_name" in event.synthesized:
        event.synthesized.remove("action_name")
    return event


_PLACE = ("session_id", "timestamp", "host_id", "host_version", "hook_point", "aarts_version")


def is_handshake(line: Tree) -> bool:
    """Return whether an object is a question or an answer about versions."""
    return all(name in line for name in HANDSHAKE) or (
        "aarts_version" in line and "hook_point" not in line and "aarts" not in line
    )


def _alone(place: Tree, word: str) -> Event:
    """An Event of what is at no hook point: a vendor's own."""
    facts: Tree = {}
    for fact, field in (
        ("session_id", "session_id"),
        ("timestamp", "timestamp"),
        ("tool", "host_id"),
        ("tool_version", "host_version"),
    ):
        value = place.get(field)
        if type(value) is str and value:
            facts[fact] = value
    facts.setdefault("tool", NOBODY)
    kind = place.get("event_type")
    if type(kind) is not str:
        kind = f"vendor.{slug(facts['tool'])}.{word}"
    event = Event(type_of(kind, facts["tool"]), None, facts, facts["tool"])
    if type(place.get("hook_point")) is str:
        facts["decision_point"] = place["hook_point"]
    return event


def _at_point(body: Tree, side: Tree) -> Event:
    facts: Tree = {}
    for fact, field in (("session_id",) * 2, ("timestamp",) * 2, ("tool", "host_id")):
        value = body.get(field)
        if type(value) is not str or not value:
            raise ValueError(f"{field}: missing or no text")
        facts[fact] = value
    point = body.get("hook_point")
    if type(point) is not str or POINT.fullmatch(point) is None:
        raise ValueError("hook_point: missing, or no name of one")
    if type(body.get("host_version")) is str:
        facts["tool_version"] = body["host_version"]
    if type(body.get("turn_id")) is str and body["turn_id"]:
        facts["turn_id"] = body["turn_id"]
    kind = side.get("event_type")
    if type(kind) is not str or (point not in FIELDS and kind in STANDARD_TYPES):
        kind = _kind_of(point, body, facts["tool"])
    event = Event(type_of(kind, facts["tool"]), point, facts, facts["tool"])
    if point not in FIELDS:
        facts["native_event"] = point
        event.hook_point = None
        event.emitter = {"aarts": {key: body[key] for key in body if key not in _PLACE[:4]}}
        event.unmapped = {
            f"aarts.{key}": None for key in body if key not in (*ENVELOPE, *TOOL, "locale")
        } or None
        if type(body.get("tool_input")) is dict:
            _read_tool(event, body)
    else:
        _read_fields(event, body, point)
        absent = side.get("unavailable")
        _keep(event, body, point, absent if type(absent) is list else [])
    return event


def _kind_of(point: str, body: Tree, tool: str) -> str:
    if point == "PostAskResolution":
        word = body.get("resolution")
        if word in RESOLUTIONS:
            return "Policy.Blocked" if word.startswith("den") else "Policy.Override"
    own = "ToolInputModified" if point == "PreToolInputModification" else point
    return TYPE_OF.get(point, f"vendor.{slug(tool)}.{own}")


def _wrong(event: Event, field: str, value: Any) -> None:
    event.unmapped = {**(event.unmapped or {}), f"aarts.{field}": value}


def _read_fields(event: Event, body: Tree, point: str) -> None:
    """The facts among the fields of a hook point; what none can be is among the unmapped."""
    facts = event.facts
    for field, fact, _ in FIELDS[point]:
        value = body.get(field)
        if value is None or value == "":
            continue
        if field == "compaction_reason":
            value = REASONS_BACK.get(value) if type(value) is str else None
            if value is not None:
                facts[fact] = value
        elif fact in CONTENT and type(value) is str and value.startswith("[hookstream:"):
            kind, _, rest = value[12:-1].partition("=")
            digest, _, chars = rest.partition(";chars=")
            facts[f"{fact}_hash"] = f"{kind}:{digest}"
            facts[f"{fact}_length"] = int(chars) if chars.isdigit() else 0
        elif field == "resolution" and type(value) is str and value not in RESOLUTIONS:
            facts[fact] = UNKNOWN  # the word stays with the emitter
            _wrong(event, field, None)
        elif fits(fact, value) and (field not in CLOSED or value in CLOSED[field]):
            facts[fact] = value
        else:
            _wrong(event, field, value)
    if point in PHASES:
        facts["context_phase"] = PHASES[point]
    if point in TOOL_POINTS:
        _read_tool(event, body)
    if point == "PreToolInputModification":
        original, changed = body.get("original_value"), body.get("modified_value")
        if type(original) is dict and type(changed) is dict:
            event.input, event.native = changed, {"original_input": original}
            if original != changed:
                facts["modified"] = True
                guardian = _modifier(body)
                if guardian is not None:
                    facts["guardian"] = guardian
    if type(body.get("parent_session_id")) is str and body["parent_session_id"]:
        facts["parent_session_id"] = body["parent_session_id"]
    if point == "PostAskResolution":
        if fits("decision_point", body.get("original_hook_point")):
            facts["decision_point"] = body["original_hook_point"]
        if event.type in STATED:
            _resolved(event)


def _modifier(body: Tree) -> str | None:
    """The modifier of an input: the last of the chain that changed it, else the source."""
    rows = objects(body.get("modifier_chain"))
    names = [row.get("modifier_id") for row in rows if row.get("modified") is not False]
    names = [body.get("source_id"), *names]
    return next((name for name in reversed(names) if type(name) is str and name), None)


def _read_tool(event: Event, body: Tree) -> None:
    facts = event.facts
    category, native = body.get("tool_name"), body.get("tool_name_native")
    if type(native) is str and native:
        facts["action_native"] = native
    if fits("action_category", category):
        facts["action_category"] = category
    elif category:  # a tool's own name, or one of a later taxonomy
        _wrong(event, "tool_name", category)
        if type(category) is str:
            facts.setdefault("action_native", category)
    if type(body.get("tool_input")) is dict:
        event.input = body["tool_input"]
    artifacts = body.get("artifacts")
    event.artifacts = read_artifacts(artifacts)
    if artifacts and not _are_kept(artifacts, rendered(event.artifacts)):
        _wrong(event, "artifacts", artifacts)


def _are_kept(artifacts: Any, kept: list[dict[str, str]]) -> bool:
    """Return whether nothing of the artifacts of a line was lost."""
    return (
        type(artifacts) is list
        and len(artifacts) == len(kept)
        and all(
            artifact.items() <= row.items() for artifact, row in zip(artifacts, kept, strict=True)
        )
    )


def _resolved(event: Event) -> None:
    """The person's answer to a question is a decision about what was asked."""
    facts = event.facts
    facts["decision"] = STATED[event.type]
    facts["decided_by"] = "user"
    facts["certainty"] = "observed"
    facts["decision_evidence"] = "PostAskResolution"
    event.synthesized += ["decision", "decided_by"]


def _keep(event: Event, body: Tree, point: str, absent: list[Any]) -> None:
    """Keep what no fact has at its place, unless the standard does not allow its shape."""
    flat = _FLAT if is_verdict(body) else ()
    rest: Tree = {}
    for field, value in body.items():
        if field in absent or field in flat:
            continue
        status = status_of(point, field, value)
        if status == WRONG:
            _wrong(event, field, value)
        elif status == UNKNOWN_FIELD:
            rest[field] = value
            _wrong(event, field, None)
        elif status == KEPT and not _follows(event, field, value):
            rest[field] = value
    if rest:
        event.emitter = {"aarts": rest}


def _follows(event: Event, field: str, value: Any) -> bool:
    """Return whether the field is said by what was read already, or says nothing."""
    if field in ("original_value", "modified_value"):
        return event.input is not None or not value
    if field == "resolution":
        return bool(value == event.facts.get(field))
    if field == "parent_session_id":
        return field in event.facts
    if field == "is_sub_agent":
        return value is ("parent_session_id" in event.facts)
    return value == "" or value is None


def _read_verdict(event: Event, verdict: Tree, place: tuple[str, ...]) -> None:
    """The decision as facts; what has none stays. `place`: the fields that say whose it is."""
    facts = event.facts
    rest: Tree = {}
    for name, value in verdict.items():
        if name in place or value is None:
            continue
        if name in ("decision", "category", "severity", "matched_rule_id") and fits(name, value):
            facts[name] = value
        elif name == "source" and type(value) is str:
            if value == UNKNOWN:
                facts.pop("decided_by", None)  # a person's, it was presumed
            elif value != facts.get("decided_by"):
                facts["policy_engine"] = value
        elif name == "reasons" and has_shape(value, "texts"):
            if value and value[0]:
                facts["decision_reason"] = value[0]
            if value[1:]:
                rest["reasons"] = value[1:]
        elif fits_verdict(name, value):
            if value not in ([], {}, ""):
                rest[name] = value
            if name not in VERDICT_FIELDS:
                event.unmapped = {**(event.unmapped or {}), f"verdict.{name}": None}
        else:
            event.unmapped = {**(event.unmapped or {}), f"verdict.{name}": value}
    if rest:
        event.emitter = {**(event.emitter or {}), "verdict": rest}
    if event.hook_point not in (None, "PostAskResolution") and "subject" not in facts:
        # Another writer's verdict is about the object next to it.
        facts.setdefault("decision_point", event.hook_point)
    if "decision" in facts and event.type not in STANDARD_TYPES:
        facts.setdefault("certainty", "observed")
