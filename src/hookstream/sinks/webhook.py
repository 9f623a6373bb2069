"""`webhook:http(s)://...`: any HTTP endpoint.

`body` says what a request holds: "ndjson", one message a line; "json", an array; "single", one
message. `format` is one of `formats.render`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hookstream.core.cloud_events import STREAM
from hookstream.core.errors import SinkError
from hookstream.sinks.base import DELIVERED, Receipt
from hookstream.sinks.formats.render import Message, renderer_at
from hookstream.sinks.http import CLIENT, PATH, HttpClient, meaning
from hookstream.sinks.kinds import (
    ARGUMENTS,
    FORMATS,
    OCSF_VERSION,
    OF_ONE_RECEIVER,
    SIGNING_KEY,
    Opening,
    SinkKind,
    SinkOption,
    format_option,
)
from hookstream.sinks.posting import MOST, MOST_BYTES, Posting
from hookstream.standards.rendered import Rendered

NDJSON = "application/x-ndjson"
BODIES = ("ndjson", "json", "single")
# formats whose receivers take an array, and the bytes of a request that they take
ARRAYS = {"asim": 1_000_000, "udm": 1_000_000}
# what is around the messages of an array
AROUND = {"udm": (b'{"inline_source":{"events":[', b"]}}")}


def open_sink(
    at: Opening,
    *,
    format: str,
    body: str,
    arguments: bool | None,
    version: str,
    signing_key_file: str | None,
    **client: Any,
) -> Webhook:
    body = body or ("json" if format in ARRAYS else "ndjson")
    if format in ARRAYS and body == "ndjson":
        raise SinkError(f"webhook: {format} takes the body json or single")
    if format == "cef" and body == "json":
        raise SinkError("webhook: CEF lines are not JSON; use body ndjson or single")
    stream = STREAM if (format, at.standard) == ("native", "agent-hooks") else NDJSON
    made = HttpClient(at.uri, at.target, **client)
    render = renderer_at(
        at, format, arguments=arguments, version=version, signing_key_file=signing_key_file
    )
    return Webhook(at.uri, made, render, body, format, stream)


KIND = SinkKind(
    name="webhook",
    open=open_sink,
    options=(
        format_option(*FORMATS, *OF_ONE_RECEIVER),
        SinkOption(
            "body",
            str,
            None,
            "Messages, an array, or one message; an array for ASIM and UDM.",
            BODIES,
        ),
        ARGUMENTS,
        OCSF_VERSION,
        SIGNING_KEY,
        PATH,
        *CLIENT,
    ),
    targets="`http(s)://`",
    delivered="2xx",
    duplicates="what was in flight",
    example="""\
uri = "webhook:https://alerts.example/hook"
format = "ocsf"
body = "json"
token_env = "HOOK_TOKEN"
""",
)


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
        most = 1 if body == "single" else MOST
        super().__init__(uri, client, render, most, ARRAYS.get(format, MOST_BYTES))
        self._body = body
        self._around = AROUND.get(format, (b"[", b"]"))
        self._kind = stream
        if format in ARRAYS:
            self._body = "json"
        if format == "cef":
            self._kind = "text/plain; charset=utf-8"
        elif self._body == "json":
            events = format == "cloudevents"
            self._kind = "application/cloudevents-batch+json" if events else "application/json"

    def request(self, records: list[list[Message]]) -> Receipt:
        messages = [message.data for record in records for message in record]
        if self._body == "single":
            return self.singly(records[0], lambda one: self.post(one.data, one.content_type))
        if self._body == "json":
            body = b",".join(messages).join(self._around)
        else:
            body = b"".join(message + b"\n" for message in messages)
        answer = self.post(body, self._kind)
        receipt = answer if isinstance(answer, Receipt) else meaning(answer)
        return DELIVERED if receipt.status == "delivered" else receipt
