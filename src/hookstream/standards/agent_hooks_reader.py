"""An Agent Hooks 0.1.0 object back to its Event: the inverse of `agent_hooks`, same places."""

from __future__ import annotations

from hookstream.event import FACTS, Event, fit
from hookstream.standards.agent_hooks import ACTORS, CUSTOM, METADATA_KEY, PLACES
from hookstream.standards.artifacts import read_artifacts
from hookstream.standards.proper import proper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# type -> fact -> place, read backwards: type -> (group, key) -> fact
_BACK = {kind: {place: fact for fact, place in places.items()} for kind, places in PLACES.items()}
_CUSTOM_BACK = {place: fact for fact, place in CUSTOM.items()}


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
    event.read_back = True
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
    return proper(event)


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
    event.artifacts = read_artifacts(meta.get("artifacts"))
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
