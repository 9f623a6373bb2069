"""OCSF 1.8.0, for receivers that do not take 1.9 yet: API Activity (6003) with the AI Operation
profile, and Detection Finding (2004) for policy events and retry loops.

No OCSF version has a class for AI agents. The agent is the actor's application; the shape that
1.9 plans for it, and our own facts, are under `unmapped`. A decision uses the Security Control
profile, a status says what the action itself returned, never what was decided about it.
"""

from __future__ import annotations

from hookstream.core.event import Event
from hookstream.core.jsons import JsonObject
from hookstream.sinks.formats.attributes import attributes, is_refusal, model
from hookstream.sinks.formats.ocsf import (
    APPROVED,
    CONTROL,
    DETECTED,
    FINDINGS,
    MODIFIED,
    ROLES,
    SEVERITY,
    TOOL_ROLE,
    UNKNOWN,
    ai_model,
    response,
    risk,
    searchable,
    source,
    stamps,
    targets,
)
from hookstream.sinks.formats.trace import trace_id
from hookstream.sinks.formats.words import millis, sentence
from hookstream.version import __version__

VERSION = "1.8.0"
API_ACTIVITY = 6003
DETECTION_FINDING = 2004
NAMES = {
    API_ACTIVITY: ("API Activity", "Application Activity", 6),
    DETECTION_FINDING: ("Detection Finding", "Findings", 2),
}
# AARTS category -> (activity, its caption): CRUD only if it is known
CRUD = {"file_read": (2, "Read"), "file_edit": (3, "Update"), "file_delete": (4, "Delete")}


def ocsf(event: Event, *, arguments: bool = False) -> JsonObject:
    """The event as an OCSF object. ValueError if it has no time that can be read."""
    finding = event.type in FINDINGS
    made = _base(event, DETECTION_FINDING if finding else API_ACTIVITY)
    if finding:
        made.update(_finding(event, arguments))
    else:
        made["api"] = _api(event)
        made["actor"] = _actor(event)
        made["src_endpoint"] = source(event)
        made.update(_ai(event))
        made.update(targets(event) if arguments else {})
        made["trace"] = {"uid": trace_id(event).hex()}
    return searchable(made)


def _base(event: Event, class_uid: int) -> JsonObject:
    facts = event.facts
    class_name, category, category_uid = NAMES[class_uid]
    activity, caption = _activity(event, class_uid)
    level = event.risk[1] if event.risk else None
    grave, grave_caption = SEVERITY.get(level, (0, "Unknown"))
    fields: JsonObject = {
        "class_uid": class_uid,
        "class_name": class_name,
        "category_uid": category_uid,
        "category_name": category,
        "activity_id": activity,
        "activity_name": caption,
        "type_uid": class_uid * 100 + activity,
        "type_name": f"{class_name}: {caption if activity != 99 else 'Other'}",
        "time": millis(facts["timestamp"]),
        "severity_id": grave,
        "severity": grave_caption,
        "message": sentence(event),
        "metadata": _metadata(event, class_uid),
        "unmapped": _unmapped(event),
    }
    fields.update(risk(event))
    if facts.get("duration_ms") is not None:
        fields["duration"] = int(facts["duration_ms"])
    if class_uid == API_ACTIVITY and facts.get("success") is not None:
        ok = facts["success"]
        fields["status_id"], fields["status"] = (1, "Success") if ok else (2, "Failure")
    if facts.get("error_message"):
        fields["status_detail"] = facts["error_message"]
    if _is_controlled(event):
        fields.update(_control(event))
    return fields


def _activity(event: Event, class_uid: int) -> tuple[int, str]:
    if class_uid == DETECTION_FINDING:
        return 1, "Create"
    if event.type.startswith("Action."):
        value = CRUD.get(event.facts.get("action_category", ""))
        if value is not None:
            return value
    return 99, event.type


def _metadata(event: Event, class_uid: int) -> JsonObject:
    facts = event.facts
    profiles = ["trace", "ai_operation"] if class_uid == API_ACTIVITY else []
    if _is_controlled(event):
        profiles.append("security_control")
    fields: JsonObject = {
        "version": VERSION,
        "product": {
            "name": "hookstream",
            "vendor_name": "hookstream",
            "version": __version__,
        },
        "uid": facts["event_id"],
        "log_name": "agent_hooks",
        "original_time": facts["timestamp"],
        "profiles": profiles,
    }
    return fields | stamps(facts)


def _unmapped(event: Event) -> JsonObject:
    facts = event.facts
    agent: JsonObject = {"uid": facts["tool"], "name": facts["tool"]}
    agent["instance_uid"] = facts["session_id"]
    if "tool_version" in facts:
        agent["version"] = facts["tool_version"]
    flat = attributes(event, aarts=False, arguments=False)
    free = ("agent_hooks.", "hookstream.", "gen_ai.usage.cache_")
    own = {name: value for name, value in flat.items() if name.startswith(free)}
    return {"ai_agent": agent, **own, **({} if ai_model(event) else model(event))}


def _actor(event: Event) -> JsonObject:
    facts = event.facts
    fields: JsonObject = {
        "app_name": facts["tool"],
        "app_uid": facts["tool"],
        "session": {"uid": facts["session_id"]},
    }
    if "user_id" in facts:
        fields["user"] = {"uid": facts["user_id"]}
    return fields


def _api(event: Event) -> JsonObject:
    facts = event.facts
    fields: JsonObject = {
        "operation": facts.get("action_native") or facts.get("action_name") or event.type,
        "service": {"name": facts.get("mcp_server") or facts["tool"]},
    }
    if "call_id" in facts:
        fields["request"] = {"uid": facts["call_id"]}
    return fields | response(facts)


def _ai(event: Event) -> JsonObject:
    facts = event.facts
    role = TOOL_ROLE if "action_name" in facts else ROLES.get(event.type.partition(".")[0])
    context: JsonObject = {"application": {"name": facts["tool"]}}
    if role is not None:
        context["ai_role_id"], context["ai_role"] = role
    for name, fact in (
        ("uid", "message_id"),
        ("prompt_tokens", "input_tokens"),
        ("completion_tokens", "output_tokens"),
        ("total_tokens", "total_tokens"),
    ):
        if facts.get(fact) is not None:
            context[name] = facts[fact]
    return {"message_context": context, **ai_model(event)}


def _is_controlled(event: Event) -> bool:
    """Return whether the Security Control profile applies; it includes the risk's attributes."""
    decided = event.facts.get("decision") is not None or event.risk is not None
    return decided or event.type.startswith(("Action.", "Policy."))


def _control(event: Event) -> JsonObject:
    facts = event.facts
    if facts.get("modified") is True:
        words = MODIFIED
    elif facts.get("decision") == "deny" and not is_refusal(event):
        words = DETECTED
    elif event.type == "Policy.Override":
        words = APPROVED
    else:
        words = CONTROL.get(facts.get("decision") or "", UNKNOWN)
    fields: JsonObject = {}
    fields["action_id"], fields["action"], fields["disposition_id"], fields["disposition"] = words
    fields["is_alert"] = event.type in FINDINGS or (
        event.risk is not None and event.risk[1] in ("high", "critical")
    )
    name = facts.get("policy_id") or facts.get("matched_rule_id")
    if name:
        fields["policy"] = {"uid": name}
        if facts.get("policy_version"):
            fields["policy"]["version"] = facts["policy_version"]
    return fields


def _finding(event: Event, arguments: bool) -> JsonObject:
    facts = event.facts
    info: JsonObject = {
        "uid": facts["event_id"],
        "title": sentence(event),
        "types": [event.type],
        "created_time": millis(facts["timestamp"]),
        "product": {"name": "hookstream", "version": __version__},
    }
    if facts.get("matched_rule_id"):
        info["analytic"] = {"uid": facts["matched_rule_id"], "type_id": 1, "type": "Rule"}
    elif event.type.startswith("Retry."):
        info["analytic"] = {"name": "retry loop", "type_id": 2, "type": "Behavioral"}
    if facts.get("about"):
        info["related_events"] = [{"uid": facts["about"]}]
    if facts.get("decision_reason"):
        info["desc"] = facts["decision_reason"]
    fields: JsonObject = {
        "finding_info": info,
        "status_id": 1,
        "status": "New",
        "evidences": [{"actor": _actor(event), "api": _api(event)}],
    }
    if arguments:
        fields.update(targets(event))
    return fields
