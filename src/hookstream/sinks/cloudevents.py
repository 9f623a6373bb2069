"""`cloudevents:DIR` and `cloudevents:http(s)://...`: CloudEvents 1.0.

DIR gets cloudevents.jsonl, one structured event a line. Over HTTP `mode` says how they travel:
"structured", one a request; "batch", an array a request; "binary", the attributes as headers and
the event itself as the body. A record that is two CloudEvents (one a standard) is delivered when
both are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cloudevents.core.bindings.http import to_binary
from cloudevents.core.formats.json import JSONFormat

from hookstream.core.errors import SinkError
from hookstream.sinks.base import Receipt, Sink
from hookstream.sinks.formats.cloudevents import CloudEvents
from hookstream.sinks.formats.render import Message, checked
from hookstream.sinks.formats.signature import load_signer
from hookstream.sinks.formatted import FormattedFile
from hookstream.sinks.http import CLIENT, PATH, HttpClient, meaning
from hookstream.sinks.kinds import SIGNING_KEY, Opening, SinkKind, SinkOption, local_folder
from hookstream.sinks.posting import Posting
from hookstream.standards.rendered import Rendered

FORMAT = JSONFormat()
NAME = "cloudevents.jsonl"
MODES = ("structured", "batch", "binary")
STRUCTURED = "application/cloudevents+json; charset=utf-8"
BATCH = "application/cloudevents-batch+json; charset=utf-8"


def open_sink(at: Opening, *, mode: str, signing_key_file: str | None, **client: Any) -> Sink:
    is_http = "://" in at.target
    if at.segment is not None and (is_http or signing_key_file is not None):
        raise SinkError("cloudevents: only a plain folder can be written by several processes")
    form = CloudEvents(at.standard, at.now, at.installation, signer=load_signer(signing_key_file))

    def render_signed(item: Rendered) -> list[Message]:
        kind = "application/cloudevents+json"
        return [checked("cloudevents", line, kind) for line in form.structured(item)]

    if not is_http:
        return FormattedFile(at, NAME, render_signed)
    return CloudEventsHttp(
        at.uri, HttpClient(at.uri, at.target, **client), render_signed, form, mode
    )


KIND = SinkKind(
    name="cloudevents",
    open=open_sink,
    options=(
        SinkOption("mode", str, "structured", "How events travel over HTTP.", MODES),
        SIGNING_KEY,
        PATH,
        *CLIENT,
    ),
    targets="folder, `http(s)://`",
    delivered="synced; 2xx",
    duplicates="what was in flight, under the same `id`",
    example="""\
uri = "cloudevents:https://broker.example/events"
mode = "batch"
token_env = "BROKER_TOKEN"
""",
    place=local_folder,
    files=lambda standard, options: [NAME],
    has_segments=True,
)


class CloudEventsHttp(Posting):
    """Events to one address; an answer 2xx is the delivery."""

    def __init__(
        self,
        uri: str,
        client: HttpClient,
        render: Callable[[Rendered], list[Message]],
        form: CloudEvents,
        mode: str,
    ) -> None:
        binary = mode == "binary"
        super().__init__(
            uri, client, self._binary if binary else render, 512 if mode == "batch" else 1
        )
        self._form = form
        self._mode = mode

    def _binary(self, item: Rendered) -> list[Message]:
        messages: list[Message] = []
        for event in self._form.events(item):
            sent = to_binary(event, FORMAT)
            kind = sent.headers.pop("content-type")
            message = BinaryMessage(checked("cloudevents", sent.body, kind))
            message.headers = sent.headers
            messages.append(message)
        return messages

    def request(self, records: list[list[Message]]) -> Receipt:
        if self._mode != "batch":
            return self.singly(records[0], self._one)
        lines = b",".join(message.data for record in records for message in record)
        answer = self.post(b"[%s]" % lines, BATCH)
        return answer if isinstance(answer, Receipt) else meaning(answer)

    def _one(self, message: Message) -> Any:
        if isinstance(message, BinaryMessage):
            return self.post(message.data, message.content_type, headers=message.headers)
        return self.post(message.data, STRUCTURED)


class BinaryMessage(Message):
    """An event's data with its attributes as headers."""

    __slots__ = ("headers",)

    def __init__(self, message: Message) -> None:
        super().__init__(message.kind, message.data, message.content_type)
        self.headers: dict[str, str] = {}
