"""An Agent Hooks 0.1.0 object back to its Event: the inverse of `agent_hooks`, same places.

Every leaf becomes a fact, or stays with the Event at its place (`emitter`): what the standard does
not define is counted as unmapped there.
"""

from __future__ import annotations

from hookstream.core.event import FACTS, HOOK_POINTS, Event, fit
from hookstream.standards.agent_hooks import (
    ACTORS,
    CUSTOM,
    DECISION,
    LEVELS,
    METADATA_KEY,
    PLACES,
    SPEC_VERSION,
    as_risk,
)
from hookstream.standards.artifacts import read_artifacts
from hookstream.standards.proper import VERSION, proper, type_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Tree = dict[str, Any]

# type -> fact -> place, read backwards: type -> (group, key) -> fact
_BACK = {kind: {place: fact for fact, place in places.items()} for kind, places in PLACES.items()}
_CUSTOM_BACK = {place: fact for fact, place in CUSTOM.items()}
# What the standard defines for other types, read wherever it is: a decision, and the context.
_DECISION_BACK = {place: fact for fact, place in DECISION.items()}
_CONTEXT_BACK = {**_BACK["Context.UntilCompaction"], **_BACK["Context.Compaction"]}
_ELSEWHERE = {
    kind: {**_DECISION_BACK, **(_CONTEXT_BACK if kind.startswith("Context.") else {})}
    for kind in PLACES
}
_ENVELOPE = frozenset(
    "spec_version event_id event_type timestamp source session_id parent_session_id user actor "
    "agent_mode data risk metadata".split()
)
# object of the envelope -> its key -> fact
_OBJECTS = {
    "source": {"tool": "tool", "version": "tool_version"},
    "user": {"id": "user_id", "name": "user_name"},
    "actor": {"type": "actor_type", "id": "actor_id", "name": "actor_name"},
}
_GROUPS = ("action", "decision", "usage")


def read_agent_hooks(line: Tree) -> Event:
    """An Agent Hooks object to the Event it says; its own or another producer's.

    Raises ValueError naming the field where the envelope is not one.
    """
    name = _need(line, "event_type")
    source = line.get("source")
    if type(source) is not dict:
        raise ValueError("source: not an object")
    facts: Tree = {
        "event_id": _need(line, "event_id"),
        "timestamp": _need(line, "timestamp"),
        "session_id": _need(line, "session_id"),
        "tool": _need(source, "tool"),
    }
    metadata = line.get("metadata")
    meta = metadata.get(METADATA_KEY) if type(metadata) is dict else None
    is_ours = type(meta) is dict
    meta = meta if type(meta) is dict else {}
    kind = type_of(name, facts["tool"])
    event = Event(kind, None, facts, _text(meta.get("vendor")) or facts["tool"])
    event.read_back = True
    if kind != name:
        facts["native_event"] = name
    rest: Tree = {}
    _read_envelope(event, line, rest)
    if facts.get("actor_type") == ACTORS.get(kind.partition(".")[0], "system"):
        del facts["actor_type"]
    _read_data(event, line.get("data"), rest)
    _read_meta(event, meta)
    _read_risk(event, line.get("risk"), meta, rest, is_ours=is_ours)
    if type(metadata) is dict and len(metadata) > is_ours:
        rest["metadata"] = {key: value for key, value in metadata.items() if key != METADATA_KEY}
    if rest:
        event.emitter = {**(event.emitter or {}), "event": rest}
    return proper(event)


def _need(line: Tree, name: str) -> str:
    value = line.get(name)
    if type(value) is not str or not value:
        raise ValueError(f"{name}: missing or no text")
    return value


def _text(value: Any) -> str:
    return value if type(value) is str else ""


def _wrong(event: Event, path: str, value: Any) -> None:
    """A place of the standard that holds what it cannot: kept among the unmapped."""
    if value is not None:
        event.unmapped = {**(event.unmapped or {}), path: value}


def _unknown(event: Event, path: str) -> None:
    """A field that the standard does not define: it stays at its place, and is counted."""
    event.unmapped = {**(event.unmapped or {}), path: None}


def _read_envelope(event: Event, line: Tree, said: Tree) -> None:
    facts = event.facts
    for name in ("parent_session_id", "agent_mode"):
        value = line.get(name)
        if type(value) is str and value:
            facts[name] = value
        elif value is not None:
            _wrong(event, name, value)
    for name, names in _OBJECTS.items():
        value = line.get(name)
        if type(value) is dict:
            for key, inner in value.items():
                fact = names.get(key)
                if fact is None:
                    said.setdefault(name, {})[key] = inner
                    _unknown(event, f"{name}.{key}")
                elif type(inner) is str and inner:
                    facts[fact] = inner
                else:
                    _wrong(event, f"{name}.{key}", inner)
        else:
            _wrong(event, name, value)
    for name in ("data", "metadata"):
        if type(line.get(name)) is not dict:
            _wrong(event, name, line.get(name))
    version = line.get("spec_version")
    if version != SPEC_VERSION and type(version) is str and VERSION.fullmatch(version):
        said["spec_version"] = version
    if not _ENVELOPE.issuperset(line):
        for name, value in line.items():
            if name not in _ENVELOPE:
                said[name] = value
                _unknown(event, name)


def _read_data(event: Event, data: Any, said: Tree) -> None:
    if type(data) is not dict:
        return
    rest: Tree = {}
    back = _BACK.get(event.type, _CUSTOM_BACK)
    for key, value in data.items():
        if ("", key) in back:
            _put(event, back["", key], value, key)
        elif key in _GROUPS and type(value) is dict:
            inner = _read_group(event, key, value, back)
            if inner:
                rest[key] = inner
        else:
            _leave(event, "", key, value, rest)
    if rest:
        said["data"] = rest


def _read_group(event: Event, group: str, values: Tree, back: dict[Any, str]) -> Tree:
    """Read the facts of action, decision or usage; return what is not a fact."""
    rest: Tree = {}
    for key, value in values.items():
        fact = back.get((group, key))
        if fact is not None:
            _put(event, fact, value, f"{group}.{key}")
        elif group == "action" and key == "input" and type(value) is dict:
            event.input = value
        elif group == "action" and key == "result" and type(value) is dict:
            inner: Tree = {}
            for leaf, deep in value.items():
                fact = back.get(("result", leaf))
                if fact is not None:
                    _put(event, fact, deep, f"action.result.{leaf}")
                else:
                    inner[leaf] = deep
                    _unknown(event, f"data.action.result.{leaf}")
            if inner:
                rest[key] = inner
        elif group == "action" and key in ("input", "result"):
            _wrong(event, f"data.action.{key}", value)
        else:
            _leave(event, group, key, value, rest)
    return rest


def _leave(event: Event, group: str, key: str, value: Any, rest: Tree) -> None:
    """A field that this type is not given: it stays where it is, and is a fact where the standard
    defines it for another type."""
    path = f"data.{group}.{key}" if group else f"data.{key}"
    if event.type == "Agent.Notification" and (group, key) == ("", "details"):
        if type(value) is dict:
            rest[key] = value
        else:
            _wrong(event, path, value)
        return
    fact = _ELSEWHERE.get(event.type, _DECISION_BACK).get((group, key))
    if fact is None:
        rest[key] = value
        _unknown(event, path)
    elif _put(event, fact, value, path[5:]):
        rest[key] = value


def _put(event: Event, fact: str, value: Any, path: str) -> bool:
    """Return whether the value is the fact; else it is among the unmapped."""
    kind, want = FACTS[fact]
    fitted = value if kind == "content" else fit(value, want)
    if type(fitted) is want or kind == "content" or type(fitted) in (int, float):
        event.facts[fact] = fitted
        return True
    _wrong(event, f"data.{path}", value)
    return False


def _read_meta(event: Event, meta: Tree) -> None:
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
    if type(meta.get("emitter")) is dict:
        _read_emitter(event, meta["emitter"])


def _read_emitter(event: Event, trees: Tree) -> None:
    """Data that an earlier reader kept of an AARTS line, if the standard allows it there."""
    from hookstream.standards.shapes import allowed, allowed_verdict

    point = event.hook_point if event.hook_point in HOOK_POINTS else None
    emitter: Tree = {}
    if type(trees.get("aarts")) is dict:
        emitter["aarts"] = allowed(point, trees["aarts"])
    if type(trees.get("verdict")) is dict:
        emitter["verdict"] = allowed_verdict(trees["verdict"])
    event.emitter = {name: tree for name, tree in emitter.items() if tree} or None


def _triples(value: Any, names: tuple[str, str, str]) -> list[tuple[str, str, str]]:
    rows = value if type(value) is list else []
    return [
        (_text(row.get(names[0])), _text(row.get(names[1])), _text(row.get(names[2])))
        for row in rows
        if type(row) is dict
    ]


def _read_risk(event: Event, risk: Any, meta: Tree, said: Tree, *, is_ours: bool) -> None:
    """The owner of the object's risk: ours on a line of ours, unless ours is in our metadata."""
    if is_ours and "risk" not in meta:
        event.risk = as_risk(risk)
        if event.risk is not None or risk is None:
            return
    event.risk = as_risk(meta.get("risk")) or event.risk
    if type(risk) is dict and _is_risk(risk):
        said["risk"] = risk
    else:
        _wrong(event, "risk", risk)


def _is_risk(risk: Tree) -> bool:
    """Return whether nothing in a `risk` object breaks the standard, however little it says."""
    filled = {"score": 0, "level": LEVELS[0], **risk}
    return as_risk(filled) is not None
