"""How a collector and a shipper are watched: log lines with levels, figures by OTLP, refusals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from collector_runner import SERVE, Collector, served
from test_ship import TOKENS, credentials, log, log_lines, shipper, until

from sinks import receivers

CLAUDE = {"session_id": "s1", "cwd": "/w", "hook_event_name": "Stop"}


@pytest.fixture
def metrics():
    """An OTLP endpoint, and the figures it has got: (service, name) -> sum over points."""
    from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
        ExportMetricsServiceRequest,
    )

    with receivers.serve(receivers.Receiver(receivers.plain)) as far:

        def found() -> dict[tuple[str, str], float]:
            sums: dict[tuple[str, str], float] = {}
            for one in far.requests:
                for resource in ExportMetricsServiceRequest.FromString(one.body).resource_metrics:
                    about = {a.key: a.value.string_value for a in resource.resource.attributes}
                    assert about["service.instance.id"]
                    for metric in (m for scope in resource.scope_metrics for m in scope.metrics):
                        points = metric.sum.data_points or metric.gauge.data_points
                        key = about["service.name"], metric.name
                        sums[key] = sum(p.as_int or p.as_double for p in points)
            return sums

        far.found = found
        yield far


def ended(process) -> list[dict]:
    """The log lines of a process that is told to end."""
    os.kill(process.pid, signal.SIGTERM)
    process.wait(30)
    return [json.loads(line) for line in process.stderr.read().splitlines()]


def test_log_lines_are_json_with_levels(home) -> None:
    with Collector(home, log_format="json", workers=2, socket="off") as running:
        greeting = json.loads(running.greeting)
        assert greeting["level"] == "info"
        assert greeting["logger"] == "hookstream.collector"
        running.url = greeting["msg"].split()[-1]
        token = running.token
        assert running.post("/hook/claude-code", CLAUDE, Authorization="Bearer wrong")[0] == 401
        assert running.post("/hook/claude-code", b"no json")[0] == 200
        assert token not in running.greeting
        lines = ended(running.process)
    warned = {(one.get("vendor"), one["msg"]) for one in lines if one["level"] == "warning"}
    assert any("HTTP 401: request refused (1 so far)" in said for _, said in warned), lines
    assert any(vendor == "claude-code" and "no json" not in said for vendor, said in warned)


def test_a_level_leaves_out_what_is_below(home) -> None:
    options = {"log_level": "warning", "socket": "off"}
    words = [sys.executable, "-c", SERVE.format(options={"http": "127.0.0.1:0", **options})]
    process = subprocess.Popen(words, env=served(home), stderr=subprocess.PIPE, text=True)
    until((home.state / "collector.token").exists)
    time.sleep(1)
    process.terminate()
    assert process.communicate(timeout=30)[1] == ""


def test_a_collector_sends_its_figures_by_otlp(home, metrics) -> None:
    key = "AKIA" + "IOSFODNN7" + "QQQQQQQ"
    with Collector(home, metrics_otlp=metrics.url("/v1/metrics")) as running:
        payload = {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": f"use {key}"}
        assert running.post("/hook/claude-code", payload)[0] == 200
        assert running.post("/hook/claude-code", CLAUDE, Authorization="Bearer x")[0] == 401
        os.kill(running.process.pid, signal.SIGTERM)
        assert running.process.wait(30) == 0
    found = metrics.found()
    assert found["hookstream-serve", "hookstream_collector_payloads"] == 1
    assert found["hookstream-serve", "hookstream_collector_refused"] == 1
    assert found["hookstream-serve", "hookstream_redactions"] == 1


def test_a_shipper_sends_its_figures_by_otlp(home, metrics, tmp_path) -> None:
    options = {"machines": str(credentials(home)), "fleet": str(home.path / "fleet")}
    path = home.path / "agent-hooks.jsonl"
    path.write_bytes(b"".join(one + b"\n" for one in log_lines(7)))
    with Collector(home, socket="off", **options) as centre:
        url = metrics.url("/v1/metrics")
        process = shipper(home, centre, path, "--once", "--metrics-otlp", url)
        said = process.communicate(timeout=60)[1]
        assert process.returncode == 0, said
    found = metrics.found()
    assert found["hookstream-ship", "hookstream_sink_delivered"] == 7
    assert found["hookstream-ship", "hookstream_sink_queue_records"] == 0


def test_an_otlp_endpoint_that_is_down_holds_no_end_back(home) -> None:
    with Collector(home, metrics_otlp="http://127.0.0.1:9/v1/metrics", log_format="json") as one:
        began = time.monotonic()
        lines = ended(one.process)
        assert time.monotonic() - began < 20
    assert all({"ts", "level", "msg"} <= set(line) for line in lines)


@pytest.mark.parametrize(
    ("token", "said"), [("gone", "HTTP 403: this machine is revoked"), ("none", "HTTP 401: the")]
)
def test_ship_once_ends_at_once_where_it_is_refused(home, token: str, said: str) -> None:
    """It tried for 90 seconds, and said HTTP 403 alone."""
    options = {"machines": str(credentials(home)), "fleet": str(home.path / "fleet")}
    path = home.path / "agent-hooks.jsonl"
    path.write_bytes(b"".join(one + b"\n" for one in log_lines(3)))
    own = home.path / "ship.token"
    own.write_text(TOKENS.get(token, "n" * 32))
    own.chmod(0o600)
    with Collector(home, socket="off", **options) as centre:
        process = shipper(home, centre, path, "--once", "--token-file", str(own))
        lines = process.communicate(timeout=25)[1].splitlines()
    assert process.returncode == 3
    assert lines[-1].startswith(f"hookstream: {said}"), lines
    assert "3 lines wait" in lines[-1]


def test_a_replaced_token_is_read_without_a_restart(home, monkeypatch) -> None:
    """The shipper that was refused reads its file again before the next try."""
    from hookstream.delivery import follow, sender, ship

    monkeypatch.setattr(sender, "SETUP_WAIT_S", 0.2)
    monkeypatch.setattr("hookstream.sinks.base.SETUP_WAIT_S", 0.2)
    machines = credentials(home)
    path = home.path / "agent-hooks.jsonl"
    path.write_bytes(b"".join(one + b"\n" for one in log_lines(5)))
    own = home.path / "ship.token"
    own.write_text("o" * 32)
    own.chmod(0o600)
    with Collector(
        home, socket="off", machines=str(machines), fleet=str(home.path / "fleet")
    ) as centre:
        centre.fleet = home.path / "fleet"
        plan = ship.plan_of(
            ship.Shipping(centre.url, token_file=str(own)), folder := home.path / "spool"
        )
        delivery = follow.Delivery(
            [str(path)], [plan], folder, None, b"", ship.system_clock, said=lambda _: None
        )
        follower = follow.Follower(delivery)
        (sending,) = follower.senders
        running = threading.Thread(target=follower.run)
        running.start()
        until(lambda: sending.is_refused)
        assert not (centre.fleet / "laptop-1").exists()
        own.write_text(TOKENS["laptop-1"])
        until(lambda: (centre.fleet / "laptop-1" / "agent-hooks.jsonl").exists())
        until(lambda: log(centre, "laptop-1") == log_lines(5))
        until(lambda: not sending.is_refused)
        follower.stop()
        running.join(20)
