"""The collector's OTLP door: what is acknowledged stands in the log, anything else is answered."""

from __future__ import annotations

import gzip
import http.client
import json
import random
import urllib.parse
import zlib
from pathlib import Path

import pytest
from collector_runner import Collector, log_of, memory
from google.protobuf.json_format import ParseDict
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from hookstream.otlp.protobuf import IDS, decode, request_class

DATA = Path(__file__).parents[2] / "telemetry" / "data"
FRAMEWORKS = Path(__file__).parents[2] / "frameworks" / "data"
PROTOBUF = "application/x-protobuf"


@pytest.fixture
def log(home):
    return home.state / "events.jsonl"


@pytest.fixture
def collector(home, log):
    with Collector(home, log=str(log)) as started:
        yield started


def lines(name: str, folder: Path = DATA) -> list[dict]:
    return [json.loads(line) for line in (folder / f"{name}.otlp.jsonl").read_text().splitlines()]


def packed(export: dict, signal: str) -> bytes:
    """An export as protobuf: OTLP JSON has its ids in hex, protobuf's own JSON in base64."""
    import base64

    def encode(value):
        if isinstance(value, dict):
            return {
                key: base64.b64encode(bytes.fromhex(one)).decode() if key in IDS else encode(one)
                for key, one in value.items()
            }
        return [encode(one) for one in value] if isinstance(value, list) else value

    return ParseDict(encode(export), request_class(signal)()).SerializeToString()


def signal_of(export: dict) -> str:
    return "logs" if "resourceLogs" in export else "traces"


def types(log: Path) -> list[str]:
    return sorted(event["event_type"] for event in log_of(log))


def test_json_protobuf_and_gzip_give_the_same_events(home, collector, log):
    found = []
    for form in ("json", "protobuf", "gzip"):
        log.write_text("")
        for export in lines("claude-code-deny"):
            signal = signal_of(export)
            body = json.dumps(export).encode() if form != "protobuf" else packed(export, signal)
            headers = {"Content_Type": PROTOBUF if form == "protobuf" else "application/json"}
            if form == "gzip":
                body = gzip.compress(body)
                headers["Content_Encoding"] = "gzip"
            status, answer = collector.post(f"/v1/{signal}", body, **headers)
            assert status == 200
            assert form == "protobuf" or json.loads(answer) == {}
        found.append(types(log))
    assert found[0] == found[1] == found[2]
    assert "Policy.Blocked" in found[0]


def test_the_events_say_who_told_of_them_and_hold_no_content(home, collector, log):
    for export in lines("claude-code-no-hooks"):
        collector.post(f"/v1/{signal_of(export)}", export)
    text = log.read_text()
    assert "Try things that are not allowed" not in text
    assert text.count('"telemetry"') >= len(log_of(log))


def test_half_a_letter_costs_itself(home, collector, log):
    """Half of a pair, as a cut text has it, and a byte of no letter cost no export."""
    for export in lines("langchain.tools-openinference", FRAMEWORKS):
        export["resourceSpans"][0]["resource"]["attributes"] += [
            {"key": "cut", "value": {"stringValue": "HALF"}}
        ]
        body = json.dumps(export).encode().replace(b"HALF", b"\\ud83d \xff")
        assert collector.post("/v1/traces", body)[0] == 200
    assert "Policy.Blocked" in types(log)


def test_a_framework_is_told_of_under_its_own_name(home, collector, log):
    for export in lines("langchain.tools-openinference", FRAMEWORKS):
        assert collector.post("/v1/traces", export)[0] == 200
    assert {event["source"]["tool"] for event in log_of(log)} == {"langchain"}
    assert "Policy.Blocked" in types(log)


def test_what_is_left_out_on_purpose_is_said(home, collector, log):
    body = {
        "resourceSpans": [{"scopeSpans": [{"scope": {"name": "db"}, "spans": [{"name": "q"}]}]}]
    }
    status, answer = collector.post("/v1/traces", body)
    assert status == 200
    assert json.loads(answer)["partialSuccess"] == {"errorMessage": "not kept: 1 span of no agent"}
    status, answer = collector.post("/v1/traces", packed(body, "traces"), Content_Type=PROTOBUF)
    partial = ExportTraceServiceResponse.FromString(answer).partial_success
    assert (partial.rejected_spans, partial.error_message) == (0, "not kept: 1 span of no agent")


def test_metrics_are_taken_and_said_to_be_left_out(home, collector):
    metric = {"name": "claude_code.token.usage", "sum": {"dataPoints": []}}
    body = {"resourceMetrics": [{"scopeMetrics": [{"metrics": [metric]}]}]}
    status, answer = collector.post("/v1/metrics", body)
    assert (status, json.loads(answer)["partialSuccess"]["errorMessage"]) == (
        200,
        "not kept: 1 metric",
    )


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"Content_Type": "text/plain"}, b"{}", 415),
        ({"Content_Type": "application/grpc"}, b"\0\0\0\0\0", 415),
        ({"Content_Encoding": "br"}, b"{}", 415),
        ({}, b"{", 400),
        ({}, b"[]", 400),
        ({}, b'{"resourceSpans": 1}', 400),
        ({}, b"\xff\xfe", 400),
        ({"Content_Encoding": "gzip"}, b"{}", 400),
        ({"Content_Encoding": "gzip"}, gzip.compress(b"{}", mtime=0)[:-3], 400),
        ({"Content_Type": PROTOBUF}, b"\x0a\xff\xff", 400),
    ],
)
def test_what_is_no_export_is_refused_for_good(home, collector, log, headers, body, status):
    found, answer = collector.post("/v1/traces", body, **headers)
    assert found == status
    if headers.get("Content_Type") == PROTOBUF:
        assert Status.FromString(answer).message
    else:
        assert json.loads(answer)["message"]
    assert not log.exists()


@pytest.mark.long
def test_a_gzip_bomb_costs_no_memory(home, collector, log):
    pack = zlib.compressobj(9, wbits=31)
    zeros = bytes(1 << 20)
    bomb = b"".join(pack.compress(zeros) for _ in range(512)) + pack.flush()
    assert len(bomb) < 1 << 20
    before = memory(collector)
    assert collector.post("/v1/traces", bomb, Content_Encoding="gzip")[0] == 413
    assert memory(collector) - before < 200 << 20


def test_a_body_cut_anywhere_is_answered_and_the_collector_goes_on(home, collector, log):
    export = lines("langchain.tools-langsmith", FRAMEWORKS)[0]
    whole = packed(export, "traces")
    chance = random.Random(5)
    cuts = [0, 1, 2, 3, len(whole) - 1, *(chance.randrange(len(whole)) for _ in range(40))]
    for cut in cuts:
        status, _ = collector.post("/v1/traces", whole[:cut], Content_Type=PROTOBUF)
        assert status in (200, 400)
    noise = [chance.randbytes(chance.randrange(1, 400)) for _ in range(40)]
    for body in noise:
        status, _ = collector.post("/v1/logs", body, Content_Type=PROTOBUF)
        assert status in (200, 400)
    assert collector.post("/v1/traces", export)[0] == 200


def test_chunks_are_put_together(home, collector, log):
    body = json.dumps(lines("claude-code-deny")[0]).encode()
    url = urllib.parse.urlsplit(collector.url)
    line = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
    headers = {"Authorization": f"Bearer {collector.token}", "Content-Type": "application/json"}
    pieces = [body[at : at + 1000] for at in range(0, len(body), 1000)]
    line.request("POST", "/v1/logs", iter(pieces), headers, encode_chunked=True)
    assert line.getresponse().status == 200
    assert "Policy.Blocked" in types(log)
    line.close()


def test_a_log_that_takes_nothing_asks_to_be_sent_it_again(home):
    with Collector(home, log="/proc/nope/log.jsonl") as collector:
        status, answer = collector.post("/v1/logs", lines("claude-code-deny")[0])
    assert status == 503
    assert json.loads(answer)["code"] == 14


def test_no_token_no_export(home, collector, log):
    status, _ = collector.post("/v1/logs", lines("claude-code-deny")[0], Authorization="Bearer no")
    assert status == 401
    assert not log.exists()


def test_decoding_protobuf_gives_otlp_json_again():
    export = lines("pydantic-ai.approve-default", FRAMEWORKS)[0]
    span = export["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    again = decode(packed(export, "traces"), "traces")
    other = again["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    for name in ("traceId", "spanId", "name", "startTimeUnixNano", "endTimeUnixNano"):
        assert str(other[name]) == str(span[name])
