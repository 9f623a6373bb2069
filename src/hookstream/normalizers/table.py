"""The words a vendor table is written in: rows, sources of facts, tools.

A source says where a fact is found: a dotted path ("tool_response.exit_code"), a tuple of paths
(the first that holds a value), `Const`, `Words` (native word -> standard word, the native one is
kept), or a function of the payload for what a path cannot say. A function that has a second
parameter is given the record there.
"""

from __future__ import annotations

from copy import copy

from hookstream.core.event import POINT_OF_TYPE
from hookstream.normalizers import wording
from hookstream.normalizers.capabilities import Capabilities
from hookstream.normalizers.tools import (
    Tool,
    delegate,
    delete,
    edit,
    fetch,
    find,
    listing,
    read,
    search,
    shell,
    write,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias, TypeVar

    from hookstream.core.records import Payload, Record

    F = TypeVar("F", bound=Callable[..., Any])
    Source: TypeAlias = (
        "str | tuple[Any, ...] | Const | Words | Callable[[Payload], Any]"
        " | Callable[[Payload, Record], Any] | None"
    )
    Predicate: TypeAlias = Callable[[Payload], bool] | Callable[[Payload, Record], bool]
    Names: TypeAlias = "str | tuple[str, ...]"
    Facts: TypeAlias = Mapping[str, Source]
    Events: TypeAlias = "Mapping[str, Row | Ignore | tuple[Row | Ignore, ...]]"


__all__ = [
    "Const", "Ignore", "Row", "Tool", "Vendor", "Words", "ask", "at", "delegate", "delete",
    "derived", "edit", "end_of", "exit_code", "fetch", "find", "first_line", "flag", "has_failed",
    "is_not_word", "is_word", "listing", "mcp_name", "model_failed", "negate", "parts_of",
    "plan_of", "read", "reads", "search", "shell", "text_at", "tool_failed", "write",
]  # fmt: skip


class Const:
    """A value the native event implies by its meaning (PostToolUseFailure: success is False)."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Words:
    """Native words of one path translated to standard ones.

    The native word is kept under metadata. A word the table lacks gives `other`, or no fact.
    """

    def __init__(self, path: str, words: Mapping[str, str], other: str | None = None) -> None:
        self.path = path
        self.is_deep = "." in path
        self.words = words
        self.other = other


def derived(function: F) -> F:
    """Mark a source function whose fact is concluded by a rule, not read: it is `synthesized`."""
    function.derived = True  # type: ignore[attr-defined]
    return function


def reads(*paths: str) -> Callable[[F], F]:
    """Names the paths a source function reads, so that they do not count as unmapped: one text may
    hold several."""
    names = tuple(" ".join(paths).split())

    def mark(function: F) -> F:
        function.reads = names  # type: ignore[attr-defined]
        return function

    return mark


def takes_record(source: Callable[..., Any]) -> bool:
    """Return whether a source has a second parameter: it is given the record."""
    return source.__code__.co_argcount > 1


def ask(source: Callable[..., Any], payload: Payload, record: Record) -> Any:
    """The value of a source, or what a predicate says."""
    return source(payload, record) if takes_record(source) else source(payload)


def split_names(names: Names) -> tuple[str, ...]:
    """The names in a text."""
    return tuple(names.split()) if isinstance(names, str) else names


# The hook point of a row that names none.
POINTS = {
    **POINT_OF_TYPE,
    "Agent.Plan.Start": "PreSubAgentSpawn",
    "Agent.Plan.End": "PostSubAgentResult",
    "Context.Compaction": "PostCompact",
}

# The facts of a row that names no others.
IMPLIED: dict[str, Facts] = {
    "Policy.Blocked": {"decision": Const("deny"), "certainty": Const("observed")},
    "Policy.Override": {"decision": Const("allow"), "certainty": Const("observed")},
}


class Row:
    """One native event to one Event: type, where each fact is found.

    hook_point  where it is not that of the type (`POINTS`); "": none
    when     a predicate of the payload: the row gives an Event only where it holds
    each     a path to a list: one Event per element; facts are then looked up in the element
             first and the vendor's common facts in the payload
    keep     paths kept under metadata `native` on purpose, as one text ("a b.c")
    native   what is kept there under a name of ours: name -> source
    ignore   paths left out on purpose, as one text
    derived  the Event follows from another row's; the detectors derive it (it is in the table
             so that coverage shows it)
    """

    def __init__(
        self,
        type: str,
        facts: Mapping[str, Source] | None = None,
        *,
        hook_point: str | None = None,
        when: Predicate | None = None,
        each: str | None = None,
        keep: Names = (),
        ignore: Names = (),
        derived: bool = False,
        note: str = "",
        native: Mapping[str, Source] | None = None,
    ) -> None:
        self.type = type
        self.hook_point = POINTS.get(type) if hook_point is None else hook_point or None
        own = facts or {}
        implied = {
            fact: source for fact, source in IMPLIED.get(type, {}).items() if fact not in own
        }
        self.facts: Facts = {**own, **implied}
        self.when = when
        self.each = each
        self.keep = split_names(keep)
        self.ignore = split_names(ignore)
        self.derived = derived
        self.note = note
        self.native: Mapping[str, Source] = native or {}

    def given(self, **facts: Source) -> Row:
        """The same row with further facts."""
        row = copy(self)
        row.facts = {**self.facts, **facts}
        return row

    def of(self, tool: str, other: str) -> Row:
        """The same row of another tool: what is named after the first is named after the other."""
        if not self.type.startswith(f"vendor.{tool}."):
            return self
        row = copy(self)
        row.type = f"vendor.{other}.{self.type.removeprefix(f'vendor.{tool}.')}"
        return row


def tool_failed(call: Facts, when: Predicate | None = None, **facts: Source) -> Row:
    """The error that follows from the end of a failed call."""
    return _error("ToolFailed", "Action.After", call, when, facts)


def model_failed(about: Facts, when: Predicate | None = None, **facts: Source) -> Row:
    """The error that follows from a failed model request."""
    return _error("ModelError", "Model.Failed", about, when, facts)


def _error(kind: str, origin: str, about: Facts, when: Predicate | None, facts: Facts) -> Row:
    all_facts = {**about, "error_type": Const(kind), **facts, "origin_event": Const(origin)}
    return Row("Agent.Error", all_facts, when=when, derived=True)


class Ignore:
    """A known payload that is not an event; counted under its reason when no row gave an Event."""

    def __init__(self, reason: str, when: Predicate | None = None) -> None:
        self.reason = reason
        self.when = when


class Vendor:
    """A vendor's hooks as one table.

    key       vendor key, `source.tool` unless `tool` gives another
    claims    predicate on a bare payload: is it this vendor's? No two vendors may both say yes
    event     path (or function) of the native event name in the payload; None: only the record
              knows it
    common    facts every event carries; a row's own facts win
    keep, native  as of a row, on every event
    ignore    paths left out on purpose on every event, as one text
    events    native event -> Row, Ignore or a tuple of them, in the order Events are given
    tools     native tool -> Tool
    mcp       (native tool name, payload) -> (server, tool) or None
    absent    native event -> why it has no row
    host      predicate on a bare payload that `claims` leaves open: can it be this vendor's, where
              the record or the hook's environment names it? None: what it claims
    extends   a vendor whose hooks these are, except for what is said here: its common facts, its
              rows of the native events in `same`, and its `mcp`
    capabilities  what its hooks show, and what their silence means
    spans, span_events, logs  what names of telemetry have a fact: of spans and their events none,
              of log records all, unless said
    """

    def __init__(
        self,
        key: str,
        *,
        claims: Callable[[Payload], bool] = lambda payload: False,
        event: str | Callable[..., Any] | None,
        common: Mapping[str, Source],
        events: Mapping[str, Row | Ignore | tuple[Row | Ignore, ...]],
        tools: Mapping[str, Tool] | None = None,
        mcp: Callable[[str, Payload], tuple[str, str] | None] | None = None,
        ignore: Names = (),
        keep: Names = (),
        absent: Mapping[str, str] | None = None,
        tool: str | None = None,
        capabilities: Capabilities | None = None,
        extends: Vendor | None = None,
        same: Names = (),
        native: Mapping[str, Source] | None = None,
        host: Callable[[Payload], bool] | None = None,
        spans: re.Pattern[str] | None = None,
        span_events: re.Pattern[str] | None = None,
        logs: re.Pattern[str] | None = None,
    ) -> None:
        self.spans, self.span_events, self.logs = spans, span_events, logs
        self.key = key
        self.tool = tool or key
        if extends is not None:
            common = {**extends.common, **common}
            events = {
                **{name: extends.rows_for(name, self.tool) for name in split_names(same)},
                **events,
            }
            mcp = mcp or extends.mcp
        self.capabilities = capabilities or Capabilities()
        self.claims = claims
        self.host = host or claims
        self.event = event
        self.common: Mapping[str, Source] = common
        self.events: Mapping[str, Row | Ignore | tuple[Row | Ignore, ...]] = events
        self.tools: Mapping[str, Tool] = tools or {}
        self.mcp: Callable[[str, Payload], tuple[str, str] | None] | None = mcp
        self.ignore = split_names(ignore)
        self.keep = split_names(keep)
        self.native: Mapping[str, Source] = native or {}
        self.absent: Mapping[str, str] = absent or {}

    def rows_for(self, name: str, tool: str) -> Row | Ignore | tuple[Row | Ignore, ...]:
        """The rows of a native event, as those of another tool."""
        rows = self.events[name]
        if isinstance(rows, tuple):
            return tuple(row.of(self.tool, tool) if isinstance(row, Row) else row for row in rows)
        return rows.of(self.tool, tool) if isinstance(rows, Row) else rows


# The paths of all tables, split once.
_keys: dict[str, list[str]] = {}


def _split(path: str) -> list[str]:
    keys = _keys[path] = path.split(".")
    return keys


def at(payload: Any, path: str) -> Any:
    """The value at a dotted path, or None."""
    for key in _keys.get(path) or _split(path):
        if type(payload) is not dict:
            return None
        payload = payload.get(key)
    return payload


def model_name(provider: Any, model: Any) -> str | None:
    """`provider/model`, as the standard writes a model id, where the payload says both."""
    if type(model) is not str or not model:
        return None
    if type(provider) is not str or not provider or model.startswith(f"{provider}/"):
        return model
    return f"{provider}/{model}"


def text_at(payload: Any, *paths: str) -> str:
    """The first text at one of the dotted paths that is not empty, else an empty one."""
    for path in paths:
        node = payload
        for key in _keys.get(path) or _split(path):
            if type(node) is not dict:
                break
            node = node.get(key)
        else:
            if type(node) is str and node:
                return node
    return ""


def mcp_name(
    prefix: str = "mcp__", divider: str = "__", *, server: str = "", lone: bool = False
) -> Callable[[str, Payload], tuple[str, str] | None]:
    """Reader of the native names of MCP tools, `mcp__<server>__<tool>`.

    The server at the path `server` of a payload wins where a name holds the divider; with `lone`
    a name without one is a tool of an unnamed server.
    """

    def split(name: str, payload: Payload) -> tuple[str, str] | None:
        if not name.startswith(prefix):
            return None
        rest = name[len(prefix) :]
        text = text_at(payload, server) if server else ""
        if text and rest.startswith(f"{text}{divider}"):
            return text, rest[len(text) + len(divider) :]
        found, _, tool = rest.partition(divider)
        if tool and (found or lone):
            return found, tool
        return ("", found) if lone else None

    return split


def exit_code(path: str, pattern: re.Pattern[str], *tools: str) -> Callable[[Payload], int | None]:
    """Source of the exit code in a text, of these tools alone if any are named."""

    def read_code(payload: Payload) -> int | None:
        if tools and payload.get("tool_name") not in tools:
            return None
        match = pattern.search(text_at(payload, path))
        return int(match[1]) if match else None

    return reads(path, *(("tool_name",) if tools else ()))(read_code)


def first_line(*paths: str) -> Callable[[Payload], str]:
    """Source of the first line of the first text at the paths."""

    def line(payload: Payload) -> str:
        return wording.first_line(text_at(payload, *paths))

    return reads(*paths)(line)


def parts_of(read: Callable[[Payload], Any], paths: str) -> Callable[[str], Any]:
    """Sources of the attributes of what a function reads from a payload, once, or None."""

    def part(name: str) -> Any:
        def value(payload: Payload, record: Record) -> Any:
            reading = record.reading
            if reading is None or reading[0] is not payload or reading[1] is not read:
                reading = record.reading = payload, read, read(payload)
            return getattr(reading[2], name, None)

        return reads(paths)(value)

    return part


def end_of(part: Callable[[str], Any]) -> dict[str, Any]:
    """The facts of the end of a call, by the sources of an Ending's attributes."""
    outcome = part("outcome")

    def success(payload: Payload, record: Record) -> bool | None:
        word = outcome(payload, record)
        return None if word is None else bool(word == "ok")

    return {
        "success": reads(*outcome.reads)(success),
        "outcome": outcome,
        "exit_code": part("exit_code"),
        "error_message": part("message"),
    }


def flag(path: str) -> Callable[[Payload], bool | None]:
    """Source of a value that is true or false, and of no other."""

    def value(payload: Payload) -> bool | None:
        found = at(payload, path)
        return found if type(found) is bool else None

    return reads(path)(value)


def negate(predicate: Predicate) -> Predicate:
    """Predicate: the other does not hold."""

    def test(payload: Payload, record: Record) -> bool:
        return not ask(predicate, payload, record)

    return reads(*getattr(predicate, "reads", ()))(test)


def has_failed(exit_code: Callable[..., Any], success: Callable[..., Any]) -> Predicate:
    """Predicate: the call failed, as the engine concludes it from exit code and `success`."""

    def test(payload: Payload, record: Record) -> bool:
        code = ask(exit_code, payload, record)
        return code not in (None, 0) or ask(success, payload, record) is False

    return reads(*exit_code.reads, *success.reads)(test)  # type: ignore[attr-defined]


def plan_of(*paths: str) -> Callable[[Payload], str]:
    """Source of a sub-agent's plan type: plan, explore, else default, from its native type."""

    def plan_type(payload: Payload) -> str:
        return wording.plan_type(text_at(payload, *paths))

    return derived(reads(*paths)(plan_type))


def is_word(path: str, *words: Any) -> Predicate:
    """Predicate: the value at the path is one of the words."""
    allowed = frozenset(words)
    is_deep = "." in path

    def test(payload: Payload) -> bool:
        value = at(payload, path) if is_deep else payload.get(path)
        return isinstance(value, str | int | bool | None) and value in allowed

    test.reads = (path,)  # type: ignore[attr-defined]
    return test


def is_not_word(path: str, *words: Any) -> Predicate:
    """Predicate: the value at the path is not one of the words."""
    return negate(is_word(path, *words))
