"""Messages that travel inside an AOS or ACS envelope.

The message is in params.message, in params.payload or in params itself: prose, schema and guides of
the standard differ. A step of this kind need have no session, turn or agent.
"""

from __future__ import annotations

from hookstream.normalizers.aos.envelopes import first_text
from hookstream.normalizers.table import at, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload

WRAPPED = ("params.message", "params.payload.message", "params.payload", "params")
PREFIXES = ("protocols/MCP/", "protocols/A2A/", "wrapped:mcp/")


def wrapped(p: Payload) -> Payload:
    for path in WRAPPED:
        message = at(p, path)
        if type(message) is dict and (
            "jsonrpc" in message
            or type(message.get("method")) is str
            or (path != "params" and type(message.get("result")) is dict)
        ):
            return message
    method = p.get("method")
    if type(method) is not str or "params" not in p:
        return {}
    for prefix in PREFIXES:
        method = method.removeprefix(prefix)
    return {**p, "method": method}


@reads("params")
def wrapped_id(p: Payload) -> Any:
    """The id of a message within the envelope: requests and answers of one connection share it."""
    message = wrapped(p)
    is_within = message.get("params") is not p.get("params")
    return message.get("id") if "jsonrpc" in message and is_within else None


@reads("params")
def wrapped_error(p: Payload) -> str | None:
    return first_text(wrapped(p), "error.message")


def is_answer(message: Payload) -> bool:
    return "method" not in message and ("result" in message or type(message.get("error")) is dict)
