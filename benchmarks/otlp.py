"""The collector under OTLP: spans a second over some seconds, with hostile bodies in between.

    python benchmarks/otlp.py [SPANS_A_SECOND] [SECONDS]

Two senders with exports of 100 spans in protobuf, every second one in gzip, as batch processors
send them. Beside them one sends gzip bombs, malformed protobuf, bodies cut anywhere, and wrong
content types. The collector is killed at the end: every export that was answered 200 must stand in
the log whole. Prints one JSON object; exits 1 where something was lost or answered otherwise.
"""

from __future__ import annotations

import base64
import gzip
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

SERVE = (
    "from hookstream.capture.collector.serve import Options, serve;"
    "serve(Options(http='127.0.0.1:0', socket='off', log={log!r}))"
)
BATCH = 100
SENDERS = 2
HOSTILE_EVERY_S = 0.1
PROTOBUF = "application/x-protobuf"


def span_of(number: int, place: int) -> dict[str, object]:
    """A model's span, then a tool's, and so on."""
    trace = (number * 10 + place // 10).to_bytes(16, "big")
    span = (number * BATCH + place + 1).to_bytes(8, "big")
    begin = time.time_ns()
    tool = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "run_shell",
        "gen_ai.tool.call.id": f"call_{number}_{place}",
        "gen_ai.tool.call.arguments": '{"command": "make test"}',
        "gen_ai.tool.call.result": "42 passed",
    }
    model = {
        "gen_ai.operation.name": "chat",
        "gen_ai.response.model": "gpt-5-mini",
        "gen_ai.usage.input_tokens": 900,
        "gen_ai.usage.output_tokens": 20,
    }
    held = {**(tool if place % 2 else model), "gen_ai.conversation.id": f"s-{number % 50}"}
    kinds = {int: "intValue", str: "stringValue"}
    return {
        "traceId": base64.b64encode(trace).decode(),
        "spanId": base64.b64encode(span).decode(),
        "name": "execute_tool run_shell" if place % 2 else "chat gpt-5-mini",
        "startTimeUnixNano": str(begin),
        "endTimeUnixNano": str(begin + 5_000_000),
        "attributes": [{"key": k, "value": {kinds[type(v)]: v}} for k, v in held.items()],
    }


def export(number: int) -> bytes:
    spans = [span_of(number, place) for place in range(BATCH)]
    scope = {"scope": {"name": "pydantic-ai"}, "spans": spans}
    body = ParseDict({"resourceSpans": [{"scopeSpans": [scope]}]}, ExportTraceServiceRequest())
    return bytes(body.SerializeToString())


def hostile(
    chance: random.Random, whole: bytes, bomb: bytes
) -> tuple[bytes, dict[str, str], set[int]]:
    """A body that nobody should take, its headers, and the answers that are honest. A body that is
    cut between two fields is an export of fewer spans."""
    packed = gzip.compress(whole)
    kind = {"Content-Type": PROTOBUF}
    zipped = {**kind, "Content-Encoding": "gzip"}
    return chance.choice(
        [
            (bomb, zipped, {413}),
            (chance.randbytes(2000), kind, {400}),
            (whole[: chance.randrange(1, len(whole))], kind, {400, 200}),
            (packed[: chance.randrange(1, len(packed))], zipped, {400}),
            (whole, {"Content-Type": "text/html"}, {415}),
            (whole, {"Content-Type": "application/json"}, {400}),
            (whole, {**kind, "Content-Encoding": "br"}, {415}),
        ]
    )


class Load:
    """What was sent to a collector and what it answered."""

    def __init__(self, url: str, token: str, rate: int, bodies: list[bytes]) -> None:
        self.place = urlsplit(url).netloc
        self.token = token
        self.rate = rate
        self.bodies = bodies
        self.begin = time.monotonic()
        self.took: list[float] = []
        self.acknowledged: list[int] = []
        self.answers: Counter[int] = Counter()
        self.odd: Counter[str] = Counter()
        self.hostile = 0
        self.over = threading.Event()

    def post(self, line: http.client.HTTPConnection, body: bytes, headers: dict[str, str]) -> int:
        line.request(
            "POST", "/v1/traces", body, {**headers, "Authorization": f"Bearer {self.token}"}
        )
        reply = line.getresponse()
        reply.read()
        return reply.status

    def send(self, first: int) -> None:
        line = http.client.HTTPConnection(self.place, timeout=60)
        for number in range(first, len(self.bodies), SENDERS):
            due = self.begin + number * BATCH / self.rate
            time.sleep(max(0.0, due - time.monotonic()))
            body, headers = self.bodies[number], {"Content-Type": PROTOBUF}
            if number % 4 > 1:
                body, headers = gzip.compress(body, 1), {**headers, "Content-Encoding": "gzip"}
            sent = time.monotonic()
            status = self.post(line, body, headers)
            self.took.append(time.monotonic() - sent)
            self.answers[status] += 1
            if status == 200:
                self.acknowledged.append(number)

    def attack(self) -> None:
        chance = random.Random(7)
        whole, bomb = export(10**9), gzip.compress(bytes(80 * 1024 * 1024), 1)
        while not self.over.wait(HOSTILE_EVERY_S):
            line = http.client.HTTPConnection(self.place, timeout=60)
            body, headers, honest = hostile(chance, whole, bomb)
            try:
                status = self.post(line, body, headers)
            except (OSError, http.client.HTTPException) as error:
                self.odd[f"{headers} {type(error).__name__}"] += 1
            else:
                self.hostile += 1
                if status not in honest:
                    self.odd[f"{headers} {status}"] += 1
            line.close()

    def run(self) -> float:
        threads = [threading.Thread(target=self.send, args=(n,)) for n in range(SENDERS)]
        attacker = threading.Thread(target=self.attack)
        for thread in (*threads, attacker):
            thread.start()
        for thread in threads:
            thread.join()
        elapsed = time.monotonic() - self.begin
        self.over.set()
        attacker.join()
        return elapsed


def usage(pid: int) -> tuple[float, int]:
    """Processor seconds and the most memory in MB of a process (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    status = Path(f"/proc/{pid}/status").read_text()
    peak = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    ticks = int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK"), int(peak) // 1024


def lost_of(log: Path, acknowledged: list[int]) -> int:
    """How many calls of exports that were answered 200 lack one of their two events."""
    ends: Counter[str] = Counter()
    for text in log.read_bytes().splitlines():
        event = json.loads(text)
        if event["event_type"] in ("Action.Before", "Action.After"):
            ends[event["metadata"]["dev.hookstream"]["call_id"]] += 1
    calls = (f"call_{n}_{place}" for n in acknowledged for place in range(1, BATCH, 2))
    return sum(ends[call] != 2 for call in calls)


def main() -> int:
    rate = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    count = rate * seconds // BATCH
    bodies = [export(number) for number in range(count)]
    with tempfile.TemporaryDirectory() as home:
        log = Path(home) / "events.jsonl"
        env = {**os.environ, "HOME": home, "XDG_STATE_HOME": f"{home}/state"}
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE.format(log=str(log))],
            env=env,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        url = process.stderr.readline().split()[-1]
        token = (Path(home) / "state/hookstream/collector.token").read_text().strip()
        load = Load(url, token, rate, bodies)
        load.post(http.client.HTTPConnection(load.place), export(10**8), {"Content-Type": PROTOBUF})
        before, _ = usage(process.pid)  # the rules are compiled once a machine
        load.begin = time.monotonic()
        elapsed = load.run()
        after, peak = usage(process.pid)
        process.kill()
        process.wait()
        lost = lost_of(log, load.acknowledged)
    took = sorted(load.took)
    figures = {
        "spans": count * BATCH,
        "asked_a_second": rate,
        "spans_a_second": round(count * BATCH / elapsed),
        "spans_a_processor_second": round(count * BATCH / (after - before)),
        "answers": dict(load.answers),
        "lost_calls": lost,
        "hostile": load.hostile,
        "hostile_answered_otherwise": dict(load.odd),
        "p50_ms": round(took[len(took) // 2] * 1000, 1),
        "p99_ms": round(took[len(took) * 99 // 100] * 1000, 1),
        "peak_mb": peak,
        "load_average": round(os.getloadavg()[0], 1),
    }
    print(json.dumps(figures))
    return 1 if lost or load.odd or set(load.answers) != {200} else 0


if __name__ == "__main__":
    raise SystemExit(main())
