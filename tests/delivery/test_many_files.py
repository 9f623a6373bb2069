"""A follower over many files: work that grows with their number, and an end when it is asked."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hookstream.core.errors import HookstreamError
from hookstream.delivery import discovery, relatives
from hookstream.delivery.discovery import Discovery
from hookstream.delivery.folders import check_sources
from hookstream.delivery.follow import Follower, follow
from hookstream.pipeline.machines import machine_of

from .stage import calls_in, delivery, jsonl, many, read_lines

if TYPE_CHECKING:
    from collections.abc import Callable


def flat(folder: Path, count: int) -> None:
    """One folder of files that all seem to be rotated from one name."""
    for number in range(count):
        (folder / f"agent-{number:06d}.jsonl").write_bytes(many(1, number)[0])


def fleet(folder: Path, count: int) -> None:
    """A folder per machine with a log and rotated ones."""
    for number in range(count):
        place = folder / f"m{number // 5:05d}"
        place.mkdir(exist_ok=True)
        name = "agent.jsonl" if number % 5 == 0 else f"agent.{number % 5:06d}.jsonl"
        (place / name).write_bytes(many(1, number)[0])


def work(
    make: Callable[[Path, int], None], count: int, tmp: Path, monkeypatch: pytest.MonkeyPatch
) -> int:
    """Files that are opened by two looks at so many files, the second after some were read."""
    opened = 0

    def counted(real: Any) -> Any:
        def call(*given: Any) -> Any:
            nonlocal opened
            opened += 1
            return real(*given)

        return call

    folder = tmp / f"{make.__name__}-{count}"
    folder.mkdir()
    make(folder, count)
    with monkeypatch.context() as patch:
        for module in (discovery, relatives):
            for name in ("prefixes_of", "prefix_crc", "begins_with"):
                if hasattr(module, name):
                    patch.setattr(module, name, counted(getattr(module, name)))
        watch = Discovery([str(folder)])
        watch.scan()
        assert len(watch.tails) == count
        for tail in watch.tails[: count // 2]:
            tail.open()
            for _ in tail.chunks():
                pass
            tail.close()
        make(folder, count + 50)
        watch.scan()
        assert len(watch.tails) == count + 50
    return opened


@pytest.mark.parametrize("make", [flat, fleet])
def test_discovery_opens_each_file_a_few_times(
    make: Callable[[Path, int], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, more = (work(make, count, tmp_path, monkeypatch) for count in (100, 400))
    assert more <= 5 * max(few, 100)


def test_a_fleets_folder_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fleet(tmp_path, 100)
    os.utime(tmp_path, (1, 1))
    looks = 0
    real = os.scandir

    def scandir(place: Any) -> Any:
        nonlocal looks
        looks += 1
        return real(place)

    files = list(tmp_path.rglob("*.jsonl"))
    monkeypatch.setattr(os, "scandir", scandir)
    names = {machine_of(file, [str(tmp_path)]) for file in files}
    assert names == {f"m{number:05d}" for number in range(20)}
    assert looks == 1


@pytest.mark.parametrize("make", [flat, fleet])
def test_all_lines_of_many_files_arrive_once(
    make: Callable[[Path, int], None], tmp_path: Path
) -> None:
    source = tmp_path / "in"
    source.mkdir()
    make(source, 60)
    ending = follow(delivery(tmp_path, [str(source)], once=True))
    assert ending.totals["read"] == 60
    assert sorted(calls_in(read_lines(tmp_path / "out" / "agent-hooks.jsonl"))) == list(range(60))


def test_a_copy_is_found_among_many_and_read_on(tmp_path: Path) -> None:
    """Copied and cut off: the copy holds what was read, and one line more."""
    source = tmp_path / "in"
    source.mkdir()
    flat(source, 80)
    watch = Discovery([str(source)])
    watch.scan()
    for tail in watch.tails:
        tail.open()
        list(tail.chunks())
        tail.close()
    origin = source / "agent-000033.jsonl"
    shutil.copyfile(origin, source / "agent-000033.jsonl.1")
    with (source / "agent-000033.jsonl.1").open("ab") as file:
        file.write(many(1, 1000)[0])
    os.truncate(origin, 0)
    watch.scan()
    found = {tail.path.name: tail for tail in watch.tails}
    assert found["agent-000033.jsonl.1"].offset > 0
    assert found["agent-000033.jsonl"].offset == 0


def test_a_look_ends_when_it_is_told_and_loses_nothing(tmp_path: Path) -> None:
    flat(tmp_path, 50)
    left = [20]

    def stopped() -> bool:
        left[0] -= 1
        return left[0] < 0

    watch = Discovery([str(tmp_path)], stopped)
    assert not watch.scan()
    assert len(watch.tails) < 50
    left[0] = 10**6
    assert watch.scan()
    assert len(watch.tails) == 50


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_a_follower_and_are_the_programs_own_again(
    number: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "in.jsonl").write_bytes(b"".join(many(3)))
    heard: list[int] = []
    before = {one: signal.signal(one, lambda got, frame: heard.append(got)) for one in
              (signal.SIGTERM, signal.SIGINT)}  # fmt: skip
    own = signal.getsignal(number)
    try:
        timer = threading.Timer(0.5, os.kill, (os.getpid(), number))
        ending = follow(delivery(tmp_path, [str(tmp_path / "in.jsonl")]), timer.start)
        assert ending.totals["read"] == 3
        assert heard == []
        assert signal.getsignal(number) is own
        os.kill(os.getpid(), number)
        assert heard == [number]
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def test_a_follower_outside_the_main_thread_leaves_signals_alone(tmp_path: Path) -> None:
    given = delivery(tmp_path, [str(tmp_path / "in")], once=True)
    before = signal.getsignal(signal.SIGTERM)
    seen = []

    def run() -> None:
        follower = Follower(given)
        with follower.ended_by_signals():
            seen.append(signal.getsignal(signal.SIGTERM))
        follower.reader.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(60)
    assert seen == [before]


@pytest.mark.parametrize(
    ("source", "sink"),
    [
        ("{home}/log", "jsonl:~/log/out"),
        ("{home}/log", "parquet:~/log/out"),
        ("{home}/log", "delta:file://{home}/log/out"),
        ("{home}/log", "jsonl:{home}/log//out"),
        ("{home}/log/**/*.jsonl", "jsonl:~/log/out"),
        ("{home}/*/*.jsonl", "jsonl:~/log"),
        ("{home}/log/a.jsonl", "cloudevents:~/log"),
    ],
)
def test_a_follower_does_not_read_what_it_writes(
    source: str, sink: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "log").mkdir()
    plan = jsonl(tmp_path)
    plan = type(plan)(sink.format(home=tmp_path), plan.make)
    with pytest.raises(HookstreamError, match=r"write elsewhere|holds the state folder"):
        check_sources([source.format(home=tmp_path)], [plan.uri], tmp_path / "state")
    elsewhere = type(plan)("jsonl:~/elsewhere", plan.make)
    check_sources([f"{tmp_path}/log"], [elsewhere.uri], tmp_path / "state")


def test_a_command_ends_in_time_whatever_its_main_thread_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The follower's own end does not come: the process is left, with 3 where records wait."""
    from hookstream.delivery import follow as module

    left: list[int] = []
    monkeypatch.setattr(module, "LATEST_S", 0.1)
    monkeypatch.setattr(os, "_exit", left.append)
    (tmp_path / "in.jsonl").write_bytes(b"".join(many(3)))
    follower = Follower(delivery(tmp_path, [str(tmp_path / "in.jsonl")]))
    follower.stop()
    module.leave_late(follower, threading.Event())
    assert left == [0]
    follower.stopping.clear()
    follower.reader.step()  # what is read waits for its sinks, which have not begun
    follower.stop()
    module.leave_late(follower, threading.Event())
    assert left == [0, 3]
    done = threading.Event()
    done.set()
    module.leave_late(follower, done)
    assert left == [0, 3]
    follower.reader.close()


def test_looking_for_files_stops_between_names(tmp_path: Path) -> None:
    from hookstream.core.sources import find

    class Told(Exception):
        pass

    def check() -> None:
        raise Told

    fleet(tmp_path, 10)
    for source in (str(tmp_path), f"{tmp_path}/m*"):
        with pytest.raises(Told):
            find([source], check)


def test_an_idle_follower_asks_few_of_the_files_at_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn asks a stretch of them; what one gets is found by the next stretches or the scan."""
    from hookstream.delivery import reader as module

    monkeypatch.setattr(module, "SWEEP", 5)
    source = tmp_path / "in"
    source.mkdir()
    flat(source, 60)
    follower = Follower(delivery(tmp_path, [str(source)]))
    reader = follower.reader
    while reader.step():
        pass
    for tail in reader.discovery.tails:
        tail.close()
    reader._awake = None
    assert [len(reader._turn()) for _ in range(3)] == [5, 5, 5]
    assert len({tail.path for _ in range(12) for tail in reader._turn()}) == 60
    with (source / "agent-000033.jsonl").open("ab") as file:
        file.write(many(1, 1000)[0])
    monkeypatch.setattr(reader, "_scan", lambda: None)
    assert any(reader.step() for _ in range(12))
    assert reader.totals["read"] == 61
    reader.close()
