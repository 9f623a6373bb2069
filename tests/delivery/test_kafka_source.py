"""Capture records from Kafka: librdkafka's own mock cluster, real consumer groups."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from delivery.session import eventful
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from sinks.cluster import Cluster, cluster

from .stage import NOW, read_lines, until

pytestmark = pytest.mark.long

pytest.importorskip("confluent_kafka", reason="needs the extra kafka")
MACHINES = ("m1", "m2", "m3", "m4")


@pytest.fixture
def far() -> Iterator[Cluster]:
    with cluster() as made:
        yield made


def produce(far: Cluster, rounds: int = 6, first: int = 0) -> dict[str, list[bytes]]:
    """The logs of four machines with the same sessions, keyed by machine."""
    from confluent_kafka import Producer

    producer = Producer({"bootstrap.servers": far.servers, "enable.idempotence": True})
    logs = {machine: [] for machine in MACHINES}  # type: dict[str, list[bytes]]
    for number in range(first, first + 2):
        for machine in MACHINES:
            logs[machine] += eventful(f"s-{number}", rounds)
    for at in range(max(map(len, logs.values()))):
        for machine, lines in logs.items():
            if at < len(lines):
                producer.produce("agents", lines[at].rstrip(b"\n"), machine.encode())
    assert producer.flush(20) == 0
    return logs


def test_brokers_that_nobody_reaches_are_reported(tmp_path: Path) -> None:
    """The library tries again and again, without a word."""
    code = "import sys; from hookstream.cli.app import run_app; sys.exit(run_app())"
    words = ("run", "kafka://127.0.0.1:1/agents", "--to", "jsonl:out", "--follow")
    command = [sys.executable, "-c", code, *words, "--state", "state"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=env(tmp_path), stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stderr is not None
        try:
            shown = [next(run.stderr), next(run.stderr)]
        finally:
            run.send_signal(signal.SIGINT)
    assert shown[1] == "hookstream: kafka://agents: no broker answers; tried again\n"


def env(tmp: Path) -> dict[str, str]:
    return {**os.environ, "XDG_STATE_HOME": str(tmp / "x"), "XDG_CONFIG_HOME": str(tmp / "x")}


# A member that was killed is missed after so long; the library's own answer is 45 s.
CONFIG = """[[sink]]
uri = "jsonl:out"

[kafka]
"session.timeout.ms" = 6000
"heartbeat.interval.ms" = 500
"""


def start(far: Cluster, tmp: Path, *words: str, group: str = "hookstream") -> subprocess.Popen[str]:
    (tmp / "kafka.toml").write_text(CONFIG)
    code = "import sys; from hookstream.cli.app import run_app; sys.exit(run_app())"
    return subprocess.Popen(
        [
            *(sys.executable, "-c", code, "run", f"kafka://{far.servers}/agents?group={group}"),
            *("--state", "state", "--now", NOW, *words),
            *("--config", "kafka.toml"),
        ],
        cwd=tmp,
        env=env(tmp),
        stderr=subprocess.PIPE,
        text=True,
    )


def plain(tmp: Path, logs: dict[str, list[bytes]]) -> list[tuple[Any, ...]]:
    """What a run over the same logs gives, a folder a machine."""
    for machine, lines in logs.items():
        (tmp / "logs" / machine).mkdir(parents=True, exist_ok=True)
        (tmp / "logs" / machine / "hooks.jsonl").write_bytes(b"".join(lines))
    key = tmp / "x" / "hookstream" / "pseudonym.key"
    keys = list((tmp / "x").rglob("*pseudonym*")) or [key]
    execute(
        Job([str(tmp / "logs")], [f"jsonl:{tmp / 'plain'}"], now=NOW, pseudonym_key_file=keys[0])
    )
    return sorted(map(row, read_lines(tmp / "plain" / "agent-hooks.jsonl")))


def row(event: dict[str, Any]) -> tuple[Any, ...]:
    own = event["metadata"]["dev.hookstream"]
    return event["event_id"], event["event_type"], own.get("sequence"), own.get("turn_id")


def arrived(tmp: Path) -> list[tuple[Any, ...]]:
    files = sorted((tmp / "out").glob("agents-*/agent-hooks.jsonl"))
    return sorted(row(event) for path in files for event in read_lines(path))


def test_a_topic_gives_the_events_of_the_logs(far: Cluster, tmp_path: Path) -> None:
    logs = produce(far)
    done = start(far, tmp_path)
    _, said = done.communicate(timeout=120)
    assert done.returncode == 0, said
    assert f"read {sum(map(len, logs.values()))}" in said
    first = arrived(tmp_path)
    assert first == plain(tmp_path, logs)
    # What comes next is taken up with the state that was left: repeats are known, and stand where
    # it was. It holds the offsets too, for a group of which the brokers know none.
    produce(far, first=0)
    done = start(far, tmp_path, group="other")
    _, said = done.communicate(timeout=120)
    assert done.returncode == 0, said
    both = arrived(tmp_path)
    # That a call's input was modified is said once, however often its payloads come.
    once = sum(kind.endswith(".ToolInputModified") for _, kind, *_ in first)
    assert len(both) == 2 * len(first) - once
    assert {event_id for event_id, *_ in both} == {event_id for event_id, *_ in first}
    again = Counter(both) - Counter(first)
    assert {one[2] for one in again} == {max(one[2] for one in first)}


def test_a_stream_in_a_message_gives_its_lines(far: Cluster, tmp_path: Path) -> None:
    from confluent_kafka import Producer

    lines = eventful("s-1", 2)
    attributes = {"specversion": "1.0", "id": "1", "source": "urn:a", "type": "org.example.audit"}
    value = {
        **attributes,
        "datacontenttype": "application/vnd.agent-hooks.stream+jsonl",
        "data": b"".join(lines[1:]).decode(),
    }
    producer = Producer({"bootstrap.servers": far.servers})
    for message in (lines[0].rstrip(b"\n"), json.dumps(value).encode()):
        producer.produce("agents", message, b"m1", partition=0)
    assert producer.flush(20) == 0
    done = start(far, tmp_path)
    _, said = done.communicate(timeout=120)
    assert done.returncode == 0, said
    assert f"read {len(lines)}" in said
    assert arrived(tmp_path) == plain(tmp_path, {"m1": lines})


@pytest.mark.slow
def test_kills_and_rebalances_lose_nothing(far: Cluster, tmp_path: Path) -> None:
    logs = produce(far, rounds=60)
    runs = [start(far, tmp_path, "--follow") for _ in range(2)]
    until(lambda: arrived(tmp_path), 60)
    for number in range(3):
        time.sleep(0.4)
        runs[number % 2].send_signal(signal.SIGKILL)
        runs[number % 2].wait()
        runs[number % 2] = start(far, tmp_path, "--follow")
    wanted = None
    end = time.monotonic() + 120
    while time.monotonic() < end:
        wanted = wanted or set(plain(tmp_path, logs))
        if set(arrived(tmp_path)) >= wanted:
            break
        time.sleep(0.5)
    for run in runs:
        run.terminate()
    for run in runs:
        assert run.wait(30) in (0, -15)  # told to end while it started
    # Some came twice, with the same ids and bytes; nothing else came.
    assert set(arrived(tmp_path)) == wanted


def test_wrong_addresses_are_one_line(tmp_path: Path) -> None:
    from hookstream.core.errors import HookstreamError
    from hookstream.delivery.kafka_source import address

    assert address("kafka://a:9092,b:9092/t?group=g") == ("a:9092,b:9092", "t", "g")
    for wrong in ("kafka://a:9092", "kafka://u:p@a/t", "kafka://a/t?x=1", "kafka:///t"):
        with pytest.raises(HookstreamError, match="write kafka://"):
            address(wrong)
