"""AARTS 0.1: an Event to hookstream's wrapper around a pure AARTS object.

The AARTS object has no extension bag, so ids, verdict and bookkeeping are next to it in the
wrapper. A required field that no payload holds is empty and listed in `unavailable`; a
content field carries its digest marker and is listed in `redacted`.
"""

from __future__ import annotations

from hookstream.core.decisions import category_of
from hookstream.core.jsons import JsonObject, canonical
from hookstream.standards.artifacts import rendered
from hookstream.standards.hook_points import (
    AARTS_VERSION,
    AS_LIST,
    AS_OBJECT,
    CLOSED,
    COMPACTION_REASONS,
    CONTENT,
    EMPTY,
    FIELDS,
    MORE,
    TOOL_POINTS,
    TRANSLATED,
    TURN_POINTS,
    UNKNOWN,
)
from hookstream.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event


def marker(event: Event, fact: str) -> str | None:
    """`[hookstream:sha256=...;chars=N]` of a content fact that privacy digested."""
    digest = event.facts.get(f"{fact}_hash")
    if digest is None:
        return None
    kind, _, text = digest.partition(":")
    return f"[hookstream:{kind}={text};chars={event.facts.get(f'{fact}_length', 0)}]"


def aarts(event: Event) -> JsonObject | None:
    """The wrapper, or None for an Event that is neither at a hook point nor a decision."""
    facts = event.facts
    emitted = {} if event.emitter is None else event.emitter.get("aarts", {})
    if event.hook_point is None and "decision" not in facts and "hook_point" not in emitted:
        return None
    unavailable: list[str] = []
    redacted: list[str] = []
    body = None
    if event.hook_point is not None:
        body = _envelope(event)
        if event.hook_point in TURN_POINTS:
            _turn(event, body, unavailable)
        if event.hook_point in TOOL_POINTS:
            _tool(event, body, unavailable)
        _fields(event, body, unavailable, redacted)
        _more(event, body, emitted, unavailable)
    elif "hook_point" in emitted:
        body = {**_envelope(event), **emitted}  # a hook point of a later version
    wrapper: JsonObject = {"aarts": body, "verdict": verdict(event)}
    wrapper["hookstream"] = _side_record(event, unavailable, redacted)
    return wrapper


def _envelope(event: Event) -> JsonObject:
    facts = event.facts
    body = {
        "hook_point": event.hook_point,
        "session_id": facts["session_id"],
        "timestamp": facts["timestamp"],
        "host_id": facts["tool"],
        "aarts_version": AARTS_VERSION,
    }
    if "tool_version" in facts:
        body["host_version"] = facts["tool_version"]
    return body


def _turn(event: Event, body: JsonObject, unavailable: list[str]) -> None:
    turn = event.facts.get("turn_id")
    body["turn_id"] = turn or ""
    if not turn:
        unavailable.append("turn_id")


def _tool(event: Event, body: JsonObject, unavailable: list[str]) -> None:
    facts = event.facts
    body["tool_name"] = facts.get("action_category", "other")
    if "action_native" in facts:
        body["tool_name_native"] = facts["action_native"]
    elif body["tool_name"] == "other":
        body["tool_name_native"] = ""
        unavailable.append("tool_name_native")
    body["tool_input"] = event.input if event.input is not None else {}
    if event.input is None:
        unavailable.append("tool_input")
    body["artifacts"] = rendered(event.artifacts)
    if event.hook_point == "PreToolUse":
        body["is_sub_agent"] = "agent_id" in facts or "parent_session_id" in facts
        if "parent_session_id" in facts:
            body["parent_session_id"] = facts["parent_session_id"]


def _fields(event: Event, body: JsonObject, unavailable: list[str], redacted: list[str]) -> None:
    facts = event.facts
    for field, fact, empty in FIELDS[event.hook_point or ""]:
        value = facts.get(fact)
        if value is None and fact in CONTENT:
            value = marker(event, fact)
            if value is not None:
                redacted.append(field)
        elif fact in CONTENT and value is not None and not _is_taken(field, value):
            value = canonical(value).decode()  # the standard takes a text
        if field == "compaction_reason":
            value = COMPACTION_REASONS.get(value or "")
        elif field in CLOSED and value not in CLOSED[field]:
            value = None
        if value is not None:
            body[field] = value
        elif empty is not None:
            body[field] = empty
            unavailable.append(field)


def _is_taken(field: str, value: Any) -> bool:
    """Return whether the standard takes a content of this type: a text, here and there more."""
    kind = type(value)
    return kind is str or (field in (AS_LIST if kind is list else AS_OBJECT))


def _more(event: Event, body: JsonObject, said: JsonObject, unavailable: list[str]) -> None:
    """The fields that no fact has: as the emitter of the line gave them, else derived from facts if
    possible, else empty if the standard requires them."""
    point = event.hook_point or ""
    body |= _concluded(event, body)
    body |= said
    for field, shape, required in MORE[point]:
        if required and field not in body:
            body[field] = "" if type(shape) is tuple else EMPTY[shape]
            unavailable.append(field)
    if said:
        unavailable[:] = [name for name in unavailable if name not in said]
    if point == "SessionEnd" and "summary" not in body:
        unavailable.append("summary")


SUMMARY = {
    "total_actions": "tool_calls",
    "total_verdicts": "verdicts",
    "total_denials": "denials",
    "total_tokens": "total_tokens",
    "duration_ms": "duration_ms",
}


def _concluded(event: Event, body: JsonObject) -> JsonObject:
    """Values from facts for fields that are not a fact themselves."""
    facts = event.facts
    point = event.hook_point
    if point == "PrePluginLoad" and "file_path" in facts:
        return {"file_paths": [facts["file_path"]]}
    if point == "PostCompact":
        return {"was_modified": True}
    if point == "PostInputProcessing":
        return {"was_modified": body["original_value"] != body["modified_value"]}
    if point == "PreToolInputModification":
        return {
            "original_value": (event.native or {}).get("original_input", {}),
            "modified_value": event.input or {},
            "was_modified": True,
        }
    if point == "SessionEnd" and "total_actions" in facts:
        return {"summary": {key: facts[name] for name, key in SUMMARY.items() if name in facts}}
    if point == "PostAskResolution":
        verdict = {"decision": "ask", "category": "tool_execution", "severity": "warning"}
        return {
            "original_hook_point": "PreToolUse",
            "original_verdict": {**verdict, "source": "host_permission"},
        }
    return {}


SYNTHESIZED = {
    "PostCompact": ("was_modified",),
    "PostAskResolution": (
        "original_hook_point",
        "original_verdict.category",
        "original_verdict.severity",
        "original_verdict.source",
    ),
}


def verdict(event: Event) -> JsonObject | None:
    """The AARTS verdict of an Event that carries a decision, else None."""
    facts = event.facts
    decision = facts.get("decision")
    if decision is None:
        return None
    out: JsonObject = {
        "decision": decision,
        "category": facts.get("category")
        or category_of(facts.get("subject"), facts.get("action_category")),
        "severity": facts.get("severity", "info" if decision == "allow" else "warning"),
        "source": facts.get("policy_engine") or facts.get("decided_by") or UNKNOWN,
        "artifacts": [value for _, value, *_ in event.artifacts],
    }
    if "matched_rule_id" in facts:
        out["matched_rule_id"] = facts["matched_rule_id"]
    if "decision_reason" in facts:
        out["reasons"] = [facts["decision_reason"], *further_reasons(event)]
    emitted = {} if event.emitter is None else event.emitter.get("verdict", {})
    if emitted:
        reasons = [*out.get("reasons", ()), *emitted.get("reasons", ())]
        out |= {**emitted, "reasons": reasons} if reasons else emitted
    return out


def further_reasons(event: Event) -> list[str]:
    """The other reasons of a decider, after the one that it shows to people."""
    reasons = (event.native or {}).get("reasons")
    return [text for text in reasons if type(text) is str] if type(reasons) is list else []


SIDE_FACTS = tuple(
    "event_id call_id agent_id native_event sequence about duplicate_of decided_by "
    "decision_evidence certainty modified failure policy_id policy_version guardian subject "
    "enforced".split()
)


def _side_record(event: Event, unavailable: list[str], redacted: list[str]) -> JsonObject:
    facts = event.facts
    side: JsonObject = {name: facts[name] for name in SIDE_FACTS if name in facts}
    side["event_type"] = event.type
    side["hookstream_version"] = facts.get("hookstream_version", __version__)
    if event.hook_point is None:
        side["session_id"] = facts["session_id"]
        side["timestamp"] = facts["timestamp"]
        side["host_id"] = facts["tool"]
    if event.hook_point is None or facts.get("decision_point") not in (None, event.hook_point):
        # of what the verdict is about
        side["hook_point"] = facts.get("decision_point")
    synthesized = [TRANSLATED.get(name, name) for name in event.synthesized]
    emitted = {} if event.emitter is None else event.emitter.get("aarts", {})
    concluded = SYNTHESIZED.get(event.hook_point or "", ())
    synthesized += [path for path in concluded if path.partition(".")[0] not in emitted]
    if "decision" in facts:
        synthesized += [f"verdict.{name}" for name in ("category", "severity") if name not in facts]
        if not (facts.get("policy_engine") or facts.get("decided_by")):
            unavailable.append("verdict.source")
    side["synthesized"] = list(dict.fromkeys(synthesized))
    other = sorted(_path(path) for path in event.redacted if path not in CONTENT)
    side["redacted"] = redacted + [path for path in other if path not in redacted]
    side["unavailable"] = unavailable
    side["completeness"] = "partial" if redacted or unavailable else "full"
    return side


def _path(path: str) -> str:
    if path.startswith("aarts."):
        return path[6:]
    return f"tool_input{path[5:]}" if path.startswith("input") else path
