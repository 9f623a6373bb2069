"""OTLP over gRPC: the same events as over HTTP, a token before anything is read, honest answers."""

from __future__ import annotations

import re

import pytest
from collector_runner import Collector, log_of
from test_serve_otlp import lines, packed, signal_of, types

grpc = pytest.importorskip("grpc")
SERVICE = {
    "logs": "opentelemetry.proto.collector.logs.v1.LogsService",
    "traces": "opentelemetry.proto.collector.trace.v1.TraceService",
}


@pytest.fixture
def log(home):
    return home.state / "events.jsonl"


@pytest.fixture
def collector(home, log):
    with Collector(home, log=str(log), otlp_grpc="127.0.0.1:0") as started:
        yield started


def send(collector, body: bytes, signal: str, token: str | None = None, **more) -> bytes:
    address = re.search(r"grpc://(\S+)", collector.greeting)[1]
    given = collector.token if token is None else token
    with grpc.insecure_channel(address) as channel:
        call = channel.unary_unary(f"/{SERVICE[signal]}/Export")
        return call(body, metadata=[("authorization", f"Bearer {given}")], timeout=20, **more)


def refused(collector, *args, **more):
    with pytest.raises(grpc.RpcError) as raised:
        send(collector, *args, **more)
    return raised.value.code()


@pytest.mark.parametrize("compression", [None, grpc.Compression.Gzip])
def test_grpc_gives_the_events_that_http_gives(home, collector, log, compression):
    for export in lines("claude-code-deny"):
        collector.post(f"/v1/{signal_of(export)}", export)
    expected = types(log)
    log.write_text("")
    for export in lines("claude-code-deny"):
        signal = signal_of(export)
        assert send(collector, packed(export, signal), signal, compression=compression) == b""
    assert types(log) == expected
    assert "Policy.Blocked" in expected


@pytest.mark.parametrize("token", ["", "wrong", "x" * 43])
def test_without_the_token_nothing_is_taken(home, collector, log, token):
    (export, *_) = lines("claude-code-deny")
    signal = signal_of(export)
    code = refused(collector, packed(export, signal), signal, token)
    assert code == grpc.StatusCode.UNAUTHENTICATED
    assert not log_of(log)


def test_what_is_no_export_is_refused_for_good(collector, log):
    assert refused(collector, b"\xff" * 99, "logs") == grpc.StatusCode.INVALID_ARGUMENT
    bomb = bytes(80 * 2**20)
    code = refused(collector, bomb, "traces", compression=grpc.Compression.Gzip)
    assert code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert not log_of(log)


def test_a_log_that_takes_nothing_says_come_again(home):
    (export, *_) = [one for one in lines("claude-code-deny") if signal_of(one) == "logs"]
    with Collector(home, log="/proc/nope/log.jsonl", otlp_grpc="127.0.0.1:0") as collector:
        code = refused(collector, packed(export, "logs"), "logs")
    assert code == grpc.StatusCode.UNAVAILABLE


def test_an_address_that_others_reach_needs_tls():
    from hookstream.capture.collector.serve import Options, check
    from hookstream.core.errors import HookstreamError

    with pytest.raises(HookstreamError, match="needs --tls-cert"):
        check(Options(http="127.0.0.1:0", otlp_grpc="0.0.0.0:4317"))
