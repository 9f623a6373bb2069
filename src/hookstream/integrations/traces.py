"""The trace that OpenTelemetry exports of a run: a session for frameworks that name none, and the
one that spans of the run have too."""

from __future__ import annotations

from typing import Any

from opentelemetry.sdk.trace import SpanProcessor
from opentelemetry.trace import SpanContext, get_current_span, get_tracer_provider

from hookstream.core.limits import make_room

CREWS = 4096


def exported_trace() -> str | None:
    """The trace of the span that the running code is inside of, if there is one."""
    return name_of(get_current_span().get_span_context())


def name_of(context: SpanContext) -> str | None:
    return format(context.trace_id, "032x") if context.is_valid else None


class CrewTraces(SpanProcessor):
    """The trace of each crew that OpenInference's listener exports. Its spans are current in no
    thread, but the first of a run names the crew."""

    def __init__(self) -> None:
        self.by_crew: dict[str, str] = {}
        self.is_added = False

    def add(self) -> None:
        """Watch the spans of the program's tracer provider, where it has set one."""
        take = getattr(get_tracer_provider(), "add_span_processor", None)
        if not self.is_added and take is not None:
            take(self)
            self.is_added = True

    def on_start(self, span: Any, parent_context: Any = None) -> None:
        crew, scope = (span.attributes or {}).get("crew_id"), span.instrumentation_scope
        # CrewAI's own telemetry names crews too, in traces that are not exported here.
        if crew and scope is not None and scope.name.startswith("openinference."):
            make_room(self.by_crew, CREWS)
            self.by_crew[str(crew)] = name_of(span.get_span_context()) or str(crew)
