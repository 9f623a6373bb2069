"""Lines of agent-hooks.jsonl to rows of the `events` table, column by column.

Chosen by measurement (lines of 1.4 KB, one core): orjson and columns built here take about 23 us a
line (7 to parse and check, 11 for the columns, 5 for Arrow and Parquet). DuckDB over the same lines
(read as text, one json_extract of all paths) takes 15 us, but cannot refuse what blinds a reader
(NaN, a repeated key, a lone surrogate) without a separate pass, and casts by other rules than
`read_agent_hooks`; the same 7 us and its casts on top leave no gain. The places of all facts come
from PLACES, so that reader and writer cannot drift apart.
"""

from __future__ import annotations

from typing import Any

from hookstream.core.event import CONTENT, FACTS, fit
from hookstream.core.jsons import JsonObject
from hookstream.lake.columns import COLUMNS
from hookstream.queries.strict import BrokenLine
from hookstream.standards.agent_hooks import ACTORS, CUSTOM, METADATA_KEY, PLACES

BATCH = 4096
# fact -> its type, for those that are columns
WANT = {
    fact: want
    for fact, (kind, want) in FACTS.items()
    if fact in COLUMNS and kind != CONTENT and COLUMNS[fact] != "time"
}
# Columns that are a list, empty if an event says nothing of them.
TRIPLES = {
    "artifacts": ("type", "value", "source_field"),
    "secrets": ("rule", "path", "fingerprint"),
}
LISTS = ("synthesized", "unmapped", "risk_factors")
Places = dict[str, dict[str, tuple[str, type]]]


def _places(places: dict[str, tuple[str, str]]) -> Places:
    """(group in data) -> key -> (column, type), of the facts that are columns."""
    made: Places = {}
    for fact, (group, key) in places.items():
        if fact in WANT:
            made.setdefault(group, {})[key] = (fact, WANT[fact])
    return made


BY_TYPE = {kind: _places(places) for kind, places in PLACES.items()}
BY_CUSTOM_TYPE = _places(CUSTOM)


class Columns:
    """Rows under way: column -> values, None if a row has none."""

    def __init__(self) -> None:
        self.size = 0
        self.values: dict[str, list[Any]] = {}

    def put(self, name: str, value: Any) -> None:
        held = self.values.get(name)
        if held is None:
            held = self.values[name] = [None] * BATCH
        held[self.size] = value

    def add(self, given: JsonObject) -> None:
        """Add an Agent Hooks object as a row. Raises BrokenLine naming the field of a bad envelope:
        then nothing was added."""
        put = self.put
        kind = _need(given, "event_type")
        source = given.get("source")
        if type(source) is not dict:
            raise BrokenLine("source: not an object")
        envelope = [(name, _need(given, name)) for name in ("event_id", "timestamp", "session_id")]
        tool = _need(source, "tool")
        for name, text in envelope:
            put(name, text)
        put("event_type", kind)
        put("tool", tool)
        optional: tuple[tuple[str, Any], ...] = (
            ("tool_version", source.get("version")),
            ("parent_session_id", given.get("parent_session_id")),
            ("agent_mode", given.get("agent_mode")),
            ("user_id", _within(given, "user", "id")),
            ("actor_id", _within(given, "actor", "id")),
            ("actor_name", _within(given, "actor", "name")),
        )
        for name, value in optional:
            if type(value) is str and value:
                put(name, value)
        actor = _within(given, "actor", "type")
        if type(actor) is not str or not actor:
            actor = ACTORS.get(kind.partition(".")[0], "system")
        put("actor_type", actor)
        self._data(given.get("data"), BY_TYPE.get(kind, BY_CUSTOM_TYPE))
        metadata = given.get("metadata")
        meta = metadata.get(METADATA_KEY) if type(metadata) is dict else None
        put("vendor", tool)
        self._meta(meta if type(meta) is dict else {})
        # Ours is in our metadata where the emitter has said one.
        ours = meta.get("risk") if type(meta) is dict else None
        self._risk(ours if type(ours) is dict else given.get("risk"))
        self.size += 1

    def amend(self, name: str, value: Any) -> None:
        """A further column of the row just added."""
        held = self.values.setdefault(name, [None] * BATCH)
        held[self.size - 1] = value

    def _data(self, data: Any, places: Places) -> None:
        if type(data) is not dict:
            return
        self._group(data, places.get(""))
        action = data.get("action")
        for name, group in (
            ("action", action),
            ("result", action.get("result") if type(action) is dict else None),
            ("decision", data.get("decision")),
            ("usage", data.get("usage")),
        ):
            if type(group) is dict:
                self._group(group, places.get(name))

    def _group(self, group: JsonObject, places: dict[str, tuple[str, type]] | None) -> None:
        if places is None:
            return
        for key, value in group.items():
            place = places.get(key)
            if place is not None:
                self._fact(place[0], value, place[1])

    def _fact(self, name: str, given: Any, want: type) -> None:
        value: Any = given
        if type(value) is not want:
            value = fit(value, want)
            if type(value) is not want and type(value) is not int:
                return
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            return
        self.put(name, value)

    def _meta(self, meta: JsonObject) -> None:
        put, values, size = self.put, self.values, self.size
        for name, value in meta.items():
            want = WANT.get(name)
            if want is str and type(value) is str:
                # Most facts by far; what `_fact` does, without the call.
                held = values.get(name)
                if held is None:
                    held = values[name] = [None] * BATCH
                held[size] = value
            elif want is not None:
                self._fact(name, value, want)
        for name in ("vendor", "hook_point", "received_at", "timestamp"):
            text = meta.get(name)
            if type(text) is str and text:
                put(name, text)
        if "synthesized" in meta:
            put("synthesized", _words(meta["synthesized"]))
        for name, parts in TRIPLES.items():
            if name in meta:
                put(name, _triples(meta[name], parts))
        unmapped = meta.get("unmapped")
        if type(unmapped) is dict:
            put("unmapped", sorted(unmapped))
        redactions = meta.get("redactions")
        if type(redactions) is dict:
            put("redactions", sum(n for n in redactions.values() if type(n) is int))

    def _risk(self, risk: Any) -> None:
        if type(risk) is dict and type(risk.get("score")) is int and type(risk.get("level")) is str:
            self._fact("risk_score", risk["score"], int)
            self.put("risk_level", risk["level"])
            factors = risk.get("factors")
            if type(factors) is list and factors:
                self.put("risk_factors", [str(word) for word in factors])

    def take(self) -> dict[str, list[Any]]:
        """The rows so far, column by column; empties this."""
        made = {name: held[: self.size] for name, held in self.values.items()}
        for name in (*TRIPLES, *LISTS):
            made[name] = [value or () for value in made.get(name) or [None] * self.size]
        nothing = [None] * self.size
        made["witness"] = [
            witness or ("wrap" if reporter == "wrap" else "hook")
            for witness, reporter in zip(
                made.get("witness") or nothing, made.get("reported_by") or nothing, strict=True
            )
        ]
        counts = made.get("redactions") or [None] * self.size
        made["redactions"] = [count or 0 for count in counts]
        self.size = 0
        self.values = {}
        return made


def _need(given: JsonObject, name: str) -> str:
    value = given.get(name)
    if type(value) is not str or not value:
        raise BrokenLine(f"{name}: missing or no text")
    return value


def _within(given: JsonObject, outer: str, inner: str) -> Any:
    value = given.get(outer)
    return value.get(inner) if type(value) is dict else None


def _words(given: Any) -> list[str]:
    if type(given) is not list:
        return []
    return [word for word in given if type(word) is str]


def _triples(given: Any, names: tuple[str, str, str]) -> list[tuple[str, ...]]:
    if type(given) is not list:
        return []
    return [
        tuple(row[name] if type(row.get(name)) is str else "" for name in names)
        for row in given
        if type(row) is dict
    ]
