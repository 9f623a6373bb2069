"""OpenTelemetry spans of a program that has a tracer provider, as events in the log of hooks.

    provider.add_span_processor(BatchSpanProcessor(GenAiSpans()))

The SDK hands over ended spans, its own encoder makes the OTLP request, and that is read as the
collector reads one over HTTP: spans that say nothing of an agent are left out.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from hookstream.capture.collector.handler import surroundings
from hookstream.capture.collector.otlp import Receiver
from hookstream.integrations.recorder import handler_of
from hookstream.otlp.protobuf import to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opentelemetry.sdk.trace import ReadableSpan


class GenAiSpans(SpanExporter):
    """Appends spans of agents to the log. `log` is a file or folder, by default the place that
    hooks write to. A failure to record is FAILURE to the SDK and never an exception."""

    def __init__(self, log: str | None = None) -> None:
        self.receiver = Receiver(handler_of(log, surroundings(os.environ)))

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        handler = self.receiver.handler
        try:
            rejected, _ = self.receiver.take(to_json(encode_spans(spans)))
        except Exception as error:
            try:
                handler.lose(error, "otel-genai", "spans", None)
            except Exception:
                return SpanExportResult.FAILURE
            return SpanExportResult.FAILURE
        return SpanExportResult.FAILURE if rejected else SpanExportResult.SUCCESS
