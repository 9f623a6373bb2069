"""The collector under OTLP: spans a second over some seconds, two senders, answers and latency.

    python benchmarks/otlp.py [SPANS_A_SECOND] [SECONDS]

Prints one JSON object. Exports of 100 spans, as a batch processor sends them, in protobuf.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

SERVE = (
    "from hookstream.capture.collector.serve import Options, serve;"
    "serve(Options(http='127.0.0.1:0', log={log!r}))"
)
BATCH = 100
SENDERS = 2


def export(number: int) -> bytes:
    """An export of an agent's spans: a model's, then a tool's, and so on."""
    spans = []
    for place in range(BATCH):
        trace = (number * 10 + place // 10).to_bytes(16, "big")
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
        spans.append(
            {
                "traceId": base64.b64encode(trace).decode(),
                "spanId": base64.b64encode(
                    (number * BATCH + place + 1).to_bytes(8, "big")
                ).decode(),
                "name": "execute_tool run_shell" if place % 2 else "chat gpt-5-mini",
                "startTimeUnixNano": str(begin),
                "endTimeUnixNano": str(begin + 5_000_000),
                "attributes": [
                    {
                        "key": key,
                        "value": {"intValue": one}
                        if isinstance(one, int)
                        else {"stringValue": one},
                    }
                    for key, one in held.items()
                ],
            }
        )
    scope = {"scope": {"name": "pydantic-ai"}, "spans": spans}
    body = ParseDict({"resourceSpans": [{"scopeSpans": [scope]}]}, ExportTraceServiceRequest())
    return body.SerializeToString()


def main() -> None:
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
        took: list[float] = []
        answers: dict[int, int] = {}
        lock = threading.Lock()
        begin = time.monotonic()

        def send(first: int) -> None:
            for number in range(first, count, SENDERS):
                due = begin + number * BATCH / rate
                time.sleep(max(0.0, due - time.monotonic()))
                request = urllib.request.Request(
                    f"{url}/v1/traces",
                    bodies[number],
                    {
                        "Authorization": f"Bearer {token}",
                        "Content-Type": "application/x-protobuf",
                    },
                )
                sent = time.monotonic()
                with urllib.request.urlopen(request, timeout=60) as reply:
                    reply.read()
                with lock:
                    took.append(time.monotonic() - sent)
                    answers[reply.status] = answers.get(reply.status, 0) + 1

        threads = [threading.Thread(target=send, args=(n,)) for n in range(SENDERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        elapsed = time.monotonic() - begin
        process.kill()
        process.wait()
        written = sum(1 for _ in log.open("rb"))
    took.sort()
    print(
        json.dumps(
            {
                "spans": count * BATCH,
                "asked_a_second": rate,
                "spans_a_second": round(count * BATCH / elapsed),
                "answers": answers,
                "events_written": written,
                "events_expected": count * BATCH * 2,
                "p50_ms": round(took[len(took) // 2] * 1000, 1),
                "p99_ms": round(took[len(took) * 99 // 100] * 1000, 1),
            }
        )
    )


if __name__ == "__main__":
    main()
