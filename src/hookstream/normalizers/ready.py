"""A vendor's table made ready: each row compiled once, and the tree of the paths it knows."""

from __future__ import annotations

from hookstream.event import CONTENT, FACTS, IDENTIFIER, NUMBER
from hookstream.normalizers.table import Const, Ignore, Row, Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hookstream.normalizers.table import Source, Vendor

    Getter = Callable[[Any, Any], Any]


class CompiledRow:
    """A Row made ready: constants, plain keys, functions, and the tree of paths it knows."""

    __slots__ = (
        "constants",
        "counts",
        "functions",
        "input",
        "input_of_part",
        "keep",
        "keys",
        "part_functions",
        "row",
        "words",
    )

    def __init__(self, row: Row, vendor: Vendor) -> None:
        self.row = row
        self.constants: dict[str, Any] = {}
        self.keys: list[tuple[str, str, type, bool]] = []
        self.words: list[tuple[str, Words]] = []
        # (fact, function(payload or element, record), type, is content, is derived)
        self.functions: list[tuple[str, Getter, type, bool, bool]] = []
        self.part_functions: list[tuple[str, Getter, type, bool, bool]] = []
        self.input: Getter | None = None
        self.input_of_part = row.each is not None and "input" in row.facts
        self.keep = (*vendor.keep, *row.keep)
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
            self.keys.append((fact, source, want, kind == IDENTIFIER))
            return
        is_derived = bool(getattr(source, "derived", False))
        entry = (fact, getter(source), want, kind == CONTENT, is_derived)
        (self.part_functions if element else self.functions).append(entry)


class CompiledVendor:
    """A Vendor made ready; `rows` maps a native event to its rows in order, `derived` names those
    with a row that follows from another's."""

    __slots__ = ("derived", "event", "mcp", "rows", "tools", "trees", "vendor")

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
            self.trees[name] = trees(vendor, group)
        self.derived = frozenset(
            name
            for name, rows in self.rows.items()
            if any(isinstance(row, CompiledRow) and row.row.derived for row in rows)
        )


def getter(source: Any) -> Getter:
    """A source as a function of (payload or element, record)."""
    if callable(source):
        return source  # type: ignore[no-any-return]
    if isinstance(source, str):
        return _by_path(source)
    if all(isinstance(one, str) and "." not in one for one in source):
        return _first_key(tuple(source))
    parts = tuple(getter(one) for one in source)

    def first(node: Any, record: Any) -> Any:
        for one in parts:
            value = one(node, record)
            if value is not None and value != "":
                return value
        return None

    return first


def _first_key(names: tuple[str, ...]) -> Getter:
    def first(node: Any, record: Any) -> Any:
        for name in names:
            value = node.get(name)
            if value is not None and value != "":
                return value
        return None

    return first


def _by_path(path: str) -> Getter:
    if "." not in path:
        return lambda node, record: node.get(path)
    keys = tuple(path.split("."))

    def walk(node: Any, record: Any) -> Any:
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


def trees(
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
