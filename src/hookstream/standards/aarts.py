"""AARTS 0.1: an Event to hookstream's wrapper around a pure AARTS object.

The AARTS object has no extension bag, so ids, verdict and bookkeeping stand beside it in the
wrapper (design 5.10, 5.16). A required field that no payload holds is empty and listed in
`unavailable`; a content field carries its digest marker and is listed in `redacted`.
"""

from __future__ import annotations

from hookstream.decisions import category_of
from hookstream.jsons import canonical
from hookstream.standards.artifacts import rendered
from hookstream.standards.hook_points import (
    AARTS_VERSION,
    CLOSED,
    COMPACTION_REASONS,
    CONTENT,
    FIELDS,
    TOOL_POINTS,
    TRANSLATED,
    TRUST_POINTS,
    TURN_POINTS,
    UNKNOWN,
)
from hookstream.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.event import Event


def marker(event: Event, fact: str) -> str | None:
    """`[hookstream:sha256=...;chars=N]` of a content fact that privacy digested."""
    digest = event.facts.get(f"{fact}_hash")
    if digest is None:
        return None
    kind, _, text = digest.partition(":")
    return f"[hookstream:{kind}={text};chars={event.facts.get(f'{fact}_length', 0)}]"


def aarts(event: Event) -> dict[str, Any] | None:
    """The wrapper, or None for an Event that is neither at a hook point nor a decision."""
    facts = event.facts
    if event.hook_point is None and "decision" not in facts:
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
        if event.hook_point in TRUST_POINTS:
            body["source"] = ""
            unavailable.append("source")
        _fields(event, body, unavailable, redacted)
        _special(event, body, unavailable)
    wrapper: dict[str, Any] = {"aarts": body, "verdict": verdict(event)}
    wrapper["hookstream"] = _side_record(event, unavailable, redacted)
    return wrapper


def _envelope(event: Event) -> dict[str, Any]:
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


def _turn(event: Event, body: dict[str, Any], unavailable: list[str]) -> None:
    turn = event.facts.get("turn_id")
    body["turn_id"] = turn or ""
    if not turn:
        unavailable.append("turn_id")


def _tool(event: Event, body: dict[str, Any], unavailable: list[str]) -> None:
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


def _fields(
    event: Event, body: dict[str, Any], unavailable: list[str], redacted: list[str]
) -> None:
    facts = event.facts
    for field, fact, empty in FIELDS[event.hook_point or ""]:
        value = facts.get(fact)
        if value is None and fact in CONTENT:
            value = marker(event, fact)
            if value is not None:
                redacted.append(field)
        elif fact in CONTENT and type(value) is not str and not is_result(field, value):
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


def is_result(field: str, value: Any) -> bool:
    """Of a tool's result the standard takes an object, too."""
    return field == "tool_result" and type(value) is dict


def _special(event: Event, body: dict[str, Any], unavailable: list[str]) -> None:
    """Required fields that are no text: objects, lists and the sides of a modification."""
    point = event.hook_point
    if point == "PreSkillLoad":
        body["frontmatter"] = {}
        body["declared_hooks"] = []
        unavailable += ["frontmatter", "declared_hooks"]
    elif point == "PrePluginLoad":
        body["file_paths"] = [event.facts["file_path"]] if "file_path" in event.facts else []
        body["declared_hooks"] = []
        unavailable += (
            ["declared_hooks"] if body["file_paths"] else ["file_paths", "declared_hooks"]
        )
    elif point == "PostCompact":
        body["original_value"] = ""
        body["was_modified"] = True
        body["modifier_chain"] = []
        unavailable += ["original_value", "modifier_chain"]
    elif point == "PostInputProcessing":
        body["was_modified"] = body["original_value"] != body["modified_value"]
        body["modifier_chain"] = []
        unavailable.append("modifier_chain")
    elif point == "PreToolInputModification":
        body["original_value"] = (event.native or {}).get("original_input", {})
        body["modified_value"] = event.input or {}
        body["was_modified"] = True
        body["modifier_chain"] = []
        unavailable.append("modifier_chain")
    elif point == "PostAskResolution":
        body["original_hook_point"] = "PreToolUse"
        body["original_verdict"] = {
            "decision": "ask",
            "category": "tool_execution",
            "severity": "warning",
            "source": "host_permission",
        }


SYNTHESIZED = {
    "PostCompact": ("was_modified",),
    "PostAskResolution": (
        "original_hook_point",
        "original_verdict.category",
        "original_verdict.severity",
        "original_verdict.source",
    ),
}


def verdict(event: Event) -> dict[str, Any] | None:
    """The AARTS verdict of an Event that carries a decision, else None."""
    facts = event.facts
    decision = facts.get("decision")
    if decision is None:
        return None
    out: dict[str, Any] = {
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
        out["reasons"] = [facts["decision_reason"]]
    return out


SIDE_FACTS = tuple(
    "event_id call_id agent_id native_event sequence about duplicate_of decided_by "
    "decision_evidence certainty modified failure policy_id policy_version guardian subject "
    "enforced".split()
)


def _side_record(event: Event, unavailable: list[str], redacted: list[str]) -> dict[str, Any]:
    facts = event.facts
    side: dict[str, Any] = {name: facts[name] for name in SIDE_FACTS if name in facts}
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
    synthesized += SYNTHESIZED.get(event.hook_point or "", ())
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
    return f"tool_input{path[5:]}" if path.startswith("input") else path
