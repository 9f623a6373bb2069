"""MCP and A2A messages that travel inside an AOS or ACS envelope.

The message lies in params.message, in params.payload or in params itself: prose, schema and guides
of the standard differ. An AOS step of this kind has no session, turn or agent.
"""

from __future__ import annotations

from hookstream.normalizers.aos.envelopes import first_text, joined_text
from hookstream.normalizers.table import at, derived, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hookstream.records import Record

    Payload = dict[str, Any]

WRAPPED = ("params.message", "params.payload.message", "params.payload", "params")


def wrapped(p: Payload) -> Payload:
    for path in WRAPPED:
        message = at(p, path)
        if type(message) is dict and ("jsonrpc" in message or type(message.get("method")) is str):
            return message
    method = p.get("method")
    if type(method) is not str or "params" not in p:
        return {}
    return {**p, "method": method.removeprefix("protocols/MCP/").removeprefix("protocols/A2A/")}


def wraps(*methods: str) -> Callable[[Payload, Record], bool]:
    """Predicate: the wrapped message calls one of these methods."""

    @reads("params")
    def test(p: Payload, r: Record) -> bool:
        method = wrapped(p).get("method")
        return type(method) is str and method in methods

    return test


is_delegation = wraps("message/send", "message/stream")


def is_no_delegation(p: Payload, r: Record) -> bool:
    return not is_delegation(p, r)


@reads("params")
def is_wrapped_answer(p: Payload, r: Record) -> bool:
    """A tool's result: other answers of a server are no action."""
    message = wrapped(p)
    if "method" in message:
        return False
    return type(at(message, "result.content")) is list or type(message.get("error")) is dict


@reads("params")
def wrapped_tool(p: Payload, r: Record) -> str | None:
    message = wrapped(p)
    return first_text(message, "params.name") or first_text(message, "method")


@derived
@reads("params")
def wrapped_action(p: Payload, r: Record) -> str | None:
    name = wrapped_tool(p, r)
    return f"mcp:{name}" if name else None


@reads("params")
def wrapped_input(p: Payload, r: Record) -> Any:
    message = wrapped(p)
    given = at(message, "params.arguments")
    return given if given is not None else at(message, "params")


@reads("params")
def wrapped_uri(p: Payload, r: Record) -> str | None:
    return first_text(wrapped(p), "params.uri")


@reads("params")
def wrapped_success(p: Payload, r: Record) -> bool:
    message = wrapped(p)
    return type(message.get("error")) is not dict and at(message, "result.isError") is not True


@reads("params")
def wrapped_output(p: Payload, r: Record) -> Any:
    return joined_text(at(wrapped(p), "result.content"))


@reads("params")
def wrapped_error(p: Payload, r: Record) -> str | None:
    return first_text(wrapped(p), "error.message")


@reads("params")
def wrapped_task(p: Payload, r: Record) -> Any:
    message = wrapped(p)
    return joined_text(at(message, "params.message.parts") or at(message, "params.message.content"))
