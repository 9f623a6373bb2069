"""Two to 64 writers of one log with lines up to 1 MiB, some of them killed: nothing acknowledged is
missing, each writer's lines keep their order, and the next start leaves no torn line."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hook_runner import CURSOR, Home, command

from hookstream.capture.log.append import LogFile

MIB = 1 << 20
# Lines of all sizes up to the given one; each is named on standard output once it is in the log.
WRITER = """
import sys
from hookstream.capture.log.append import LogFile
path, who, count, size, sync, rotate = sys.argv[1:]
log = LogFile(path, sync, int(rotate))
# One that waited in vain for its turn would write without the lock, as a hook whose time ends.
log.wait_s = 60.0
sys.stdin.read()
for n in range(int(count)):
    head = b'{"who":%d,"n":%d,"x":"' % (int(who), n)
    length = max(len(head) + 4, int(size) * (n % 8 + 1) // 8)
    log.append(head + b"x" * (length - len(head) - 3) + b'"}\\n')
    sys.stdout.write(f"{n}\\n")
    sys.stdout.flush()
"""
SERVE = "from hookstream.capture.collector.serve import Options, serve; serve(Options())"
Line = tuple[int, int]


class Writers:
    """Processes that begin together; `run` kills some and says what the others acknowledged."""

    def __init__(self, path: Path, writers: int, count: int, size: int, sync: str, rotate: int):
        self.path = path
        self.started = [
            subprocess.Popen(
                [sys.executable, "-B", "-c", WRITER]
                + [str(word) for word in (path, who, count, size, sync, rotate)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            for who in range(writers)
        ]

    def run(self, killed: int, within_s: float = 0.0) -> set[Line]:
        acknowledged: list[Line] = []

        def listen(who: int) -> None:
            stdout = self.started[who].stdout
            assert stdout is not None
            # A number that a kill cut off was not said.
            acknowledged.extend((who, int(n)) for n in stdout if n.endswith(b"\n"))

        listeners = [threading.Thread(target=listen, args=(w,)) for w in range(len(self.started))]
        for listener in listeners:
            listener.start()
        for process in self.started:
            assert process.stdin is not None
            process.stdin.close()
        chance = random.Random(len(self.started))
        for process in chance.sample(self.started, killed):
            time.sleep(chance.random() * within_s / max(killed, 1))
            process.kill()
        for listener in listeners:
            listener.join()
        self.statuses = [process.wait() for process in self.started]
        return set(acknowledged)


def lines_of(folder: Path) -> list[Line]:
    """Every line of the log's files in reading order, each of which has to be whole."""
    found = []
    for path in sorted(folder.glob("log*.jsonl")):
        data = path.read_bytes()
        assert data.endswith(b"\n"), path
        found += [(line["who"], line["n"]) for line in map(json.loads, data.splitlines())]
    return found


@pytest.mark.long
@pytest.mark.parametrize("rotate", [0, 8 * MIB], ids=["one file", "rotated"])
@pytest.mark.parametrize("sync", ["none", pytest.param("fdatasync", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("writers", "size"),
    [
        (2, MIB),
        (64, 300),
        pytest.param(8, MIB, marks=pytest.mark.slow),
        pytest.param(16, MIB, marks=pytest.mark.slow),
        pytest.param(32, MIB, marks=pytest.mark.slow),
        pytest.param(64, MIB, marks=pytest.mark.slow),
    ],
)
def test_killed_among_many_writers(
    tmp_path: Path, writers: int, size: int, sync: str, rotate: int
) -> None:
    path = tmp_path / "log.jsonl"
    count = 8 if size == MIB else 40
    killed = max(1, writers // 3)
    rotate = rotate if size == MIB else min(rotate, 20_000)
    work = Writers(path, writers, count, size, sync, rotate)
    acknowledged = work.run(killed, within_s=0.6 if writers > 2 else 0.02)
    assert sorted(set(work.statuses)) in ([-9, 0], [0])
    LogFile(str(path), sync, rotate).append(b'{"who":-1,"n":0}\n')
    found = lines_of(tmp_path)
    assert found[-1] == (-1, 0)
    assert acknowledged - set(found) == set()
    assert len(found) == len(set(found))
    for who, status in enumerate(work.statuses):
        numbers = [n for w, n in found if w == who]
        assert numbers == list(range(len(numbers)))
        assert status == -9 or len(numbers) == count


def test_a_line_of_exactly_one_mebibyte_among_others(tmp_path: Path) -> None:
    work = Writers(tmp_path / "log.jsonl", 4, 8, MIB, "none", 0)
    assert len(work.run(0)) == 32
    sizes = {len(line) for line in (tmp_path / "log.jsonl").read_bytes().splitlines(True)}
    assert max(sizes) == MIB


@contextmanager
def collector(home: Home) -> Iterator[None]:
    words = [sys.executable, "-c", SERVE]
    with subprocess.Popen(words, env=home.environment(), stderr=subprocess.PIPE) as serving:
        assert serving.stderr is not None and b"listening" in serving.stderr.readline()
        yield
        serving.kill()


@pytest.mark.slow
@pytest.mark.parametrize("collected", [False, True], ids=["alone", "with a collector"])
@pytest.mark.parametrize("hooks", [2, 16, 64])
def test_hooks_with_payloads_up_to_one_mebibyte(hooks: int, collected: bool) -> None:
    """The whole program at once: every agent has its answer, every call is in the log."""
    # The address of a collector's socket is short.
    with tempfile.TemporaryDirectory(prefix="hs") as folder:
        home = Home(Path(folder))
        home.hook("cursor", "preToolUse", payload=CURSOR)
        home.log.unlink()
        if collected:
            with collector(home):
                done = at_once(home, hooks)
        else:
            done = at_once(home, hooks)
        assert done == [(0, b"{}", b"")] * hooks
        lines = [json.loads(line) for line in home.log.read_bytes().splitlines()]
        calls = [line["metadata"]["dev.hookstream"]["call_id"] for line in lines]
        # What a collector took too long for is written by both, as one event.
        assert set(calls) == {f"t-{n}" for n in range(hooks)}
        ids = {line["event_id"] for line in lines}
        assert len(ids) == hooks and (collected or len(lines) == hooks)


def at_once(home: Home, hooks: int) -> list[tuple[int, bytes, bytes]]:
    """So many hooks together, with payloads from small to 1 MiB, in lines a program would print."""
    found: list[tuple[int, bytes, bytes]] = []

    def one(number: int) -> None:
        text = "".join(f"line {n} of the output\n" for n in range(40_000 * (number + 1) // hooks))
        payload = {
            **CURSOR,
            "hook_event_name": "preToolUse",
            "tool_name": "Write",
            "tool_input": {"file_path": "/home/dev/project/a.txt", "content": text[: MIB - 2000]},
            "tool_use_id": f"t-{number}",
        }
        done = subprocess.run(
            command("cursor", "preToolUse"),
            input=json.dumps(payload).encode(),
            capture_output=True,
            env=home.environment(),
        )
        found.append((done.returncode, done.stdout, done.stderr))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(hooks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found
