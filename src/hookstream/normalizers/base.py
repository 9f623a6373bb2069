"""The engine: compiles a vendor's table once and turns a Record into Events. Pure, no state."""

from __future__ import annotations

from hookstream.event import CONTENT, FACTS, IDENTIFIER, MISSING, Event, fit
from hookstream.jsons import loads_text
from hookstream.normalizers.actions import resolve_action
from hookstream.normalizers.identity import complete
from hookstream.normalizers.table import Const, Ignore, Row, Words, at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hookstream.normalizers.table import Source, Vendor
    from hookstream.records import Record


class CompiledRow:
    """A Row made ready: constants, plain keys, functions, and the tree of paths it knows."""

    __slots__ = ("constants", "functions", "input", "keep", "keys", "row", "tree", "words")

    def __init__(self, row: Row, vendor: Vendor) -> None:
        self.row = row
        self.constants: dict[str, Any] = {}
        self.keys: list[tuple[str, str, type, bool]] = []
        self.words: list[tuple[str, Words]] = []
        # (fact, function(payload, element, record), type, is content, is derived)
        self.functions: list[tuple[str, Callable[..., Any], type, bool, bool]] = []
        self.input: Callable[..., Any] | None = None
        self.keep = tuple(path for path in (*vendor.keep, *row.keep))
        self.tree: dict[str, Any] = {}
        own = row.each is not None
        for fact, source in vendor.common.items():
            if fact not in row.facts:
                self._add(fact, source, element=False, own=own)
        for fact, source in row.facts.items():
            if source is not None:
                self._add(fact, source, element=own, own=own)

    def _add(self, fact: str, source: Source, *, element: bool, own: bool) -> None:
        if fact != "input" and fact not in FACTS:
            raise ValueError(f"{fact}: no such fact")
        if isinstance(source, Const):
            self.constants[fact] = source.value
            return
        if isinstance(source, Words):
            self.words.append((fact, source))
            return
        if fact == "input":
            self.input = _getter(source, element)
            return
        kind, want = FACTS[fact]
        if isinstance(source, str) and "." not in source and not own and kind != CONTENT:
            self.keys.append((fact, source, want, kind == IDENTIFIER))
            return
        is_derived = bool(getattr(source, "derived", False))
        entry = (fact, _getter(source, element), want, kind == CONTENT, is_derived)
        self.functions.append(entry)


class CompiledVendor:
    """A Vendor made ready; `rows` maps a native event to its rows in order."""

    __slots__ = ("event", "mcp", "rows", "tools", "trees", "vendor")

    def __init__(self, vendor: Vendor) -> None:
        self.vendor = vendor
        self.tools = vendor.tools
        self.mcp = vendor.mcp
        self.event = vendor.event
        self.rows: dict[str, tuple[CompiledRow | Ignore, ...]] = {}
        self.trees: dict[str, tuple[dict[str, Any], dict[str, dict[str, Any]]]] = {}
        for name, rows in vendor.events.items():
            group = rows if isinstance(rows, tuple) else (rows,)
            self.rows[name] = tuple(
                row if isinstance(row, Ignore) else CompiledRow(row, vendor) for row in group
            )
            self.trees[name] = _trees(vendor, group)


def _getter(source: Any, element: bool) -> Callable[[Any, Any, Any], Any]:
    if callable(source):
        if element:
            return lambda payload, part, record: source(part, record)
        return lambda payload, part, record: source(payload, record)
    if isinstance(source, tuple):
        parts = [_getter(one, element) for one in source]

        def first(payload: Any, part: Any, record: Any) -> Any:
            for one in parts:
                value = one(payload, part, record)
                if value is not None and value != "":
                    return value
            return None

        return first
    keys = tuple(source.split("."))

    def walk(payload: Any, part: Any, record: Any) -> Any:
        value = part if element else payload
        for key in keys:
            if type(value) is not dict:
                return None
            value = value.get(key)
        return value

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


def _trees(
    vendor: Vendor, rows: tuple[Row | Ignore, ...]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Known paths of the payload, and of the elements of each list the rows walk."""
    whole: dict[str, Any] = {}
    parts: dict[str, dict[str, Any]] = {}
    paths = [*vendor.ignore, *vendor.keep]
    if isinstance(vendor.event, str):
        paths.append(vendor.event)
    else:
        paths += source_paths(vendor.event)
    for source in vendor.common.values():
        paths += source_paths(source)
    for row in rows:
        paths += getattr(row.when, "reads", ())
        if isinstance(row, Ignore):
            continue
        target = paths if row.each is None else []
        for source in row.facts.values():
            target += source_paths(source)
        target += [*row.ignore, *row.keep]
        if row.each is not None:
            _plant(parts.setdefault(row.each, {}), target)
    _plant(whole, paths)
    return whole, parts


def _plant(tree: dict[str, Any], paths: list[str]) -> None:
    for path in paths:
        node: dict[str, Any] | None = tree
        *stem, leaf = path.split(".")
        for key in stem:
            node = node.setdefault(key, {}) if node is not None else None
            if node is None:
                break
        if node is not None:
            node[leaf] = None


def leftover(payload: dict[str, Any], tree: dict[str, Any]) -> dict[str, Any] | None:
    """The leaves of a payload that the tree of known paths does not reach; None if none."""
    rest: dict[str, Any] | None = None
    for key in payload:
        if key not in tree:
            value = payload[key]
            if value is not None and value != "" and value != [] and value != {}:
                rest = rest or {}
                rest[key] = value
            continue
        sub = tree[key]
        if sub is None:
            continue
        value = payload[key]
        if type(value) is dict:
            below = leftover(value, sub)
            if below is not None:
                rest = rest or {}
                rest[key] = below
        elif value is not None and value != "" and value != []:
            rest = rest or {}
            rest[key] = value
    return rest


def normalize(record: Record, compiled: CompiledVendor, now: str) -> list[Event] | str:
    """A Record to its Events in order, or the reason why it is no event.

    `now` is the clock (RFC 3339), used only where neither the payload nor the record has a time.
    """
    payload = record.payload
    name = event_name(record, compiled)
    rows = compiled.rows.get(name)
    if rows is None:
        return [_unknown(record, compiled, name, now)]
    events: list[Event] = []
    reason = ""
    for row in rows:
        if isinstance(row, Ignore):
            if not events and not reason and (row.when is None or row.when(payload, record)):
                reason = row.reason
            continue
        if row.row.each is not None:
            elements = at(payload, row.row.each)
            for part in elements if type(elements) is list else ():
                if type(part) is dict and (row.row.when is None or row.row.when(part, record)):
                    events.append(_build(record, compiled, row, part, name, now, len(events)))
        elif row.row.when is None or row.row.when(payload, record):
            events.append(_build(record, compiled, row, payload, name, now, len(events)))
    if not events:
        return reason or f"{name}: no row applies"
    _keep_unmapped(events, payload, compiled.trees[name])
    return events


def event_name(record: Record, compiled: CompiledVendor) -> str:
    """The native event: from the payload where the table says so, else from the record."""
    source = compiled.event
    name: Any = None
    if source is not None:
        name = source(record.payload, record) if callable(source) else at(record.payload, source)
    if type(name) is not str or not name:
        name = record.native_event
    return name if type(name) is str and name else "unknown"


def _unknown(record: Record, compiled: CompiledVendor, name: str, now: str) -> Event:
    plain = name.isascii() and name.replace("_", "").isalnum() and len(name) <= 64
    word = name if plain else "Unknown"
    row = CompiledRow(Row(f"vendor.{compiled.vendor.tool}.{word}"), compiled.vendor)
    event = _build(record, compiled, row, record.payload, name, now, 0)
    _keep_unmapped([event], record.payload, _trees(compiled.vendor, ()))
    return event


def _keep_unmapped(
    events: list[Event],
    payload: dict[str, Any],
    trees: tuple[dict[str, Any], dict[str, dict[str, Any]]],
) -> None:
    whole, parts = trees
    rest = leftover(payload, whole)
    for path, tree in parts.items():
        elements = at(payload, path)
        if rest is not None:
            rest = _without(rest, path.split("."))
        for number, part in enumerate(elements if type(elements) is list else ()):
            below = leftover(part, tree) if type(part) is dict else {"value": part}
            if below:
                rest = rest or {}
                rest[f"{path}[{number}]"] = below
    if rest:
        first = events[0]
        first.unmapped = {**rest, **(first.unmapped or {})}


def _without(tree: dict[str, Any], keys: list[str]) -> dict[str, Any] | None:
    head, *tail = keys
    if head not in tree:
        return tree
    if tail and type(tree[head]) is dict:
        below = _without(tree[head], tail)
        return {**tree, head: below} if below else {k: v for k, v in tree.items() if k != head}
    return {k: v for k, v in tree.items() if k != head} or None


def _build(
    record: Record,
    compiled: CompiledVendor,
    row: CompiledRow,
    part: dict[str, Any],
    name: str,
    now: str,
    ordinal: int,
) -> Event:
    payload = record.payload
    facts = row.constants.copy()
    event = Event(row.row.type, row.row.hook_point, facts, compiled.vendor.key)
    for fact, key, want, identifier in row.keys:
        value = payload.get(key)
        if value is None:
            continue
        if type(value) is not want:
            fitted = fit(value, want)
            if fitted is MISSING:
                event.unmapped = event.unmapped or {}
                event.unmapped[key] = value
                continue
            value = fitted
        if value != "" or not identifier:
            facts[fact] = value
    for fact, function, want, content, is_derived in row.functions:
        value = function(payload, part, record)
        if value is None or value == "":
            continue
        if not content and type(value) is not want:
            value = fit(value, want)
            if value is MISSING:
                continue
        facts[fact] = value
        if is_derived:
            event.synthesized.append(fact)
    for fact, words in row.words:
        _translate(event, fact, words, payload if part is payload else part)
    if row.keep:
        _keep_native(event, row.keep, payload if part is payload else part)
    if row.row.derived:
        facts["derived"] = True
    facts["native_event"] = name
    facts["tool"] = compiled.vendor.tool
    if record.client_version and "tool_version" not in facts:
        facts["tool_version"] = record.client_version
    if row.input is not None:
        event.input = as_input(row.input(payload, part, record))
    if "action_native" in facts:
        resolve_action(event, compiled, payload)
    complete(event, record, ordinal, now)
    return event


def _translate(event: Event, fact: str, words: Words, part: dict[str, Any]) -> None:
    native = at(part, words.path)
    if type(native) is not str or not native:
        if native is not None and native != "":
            event.unmapped = event.unmapped or {}
            event.unmapped[words.path] = native
        return
    word = words.words.get(native, words.other)
    if word is not None:
        event.facts[fact] = word
    if word != native:
        event.native = event.native or {}
        event.native[words.path] = native


def _keep_native(event: Event, paths: tuple[str, ...], part: dict[str, Any]) -> None:
    for path in paths:
        value = at(part, path)
        if value is not None and value != "" and value != [] and value != {}:
            event.native = event.native or {}
            event.native[path] = value


def as_input(value: Any) -> dict[str, Any] | None:
    """A tool's arguments as an object: a JSON string is parsed once, anything else is wrapped."""
    if type(value) is dict:
        return value
    if value is None:
        return None
    if type(value) is str:
        parsed = loads_text(value)
        if type(parsed) is dict:
            return parsed
        return {"input": value}
    return {"value": value}
