"""Figures of a process about itself: families, and samples, shown to Prometheus or sent by OTLP.

Names and units are Prometheus': `_total` counts since the process or its state began, `_seconds`
and `_bytes` are base units. No label names a user, a path or an id.
"""

from __future__ import annotations

import os
import threading
from socketserver import TCPServer
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from hookstream.core.errors import HookstreamError, extra
from hookstream.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    Figures: TypeAlias = Callable[[], list["Sample"]]
    Ready: TypeAlias = Callable[[], list[str]]

COUNTER, GAUGE = "counter", "gauge"
# family -> (kind, what it means)
FAMILIES = {
    "hookstream_build": (GAUGE, "Always 1; the version that runs."),
    "hookstream_records_total": (COUNTER, "Records read, by what became of them."),
    "hookstream_events_total": (COUNTER, "Events produced."),
    "hookstream_rule_hits_total": (COUNTER, "Events on which a rule matched, by rule."),
    "hookstream_redactions_total": (COUNTER, "Secrets replaced, by rule."),
    "hookstream_source_lag_bytes": (GAUGE, "Bytes of the sources that are not read yet."),
    "hookstream_source_lag_records": (GAUGE, "Messages of a partition that are not read yet."),
    "hookstream_partitions": (GAUGE, "Partitions of a topic that this process consumes."),
    "hookstream_partition_failures": (GAUGE, "Failed tries in a row of a partition's sink."),
    "hookstream_dead_letters_total": (COUNTER, "Records that a sink of a consumer refused."),
    "hookstream_spool_bytes": (GAUGE, "Size of the spool."),
    "hookstream_state_damaged": (GAUGE, "Files of the state that were found damaged."),
    "hookstream_sink_delivered_total": (COUNTER, "Records that a sink has answered for."),
    "hookstream_sink_retried_total": (COUNTER, "Records offered to a sink again."),
    "hookstream_sink_dead_letters_total": (COUNTER, "Records that a sink refused for good."),
    "hookstream_sink_filtered_total": (COUNTER, "Records that a sink's filter left out."),
    "hookstream_sink_dropped_total": (COUNTER, "Records removed from the spool before their turn."),
    "hookstream_sink_damaged_total": (COUNTER, "Records damaged in the spool."),
    "hookstream_sink_queue_records": (GAUGE, "Records that wait for a sink."),
    "hookstream_sink_lag_seconds": (GAUGE, "Age of the oldest record that waits for a sink."),
    "hookstream_sink_failures": (GAUGE, "Failed tries in a row; 0 where the last one succeeded."),
    "hookstream_collector_payloads_total": (COUNTER, "Payloads taken from hooks and agents."),
    "hookstream_collector_problems_total": (COUNTER, "Payloads that could not be recorded."),
    "hookstream_collector_refused_total": (COUNTER, "HTTP requests refused, by status."),
    "hookstream_fleet_requests_total": (COUNTER, "Requests of shippers taken."),
    "hookstream_fleet_lines_total": (COUNTER, "Lines appended to machines' logs."),
    "hookstream_fleet_duplicates_total": (COUNTER, "Lines left out because they came before."),
    "hookstream_fleet_skipped_total": (COUNTER, "Lines that shippers never sent."),
    "hookstream_fleet_foreign_lines_total": (COUNTER, "Lines under another machine's id."),
    "hookstream_fleet_held_off_total": (COUNTER, "Requests sent away with 429 or 503."),
    "hookstream_fleet_machines": (GAUGE, "Machines that have shipped."),
    "hookstream_fleet_machines_silent": (GAUGE, "Of these, not seen for a day."),
    "hookstream_fleet_machine_last_seen_seconds": (GAUGE, "When a machine shipped last (Unix)."),
}


class Sample(NamedTuple):
    """One figure; `family` is a name of FAMILIES."""

    family: str
    value: float
    labels: dict[str, str] = {}  # noqa: RUF012  never changed


def build_info() -> Sample:
    from hookstream.version import __version__

    return Sample("hookstream_build", 1, {"version": __version__})


KIND = "text/plain; version=0.0.4; charset=utf-8"


class Collector:
    """A collector of the current figures."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        by_family: dict[str, list[Sample]] = {}
        for sample in self.figures():
            by_family.setdefault(sample.family, []).append(sample)
        for name, found in by_family.items():
            kind, about = FAMILIES[name]
            labels = list(found[0].labels)
            make = CounterMetricFamily if kind == COUNTER else GaugeMetricFamily
            family = make(name, about, labels=labels)
            for one in found:
                family.add_metric([one.labels[label] for label in labels], one.value)
            yield family


def prometheus_text(figures: Figures) -> bytes:
    """The page of /metrics. HookstreamError if prometheus_client is not installed."""
    try:
        from prometheus_client import CollectorRegistry, generate_latest
    except ImportError:
        raise HookstreamError("metrics need the package prometheus-client") from None
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Collector(figures))
    page: bytes = generate_latest(registry)
    return page


def pages(figures: Figures, ready: Ready) -> Callable[..., Iterable[bytes]]:
    """The WSGI application."""

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        status, kind, body = "200 OK", "text/plain; charset=utf-8", b"ok\n"
        if path == "/metrics":
            kind, body = KIND, prometheus_text(figures)
        elif path == "/readyz":
            problems = ready()
            if problems:
                status = "503 Service Unavailable"
                body = "".join(f"{problem}\n" for problem in problems).encode()
        elif path != "/healthz":
            status, body = "404 Not Found", b"/metrics, /healthz, /readyz\n"
        start(status, [("Content-Type", kind), ("Content-Length", str(len(body)))])
        return [body]

    return answer


def serve_metrics(address: str, figures: Figures, ready: Ready) -> tuple[str, int]:
    """Serve the pages in a thread at [HOST:]PORT (default loopback); return the address. Raises
    HookstreamError."""
    from wsgiref.simple_server import WSGIRequestHandler, make_server

    try:
        from prometheus_client.exposition import ThreadingWSGIServer
    except ImportError:
        raise HookstreamError("--metrics: needs the package prometheus-client") from None

    class Server(ThreadingWSGIServer):
        def server_bind(self) -> None:
            """Without asking the name service what the address is called, which can take long."""
            TCPServer.server_bind(self)
            name, port = self.socket.getsockname()[:2]
            self.server_name, self.server_port = str(name), int(port)
            self.setup_environ()

    class Quiet(WSGIRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Do not log a scrape."""

    host, _, port = address.rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise HookstreamError(f"--metrics: {address!r} is not a [HOST:]PORT")
    try:
        server = make_server(
            host.strip("[]") or "127.0.0.1",
            int(port),
            pages(figures, ready),
            Server,
            handler_class=Quiet,
        )
    except OSError as error:
        raise HookstreamError(f"--metrics {address}: {error.strerror or error}") from None
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server.server_name, server.server_port


PERIOD_S = 60.0
END_S = 1.0
INSTANCE = "service.instance.id"


def send_metrics(url: str, figures: Figures, service: str) -> Callable[[], None]:
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
        raise HookstreamError(f"--metrics-otlp: {extra('otel')}") from None

    exporter = OTLPMetricExporter(endpoint=url)
    reader = PeriodicExportingMetricReader(exporter, PERIOD_S * 1000)
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
