"""Agent Hooks 0.1.0 (Category.Subcategory): an Event to its JSON object.

What the standard has a place for stands there; everything else an Event knows stands under one
reverse-domain metadata key, so that reading gives the Event again.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.event import Event

SPEC_VERSION = "0.1.0"
METADATA_KEY = "dev.hookstream"

# Facts the envelope holds.
ENVELOPE = frozenset(
    "event_id timestamp tool tool_version session_id parent_session_id user_id actor_type "
    "agent_mode".split()
)
RESULT = {
    "success": ("result", "success"),
    "exit_code": ("result", "exit_code"),
    "error_message": ("result", "error_message"),
    "output": ("result", "output"),
}
DECISION = {"decision": ("decision", "outcome"), "decision_reason": ("decision", "reason")}
ACTION = {"action_name": ("action", "name"), **DECISION}
PLAIN_MODEL = ("model_id", "input_tokens", "output_tokens", "latency_ms", "retry_count")
RETRY = {
    "retry_iteration": ("", "iteration_count"),
    "action_name": ("", "action_name"),
    "tokens_consumed": ("", "tokens_consumed"),
    "elapsed_ms": ("", "elapsed_ms"),
}


def _plain(*names: str) -> dict[str, tuple[str, str]]:
    return {name: ("", name) for name in names}


# event type -> fact -> (group in data, key); section 6 and the schema's definitions.
PLACES: dict[str, dict[str, tuple[str, str]]] = {
    "Session.Start": _plain("start_reason"),
    "Session.End": {
        **_plain("end_reason"),
        "total_tokens": ("usage", "total_tokens"),
        "total_actions": ("usage", "total_actions"),
        "duration_ms": ("usage", "duration_ms"),
    },
    "Session.Abort": {},
    "Prompt.Submitted": {
        **_plain("prompt_hash", "prompt_length", "is_followup"),
        "prompt": ("", "prompt_text"),
        **DECISION,
    },
    "Agent.Plan.Start": _plain("plan_type", "step_count"),
    "Agent.Plan.End": _plain("plan_type", "step_count"),
    "Agent.Decision": DECISION,
    "Agent.Response": {
        **_plain("response_hash", "response_length", "final"),
        "response": ("", "response_text"),
    },
    "Model.Requested": _plain(*PLAIN_MODEL),
    "Model.Responded": _plain(*PLAIN_MODEL),
    "Model.Failed": {**_plain(*PLAIN_MODEL), **_plain("error_type", "error_message")},
    "Action.Before": ACTION,
    "Action.After": {**ACTION, **RESULT},
    "Retry.Triggered": RETRY,
    "Retry.Loop.Detected": RETRY,
    "Retry.Loop.Aborted": RETRY,
    "Context.UntilCompaction": _plain(
        "tokens_used", "tokens_limit", "percentage_used", "tokens_remaining"
    ),
    "Context.Compaction": {
        **_plain("tokens_used", "tokens_limit", "percentage_used", "tokens_before"),
        **_plain("tokens_after", "tokens_removed", "strategy"),
        "context_trigger": ("", "trigger"),
    },
    "Policy.Violation": ACTION,
    "Policy.Blocked": ACTION,
    "Policy.Override": ACTION,
    "Agent.Notification": {"notification_type": ("", "type"), "message": ("", "message")},
    "Agent.Error": _plain("error_type", "error_message", "origin_event"),
}
CUSTOM: dict[str, tuple[str, str]] = {**ACTION, **RESULT}
TRIGGERS = ("auto", "manual", "system")
ENUM_DATA = {
    "notification_type": ("ToolPermission", "IdleTimeout", "ErrorAlert"),
    "error_type": ("ToolFailed", "ModelError", "HookError", "UnhandledException"),
    "start_reason": ("new", "resume", "restart"),
    "end_reason": ("exit", "completed", "error", "manual_reset", "idle_timeout"),
    "plan_type": ("plan", "explore", "default"),
    "context_trigger": TRIGGERS,
}
# The same with the words a fact must be one of to stand in data; none fit the envelope's facts.
READY: dict[str, dict[str, tuple[str, str, tuple[str, ...] | None]]] = {
    name: {
        **dict.fromkeys(ENVELOPE, ("", "", ())),
        **{fact: (*place, ENUM_DATA.get(fact)) for fact, place in places.items()},
    }
    for name, places in {**PLACES, "": CUSTOM}.items()
}
INPUT_TYPES = frozenset(
    ("Action.Before", "Action.After", "Policy.Blocked", "Policy.Override", "Policy.Violation")
)
ACTORS = {"Prompt": "user", "Agent": "ai_agent", "Action": "ai_agent", "Model": "ai_agent"}


# event type -> actor, as types come up
_actors: dict[str, str] = {}


def actor_of(event: Event) -> str:
    """The actor the standard's table gives a type: user, ai_agent or system."""
    given = event.facts.get("actor_type")
    if given is not None:
        return str(given)
    actor = _actors.get(event.type)
    if actor is None:
        actor = ACTORS.get(event.type.partition(".")[0], "system")
        if len(_actors) < 1024:
            _actors[event.type] = actor
    return actor


def agent_hooks(event: Event) -> dict[str, Any]:
    """The Event as an Agent Hooks object (envelope, data, risk, metadata)."""
    facts = event.facts
    source = {"tool": facts["tool"]}
    if "tool_version" in facts:
        source["version"] = facts["tool_version"]
    out: dict[str, Any] = {
        "spec_version": SPEC_VERSION,
        "event_id": facts["event_id"],
        "event_type": event.type,
        "timestamp": facts["timestamp"],
        "source": source,
        "session_id": facts["session_id"],
        "actor": {"type": actor_of(event)},
    }
    places = READY.get(event.type, READY[""])
    data: dict[str, Any] = {}
    groups: dict[str, dict[str, Any]] = {"": data}
    meta: dict[str, Any] = {}
    for fact, value in facts.items():
        place = places.get(fact)
        if place is None:
            meta[fact] = value
            continue
        name, key, words = place
        if words is not None and value not in words:
            if words:
                meta[fact] = value
            continue
        group = groups.get(name)
        if group is None:
            group = groups[name] = {}
        group[key] = value
    _assemble(event, data, groups, meta)
    for fact in ("parent_session_id", "agent_mode"):
        if fact in facts:
            out[fact] = facts[fact]
    if "user_id" in facts:
        out["user"] = {"id": facts["user_id"]}
    if data:
        out["data"] = data
    if event.risk is not None:
        score, level, factors = event.risk
        out["risk"] = {"score": score, "level": level, "factors": list(factors)}
    _bookkeeping(event, meta)
    out["metadata"] = {METADATA_KEY: meta}
    return out


def _assemble(
    event: Event, data: dict[str, Any], groups: dict[str, dict[str, Any]], meta: dict[str, Any]
) -> None:
    action = groups.get("action")
    if event.input is not None:
        if action is not None:
            action["input"] = event.input
        else:
            meta["input"] = event.input
    result = groups.get("result")
    if result is not None:
        if action is None:
            action = groups["action"] = {}
        action["result"] = result
    for name in ("action", "decision", "usage"):
        if name in groups:
            data[name] = groups[name]


def _bookkeeping(event: Event, meta: dict[str, Any]) -> None:
    meta["vendor"] = event.vendor
    if event.hook_point is not None:
        meta["hook_point"] = event.hook_point
    if event.native:
        meta["native"] = event.native
    if event.unmapped:
        meta["unmapped"] = event.unmapped
    if event.synthesized:
        meta["synthesized"] = event.synthesized
    if event.redacted:
        meta["redacted"] = sorted(event.redacted)
    if event.redactions:
        meta["redactions"] = event.redactions
    if event.content_arguments:
        meta["content_arguments"] = sorted(event.content_arguments)
    if event.artifacts:
        meta["artifacts"] = [
            {"type": kind, "value": value, "source_field": field}
            for kind, value, field in event.artifacts
        ]
    if event.secrets:
        meta["secrets"] = [
            {"rule": rule, "path": path, "fingerprint": mark}
            for rule, path, mark in sorted(event.secrets)
        ]
