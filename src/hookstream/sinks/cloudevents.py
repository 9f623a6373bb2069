"""`cloudevents:DIR` and `cloudevents:http(s)://...`: CloudEvents 1.0.

DIR gets cloudevents.jsonl, one structured event a line. Over HTTP `mode` says how they travel:
"structured", one a request; "batch", an array a request; "binary", the attributes as headers and
the event itself as the body. A record that is two CloudEvents (one a standard) is delivered when
both are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cloudevents.core.bindings.http import to_binary
from cloudevents.core.formats.json import JSONFormat

from hookstream.core.errors import SinkError
from hookstream.sinks.base import Receipt
from hookstream.sinks.formats.cloudevents import CloudEvents
from hookstream.sinks.formats.render import Message, checked, renderer, system_clock
from hookstream.sinks.formats.signature import load_signer
from hookstream.sinks.formatted import FormattedFile
from hookstream.sinks.http import CLIENT_OPTIONS, HttpClient, meaning
from hookstream.sinks.posting import Posting

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.sinks.base import Sink
    from hookstream.standards.rendered import Rendered

FORMAT = JSONFormat()
ALSO = (*CLIENT_OPTIONS, "path")
NAME = "cloudevents.jsonl"
MODES = ("structured", "batch", "binary")
STRUCTURED = "application/cloudevents+json; charset=utf-8"
BATCH = "application/cloudevents-batch+json; charset=utf-8"


def open_sink(
    uri: str,
    target: str,
    *,
    standard: str,
    now: Callable[[], str] = system_clock,
    installation: str | None = None,
    mode: str = "structured",
    signing_key_file: str | None = None,
    **client: Any,
) -> Sink:
    if mode not in MODES:
        raise SinkError(f"cloudevents: {mode!r} is no mode; one of {', '.join(MODES)}")
    form = CloudEvents(standard, now, installation, signer=load_signer(signing_key_file))

    def render(item: Rendered) -> list[Message]:
        kind = "application/cloudevents+json"
        return [checked("cloudevents", line, kind) for line in form.structured(item)]

    if "://" not in target:
        return FormattedFile(uri, target, NAME, render)
    return CloudEventsHttp(uri, HttpClient(uri, target, **client), render, form, mode)


def open_segment(
    target: str,
    folder: str,
    *,
    standard: str,
    now: Callable[[], str] = system_clock,
    installation: str | None = None,
    signing_key_file: str | None = None,
) -> Sink:
    if "://" in target or signing_key_file is not None:
        raise SinkError("cloudevents: only a plain folder can be written by several processes")
    render = renderer("cloudevents", standard=standard, now=now, installation=installation)
    return FormattedFile(f"cloudevents:{folder}", folder, NAME, render, durable=False)


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
        made: list[Message] = []
        for event in self._form.events(item):
            sent = to_binary(event, FORMAT)
            kind = sent.headers.pop("content-type")
            message = BinaryMessage(checked("cloudevents", sent.body, kind))
            message.headers = sent.headers
            made.append(message)
        return made

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
