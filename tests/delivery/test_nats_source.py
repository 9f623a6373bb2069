"""Capture records from NATS JetStream: the real server, where it is installed."""

from __future__ import annotations

import asyncio
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from delivery.session import eventful

from .stage import NOW, read_lines, until
from .test_kafka_source import MACHINES, arrived, env, plain

SERVER = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin")
pytestmark = pytest.mark.skipif(SERVER is None, reason="needs nats-server (Debian: nats-server)")
pytest.importorskip("nats", reason="needs the extra nats")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    store = ("-js", "-sd", str(tmp_path / "js"))
    run = subprocess.Popen(
        [str(SERVER), "-a", "127.0.0.1", "-p", str(port), *store], stderr=subprocess.DEVNULL
    )

    def answers() -> bool:
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
        except OSError:
            return False
        return True

    until(answers, 15)
    yield f"127.0.0.1:{port}"
    run.terminate()
    run.wait(10)


def publish(server: str, rounds: int = 6) -> dict[str, list[bytes]]:
    import nats

    logs = {machine: eventful("s-0", rounds) + eventful("s-1", rounds) for machine in MACHINES}

    async def send() -> None:
        client = await nats.connect(f"nats://{server}")
        stream = client.jetstream()
        await stream.add_stream(name="AGENTS", subjects=["agents.*"])
        for at in range(max(map(len, logs.values()))):
            for machine, lines in logs.items():
                if at < len(lines):
                    await stream.publish(f"agents.{machine}", lines[at].rstrip(b"\n"))
        await client.close()

    asyncio.run(send())
    return logs


def start(server: str, tmp: Path, *words: str, subject: str = "") -> subprocess.Popen[str]:
    code = "import sys; from hookstream.cli.app import run_app; sys.exit(run_app())"
    query = f"?subject={subject}" if subject else ""
    return subprocess.Popen(
        [
            *(sys.executable, "-c", code, "run", f"nats://{server}/AGENTS{query}"),
            *("--to", "jsonl:out", "--state", "state", "--now", NOW, *words),
        ],
        cwd=tmp,
        env=env(tmp),
        stderr=subprocess.PIPE,
        text=True,
    )


def renamed(tmp: Path) -> None:
    """`arrived` looks for the folders of a topic."""
    for path in (tmp / "out").glob("AGENTS*"):
        path.rename(path.with_name(f"agents-{path.name}"))


@pytest.mark.long
def test_a_stream_gives_the_events_of_the_logs_through_kills(server: str, tmp_path: Path) -> None:
    logs = publish(server, rounds=30)
    for number in range(3):
        run = start(server, tmp_path, "--follow")
        until(lambda: read_lines(tmp_path / "out" / "AGENTS" / "agent-hooks.jsonl"), 60)
        time.sleep(0.1 * number)
        run.send_signal(signal.SIGKILL)
        run.wait()
    done = start(server, tmp_path)
    _, said = done.communicate(timeout=120)
    assert done.returncode == 0, said
    # Nothing is new: the offset that was kept rules.
    done = start(server, tmp_path)
    _, said = done.communicate(timeout=120)
    assert (done.returncode, said.split(",")[0]) == (0, "read 0")
    renamed(tmp_path)
    assert set(arrived(tmp_path)) == set(plain(tmp_path, logs))


@pytest.mark.long
def test_filters_share_the_work(server: str, tmp_path: Path) -> None:
    logs = publish(server)
    for machine in MACHINES:
        done = start(server, tmp_path, subject=f"agents.{machine}")
        _, said = done.communicate(timeout=120)
        assert done.returncode == 0, said
    renamed(tmp_path)
    assert arrived(tmp_path) == plain(tmp_path, logs)


def test_a_server_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = start("127.0.0.1:9", tmp_path)
    _, said = done.communicate(timeout=120)
    assert done.returncode == 2
    assert "nats://127.0.0.1:9" in said
    assert "Traceback" not in said
