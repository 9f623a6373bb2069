"""Every sink with its real far end on loopback, and all the bytes that came out of each."""

from __future__ import annotations

import shutil
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from canary_search import opened

sys.path.append(str(Path(__file__).parents[1]))

from hookstream.sinks import Sink, open_sink
from hookstream.standards.rendered import Rendered
from sinks import receivers
from sinks.cluster import cluster
from sinks.receivers import Receiver, SyslogReceiver, serve, serve_syslog

NOW = "2026-11-21T00:00:00Z"
TOKEN = "collector-" + "7" * 8
FILES = ("jsonl", "parquet", "cloudevents")
# name -> (kind of far end, URI with its address, options); `arguments` sends the most there is.
FAR: dict[str, tuple[str, str, dict[str, Any]]] = {
    "otlp": ("otlp", "otlp:{}", {"arguments": True, "spans": True}),
    "cloudevents-batch": ("http", "cloudevents:{}/in", {"mode": "batch"}),
    "webhook": ("http", "webhook:{}/hook", {"body": "json"}),
    "webhook-ocsf": ("http", "webhook:{}/hook", {"format": "ocsf", "arguments": True}),
    "webhook-cef": ("http", "webhook:{}/hook", {"format": "cef", "arguments": True}),
    "splunk": ("splunk", "splunk:{}", {"token": TOKEN}),
    "splunk-ocsf": ("splunk", "splunk:{}", {"token": TOKEN, "format": "ocsf"}),
    "elastic": ("elastic", "elastic:{}", {"arguments": True}),
    "syslog": ("syslog", "syslog:tcp://127.0.0.1:{}", {}),
    "syslog-cef": ("syslog", "syslog:tcp://127.0.0.1:{}", {"format": "cef", "arguments": True}),
    "kafka": ("kafka", "kafka:{}", {}),
    "kafka-cloudevents": ("kafka", "kafka:{}", {"format": "cloudevents"}),
}
# One request an event: only so many of a batch.
SINGLY: dict[str, tuple[str, str, dict[str, Any]]] = {
    "cloudevents-binary": ("http", "cloudevents:{}/in", {"mode": "binary"}),
    "cloudevents": ("http", "cloudevents:{}/in", {"mode": "structured"}),
}
FEW = 24


class Far:
    """One far end and what it was sent."""

    def __init__(self, kind: str, stack: ExitStack) -> None:
        self.kind = kind
        self.topic = ""
        self.address: Any = None
        if kind == "syslog":
            self.syslog = stack.enter_context(serve_syslog(SyslogReceiver()))
            self.address = self.syslog.port
        elif kind == "kafka":
            self.kafka = stack.enter_context(cluster())
            self.address = self.kafka.servers
        else:
            self.http = stack.enter_context(serve(Receiver(self.answer)))
            self.address = self.http.url()

    def answer(self, request: Any) -> Any:
        if self.kind == "otlp":
            return receivers.otlp_answer()
        if self.kind == "elastic":
            return receivers.Bulk()(request)
        if self.kind == "splunk":
            return receivers.Collector(TOKEN)(request)
        return receivers.plain(request)

    def take(self, least: int) -> list[bytes]:
        """All it was sent since the last time, once at least so many messages came."""
        if self.kind == "syslog":
            until = time.monotonic() + 30
            while len(self.syslog.frames) < least and time.monotonic() < until:
                time.sleep(0.005)
            frames, self.syslog.frames = self.syslog.frames, []
            assert len(frames) >= least
            return [f"{f.host} {f.app} {f.kind} {f.structured} ".encode() + f.body for f in frames]
        if self.kind == "kafka":
            found = self.kafka.messages(self.topic, least)
            return [repr((m.key(), m.headers())).encode() + m.value() for m in found]
        requests, self.http.requests = self.http.requests, []
        assert least == 0 or requests
        return [repr((r.path, r.headers)).encode() + r.body for r in requests]


class Outlets:
    """The sinks of the given names, opened anew for every batch."""

    def __init__(self, folder: Path, stack: ExitStack, names: tuple[str, ...]) -> None:
        self.folder = folder
        self.batches = 0
        self.files = [kind for kind in FILES if kind in names]
        self.places = {
            name: (uri, options, Far(kind, stack))
            for name, (kind, uri, options) in {**FAR, **SINGLY}.items()
            if name in names
        }

    def write(self, items: list[Rendered], rejections: list[bytes]) -> dict[str, bytes]:
        """A batch through every sink: what each wrote or sent, decoded, in one piece."""
        came: dict[str, bytes] = {}
        for kind in self.files:
            place = self.folder / kind
            put(open_sink(f"{kind}:{place}", now=lambda: NOW), items, rejections)
            files = [path for path in place.rglob("*") if path.is_file()]
            names = "\n".join(str(path.relative_to(place)) for path in files).encode()
            came[kind] = b"\n".join([names, *(part for path in files for part in opened(path))])
            shutil.rmtree(place)
        for name, (uri, options, far) in self.places.items():
            given = items[:: max(1, len(items) // FEW)] if name in SINGLY else items
            uri = uri.format(far.address)
            if far.kind == "kafka":
                far.topic = f"{name}-{self.batches}"
                uri = f"{uri}/{far.topic}"
            put(open_sink(uri, **{"now": lambda: NOW, **options}), given, rejections)
            came[name] = b"\n".join(far.take(len(given)))
        self.batches += 1
        return came


def put(sink: Sink, items: list[Rendered], rejections: list[bytes]) -> None:
    for at in range(0, len(items), 512):
        receipts = sink.write(items[at : at + 512])
        assert all(r.status == "delivered" for r in receipts), [r for r in receipts if r.reason][:1]
    sink.reject(rejections)
    sink.close()
