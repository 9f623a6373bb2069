"""How a follower is watched: figures, health, log lines, and `status --config`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from hookstream.core.logs import set_up
from hookstream.delivery.metrics import FAMILIES
from same_process import text_of

from .far import Far, serving
from .stage import many, until

CODE = "import sys; from hookstream.cli.app import run_app; sys.exit(run_app())"


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home-state"))


def started(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CODE, *words]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def config(tmp: Path, port: int, state: bool = True) -> Path:
    path = tmp / "hookstream.toml"
    path.write_text(
        f'sources = ["{tmp / "log.jsonl"}"]\n'
        + (f'state = "{tmp / "elsewhere"}"\n' if state else "")
        + f'[[sink]]\nname = "siem"\nuri = "cloudevents:http://127.0.0.1:{port}/in"\n'
    )
    return path


def page(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=10) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def figures(text: str) -> dict[tuple[str, str], float]:
    """(name, first label) -> value, as Prometheus' own parser reads the page."""
    found = {}
    for family in text_string_to_metric_families(text):
        for one in family.samples:
            found[one.name, next(iter(one.labels.values()), "")] = one.value
    return found


def metrics_url(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    while line := process.stderr.readline():
        if "metrics on " in line:
            return json.loads(line)["msg"].removeprefix("metrics on ").removesuffix("/metrics")
    raise AssertionError("no metrics")


def ended(process: subprocess.Popen[str]) -> list[dict[str, object]]:
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=60)[1]
    return [json.loads(line) for line in said.splitlines()]


@pytest.mark.long
@pytest.mark.usefixtures("env")
@pytest.mark.parametrize("state", [True, False])
def test_a_dead_sink_shows_in_status_metrics_health_and_log(tmp_path: Path, state: bool) -> None:
    (tmp_path / "log.jsonl").write_bytes(b"".join(many(5)))
    file = config(tmp_path, 9, state)
    assert "never run" in text_of("status", "--config", str(file)).stderr
    process = started(
        "run", "--config", str(file), "--follow", "--metrics", "0", "--log-format", "json"
    )
    url = metrics_url(process)
    failures = ("hookstream_sink_failures", "siem")
    until(lambda: figures(page(f"{url}/metrics")[1]).get(failures, 0) > 3)
    found = figures(page(f"{url}/metrics")[1])
    queue = found["hookstream_sink_queue_records", "siem"]
    assert queue >= 5
    assert found["hookstream_sink_retried_total", "siem"] >= queue
    assert found["hookstream_records_total", "read"] == 5
    assert page(f"{url}/healthz")[0] == 200
    status, said = page(f"{url}/readyz")
    assert status == 503
    assert "siem" in said
    done = text_of("status", "--config", str(file), "--format", "json")
    assert done.returncode == 3
    (delivery,) = json.loads(done.stdout)["deliveries"]
    assert delivery["sinks"]["siem"]["failures"] > 3
    assert "wait" in done.stderr
    lines = ended(process)
    warned = [one for one in lines if one["level"] == "warning" and one.get("sink") == "siem"]
    assert warned
    assert {"ts", "level", "logger", "msg"} <= set(warned[0])


@pytest.mark.usefixtures("env")
def test_status_is_0_where_everything_moves(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(b"".join(many(5)))
    with serving(Far()) as far:
        file = config(tmp_path, far.port)
        file.write_text(file.read_text() + 'mode = "batch"\n')
        assert text_of("run", "--config", str(file)).returncode == 0
        done = text_of("status", "--config", str(file))
        assert done.returncode == 0, done.stderr
        assert "0 waiting" in done.stdout


@pytest.mark.usefixtures("env")
def test_a_log_that_nobody_reads_any_more_is_stuck(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(many(5)))
    with serving(Far()) as far:
        file = config(tmp_path, far.port)
        file.write_text(file.read_text() + 'mode = "batch"\n')
        text_of("run", "--config", str(file))
    with log.open("ab") as out:
        out.write(b"".join(many(2, 5)))
    assert text_of("status", "--config", str(file)).returncode == 0, "written just now"
    time.sleep(1.1)
    done = text_of("status", "--config", str(file), "--stuck-after", "1")
    assert done.returncode == 3
    assert "no follower is running" in done.stderr


def test_the_same_figures_go_out_by_otlp(tmp_path: Path) -> None:
    from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
        ExportMetricsServiceRequest,
    )

    from hookstream.delivery.metrics import Sample, send_metrics
    from sinks import receivers

    with receivers.serve(receivers.Receiver(receivers.plain)) as far:
        given = [
            Sample("hookstream_sink_retried_total", 7, {"sink": "siem"}),
            Sample("hookstream_spool_bytes", 4096),
        ]
        send_metrics(far.url("/v1/metrics"), lambda: given, "hookstream")()
        request = ExportMetricsServiceRequest.FromString(far.requests[0].body)
    (resource,) = request.resource_metrics
    found = {one.name: one for scope in resource.scope_metrics for one in scope.metrics}
    (point,) = found["hookstream_sink_retried"].sum.data_points
    assert point.as_int == 7 or point.as_double == 7
    assert point.attributes[0].value.string_value == "siem"
    assert found["hookstream_spool_bytes"].gauge.data_points


def test_families_keep_the_conventions() -> None:
    for name, (kind, about) in FAMILIES.items():
        assert name.startswith("hookstream_")
        assert name.endswith("_total") == (kind == "counter"), name
        assert about.endswith(".")


def test_unknown_words_are_refused() -> None:
    from hookstream.core.errors import HookstreamError

    for words in (("xml", "info"), ("json", "loud")):
        with pytest.raises(HookstreamError, match="invalid --log"):
            set_up(*words)
