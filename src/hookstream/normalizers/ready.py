"""A vendor's table made ready: each row compiled once, and the paths it knows."""

from __future__ import annotations

from hookstream.core.event import CONTENT, FACTS, NUMBER
from hookstream.normalizers.hook_facts import hook_facts
from hookstream.normalizers.table import Const, Ignore, Row, Words, ask, takes_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from hookstream.core.jsons import JsonObject
    from hookstream.normalizers.table import Source, Vendor

    Getter = Callable[..., Any]


class CompiledRow:
    """A Row made ready: constants, plain keys, functions."""

    def __init__(self, row: Row, vendor: Vendor) -> None:
        self.row = row
        self.constants: JsonObject = {}
        self.keys: list[tuple[str, str, type]] = []
        self.words: list[tuple[str, Words]] = []
        # (fact, function of a payload or element, takes the record, type, is content, is derived)
        self.functions: list[tuple[str, Getter, bool, type, bool, bool]] = []
        self.part_functions: list[tuple[str, Getter, bool, type, bool, bool]] = []
        self.input: Getter | None = None
        self.input_of_part = row.each is not None and "input" in row.facts
        self.keep = (*vendor.keep, *row.keep)
        native = {**vendor.native, **row.native}
        self.native = tuple((name, getter(source)) for name, source in native.items())
        # facts that cannot be less than nothing
        self.counts: list[str] = []
        own = row.each is not None
        for fact, source in vendor.common.items():
            if fact not in row.facts:
                self._add(fact, source, element=False)
        for fact, source in row.facts.items():
            if source is not None:
                self._add(fact, source, element=own)

    def _add(self, fact: str, source: Source, *, element: bool) -> None:
        if fact != "input" and fact not in FACTS:
            raise ValueError(f"{fact}: no such fact")
        if isinstance(source, Const):
            self.constants[fact] = source.value
            return
        if isinstance(source, Words):
            self.words.append((fact, source))
            return
        if fact == "input":
            self.input = getter(source)
            return
        kind, want = FACTS[fact]
        if kind == NUMBER and fact not in ("exit_code", "percentage_used"):
            self.counts.append(fact)
        if isinstance(source, str) and "." not in source and not element and kind != CONTENT:
            self.keys.append((fact, source, want))
            return
        is_derived = bool(getattr(source, "derived", False))
        function = getter(source)
        entry = (fact, function, takes_record(function), want, kind == CONTENT, is_derived)
        (self.part_functions if element else self.functions).append(entry)


class CompiledEvent:
    """The rows of one native event made ready, in order, and what they know of its payload and of
    the elements of lists in it. `is_derived`: one of them follows from another event's row."""

    def __init__(self, vendor: Vendor, rows: tuple[Row | Ignore, ...]) -> None:
        self.rows = tuple(
            row if isinstance(row, Ignore) else CompiledRow(row, vendor) for row in rows
        )
        self.whole, self.parts = knowledge(vendor, rows)
        self.is_derived = any(isinstance(row, Row) and row.derived for row in rows)


class CompiledVendor:
    """A Vendor whose events are made ready as they come: a hook meets one of them."""

    def __init__(self, vendor: Vendor) -> None:
        self.vendor = vendor
        self.attended = hook_facts(vendor.key).attended
        self.tools = vendor.tools
        self.mcp = vendor.mcp
        self.event = vendor.event
        self.events: dict[str, CompiledEvent] = {}

    def make(self, name: str) -> CompiledEvent | None:
        """The compiled rows of a native event; None for one that the table does not have."""
        rows = self.vendor.events.get(name)
        if rows is None:
            return None
        event = CompiledEvent(self.vendor, rows if isinstance(rows, tuple) else (rows,))
        return self.events.setdefault(name, event)


def getter(source: Any) -> Getter:
    """A source as a function of a payload or an element, and of the record where it takes that."""
    if callable(source):
        return source  # type: ignore[no-any-return]
    if isinstance(source, str):
        return _by_path(source)
    if all(isinstance(one, str) and "." not in one for one in source):
        return _first_key(tuple(source))
    parts = tuple(getter(one) for one in source)

    def first(node: Any, record: Any) -> Any:
        for part in parts:
            value = ask(part, node, record)
            if value is not None and value != "":
                return value
        return None

    return first


def _first_key(names: tuple[str, ...]) -> Getter:
    def first(node: Any) -> Any:
        for name in names:
            value = node.get(name)
            if value is not None and value != "":
                return value
        return None

    return first


def _by_path(path: str) -> Getter:
    if "." not in path:
        return lambda node: node.get(path)
    keys = tuple(path.split("."))

    def walk(node: Any) -> Any:
        for key in keys:
            if type(node) is not dict:
                return None
            node = node.get(key)
        return node

    return walk


def source_paths(source: Any) -> tuple[str, ...]:
    """The payload paths a source reads; a function says so with `reads`."""
    if isinstance(source, str):
        return (source,)
    if isinstance(source, tuple):
        return tuple(path for one in source for path in source_paths(one))
    if isinstance(source, Words):
        return (source.path,)
    return tuple(getattr(source, "reads", ()))


class KnownKeys:
    """The known keys of a payload, or of the elements of a list in it: `names` its keys, `below`
    those of which only parts are known."""

    def __init__(self, paths: Iterable[str]) -> None:
        whole: set[str] = set()
        parts: dict[str, list[str]] = {}
        for path in paths:
            name, dot, rest = path.partition(".")
            if dot:
                parts.setdefault(name, []).append(rest)
            else:
                whole.add(name)
        self.names = frozenset((*whole, *parts))
        self.below = tuple((name, KnownKeys(parts[name])) for name in parts if name not in whole)

    def leftover(self, payload: JsonObject) -> JsonObject | None:
        """The leaves of a payload that no known path reaches; None if every leaf is known."""
        rest: JsonObject = {}
        names = self.names
        if not names.issuperset(payload):
            for name, value in payload.items():
                if name not in names and not is_empty(value):
                    rest[name] = value
        for name, known in self.below:
            value = payload.get(name)
            if type(value) is dict:
                value = known.leftover(value)
            if value is not None and not is_empty(value):
                rest[name] = value
        return rest or None


def is_empty(value: Any) -> bool:
    """Return whether a value says nothing: null, or a text, a list or an object without anything in
    it.
    """
    return value is None or value == "" or value == [] or value == {}


def knowledge(
    vendor: Vendor, rows: tuple[Row | Ignore, ...]
) -> tuple[KnownKeys, dict[str, KnownKeys]]:
    """The known keys of the payload, and of the elements of each list the rows walk."""
    parts: dict[str, list[str]] = {}
    paths = [*vendor.ignore, *vendor.keep]
    if isinstance(vendor.event, str):
        paths.append(vendor.event)
    else:
        paths += source_paths(vendor.event)
    for source in (*vendor.common.values(), *vendor.native.values()):
        paths += source_paths(source)
    for row in rows:
        paths += getattr(row.when, "reads", ())
        if isinstance(row, Ignore):
            continue
        target = paths if row.each is None else parts.setdefault(row.each, [])
        for source in (*row.facts.values(), *row.native.values()):
            target += source_paths(source)
        target += [*row.ignore, *row.keep]
    return KnownKeys(paths), {path: KnownKeys(names) for path, names in parts.items()}
