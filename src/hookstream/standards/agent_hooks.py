"""Agent Hooks 0.1.0 (Category.Subcategory): an Event to its JSON object.

What the standard has a place for is there; everything else an Event knows is under one
reverse-domain metadata key, so that reading gives the Event again. What another emitter said and no
fact holds is at its own place again.
"""

from __future__ import annotations

from hookstream.standards.artifacts import rendered
from hookstream.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event
    from hookstream.core.jsons import JsonObject

SPEC_VERSION = "0.1.0"
METADATA_KEY = "dev.hookstream"

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
# event type -> (fact, group in data, key, the words it must be one of to be there).
READY: dict[str, tuple[tuple[str, str, str, tuple[str, ...] | None], ...]] = {
    name: tuple((fact, *place, ENUM_DATA.get(fact)) for fact, place in places.items())
    for name, places in {**PLACES, "": CUSTOM}.items()
}
LEVELS = ("low", "medium", "high", "critical")
# What the emitter's word decides where it differs from ours.
OVERRIDES = ("spec_version", "risk")
ACTORS = {"Prompt": "user", "Agent": "ai_agent", "Action": "ai_agent", "Model": "ai_agent"}


# event type -> actor, as types come up
_actors: dict[str, str] = {}


def actor_of(event: Event) -> str:
    """The actor the standard's table gives a type: user, ai_agent or system."""
    actor = event.facts.get("actor_type")
    return _actor(event.type) if actor is None else str(actor)


def _actor(kind: str) -> str:
    actor = _actors.get(kind)
    if actor is None:
        actor = ACTORS.get(kind.partition(".")[0], "system")
        if len(_actors) < 1024:
            _actors[kind] = actor
    return actor


def agent_hooks(event: Event) -> JsonObject:
    """The Event as an Agent Hooks object (envelope, data, risk, metadata)."""
    rest = event.facts.copy()  # what has found no place yet
    take = rest.pop
    actor = take("actor_type", None)
    out: JsonObject = {
        "spec_version": SPEC_VERSION,
        "event_id": take("event_id"),
        "event_type": event.type,
        "timestamp": take("timestamp"),
        "source": {"tool": take("tool")},
        "session_id": take("session_id"),
        "actor": {"type": _actor(event.type) if actor is None else str(actor)},
    }
    if "tool_version" in rest:
        out["source"]["version"] = take("tool_version")
    for fact in ("parent_session_id", "agent_mode"):
        if fact in rest:
            out[fact] = take(fact)
    if "user_id" in rest:
        out["user"] = {"id": take("user_id")}
    if event.read_back or "actor_id" in rest or "actor_name" in rest:
        _people(out, rest)
    data = _data(event, rest)
    if data:
        out["data"] = data
    if event.risk is not None:
        out["risk"] = _risk(event.risk)
    _bookkeeping(event, rest)
    out["metadata"] = {METADATA_KEY: rest}
    return out if event.emitter is None else _with_emitter(out, rest, event.emitter)


def _risk(risk: tuple[int, str, tuple[str, ...]]) -> JsonObject:
    score, level, factors = risk
    return {"score": score, "level": level, "factors": list(factors)}


def _people(out: JsonObject, rest: JsonObject) -> None:
    """The names and ids that an emitter gives the person and the actor."""
    if "user_name" in rest:
        out.setdefault("user", {})["name"] = rest.pop("user_name")
    for fact, key in (("actor_id", "id"), ("actor_name", "name")):
        if fact in rest:
            out["actor"][key] = rest.pop(fact)


def _with_emitter(out: JsonObject, meta: JsonObject, emitter: dict[str, JsonObject]) -> JsonObject:
    """The object with what its emitter said at the emitter's places. The emitter's risk and version
    are what the object says; our own risk is then under our metadata key."""
    of_aarts = {name: tree for name, tree in emitter.items() if name != "event"}
    if of_aarts:
        meta["emitter"] = of_aarts
    emitted = emitter.get("event")
    if emitted is None:
        return out
    if "risk" in emitted:
        meta["risk"] = out.pop("risk", None)
    out |= {name: emitted[name] for name in OVERRIDES if name in emitted}
    return _merged(out, emitted)


def _merged(held: JsonObject, other: JsonObject) -> JsonObject:
    """`held` with what only `other` has, at every depth; neither of them is changed."""
    merged = held.copy()
    for name, value in other.items():
        if name not in merged:
            merged[name] = value
        elif type(value) is dict and type(merged[name]) is dict:
            merged[name] = _merged(merged[name], value)
    return merged


def emitter_risk(event: Event) -> tuple[int, str, tuple[str, ...]] | None:
    """The risk that the emitter of a line that was read gave, None if it gave none."""
    risk = (event.emitter or {}).get("event", {}).get("risk")
    return None if risk is None else as_risk(risk)


def as_risk(value: Any) -> tuple[int, str, tuple[str, ...]] | None:
    """A `risk` object as (score, level, factors); None if it is not one of the standard."""
    if type(value) is not dict:
        return None
    score, level, factors = value.get("score"), value.get("level"), value.get("factors", [])
    if type(score) is not int or not 0 <= score <= 100 or level not in LEVELS:
        return None
    if type(factors) is not list or not all(type(factor) is str for factor in factors):
        return None
    return score, level, tuple(factors)


def _data(event: Event, rest: JsonObject) -> JsonObject:
    """Take from the rest what the standard has a place for in the type's data."""
    data: JsonObject = {}
    groups: dict[str, JsonObject] = {"": data}
    for fact, name, key, words in READY.get(event.type, READY[""]):
        if fact in rest and (words is None or rest[fact] in words):
            group = groups.get(name)
            if group is None:
                group = groups[name] = {}
            group[key] = rest.pop(fact)
    _assemble(event, data, groups, rest)
    return data


def _assemble(
    event: Event, data: JsonObject, groups: dict[str, JsonObject], meta: JsonObject
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


def _bookkeeping(event: Event, meta: JsonObject) -> None:
    meta["vendor"] = event.vendor
    meta.setdefault("hookstream_version", __version__)
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
        meta["artifacts"] = rendered(event.artifacts)
    if event.secrets:
        meta["secrets"] = [
            {"rule": rule, "path": path, "fingerprint": mark}
            for rule, path, mark in sorted(event.secrets)
        ]
