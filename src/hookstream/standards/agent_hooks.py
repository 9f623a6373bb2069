"""Agent Hooks 0.1.0 (Category.Subcategory): an Event to its JSON object, and back.

What the standard has a place for stands there; everything else an Event knows stands under one
reverse-domain metadata key, so that reading gives the Event again.
"""

from __future__ import annotations

from hookstream.event import FACTS, Event, fit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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
INPUT_TYPES = frozenset(
    ("Action.Before", "Action.After", "Policy.Blocked", "Policy.Override", "Policy.Violation")
)
# type -> fact -> place, read backwards: type -> (group, key) -> fact
_BACK = {kind: {place: fact for fact, place in places.items()} for kind, places in PLACES.items()}
_CUSTOM_BACK = {place: fact for fact, place in CUSTOM.items()}
ACTORS = {"Prompt": "user", "Agent": "ai_agent", "Action": "ai_agent", "Model": "ai_agent"}


def actor_of(event: Event) -> str:
    """The actor the standard's table gives a type: user, ai_agent or system."""
    given = event.facts.get("actor_type")
    if given is not None:
        return str(given)
    return ACTORS.get(event.type.partition(".")[0], "system")


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
    places = PLACES.get(event.type, CUSTOM)
    data: dict[str, Any] = {}
    groups: dict[str, dict[str, Any]] = {"": data}
    meta: dict[str, Any] = {}
    for fact, value in facts.items():
        place = places.get(fact)
        if place is None:
            if fact not in ENVELOPE:
                meta[fact] = value
        elif fact in ENUM_DATA and value not in ENUM_DATA[fact]:
            meta[fact] = value
        else:
            group = groups.get(place[0])
            if group is None:
                group = groups[place[0]] = {}
            group[place[1]] = value
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
        meta["redacted"] = event.redacted
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
            {"rule": rule, "path": path, "fingerprint": mark} for rule, path, mark in event.secrets
        ]


def read_agent_hooks(given: dict[str, Any]) -> Event:
    """An Agent Hooks object to the Event it says; its own or another producer's.

    Raises ValueError naming the field where the envelope is not one.
    """
    event_type = _need(given, "event_type")
    source = given.get("source")
    if type(source) is not dict:
        raise ValueError("source: not an object")
    facts: dict[str, Any] = {
        "event_id": _need(given, "event_id"),
        "timestamp": _need(given, "timestamp"),
        "session_id": _need(given, "session_id"),
        "tool": _need(source, "tool"),
    }
    metadata = given.get("metadata")
    meta = metadata.get(METADATA_KEY) if type(metadata) is dict else None
    own = type(meta) is dict
    meta = meta if type(meta) is dict else {}
    event = Event(event_type, None, facts, _text(meta.get("vendor")) or facts["tool"])
    for fact, value in (
        ("tool_version", source.get("version")),
        ("parent_session_id", given.get("parent_session_id")),
        ("agent_mode", given.get("agent_mode")),
        ("user_id", _within(given, "user", "id")),
        ("actor_type", _within(given, "actor", "type")),
    ):
        if type(value) is str and value:
            facts[fact] = value
    if own and facts.get("actor_type") == ACTORS.get(event_type.partition(".")[0], "system"):
        del facts["actor_type"]
    _read_data(event, given.get("data"))
    _read_meta(event, meta)
    _read_risk(event, given.get("risk"))
    if type(metadata) is dict:
        foreign = {key: value for key, value in metadata.items() if key != METADATA_KEY}
        if foreign:
            event.native = {**(event.native or {}), "metadata": foreign}
    return event


def _need(given: dict[str, Any], name: str) -> str:
    value = given.get(name)
    if type(value) is not str or not value:
        raise ValueError(f"{name}: missing or no text")
    return value


def _text(value: Any) -> str:
    return value if type(value) is str else ""


def _within(given: dict[str, Any], outer: str, inner: str) -> Any:
    value = given.get(outer)
    return value.get(inner) if type(value) is dict else None


def _read_data(event: Event, data: Any) -> None:
    if type(data) is not dict:
        return
    back = _BACK.get(event.type, _CUSTOM_BACK)
    for key, value in data.items():
        if ("", key) in back:
            _put(event, back["", key], value, key)
        elif key in ("action", "decision", "usage") and type(value) is dict:
            for name, inner in value.items():
                if key == "action" and name == "input" and type(inner) is dict:
                    event.input = inner
                elif key == "action" and name == "result" and type(inner) is dict:
                    for leaf, deep in inner.items():
                        _put(event, back.get(("result", leaf)), deep, f"action.result.{leaf}")
                else:
                    _put(event, back.get((key, name)), inner, f"{key}.{name}")
        else:
            _put(event, None, value, key)


def _put(event: Event, fact: str | None, value: Any, path: str) -> None:
    if fact is not None:
        kind, want = FACTS[fact]
        fitted = value if kind == "content" else fit(value, want)
        if type(fitted) is want or kind == "content" or type(fitted) in (int, float):
            event.facts[fact] = fitted
            return
    if value is not None:
        event.unmapped = event.unmapped or {}
        event.unmapped[f"data.{path}"] = value


def _read_meta(event: Event, meta: dict[str, Any]) -> None:
    for name, value in meta.items():
        if name in FACTS:
            kind, want = FACTS[name]
            if kind == "content" or type(value) is want or type(fit(value, want)) in (want, int):
                event.facts[name] = value
    if type(meta.get("hook_point")) is str:
        event.hook_point = meta["hook_point"]
    for name in ("native", "unmapped"):
        if type(meta.get(name)) is dict:
            setattr(event, name, {**(getattr(event, name) or {}), **meta[name]})
    if type(meta.get("input")) is dict:
        event.input = meta["input"]
    for name in ("synthesized", "redacted"):
        if type(meta.get(name)) is list:
            setattr(event, name, [word for word in meta[name] if type(word) is str])
    if type(meta.get("redactions")) is dict:
        counts = meta["redactions"].items()
        event.redactions = {rule: n for rule, n in counts if type(n) is int} or None
    if type(meta.get("content_arguments")) is list:
        event.content_arguments = frozenset(map(str, meta["content_arguments"]))
    event.artifacts = _triples(meta.get("artifacts"), ("type", "value", "source_field"))
    event.secrets = _triples(meta.get("secrets"), ("rule", "path", "fingerprint"))


def _triples(given: Any, names: tuple[str, str, str]) -> list[tuple[str, str, str]]:
    rows = given if type(given) is list else []
    return [
        (_text(row.get(names[0])), _text(row.get(names[1])), _text(row.get(names[2])))
        for row in rows
        if type(row) is dict
    ]


def _read_risk(event: Event, risk: Any) -> None:
    if type(risk) is dict and type(risk.get("score")) is int and type(risk.get("level")) is str:
        factors = risk.get("factors")
        words = factors if type(factors) is list else []
        event.risk = (risk["score"], risk["level"], tuple(str(word) for word in words))
