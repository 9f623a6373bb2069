"""kill -9 at random moments: nothing missing, nothing altered, duplicates removable by id."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from hookstream.delivery.batch import FanOut, run_files
from hookstream.delivery.checkpoint import DeliveryCheckpoint
from hookstream.delivery.follow import Follower
from hookstream.delivery.job import make_pipeline
from hookstream.sinks import open_sink

from .far import Far, serving
from .session import mixed
from .stage import Within, delivery, job_in, many, until

DRIVER = Path(__file__).parent / "driver.py"


def start(tmp: Path, source: Path, *words: str) -> subprocess.Popen[bytes]:
    # Other hash seeds in every process: nothing that is kept may depend on one.
    env = {**os.environ, "PYTHONHASHSEED": str(random.randrange(10**6))}
    command = [sys.executable, str(DRIVER), str(tmp), str(source), *words]
    return subprocess.Popen(command, env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)


def straight(tmp: Path, source: Path) -> dict[str, bytes]:
    """id -> line of one undisturbed run over the same input."""
    sink = open_sink(f"jsonl:{tmp / 'straight'}")
    run_files([source], make_pipeline(job_in(tmp)), FanOut([sink]))
    sink.close()
    lines = (tmp / "straight" / "agent-hooks.jsonl").read_bytes().splitlines()
    return {json.loads(line)["event_id"]: line for line in lines}


def slowly(path: Path, lines: list[bytes], seconds: float) -> threading.Thread:
    """Appends the lines in uneven pieces, cut anywhere."""

    def write() -> None:
        data = b"".join(lines)
        at = 0
        while at < len(data):
            step = random.randrange(1, 1 + len(data) // 50)
            with path.open("ab") as file:
                file.write(data[at : at + step])
            at += step
            time.sleep(seconds / 100)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


def kill_and_rerun(tmp: Path, rounds: int, lines: list[bytes]) -> int:
    source = tmp / "log.jsonl"
    source.write_bytes(b"")
    killed = 0
    with serving(Far()) as far:
        writing = slowly(source, lines, rounds * 0.25)
        for _ in range(rounds):
            process = start(tmp, source, str(far.port))
            try:
                process.wait(random.uniform(0.25, 0.7))
                raise AssertionError(process.communicate()[1].decode())
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                killed += 1
        writing.join()
        process = start(tmp, source, str(far.port), "--once")
        assert process.communicate(timeout=60)[1] == b""
        expected = straight(tmp, source)
        assert set(far.ids) == set(expected)
        assert list(dict.fromkeys(far.ids)) == list(expected)
        for name, bodies in far.bodies.items():
            assert bodies == {json.dumps(json.loads(expected[name]), sort_keys=True)}
    written = (tmp / "out" / "agent-hooks.jsonl").read_bytes().splitlines()
    whole = [line for line in written if line.endswith(b"}") and line.startswith(b"{")]
    assert set(whole) == set(expected.values())
    return killed


@pytest.mark.long
def test_a_follower_that_is_killed_again_and_again(tmp_path: Path) -> None:
    assert kill_and_rerun(tmp_path, 8, mixed(8, 8)) == 8


@pytest.mark.slow
def test_a_follower_that_is_killed_many_times(tmp_path: Path) -> None:
    assert kill_and_rerun(tmp_path, 200, mixed(100, 20)) == 200


def test_sigterm_drains_within_two_seconds_and_loses_nothing(
    tmp_path: Path, within: Within
) -> None:
    source = tmp_path / "log.jsonl"
    source.write_bytes(b"".join(mixed(4)))
    with serving(Far(lambda ids: "stall")) as far:
        process = start(tmp_path, source, str(far.port))
        until(lambda: far.requests)
        with within(2.0):
            process.terminate()
            process.communicate(timeout=60)
        far.answer = lambda ids: 200
        process = start(tmp_path, source, str(far.port), "--once")
        assert process.communicate(timeout=60)[1] == b""
        assert list(dict.fromkeys(far.ids)) == list(straight(tmp_path, source))


def test_a_crash_inside_the_first_commit_makes_no_record_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The spool has them, the checkpoint does not: they are cut off and made again."""

    class Killed(BaseException): ...

    def killed(*_: object) -> None:
        raise Killed

    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(many(30)))
    follower = Follower(delivery(tmp_path, [str(log)]))
    with monkeypatch.context() as patch:
        for name in ("begin", "add"):
            patch.setattr(DeliveryCheckpoint, name, killed)
        with pytest.raises(Killed):
            follower.reader.step()
    assert follower.spool.size > 0
    follower.senders[0]._drop()
    follower._lock.close()
    again = Follower(delivery(tmp_path, [str(log)]))
    again.reader.step()
    assert again.spool.end.offset == 30
    again.reader.close()
    again.senders[0]._drop()
    again._lock.close()
