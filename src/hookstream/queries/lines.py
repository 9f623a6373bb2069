"""Lines of agent-hooks.jsonl to rows of the `events` table, column by column.

Chosen by measurement (300,000 lines of 1.4 KB, one core): orjson and the columns built here take
13 us a line. DuckDB's own reader over the same lines (text, then one json_extract of all paths)
takes about as long, but cannot refuse what blinds a reader (NaN, a repeated key, a lone surrogate)
without a second pass, and its casts follow other rules than `read_agent_hooks`.
The places of all facts come from PLACES, so that reader and writer cannot drift apart.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import orjson

from hookstream.columns import COLUMNS
from hookstream.event import CONTENT, FACTS, fit
from hookstream.limits import DEPTH, OUTPUT_LINE_BYTES
from hookstream.records import Rejection
from hookstream.sources import lines
from hookstream.standards.agent_hooks import ACTORS, CUSTOM, METADATA_KEY, PLACES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BATCH = 4096
# fact -> its type, for those that are columns
WANT = {
    fact: want
    for fact, (kind, want) in FACTS.items()
    if fact in COLUMNS and kind != CONTENT and COLUMNS[fact] != "time"
}
# Columns that are a list, empty where an event says nothing of them.
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


class Broken(ValueError):
    """A line that is no event; the text says why."""


class Columns:
    """Rows under way: column -> values, None where a row has none."""

    def __init__(self) -> None:
        self.size = 0
        self.values: dict[str, list[Any]] = {}

    def put(self, name: str, value: Any) -> None:
        held = self.values.get(name)
        if held is None:
            held = self.values[name] = [None] * BATCH
        held[self.size] = value

    def add(self, given: dict[str, Any]) -> None:
        """One Agent Hooks object as a row. Raises Broken naming the field of a bad envelope, and
        then has put nothing."""
        put = self.put
        kind = _need(given, "event_type")
        source = given.get("source")
        if type(source) is not dict:
            raise Broken("source: not an object")
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
        self._risk(given.get("risk"))
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

    def _group(self, group: dict[str, Any], places: dict[str, tuple[str, type]] | None) -> None:
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
        held = self.values.get(name)
        if held is None:
            held = self.values[name] = [None] * BATCH
        held[self.size] = value

    def _meta(self, meta: dict[str, Any]) -> None:
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
        counts = made.get("redactions") or [None] * self.size
        made["redactions"] = [count or 0 for count in counts]
        self.size = 0
        self.values = {}
        return made


def _need(given: dict[str, Any], name: str) -> str:
    value = given.get(name)
    if type(value) is not str or not value:
        raise Broken(f"{name}: missing or no text")
    return value


def _within(given: dict[str, Any], outer: str, inner: str) -> Any:
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


def read_line(line: bytes) -> dict[str, Any]:
    """The object of a line. Raises Broken: only what one strict reading can give is an event."""
    if len(line) >= OUTPUT_LINE_BYTES:
        raise Broken(f"longer than {OUTPUT_LINE_BYTES} bytes")
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise Broken(_why(line, error)) from None
    if type(value) is not dict:
        raise Broken("not an object")
    if line.count(b"{") + line.count(b"[") > DEPTH and _is_deep(value):
        raise Broken(f"nested deeper than {DEPTH}")
    # Written back, an object of unique keys is what it was: only other spellings of the same
    # text (spaces, escapes, 1e1) need the slow look.
    if orjson.dumps(value) != line and _repeats(line):
        raise Broken("a key is repeated")
    return value


def _why(line: bytes, error: ValueError) -> str:
    text = str(error).split(":", 1)[0]
    if line.count(b"{") + line.count(b"[") > DEPTH and "recursion" in text:
        return f"nested deeper than {DEPTH}"
    if line.lstrip()[:1] == b"{" and not line.rstrip().endswith(b"}"):
        return f"torn: {text}"
    return f"not JSON: {text}"


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEPTH):
        level = [
            child
            for one in level
            for child in (one.values() if type(one) is dict else one)
            if type(child) is dict or type(child) is list
        ]
        if not level:
            return False
    return True


def _repeats(line: bytes) -> bool:
    found = False

    def unique(pairs: list[tuple[str, Any]]) -> None:
        nonlocal found
        found = found or len({key for key, _ in pairs}) != len(pairs)

    try:
        json.loads(line, object_pairs_hook=unique)
    except (ValueError, RecursionError):
        return True
    return found


def numbered(path: Path) -> Iterator[tuple[int, bytes | str]]:
    """(line number from 1, the line or why it cannot be read) of a file, plain, .gz or .zst.

    A file that cannot be read further ends in a reason.
    """
    number = 0
    try:
        for number, (_, line) in enumerate(lines(path, path.name), 1):
            yield number, line.reason if isinstance(line, Rejection) else line
    except (OSError, EOFError) as error:
        yield number + 1, f"the file cannot be read further: {str(error) or type(error).__name__}"
