"""Microsoft Sentinel, ASIM AgentEvent 1.0.0: one flat row per event, for the Logs Ingestion API.

The schema has no column for a decision, a result or a severity: they are in AdditionalFields, as in
the public parser for another vendor's agents. EventThoughtProcess stays empty.
"""

from __future__ import annotations

from hookstream.core.event import Event
from hookstream.core.jsons import JsonObject
from hookstream.sinks.formats.attributes import error_type, is_refusal, model, operation
from hookstream.sinks.formats.ocsf import TARGETS
from hookstream.sinks.formats.words import begin_and_end, sentence

# column -> fact
COLUMNS = {
    "EventUid": "event_id",
    "EventOriginalUid": "event_id",
    "EventSessionId": "session_id",
    "EventRequestId": "call_id",
    "EventResponseId": "message_id",
    "ActorUserId": "user_id",
    "TargetAgentId": "tool",
    "TargetAgentName": "tool",
    "ActingAppName": "tool",
    "ActingAppId": "tool",
    "SrcAgentId": "parent_agent_id",
    "PlatformTargetAgentId": "agent_id",
    "PlatformTargetAgentName": "agent_type",
    "ToolOriginalType": "action_category",
    "InputTokensUsed": "input_tokens",
    "OutputTokensUsed": "output_tokens",
}
# AdditionalFields -> fact
FURTHER = (
    "decision enforced decided_by decision_reason decision_evidence certainty matched_rule_id "
    "policy_id success outcome exit_code permission_mode machine_id mcp_server prompt_hash "
    "prompt_length cache_read_tokens cache_write_tokens about modified failure severity "
    "tool_version turn_id duplicate_of message"
).split()


def asim(event: Event, *, arguments: bool) -> JsonObject:
    """The event as a row of AgentEvent. ValueError if it has no time that can be read."""
    facts = event.facts
    start, end = begin_and_end(facts)
    tool = facts.get("action_native") or facts.get("action_name")
    fields: JsonObject = {
        "TimeGenerated": end,
        "EventStartTime": start,
        "EventEndTime": end,
        "EventCount": 1,
        "EventSchema": "AgentEvent",
        "EventSchemaVersion": "1.0.0",
        "EventVendor": "hookstream",
        "EventProduct": "hookstream",
        "EventType": camel(operation(event) or ("execute_tool" if tool else "invoke_agent")),
        "EventOriginalType": event.type,
        "ActingAppType": "Process",
    }
    for column, fact in COLUMNS.items():
        if facts.get(fact) is not None:
            fields[column] = facts[fact]
    if "user_id" in facts:
        fields["ActorUserIdType"] = "Other"
    if tool:
        fields["ToolName"] = tool
    known = model(event)
    for column, name in (
        ("ModelProviderName", "gen_ai.provider.name"),
        ("ModelName", "gen_ai.request.model"),
        ("ModelName", "gen_ai.response.model"),
    ):
        if name in known:
            fields[column] = known[name]
    shown = next((facts[name] for name in TARGETS if facts.get(name)), None)
    if arguments and shown:
        fields["EventOriginalRequestDetails"] = shown
    if event.type == "Action.After" or "decision" in facts:
        fields["EventOriginalResultDetails"] = sentence(event)
    fields.update(_error(event))
    fields["AdditionalFields"] = _further(event)
    return fields


def _error(event: Event) -> JsonObject:
    facts = event.facts
    kind = error_type(event)
    detail = facts.get("decision_reason") if is_refusal(event) else facts.get("error_message")
    fields = {"EventOriginalErrorType": kind, "EventErrorDetails": detail if kind else None}
    return {name: value for name, value in fields.items() if value}


def _further(event: Event) -> JsonObject:
    facts = event.facts
    made = {name: facts[name] for name in FURTHER if facts.get(name) is not None}
    if event.risk is not None:
        made["risk_score"], made["risk_level"] = event.risk[0], event.risk[1]
    return made


def camel(name: str) -> str:
    """`execute_tool` -> `ExecuteTool`."""
    return "".join(part.title() for part in name.split("_"))
