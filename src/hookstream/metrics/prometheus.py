"""Samples as Prometheus text, through prometheus_client; and a small server for processes that have
none: /metrics, /healthz, /readyz."""

from __future__ import annotations

import threading
from socketserver import TCPServer
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import HookstreamError
from hookstream.metrics.samples import COUNTER, FAMILIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hookstream.metrics.samples import Figures, Ready, Sample

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


def text(figures: Figures) -> bytes:
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
            kind, body = KIND, text(figures)
        elif path == "/readyz":
            problems = ready()
            if problems:
                status = "503 Service Unavailable"
                body = "".join(f"{one}\n" for one in problems).encode()
        elif path != "/healthz":
            status, body = "404 Not Found", b"/metrics, /healthz, /readyz\n"
        start(status, [("Content-Type", kind), ("Content-Length", str(len(body)))])
        return [body]

    return answer


def serve(address: str, figures: Figures, ready: Ready) -> tuple[str, int]:
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
