"""An AARTS 0.1 object, or hookstream's wrapper of one, back to the Event it says."""

from __future__ import annotations

from hookstream.event import Event
from hookstream.standards.aarts import SIDE_FACTS
from hookstream.standards.artifacts import read_artifacts
from hookstream.standards.hook_points import CONTENT, FIELDS, TOOL_POINTS, UNKNOWN
from hookstream.standards.proper import proper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read_aarts(given: dict[str, Any]) -> Event:
    """A wrapper or a bare AARTS object to the Event it says. Raises ValueError naming the field."""
    body = given.get("aarts", given if "hook_point" in given else None)
    side = given.get("hookstream")
    side = side if type(side) is dict else {}
    if type(body) is not dict:
        body = {key: side.get(key) for key in ("session_id", "timestamp", "host_id") if key in side}
    facts: dict[str, Any] = {}
    for fact, field in (("session_id",) * 2, ("timestamp",) * 2, ("tool", "host_id")):
        value = body.get(field)
        if type(value) is not str or not value:
            raise ValueError(f"{field}: missing or no text")
        facts[fact] = value
    point = body.get("hook_point")
    if point is not None and (type(point) is not str or point not in FIELDS):
        raise ValueError("hook_point: not one of the standard")
    kind = side.get("event_type")
    if type(kind) is not str:
        kind = TYPE_OF.get(point or "", f"vendor.{facts['tool']}.{point}")
    event = Event(kind, point, facts, facts["tool"])
    event.read_back = True
    if type(body.get("host_version")) is str:
        facts["tool_version"] = body["host_version"]
    if type(body.get("turn_id")) is str and body["turn_id"]:
        facts["turn_id"] = body["turn_id"]
    if point is not None:
        _read_fields(event, body, point)
    for name in (*SIDE_FACTS, "hookstream_version"):
        if side.get(name) is not None:
            facts[name] = side[name]
    if type(side.get("hook_point")) is str:
        facts["decision_point"] = side["hook_point"]
    _read_verdict(event, given.get("verdict"))
    for name in ("synthesized", "redacted"):
        if type(side.get(name)) is list:
            setattr(event, name, [word for word in side[name] if type(word) is str])
    event.redacted = [
        path.removeprefix("tool_") if path.startswith("tool_input") else path
        for path in event.redacted
    ]
    return proper(event)


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
    "PostAskResolution": "Policy.Override",
}
REASONS_BACK = {"user_triggered": "manual", "automatic": "auto", "token_limit": "threshold"}
# AARTS tool category -> the Agent Hooks action it says without a native name
ACTION_OF = {
    "shell": "shell",
    "package_install": "shell",
    "file_write": "write_file",
    "file_edit": "write_file",
    "file_read": "read_file",
    "file_delete": "delete_file",
    "web_request": "web_search",
    "delegate": "delegate",
}


def _read_fields(event: Event, body: dict[str, Any], point: str) -> None:
    facts = event.facts
    for field, fact, _ in FIELDS[point]:
        value = body.get(field)
        if value is None or value == "":
            continue
        if field == "compaction_reason":
            value = REASONS_BACK.get(value) if type(value) is str else None
        if fact in CONTENT and type(value) is str and value.startswith("[hookstream:"):
            kind, _, rest = value[12:-1].partition("=")
            digest, _, chars = rest.partition(";chars=")
            facts[f"{fact}_hash"] = f"{kind}:{digest}"
            facts[f"{fact}_length"] = int(chars) if chars.isdigit() else 0
        elif value is not None:
            facts[fact] = value
    if point == "PreCompact":
        facts["context_phase"] = "before"
    elif point == "PostCompact":
        facts["context_phase"] = "after"
    if point in TOOL_POINTS:
        category = body.get("tool_name")
        facts["action_category"] = category if type(category) is str else "other"
        native = body.get("tool_name_native")
        if type(native) is str and native:
            facts["action_native"] = native
        facts["action_name"] = ACTION_OF.get(facts["action_category"], "other")
        if type(body.get("tool_input")) is dict:
            event.input = body["tool_input"]
        event.artifacts = read_artifacts(body.get("artifacts"))
        given = event.input or {}
        is_command = any(one[0] == "command" for one in event.artifacts)
        for kind, value, field, _ in event.artifacts:
            # Next to a command only what an argument is by itself; the rest may be a part of it.
            own = not is_command or given.get(field.removeprefix("tool_input.")) == value
            if kind == "command" or (kind in ("file_path", "url") and own):
                facts.setdefault(kind, value)
    if point == "PreToolInputModification":
        if type(body.get("modified_value")) is dict:
            event.input = body["modified_value"]
        if type(body.get("original_value")) is dict:
            event.native = {"original_input": body["original_value"]}
    if type(body.get("parent_session_id")) is str:
        facts["parent_session_id"] = body["parent_session_id"]


def _read_verdict(event: Event, given: Any) -> None:
    if type(given) is not dict:
        return
    for name in ("decision", "category", "severity", "matched_rule_id"):
        if type(given.get(name)) is str:
            event.facts[name] = given[name]
    if event.hook_point not in (None, "PostAskResolution") and "subject" not in event.facts:
        # Another writer's verdict is about the object next to it.
        event.facts.setdefault("decision_point", event.hook_point)
    source = given.get("source")
    if type(source) is str and source not in (UNKNOWN, event.facts.get("decided_by")):
        event.facts["policy_engine"] = source
    reasons = given.get("reasons")
    if type(reasons) is list and reasons:
        event.facts["decision_reason"] = reasons[0]
