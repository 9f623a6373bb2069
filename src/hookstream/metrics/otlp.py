"""Samples sent by OTLP/HTTP with OpenTelemetry's own exporter, every minute by default."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from hookstream.core.errors import HookstreamError
from hookstream.metrics.samples import COUNTER, FAMILIES
from hookstream.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hookstream.metrics.samples import Figures, Sample

PERIOD_S = 60.0
END_S = 1.0
INSTANCE = "service.instance.id"


def send(
    url: str, figures: Figures, service: str, period_s: float = PERIOD_S
) -> Callable[[], None]:
    """Send the figures to `url` (with the path /v1/metrics) until the function it returns is
    called, which sends them a last time, within `END_S`. HookstreamError if OpenTelemetry's
    packages are not installed."""
    try:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.metrics import Observation
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import Resource
    except ImportError:
        raise HookstreamError(
            "--metrics-otlp: needs the package opentelemetry-exporter-otlp-proto-http"
        ) from None

    exporter = OTLPMetricExporter(endpoint=url)
    reader = PeriodicExportingMetricReader(exporter, period_s * 1000)
    about = {"service.name": service, "service.version": __version__}
    if INSTANCE not in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", ""):
        about[INSTANCE] = str(uuid4())  # the figures of two machines are not one series
    provider = MeterProvider([reader], Resource.create(about), shutdown_on_exit=False)
    meter = provider.get_meter("hookstream", __version__)
    asked = FiguresOfExport(figures)

    def callback(name: str) -> Callable[[Any], Iterator[Any]]:
        def observe(_: Any) -> Iterator[Any]:
            for one in asked.of(name):
                yield Observation(one.value, one.labels)

        return observe

    for name, (kind, text) in FAMILIES.items():
        plain, asking = name.removesuffix("_total"), [callback(name)]
        if kind == COUNTER:
            meter.create_observable_counter(plain, asking, description=text)
        else:
            meter.create_observable_gauge(plain, asking, description=text)

    def end() -> None:
        """An endpoint that does not answer holds no program back."""
        ending = threading.Thread(target=provider.shutdown, daemon=True)
        ending.start()
        ending.join(END_S)

    return end


class FiguresOfExport:
    """The figures of one export: taken when its first family is asked for."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self.found: list[Sample] = []

    def of(self, family: str) -> list[Sample]:
        if family == next(iter(FAMILIES)):
            self.found = self.figures()
        return [one for one in self.found if one.family == family]
