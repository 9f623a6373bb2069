"""What each sink takes in, beside writing JSON Lines. Prints Markdown.

    python benchmarks/delivery/sinks.py [--records 20000] [--only NAME ...]

Every sink gets the same records as a follower hands them over (lines of the spool, read back when
a format needs the Event), in batches of 512 and with one flush at the end, and sends them to a real
receiver on loopback in a process of its own. Before each measurement stands one of `jsonl:`: `time`
is how many times as long the sink takes, `CPU` how many times the processor time (the receiver does
not count there), each the median of the rounds.
"""

from __future__ import annotations

import argparse
import multiprocessing
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from hookstream.delivery.batch import FanOut, run_files  # noqa: E402
from hookstream.delivery.job import Job, make_pipeline  # noqa: E402
from hookstream.delivery.spool_reader import Position, SpoolEntry, SpoolRecord  # noqa: E402
from hookstream.sinks import open_sink  # noqa: E402
from sinks import receivers  # noqa: E402
from sinks.cluster import cluster  # noqa: E402

BATCH = 512
NOW = "2026-03-01T12:00:00.000Z"
TOKEN = "collector-" + "7" * 8
# Those that post one event a request are measured on fewer of them.
SINGLE = 10


def lines(folder: Path, count: int) -> list[bytes]:
    """Agent Hooks lines of the shipped samples, again and again."""
    sink = open_sink(f"jsonl:{folder}")
    job = Job([], [], now=NOW, pseudonym_key_file=folder / "pseudonym.key")
    files: list[Path | None] = [
        path
        for path in sorted((ROOT / "samples").rglob("*.jsonl"))
        if not path.name.endswith(".expected.jsonl")
    ]
    run_files(files, make_pipeline(job), FanOut([sink]))
    sink.close()
    found = (folder / "agent-hooks.jsonl").read_bytes().splitlines()
    return (found * (count // len(found) + 1))[:count]


def records(given: list[bytes]) -> Iterator[list[Any]]:
    for first in range(0, len(given), BATCH):
        yield [
            SpoolRecord(SpoolEntry("E", first + n, 0, line, Position(first + n + 1, 0, 0)))
            for n, line in enumerate(given[first : first + BATCH])
        ]


# receivers, each in a process of its own


def http(kind: str, port: Any) -> None:
    """Answers as the kind's server does, and keeps nothing."""
    said = {
        "elastic": (200, {}, b'{"errors":false,"items":[]}'),
        "splunk": (200, {}, b'{"text":"Success","code":0}'),
        "otlp": receivers.otlp_answer(),
    }.get(kind, (200, {}, b""))

    class Taking(receivers.Receiver):
        def take(self, request: receivers.Request) -> Any:
            return said

    with receivers.serve(Taking(receivers.plain)) as far:
        port.send(far.port)
        port.recv()


def grpc(_: str, port: Any) -> None:
    with receivers.serve_grpc() as far:
        port.send(far.port)
        port.recv()


def tcp(_: str, port: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port.send(server.getsockname()[1])
        while True:
            connection, _address = server.accept()
            threading.Thread(target=drain, args=(connection,), daemon=True).start()


def drain(connection: socket.socket) -> None:
    while connection.recv(1 << 20):
        pass


def udp(_: str, port: Any) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
        server.bind(("127.0.0.1", 0))
        port.send(server.getsockname()[1])
        while True:
            server.recv(1 << 16)


@contextmanager
def receiving(serve: Callable[[str, Any], None], kind: str) -> Iterator[int]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(kind, theirs))
    process.start()
    try:
        yield ours.recv()
    finally:
        process.terminate()
        process.join()


# sinks

Case = tuple[str, str, Callable[[str, Any], None] | None, str, dict[str, Any]]
# name, URI with {out} and {port}, receiver, its kind, options
CASES: list[Case] = [
    ("jsonl:", "jsonl:{out}", None, "", {}),
    ("jsonl:, ocsf", "jsonl:{out}", None, "", {"format": "ocsf"}),
    ("jsonl:, ecs", "jsonl:{out}", None, "", {"format": "ecs"}),
    ("jsonl:, cef", "jsonl:{out}", None, "", {"format": "cef"}),
    ("parquet:", "parquet:{out}", None, "", {}),
    ("delta:", "delta:{out}", None, "", {}),
    ("cloudevents: folder", "cloudevents:{out}", None, "", {}),
    ("cloudevents: batch", "cloudevents:http://127.0.0.1:{port}/", http, "", {"mode": "batch"}),
    ("cloudevents: structured", "cloudevents:http://127.0.0.1:{port}/", http, "single", {}),
    (
        "cloudevents: binary",
        "cloudevents:http://127.0.0.1:{port}/",
        http,
        "single",
        {"mode": "binary"},
    ),
    ("otlp: HTTP", "otlp:http://127.0.0.1:{port}", http, "otlp", {}),
    ("otlp: HTTP, gzip", "otlp:http://127.0.0.1:{port}", http, "otlp", {"compression": "gzip"}),
    ("otlp: HTTP, spans", "otlp:http://127.0.0.1:{port}", http, "otlp", {"spans": True}),
    ("otlp: gRPC", "otlp:grpc://127.0.0.1:{port}", grpc, "", {}),
    ("splunk:", "splunk:http://127.0.0.1:{port}", http, "splunk", {"token": TOKEN}),
    ("elastic:", "elastic:http://127.0.0.1:{port}", http, "elastic", {}),
    ("webhook:", "webhook:http://127.0.0.1:{port}/", http, "", {}),
    ("syslog: TCP", "syslog:tcp://127.0.0.1:{port}", tcp, "", {}),
    ("syslog: TCP, CEF", "syslog:tcp://127.0.0.1:{port}", tcp, "", {"format": "cef"}),
    ("syslog: UDP, CEF", "syslog:udp://127.0.0.1:{port}", udp, "", {"format": "cef"}),
    ("kafka:", "kafka:{servers}/agents", None, "", {}),
    ("kafka: CloudEvents", "kafka:{servers}/agents", None, "", {"format": "cloudevents"}),
]


def measure(case: Case, given: list[bytes], tmp: Path) -> tuple[float, float, int]:
    """Seconds and processor seconds an event, and how many were refused for good."""
    _, uri, serve, kind, options = case
    if kind == "single":
        given = given[::SINGLE]
    with ExitStack() as stack:
        port = stack.enter_context(receiving(serve, kind)) if serve else 0
        servers = stack.enter_context(cluster()).servers if "{servers}" in uri else ""
        out = tmp / str(time.monotonic_ns())
        sink = open_sink(uri.format(out=out, port=port, servers=servers), **options)
        began, cpu = time.perf_counter(), time.process_time()
        refused = 0
        for batch in records(given):
            refused += written(sink, batch)
        sink.flush()
        took, used = time.perf_counter() - began, time.process_time() - cpu
        sink.close()
    return took / len(given), used / len(given), refused


def written(sink: Any, batch: list[Any]) -> int:
    """Every record settled; how many the sink refused."""
    refused = 0
    while batch:
        receipts = sink.write(batch)
        refused += sum(one.status == "rejected" for one in receipts)
        again = [i for i, r in zip(batch, receipts, strict=True) if r.status == "retry"]
        if again:
            time.sleep(min(0.05, max(one.after_s for one in receipts)))
        batch = again
    return refused


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    print("| sink | time, jsonl: = 1 | CPU, jsonl: = 1 | CPU, µs an event | refused |")
    print("| --- | ---: | ---: | ---: | ---: |", flush=True)
    with tempfile.TemporaryDirectory(prefix="sinks-") as name:
        tmp = Path(name)
        given = lines(tmp / "lines", asked.records)
        measure(CASES[0], given[:1000], tmp)  # what is imported late is not the first one's time
        for case in CASES:
            if asked.only and case[0] not in asked.only:
                continue
            measure(case, given[:1000], tmp)
            times, costs, own, refused = [], [], [], 0
            for _ in range(asked.rounds):
                base, base_cpu, _ = measure(CASES[0], given, tmp)
                took, used, refused = measure(case, given, tmp)
                times.append(took / base)
                costs.append(used / base_cpu)
                own.append(used * 1e6)
            cells = [f"{median(times):.1f}", f"{median(costs):.1f}", f"{median(own):.0f}", refused]
            print("| " + " | ".join(map(str, [case[0], *cells])) + " |", flush=True)


if __name__ == "__main__":
    main()
