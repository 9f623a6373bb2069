"""`webhook:http(s)://...`: any HTTP endpoint.

`body` says what a request holds: "ndjson", one message a line; "json", an array; "single", one
message. `format` is one of `formats.render`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.core.errors import SinkError
from hookstream.sinks.base import DELIVERED, Receipt
from hookstream.sinks.formats.render import Message, renderer, system_clock
from hookstream.sinks.http import CLIENT_OPTIONS, HttpClient, meaning
from hookstream.sinks.posting import Posting

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.standards.rendered import Rendered

ALSO = (*CLIENT_OPTIONS, "path")
NDJSON = "application/x-ndjson"
# The registered type of lines that are all Agent Hooks.
STREAM = "application/vnd.agent-hooks.stream+jsonl"
BODIES = ("ndjson", "json", "single")


def open_sink(
    uri: str,
    target: str,
    *,
    standard: str,
    format: str = "native",
    body: str = "ndjson",
    arguments: bool = False,
    now: Callable[[], str] = system_clock,
    installation: str | None = None,
    **client: Any,
) -> Webhook:
    if body not in BODIES:
        raise SinkError(f"webhook: {body!r} is no body; one of {', '.join(BODIES)}")
    if format == "cef" and body == "json":
        raise SinkError("webhook: CEF lines are no JSON; use body ndjson or single")
    render = renderer(
        format, standard=standard, now=now, installation=installation, arguments=arguments
    )
    stream = STREAM if (format, standard) == ("native", "agent-hooks") else NDJSON
    return Webhook(uri, HttpClient(uri, target, **client), render, body, format, stream)


class Webhook(Posting):
    """One request holds many messages, or one."""

    def __init__(
        self,
        uri: str,
        client: HttpClient,
        render: Callable[[Rendered], list[Message]],
        body: str,
        format: str,
        stream: str,
    ) -> None:
        super().__init__(uri, client, render, most=1 if body == "single" else 512)
        self._body = body
        self._kind = stream
        if format == "cef":
            self._kind = "text/plain; charset=utf-8"
        elif body == "json":
            events = format == "cloudevents"
            self._kind = "application/cloudevents-batch+json" if events else "application/json"

    def request(self, records: list[list[Message]]) -> Receipt:
        messages = [message.data for record in records for message in record]
        if self._body == "single":
            return self.singly(records[0], lambda one: self.post(one.data, one.content_type))
        if self._body == "json":
            body = b"[%s]" % b",".join(messages)
        else:
            body = b"".join(message + b"\n" for message in messages)
        answer = self.post(body, self._kind)
        receipt = answer if isinstance(answer, Receipt) else meaning(answer)
        return DELIVERED if receipt.status == "delivered" else receipt
