"""Google SecOps, Unified Data Model: one event per record, for `events:import`.

UDM has no fields for agents: the client is the principal's application, facts without a field are
under `additional`. A denied command is a PROCESS_LAUNCH that never launched: it always carries the
action BLOCK.
"""

from __future__ import annotations

from base64 import b64encode

from hookstream.core.event import Event
from hookstream.core.jsons import JsonObject
from hookstream.sinks.formats.attributes import is_refusal, model
from hookstream.sinks.formats.ocsf import (
    FILE,
    FINDINGS,
    HTTP,
    PROCESS,
    TERMINATE,
    activity_of,
    capability,
    is_asked,
)
from hookstream.sinks.formats.words import plain, sentence

FILES = {1: "FILE_CREATION", 2: "FILE_READ", 3: "FILE_MODIFICATION", 4: "FILE_DELETION"}
ACTIONS = {"allow": "ALLOW", "deny": "BLOCK", "ask": "CHALLENGE"}
SEVERITY = {"low": "LOW", "medium": "MEDIUM", "high": "HIGH", "critical": "CRITICAL"}
ADDITIONAL = (
    "action_native action_category call_id turn_id agent_id agent_type tool_version mcp_server "
    "permission_mode decision decided_by decision_evidence certainty enforced outcome success "
    "exit_code prompt_hash prompt_length input_tokens output_tokens cache_read_tokens "
    "cache_write_tokens about error_message message duplicate_of"
).split()


def udm(event: Event, *, arguments: bool) -> JsonObject:
    """The event as `{"udm": ...}`. ValueError if it has no time that can be read."""
    facts = event.facts
    kind, target = _subject(event, arguments)
    fields: JsonObject = {
        "metadata": {
            "id": b64encode(facts["event_id"].encode("utf-8")).decode("ascii"),
            "event_timestamp": plain(facts["timestamp"]),
            "event_type": kind,
            "vendor_name": "hookstream",
            "product_name": "hookstream",
            "product_log_id": facts["event_id"],
            "product_event_type": event.type,
            "description": sentence(event),
        },
        "principal": _principal(event),
        "network": {"session_id": facts["session_id"]},
        "additional": _additional(event),
    }
    if arguments and facts.get("query"):
        fields["additional"]["query"] = facts["query"]
    if target:
        fields["target"] = target
    result = _result(event)
    if result:
        fields["security_result"] = [result]
    return {"udm": fields}


def _subject(event: Event, arguments: bool) -> tuple[str, JsonObject]:
    """The type of an event, and what it was done to. A type that requires a machine is given only
    where one is known."""
    facts = event.facts
    class_uid, activity, _ = activity_of(event, arguments)
    target = _target(facts) if arguments else {}
    located = "machine_id" in facts
    if class_uid == PROCESS:
        call = facts.get("call_id") or facts.get("about") or facts["event_id"]
        process = target.setdefault("process", {})
        process["product_specific_process_id"] = f"hookstream:{facts['session_id']}/{call}"
        kind = "PROCESS_TERMINATION" if activity == TERMINATE[0] else "PROCESS_LAUNCH"
        return kind if located and activity else "GENERIC_EVENT", target
    if class_uid == FILE:
        return FILES[activity] if located else "GENERIC_EVENT", target
    tool = facts.get("action_native") or facts.get("action_name")
    if class_uid != HTTP and tool and event.type.startswith("Action."):
        target["resource"] = {"name": capability(facts) or tool}
        return "USER_RESOURCE_ACCESS" if "user_id" in facts else "GENERIC_EVENT", target
    return "GENERIC_EVENT", target


def _target(facts: JsonObject) -> JsonObject:
    """The target of a call; values are those the privacy stage let through."""
    target: JsonObject = {"url": facts["url"]} if facts.get("url") else {}
    if facts.get("command"):
        target["process"] = {"command_line": facts["command"]}
    if facts.get("file_path"):
        target["file"] = {"full_path": facts["file_path"]}
    return target


def _principal(event: Event) -> JsonObject:
    facts = event.facts
    fields: JsonObject = {"application": facts["tool"]}
    if "machine_id" in facts:
        fields["asset_id"] = f"hookstream:{facts['machine_id']}"
    if "user_id" in facts:
        fields["user"] = {"userid": facts["user_id"]}
    return fields


def _additional(event: Event) -> JsonObject:
    facts = event.facts
    made = {name: facts[name] for name in ADDITIONAL if facts.get(name) is not None}
    known = model(event)
    name = known.get("gen_ai.request.model") or known.get("gen_ai.response.model")
    if name:
        made["model"] = name
    return made


def _result(event: Event) -> JsonObject:
    facts = event.facts
    level = event.risk[1] if event.risk else None
    fields: JsonObject = {}
    decision = "ask" if is_asked(event) else facts.get("decision")
    if facts.get("modified") is True:
        fields["action"] = ["ALLOW_WITH_MODIFICATION"]
    elif decision == "deny" and not is_refusal(event):
        fields["action"] = ["UNKNOWN_ACTION"]
    elif decision in ACTIONS:
        fields["action"] = [ACTIONS[decision]]
    rule = facts.get("matched_rule_id") or facts.get("policy_id")
    if rule:
        fields["rule_id"] = rule
    if decision == "deny" or event.type in FINDINGS:
        fields["category"] = ["POLICY_VIOLATION"]
    if facts.get("decision_reason") or rule or decision:
        fields["summary"] = facts.get("decision_reason") or sentence(event)
    if event.risk is not None:
        fields["risk_score"] = float(event.risk[0])
    if fields:
        usual = "MEDIUM" if is_refusal(event) else "INFORMATIONAL"
        fields["severity"] = SEVERITY.get(level or "", usual)
    return fields
