"""`otlp:http(s)://host:4318` and `otlp:grpc(s)://host:4317`: OpenTelemetry logs, optionally spans.

One log record an event; with `spans=True` also a span for every tool call, turn and session whose
beginning and end this process saw, with `spans="only"` nothing but those, for receivers of traces.
`arguments=True` sends command lines and paths too.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from hookstream.core.errors import SinkError
from hookstream.core.loopback import is_loopback
from hookstream.sinks.base import FILTERED, Receipt
from hookstream.sinks.delivery import worst
from hookstream.sinks.formats.otlp import log_record
from hookstream.sinks.formats.semconv import SEMCONV, TODAY, generation
from hookstream.sinks.formats.signature import Signer, load_signer
from hookstream.sinks.http import CLIENT, HttpClient, check_address
from hookstream.sinks.kinds import ARGUMENTS, SIGNING_KEY, Opening, SinkKind, SinkOption
from hookstream.sinks.otlp_export import LOGS, TRACES, Exporter, HttpTransport, OtlpTransport
from hookstream.standards.rendered import Rendered

COMPRESSIONS = ("none", "gzip")


def open_sink(
    at: Opening,
    *,
    arguments: bool | None,
    spans: bool | str,
    compression: str,
    signing_key_file: str | None,
    semconv: str | None,
    **client: Any,
) -> OtlpSink:
    zipped = compression == "gzip"
    if at.target.startswith(("grpc://", "grpcs://")):
        from hookstream.sinks.otlp_grpc import GrpcTransport

        token, headers = client.pop("token"), client.pop("headers")
        if client.pop("oauth") is not None:
            raise SinkError(f"{at.uri}: oauth goes with http(s) addresses")
        sent = {**(headers or {}), **({"authorization": f"Bearer {token}"} if token else {})}
        transport: OtlpTransport = GrpcTransport(
            _grpc_address(at.uri, at.target, secret=bool(sent)),
            secure=at.target.startswith("grpcs://"),
            metadata=sent,
            zipped=zipped,
            **client,
        )
    else:
        transport = HttpTransport(HttpClient(at.uri, endpoint(at.target), **client), zipped=zipped)
    signer = load_signer(signing_key_file)
    return OtlpSink(
        at.uri,
        transport,
        at.standard,
        arguments=bool(arguments),
        spans=spans,
        signer=signer,
        semconv=generation(semconv),
    )


KIND = SinkKind(
    name="otlp",
    open=open_sink,
    options=(
        SinkOption(
            "spans",
            bool,
            False,
            "Also a span for each call, answer, sub-agent, turn and session; "
            "`only`: nothing but those.",
            (True, False, "only"),
        ),
        ARGUMENTS,
        SinkOption("compression", str, "none", "Compression of a request.", COMPRESSIONS),
        SIGNING_KEY,
        SEMCONV,
        *CLIENT,
    ),
    targets="`http(s)://host:4318`, `grpc(s)://host:4317`",
    delivered="2xx / OK, and not rejected in a partial success",
    duplicates="what was in flight, same `log.record.uid`",
    example="""\
uri = "otlp:https://collector.example:4318"
compression = "gzip"
headers = {x-scope = {env = "COLLECTOR_SCOPE"}}
""",
)


def _grpc_address(uri: str, target: str, *, secret: bool) -> str:
    scheme, _, rest = target.partition("://")
    parts = check_address(uri, f"{'https' if scheme == 'grpcs' else 'http'}://{rest}")
    host = parts.hostname or ""
    if secret and scheme == "grpc" and not is_loopback(host):
        raise SinkError(f"{uri}: credentials go out over grpcs only (as with https only)")
    shown = f"[{host}]" if ":" in host else host
    return f"{shown}:{parts.port or 4317}"


def endpoint(target: str) -> str:
    """The address of logs: a base address gets the protocol's path."""
    try:
        path = urlsplit(target).path
    except ValueError:
        return target
    if path.endswith(LOGS.path):
        return target
    head, mark, query = target.partition("?")
    return head.rstrip("/") + LOGS.path + mark + query


class OtlpSink:
    """Log records through one transport, then spans."""

    def __init__(
        self,
        uri: str,
        transport: OtlpTransport,
        standard: str,
        *,
        arguments: bool,
        spans: bool | str,
        signer: Signer | None = None,
        semconv: str = TODAY,
    ) -> None:
        self.uri = uri
        self._transport = transport
        self._logs = Exporter(transport, LOGS)
        self._traces = Exporter(transport, TRACES)
        self._aarts = standard != "agent-hooks"
        self._arguments = arguments
        self._signer = signer
        self._semconv = semconv
        self._with_logs = spans != "only"
        self._pairs = None
        self._closed = False
        if spans:
            from hookstream.sinks.formats.spans import Pairs

            self._pairs = Pairs(arguments=arguments, semconv=semconv)

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        if not self._with_logs:
            return self._with_spans(batch, [FILTERED] * len(batch))
        records = [
            log_record(
                item.event,
                aarts=self._aarts,
                arguments=self._arguments,
                sampled_rate=item.sampled_rate,
                also=self._signed(item),
                semconv=self._semconv,
            ).SerializeToString()
            for item in batch
        ]
        receipts = self._logs.export(records)
        return self._with_spans(batch, receipts) if self._pairs is not None else receipts

    def _signed(self, item: Rendered) -> dict[str, str]:
        if self._signer is None:
            return {}
        return self._signer.record(item.event.facts["event_id"], item.agent_hooks)

    def _with_spans(self, batch: list[Rendered], receipts: list[Receipt]) -> list[Receipt]:
        """Deliver spans: a record that completes a span is delivered when the span is, too."""
        places: list[int] = []
        spans: list[bytes] = []
        for place, (item, receipt) in enumerate(zip(batch, receipts, strict=True)):
            if self._pairs is not None and receipt.status == "delivered":
                span = self._pairs.see(item.event)
                if span is not None:
                    places.append(place)
                    spans.append(span.SerializeToString())
        for place, receipt in zip(places, self._traces.export(spans), strict=True):
            receipts[place] = receipt if not self._with_logs else worst([receipts[place], receipt])
        if any(receipt.status == "retry" for receipt in receipts):
            # Nothing is sent after a retry, and what was sent comes again.
            first = next(n for n, one in enumerate(receipts) if one.status == "retry")
            receipts[first:] = [receipts[first]] * (len(receipts) - first)
        return receipts

    def reject(self, lines: list[bytes]) -> None:
        """Ignore rejections: they are not events."""

    def flush(self) -> None:
        """Do nothing: nothing is buffered, what was accepted is delivered."""
        if self._pairs is not None and self._pairs.overdue:
            self._send_spans(self._pairs.overdue)
            self._pairs.overdue = []

    def close(self) -> None:
        """Send the spans that others name as parent and that have not ended."""
        if self._closed:
            return
        self._closed = True
        try:
            if self._pairs is not None:
                self._send_spans(self._pairs.unfinished())
        finally:
            self._transport.close()

    def _send_spans(self, spans: list[Any]) -> None:
        receipts = self._traces.export([span.SerializeToString() for span in spans])
        wrong = worst(receipts)
        if wrong.status == "retry":
            raise SinkError(f"{self.uri}: {len(spans)} unfinished spans not sent: {wrong.reason}")
