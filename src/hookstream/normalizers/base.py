"""The engine: a Record through a compiled table into Events. Pure, no state."""

from __future__ import annotations

from hookstream.core.event import MISSING, NUMBERS, Event, fit
from hookstream.core.jsons import JsonObject, loads_text
from hookstream.normalizers.actions import resolve_action
from hookstream.normalizers.attendance import TYPES as ATTENDED_TYPES
from hookstream.normalizers.attendance import is_attended
from hookstream.normalizers.identity import complete
from hookstream.normalizers.ready import CompiledRow, CompiledVendor, KnownKeys, is_empty, knowledge
from hookstream.normalizers.table import Ignore, Row, Words, ask, at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Record

# What content may be: a text, or what a client puts in its place.
TEXTS = (str, dict, list)
# What a table's function raises at a value of another type than the client's.
ODD = (TypeError, AttributeError, ValueError, LookupError, ArithmeticError)


def normalize(record: Record, compiled: CompiledVendor, now: str) -> list[Event] | str:
    """A Record to its Events in order, or the reason why it is not an event.

    `now` is the clock (RFC 3339), used only where neither the payload nor the record has a time.
    """
    payload = record.payload
    name = record.event = event_name(record, compiled)
    value = compiled.events.get(name) or compiled.make(name)
    if value is None:
        return [_unknown(record, compiled, name, now)]
    events: list[Event] = []
    for row in value.rows:
        if isinstance(row, Ignore):
            if not events and applies(row, payload, record):
                return row.reason
            continue
        if row.row.each is not None:
            elements = at(payload, row.row.each)
            for part in elements if type(elements) is list else ():
                if type(part) is dict and applies(row.row, part, record):
                    events.append(_build(record, compiled, row, part, name, now, len(events)))
        elif row.row.when is None or applies(row.row, payload, record):
            events.append(_build(record, compiled, row, payload, name, now, len(events)))
    if not events:
        return f"{name}: no row applies"
    _keep_unmapped(events, payload, value.whole, value.parts)
    return events


def applies(row: Row | Ignore, node: JsonObject, record: Record) -> bool:
    """Return whether a row holds for a payload or an element; not for one at whose values its
    predicate raises: an odd value costs what it says, never the record."""
    if row.when is None:
        return True
    try:
        return bool(ask(row.when, node, record))
    except ODD:
        return False


def value_of(function: Any, node: JsonObject, record: Record, event: Event, fact: str) -> Any:
    """The value of a source, or None where a value's type makes it raise."""
    try:
        return ask(function, node, record)
    except ODD:
        _keep_odd(function, node, event, fact)
        return None


def _keep_odd(function: Any, node: JsonObject, event: Event, fact: str) -> None:
    """Keep all that a source reads as unmapped."""
    odd = {path: at(node, path) for path in getattr(function, "reads", ())} or {fact: None}
    event.unmapped = {**(event.unmapped or {}), **odd}


def event_name(record: Record, compiled: CompiledVendor) -> str:
    """The native event: from the payload where the table says so, else from the record."""
    source = compiled.event
    name: Any = None
    if source is not None:
        if isinstance(source, str):
            name = at(record.payload, source)
        else:
            try:
                name = ask(source, record.payload, record)
            except ODD:
                name = None
    if type(name) is not str or not name:
        name = record.native_event
    return name if type(name) is str and name else "unknown"


def _unknown(record: Record, compiled: CompiledVendor, name: str, now: str) -> Event:
    plain = name.isascii() and name.replace("_", "").isalnum() and len(name) <= 64
    word = name if plain else "Unknown"
    row = CompiledRow(Row(f"vendor.{compiled.vendor.tool}.{word}"), compiled.vendor)
    event = _build(record, compiled, row, record.payload, name, now, 0)
    _keep_unmapped([event], record.payload, *knowledge(compiled.vendor, ()))
    return event


def _keep_unmapped(
    events: list[Event], payload: JsonObject, whole: KnownKeys, parts: dict[str, KnownKeys]
) -> None:
    rest = whole.leftover(payload)
    for path, known in parts.items():
        elements = at(payload, path)
        if rest is not None:
            rest = _without(rest, path.split("."))
        for number, part in enumerate(elements if type(elements) is list else ()):
            below = known.leftover(part) if type(part) is dict else {"value": part}
            if below:
                rest = rest or {}
                rest[f"{path}[{number}]"] = below
    if rest:
        first = events[0]
        first.unmapped = {**rest, **(first.unmapped or {})}


def _without(tree: JsonObject, keys: list[str]) -> JsonObject | None:
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
    part: JsonObject,
    name: str,
    now: str,
    ordinal: int,
) -> Event:
    vendor = compiled.vendor
    facts = row.constants.copy()
    event = Event(row.row.type, row.row.hook_point, facts, vendor.key)
    event.pairs_lone = vendor.capabilities.pairs_lone
    event.has_mods = vendor.capabilities.has_mods
    _read_facts(event, row, record, part)
    for fact in row.counts:
        if fact in facts and facts[fact] < 0:
            event.unmapped = {**(event.unmapped or {}), fact: facts.pop(fact)}
    if row.row.derived:
        facts["derived"] = True
    facts["native_event"] = name
    if record.witness != "hook":
        facts["witness"] = record.witness
    facts.setdefault("tool", vendor.tool)
    # The version of a plugin is not the version of the tool it watches.
    if record.client_version and "tool_version" not in facts and vendor.tool == vendor.key:
        facts["tool_version"] = record.client_version
    if row.input is not None:
        node = part if row.input_of_part else record.payload
        event.input = as_input(value_of(row.input, node, record, event, "input"))
    if event.type in ATTENDED_TYPES and "attended" not in facts:
        attended = is_attended(compiled.attended, record.payload, record.env)
        if attended is not None:
            facts["attended"] = attended
    if "action_native" in facts:
        resolve_action(event, compiled, record.payload, "tool" in record.made)
    elif event.type.startswith("Action.") and "action_name" not in facts:
        # A result that names no tool: the standard wants a name.
        facts["action_name"] = facts["action_category"] = "other"
        event.synthesized += ["action_name", "action_category"]
    if record.made:
        event.synthesized += [name for name in record.made if name in facts]
    complete(event, record, ordinal, now)
    return event


def _read_facts(event: Event, row: CompiledRow, record: Record, part: JsonObject) -> None:
    payload = record.payload
    facts = event.facts
    for fact, key, want in row.keys:
        value = payload.get(key)
        if value is None:
            continue
        if type(value) is not want or want in NUMBERS:
            fitted = fit(value, want)
            if fitted is MISSING:
                event.unmapped = event.unmapped or {}
                event.unmapped[key] = value
                continue
            value = fitted
        if value != "":
            facts[fact] = value
    _call(event, row.functions, payload, record)
    if row.part_functions:
        _call(event, row.part_functions, part, record)
    for fact, words in row.words:
        _translate(event, fact, words, part)
    if row.keep:
        _keep_native(event, row.keep, part)
    for name, function in row.native:
        value = value_of(function, part, record, event, name)
        if not is_empty(value):
            event.native = event.native or {}
            event.native[name] = value


def _call(
    event: Event,
    functions: list[tuple[str, Any, bool, type, bool, bool]],
    node: JsonObject,
    record: Record,
) -> None:
    facts = event.facts
    for fact, function, takes_record, want, content, is_derived in functions:
        try:  # not by `value_of`: eight calls a record
            value = function(node, record) if takes_record else function(node)
        except ODD:
            _keep_odd(function, node, event, fact)
            continue
        if value is None or value == "":
            continue
        if content:
            if type(value) not in TEXTS:
                event.unmapped = {**(event.unmapped or {}), fact: value}
                continue
        elif type(value) is not want or want in NUMBERS:
            value = fit(value, want)
            if value is MISSING:
                continue
        facts[fact] = value
        if is_derived:
            event.synthesized.append(fact)


def _translate(event: Event, fact: str, words: Words, part: JsonObject) -> None:
    native = at(part, words.path) if words.is_deep else part.get(words.path)
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


def _keep_native(event: Event, paths: tuple[str, ...], part: JsonObject) -> None:
    for path in paths:
        value = at(part, path) if "." in path else part.get(path)
        if not is_empty(value):
            event.native = event.native or {}
            event.native[path] = value


def as_input(value: Any) -> JsonObject | None:
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
