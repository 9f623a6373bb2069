"""Parts that the telemetry tables of all clients share: payloads are flat (otlp/records.py)."""

from __future__ import annotations

from hookstream.core.jsons import loads_text
from hookstream.normalizers import wording
from hookstream.normalizers.table import Const, Row, at, end_of, negate, parts_of, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hookstream.core.records import Payload, Record
    from hookstream.normalizers.table import Facts
    from hookstream.normalizers.wording import Ending

TIME: Facts = {"timestamp": "otlp.time"}
# What OTLP itself says: read where a row names it, else left out on purpose.
ENVELOPE = ("otlp",)
ALLOWED: Facts = {
    "decision": Const("allow"),
    "certainty": Const("observed"),
}
# A call by the GenAI conventions.
CALL: Facts = {
    "action_native": "gen_ai_tool_name",
    "call_id": "gen_ai_tool_call_id",
    "input": "gen_ai_tool_call_arguments",
}
# The tokens of an answer by the GenAI conventions of any generation.
USAGE: Facts = {
    "input_tokens": "gen_ai_usage_input_tokens",
    "output_tokens": "gen_ai_usage_output_tokens",
    "cache_read_tokens": "gen_ai_usage_cache_read_input_tokens",
    "cache_write_tokens": (
        "gen_ai_usage_cache_write_input_tokens",
        "gen_ai_usage_cache_creation_input_tokens",
    ),
}
# The placeholders of clients that leave a text out.
LEFT_OUT = frozenset(("<REDACTED>", "[REDACTED]"))


def event_of(prefix: str) -> Callable[[Payload], str | None]:
    """The native event: a log record's name without the client's prefix, a span's with `.start`
    or `.end`."""

    def event(p: Payload) -> str | None:
        name = p.get("event_name") or at(p, "otlp.name")
        if at(p, "otlp.signal") == "span":
            name = f"{at(p, 'otlp.name')}.{at(p, 'otlp.phase')}"
        return name.removeprefix(prefix) if type(name) is str else None

    event.reads = ("event_name",)  # type: ignore[attr-defined]
    return event


@reads("gen_ai_operation_name")
def operation(p: Payload) -> str:
    """The native event of a span by the GenAI conventions: its operation, `.start` or `.end`."""
    return f"{p.get('gen_ai_operation_name')}.{at(p, 'otlp.phase')}"


def same(what: str, *paths: str) -> Callable[[Payload], str | None]:
    """`same_as` of what a log record and a span both say: a word and the id they share."""

    def of(p: Payload) -> str | None:
        for path in paths:
            value = at(p, path)
            if type(value) is str and value:
                return f"telemetry {what} {value}"
        return None

    of.reads = paths  # type: ignore[attr-defined]
    return of


def text(name: str) -> Callable[[Payload], str | None]:
    """A content attribute, unless the client put a mark in its place."""

    def of(p: Payload) -> str | None:
        value = p.get(name)
        return value if type(value) is str and value not in LEFT_OUT else None

    of.reads = (name,)  # type: ignore[attr-defined]
    return of


def whole(*names: str) -> Callable[[Payload], int | None]:
    """The sum of counts that may be texts."""

    def of(p: Payload) -> int | None:
        counts = [count for name in names if (count := count_of(p.get(name))) is not None]
        return sum(counts) if counts else None

    of.reads = names  # type: ignore[attr-defined]
    return of


def count_of(value: Any) -> int | None:
    if type(value) is float and value.is_integer():
        return int(value)
    if type(value) is str and value.isdecimal() and len(value) < 16:
        return int(value)
    return value if type(value) is int else None


def number(*paths: str) -> Callable[[Payload], float | None]:
    """The first number at the paths, also where it is a text."""

    def of(p: Payload) -> float | None:
        for path in paths:
            value = at(p, path)
            if type(value) is int or type(value) is float:
                return float(value)
            if type(value) is str and value.replace(".", "", 1).isdecimal() and len(value) < 20:
                return float(value)
        return None

    of.reads = tuple(path for path in paths if not path.startswith("otlp."))  # type: ignore[attr-defined]
    return of


def is_true(p: Payload, name: str) -> bool | None:
    """A flag that some clients write as a text."""
    value = p.get(name)
    if value is True or value == "true":
        return True
    return False if value is False or value == "false" else None


def refused_or_ended(
    read: Callable[[Payload], Ending],
    paths: str,
    call: Facts,
    *,
    refused: Facts,
    ended: Facts,
    keep: str = "",
    ignore: str = "",
) -> tuple[Row, Row]:
    """The rows of a call's end: a refusal, or a result. `read` judges what is at the paths."""
    part = parts_of(read, paths)

    def is_refused(p: Payload, r: Record) -> bool:
        return bool(part("outcome")(p, r) == "denied")

    who = {"decided_by": "decided_by", "decision_reason": "reason", "matched_rule_id": "rule"}
    when = reads(paths)(is_refused)
    blocked = {**call, **{fact: part(name) for fact, name in who.items()}, **refused}
    after = {**call, **end_of(part), **ended}
    return (
        Row("Policy.Blocked", blocked, when=when, keep=keep, ignore=ignore),
        Row("Action.After", after, when=negate(when), keep=keep, ignore=ignore),
    )


def first_line(name: str) -> Callable[[Payload], str | None]:
    """The first line of a text."""

    def of(p: Payload) -> str | None:
        return wording.first_line(str(p.get(name) or "")) or None

    of.reads = (name,)  # type: ignore[attr-defined]
    return of


def parsed(p: Payload, name: str) -> dict[str, Any]:
    """A JSON object in an attribute; empty for anything else."""
    value = p.get(name)
    document = loads_text(value) if type(value) is str and value[:1] == "{" else value
    return document if type(document) is dict else {}


@reads("otlp_duration_ms")
def span_ms(p: Payload) -> float | None:
    value = at(p, "otlp.duration_ms")
    return float(value) if type(value) in (int, float) else None
