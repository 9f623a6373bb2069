"""How a consumer of a broker is watched: `status --config`, figures and health, by partition."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from same_process import text_of
from sinks.cluster import Cluster, cluster

from . import test_nats_source as jetstream
from .stage import until
from .test_kafka_source import produce
from .test_watch import ended, figures, metrics_url, page, started

pytest.importorskip("confluent_kafka", reason="needs the extra kafka")


@pytest.fixture(autouse=True)
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home-state"))


@pytest.fixture
def far() -> Iterator[Cluster]:
    with cluster() as made:
        yield made


def config(tmp: Path, source: str, sink: str = "") -> Path:
    path = tmp / "hookstream.toml"
    path.write_text(f'sources = ["{source}"]\n[[sink]]\nuri = "{sink or f"jsonl:{tmp}/out"}"\n')
    return path


def status(file: Path, *words: str) -> tuple[int, dict[str, dict], str]:
    done = text_of("status", "--config", str(file), "--format", "json", *words)
    found = json.loads(done.stdout)["deliveries"]
    return done.returncode, found[0]["partitions"] if found else {}, done.stderr


@pytest.mark.long
def test_status_of_a_topic_has_the_lag_of_each_partition(far: Cluster, tmp_path: Path) -> None:
    count = sum(map(len, produce(far).values()))
    file = config(tmp_path, f"kafka://{far.servers}/agents")
    assert status(file)[0] == 3
    assert "never run" in status(file)[2]
    assert text_of("run", "--config", str(file)).returncode == 0
    code, partitions, said = status(file)
    assert code == 0, said
    assert sum(one["offset"] or 0 for one in partitions.values()) == count
    assert {one["lag"] for one in partitions.values()} == {0}
    assert sum(one.get("read", 0) for one in partitions.values()) == count
    more = sum(map(len, produce(far).values()))
    time.sleep(1.1)
    code, partitions, said = status(file, "--stuck-after", "1")
    assert code == 3
    assert sum(one["lag"] for one in partitions.values()) == more
    assert "messages are not read, and no consumer is running" in said
    shown = text_of("status", "--config", str(file)).stdout
    assert "not running" in shown and " behind" in shown


@pytest.mark.posix("no locks of this kind on Windows")
@pytest.mark.long
def test_a_dead_sink_of_a_consumer_shows(far: Cluster, tmp_path: Path) -> None:
    produce(far)
    file = config(tmp_path, f"kafka://{far.servers}/agents", "cloudevents:http://127.0.0.1:9/in")
    words = ("--metrics", "0", "--log-format", "json")
    process = started("run", "--config", str(file), "--follow", *words)
    url = metrics_url(process)

    def failures() -> float:
        text = page(f"{url}/metrics")[1]
        found = figures(text)
        return max(
            (n for (name, _), n in found.items() if name == "hookstream_partition_failures"),
            default=0,
        )

    until(lambda: failures() >= 4, 60)
    status_code, said = page(f"{url}/readyz")
    assert status_code == 503
    assert "Connection refused" in said
    # The group may be between two divisions of its partitions for a moment.
    until(lambda: any(one["running"] for one in status(file)[1].values()), 30)
    code, _, said = status(file)
    assert code == 3
    assert "Connection refused" in said
    lines = ended(process)
    assert [one for one in lines if one["level"] == "warning" and one.get("sink")]


@pytest.mark.long
def test_a_consumer_has_figures_of_lag_and_records(far: Cluster, tmp_path: Path) -> None:
    count = sum(map(len, produce(far).values()))
    file = config(tmp_path, f"kafka://{far.servers}/agents")
    words = ("--metrics", "0", "--log-format", "json")
    process = started("run", "--config", str(file), "--follow", *words)
    url = metrics_url(process)
    until(
        lambda: (
            figures(page(f"{url}/metrics")[1]).get(("hookstream_records_total", "read")) == count
        ),
        60,
    )

    def lags() -> set[float]:
        found = figures(page(f"{url}/metrics")[1])
        return {n for (name, _), n in found.items() if name == "hookstream_source_lag_records"}

    until(lambda: lags() == {0.0}, 30)
    assert page(f"{url}/readyz")[0] == 200
    ended(process)


@pytest.mark.long
def test_a_broker_that_is_gone_is_said(tmp_path: Path) -> None:
    with cluster() as far:
        produce(far)
        file = config(tmp_path, f"kafka://{far.servers}/agents")
        assert text_of("run", "--config", str(file)).returncode == 0
    code, _, said = status(file)
    assert code == 3
    assert "no answer" in said


@pytest.mark.skipif(jetstream.SERVER is None, reason="needs nats-server")
@pytest.mark.parametrize("subject", ["", "agents.m1"])
def test_status_of_a_stream_has_its_lag(server: str, tmp_path: Path, subject: str) -> None:
    pytest.importorskip("nats", reason="needs the extra nats")
    logs = jetstream.publish(server)
    count = len(logs["m1"]) if subject else sum(map(len, logs.values()))
    source = f"nats://{server}/AGENTS" + (f"?subject={subject}" if subject else "")
    file = config(tmp_path, source)
    assert text_of("run", "--config", str(file)).returncode == 0
    code, partitions, said = status(file)
    assert code == 0, said
    (one,) = partitions.values()
    assert (one["lag"], one["read"]) == (0, count)
    jetstream.publish(server)
    time.sleep(1.1)
    code, partitions, said = status(file, "--stuck-after", "1")
    assert (code, next(iter(partitions.values()))["lag"]) == (3, count), said


server = jetstream.server
