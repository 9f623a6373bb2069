"""The fault table: what reaches the far ends when things break. Prints Markdown, exit 1 on a loss.

    python benchmarks/delivery/faults.py [--records 20000] [--rounds 50] [--only NAME ...]

Every row runs the real follower over real files into real receivers on loopback and compares what
arrived with one undisturbed run over the same input: missing (an id that never came), altered (a
record that came with other bytes), duplicates (an id that came again, removable by event_id).
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any
from unittest import mock

from pyarrow.parquet import ParquetFile

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from delivery.far import Answer, Far, serving  # noqa: E402
from delivery.session import mixed  # noqa: E402
from delivery.stage import Following, delivery, jsonl, many, until  # noqa: E402
from delivery.test_crash import slowly, start, straight  # noqa: E402
from hookstream.delivery import dead_letters  # noqa: E402
from hookstream.delivery.follow import Plan  # noqa: E402
from hookstream.lake.compaction import compact  # noqa: E402
from hookstream.sinks import open_sink  # noqa: E402

PATIENCE_S = 600.0


class Row:
    """One line of the table."""

    def __init__(self, name: str, records: int) -> None:
        self.name = name
        self.records = records
        self.missing = self.altered = self.duplicates = self.dead = 0
        self.note = ""

    def compare(self, far: Far, expected: dict[str, bytes], dead: int = 0) -> None:
        """Counts what a receiver has against the undisturbed run; `dead` letters are no loss."""
        self.dead += dead
        self.missing += len(set(expected) - set(far.ids)) - dead
        self.duplicates += len(far.ids) - len(set(far.ids))
        for name, bodies in far.bodies.items():
            wanted = json.dumps(json.loads(expected[name]), sort_keys=True)
            self.altered += bodies != {wanted}

    def compare_lines(self, folder: Path, expected: dict[str, bytes]) -> None:
        """The same for a folder of lines; a line cut by kill -9 was never acknowledged."""
        known = set(expected.values())
        found = (folder / "agent-hooks.jsonl").read_bytes().splitlines()
        cut = [one for one in found if one not in known and not is_json(one)]
        self.missing += len(known - set(found))
        self.altered += sum(one not in known for one in found) - len(cut)
        if cut:
            self.note = f"{self.note}; {len(cut)} lines cut by the kill".removeprefix("; ")

    def text(self) -> str:
        cells = [self.name, self.records, self.missing, self.altered, self.duplicates, self.dead]
        return "| " + " | ".join(map(str, [*cells, self.note])) + " |"


def most_again(ids: list[str], kills: list[int]) -> int:
    """How many records at most came again after one kill; `kills` are places in `ids`."""
    seen: set[str] = set()
    most = 0
    for first, last in itertools.pairwise([0, *kills, len(ids)]):
        most = max(most, sum(one in seen for one in ids[first:last]))
        seen.update(ids[first:last])
    return most


def is_json(line: bytes) -> bool:
    try:
        return type(json.loads(line)) is dict
    except ValueError:
        return False


@contextmanager
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="faults-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def dead_in(state: Path) -> int:
    return sum(len(dead_letters.read(path)) for path in (state / "dead").glob("*.db"))


def far_end(name: str, records: int, answer: Callable[[list[str]], Answer], note: str = "") -> Row:
    """A receiver that misbehaves, beside a sink of files that must have everything too."""
    row = Row(name, records)
    faults: list[Answer] = []

    def answered(ids: list[str]) -> Answer:
        given = answer(ids)
        if given != 200:
            faults.append(given)
        return given

    with folder() as tmp, serving(Far(answered)) as far:
        log = tmp / "log.jsonl"
        log.write_bytes(b"".join(many(records)))
        expected = straight(tmp, log)
        run = Following(delivery(tmp, [str(log)], [far.plan, jsonl(tmp / "out")]))
        until(lambda: all(one.is_done for one in run.follower.senders)
              and run.follower.spool.end.offset >= len(expected), PATIENCE_S)  # fmt: skip
        run.stop()
        row.compare(far, expected, dead_in(tmp / "state"))
        row.compare_lines(tmp / "out", expected)
    said = f"{len(faults)} faults in {far.requests} requests"
    row.note = "; ".join(one for one in (said, note) if one)
    return row


def sometimes(*answers: Answer, each: int = 7) -> Callable[[list[str]], Answer]:
    """Every so many requests one of the answers, in turn; else 200."""
    count = [0]

    def answer(ids: list[str]) -> Answer:
        count[0] += 1
        n, rest = divmod(count[0], each)
        return 200 if rest else answers[n % len(answers)]

    return answer


def poison() -> Callable[[list[str]], Answer]:
    chosen: list[str] = []

    def answer(given: list[str]) -> Answer:
        if not chosen:
            chosen.append(given[len(given) // 3])
        return 400 if chosen[0] in given else 200

    return answer


def kill(process: subprocess.Popen[bytes], begun: Path) -> None:
    """At a random moment: mostly while it delivers, now and then while it starts."""
    begun.unlink(missing_ok=True)
    until_s = time.monotonic() + (random.uniform(0, 0.5) if random.random() < 0.2 else 30)
    while not begun.exists() and time.monotonic() < until_s and process.poll() is None:
        time.sleep(0.002)
    if begun.exists():
        time.sleep(random.uniform(0, 0.7))
    if process.poll() is not None:
        raise SystemExit(process.communicate()[1].decode())
    process.kill()
    process.communicate()


def killed(records: int, rounds: int) -> Row:
    row = Row(f"kill -9 of the follower, {rounds} rounds", records)
    with folder() as tmp, serving(Far()) as far:
        per_session = max(1, records // (40 * 41))
        lines = mixed(per_session, 40)[:records]
        lines += many(records - len(lines), 10**6)
        log = tmp / "log.jsonl"
        log.write_bytes(b"")
        writing = slowly(log, lines, rounds * 0.5)
        kills: list[int] = []
        for _ in range(rounds):
            kill(start(tmp, log, str(far.port)), tmp / "begun")
            kills.append(len(far.ids))
        writing.join()
        process = start(tmp, log, str(far.port), "--once")
        if said := process.communicate(timeout=PATIENCE_S)[1]:
            raise SystemExit(said.decode())
        expected = straight(tmp, log)
        sending = sum(a < b for a, b in itertools.pairwise([0, *kills]))
        row.records = len(lines)
        row.note = f"{sending} of the killed had sent something; {len(expected)} events, in order: "
        row.note += "yes" if list(dict.fromkeys(far.ids)) == list(expected) else "NO"
        row.note += f"; at most {most_again(far.ids, kills)} again after one kill"
        row.compare(far, expected)
        row.compare_lines(tmp / "out", expected)
    return row


def killed_lake(records: int, rounds: int) -> Row:
    """The same with Parquet, put together now and then while the follower writes."""
    row = Row(f"kill -9 of the follower, Parquet, {rounds} rounds", records)
    with folder() as tmp:
        log, lake = tmp / "log.jsonl", tmp / "lake"
        log.write_bytes(b"")
        writing = slowly(log, many(records), rounds * 0.5)
        compacted = 0
        for number in range(rounds):
            kill(start(tmp, log, "--lake"), tmp / "begun")
            if number % 5 == 4 and lake.exists():
                compacted += compact(lake).before
        writing.join()
        process = start(tmp, log, "--lake", "--once")
        if said := process.communicate(timeout=PATIENCE_S)[1]:
            raise SystemExit(said.decode())
        expected = straight(tmp, log)
        found: list[tuple[str, str]] = []
        for path in lake.rglob("*.parquet"):
            table = ParquetFile(path).read(["event_id", "agent_hooks"])
            found += zip(*(column.to_pylist() for column in table.columns), strict=True)
        row.missing = len(set(expected) - {name for name, _ in found})
        row.duplicates = len(found) - len({name for name, _ in found})
        row.altered = sum(expected.get(name) != line.encode() for name, line in found)
        row.note = f"{compacted} parts put together tick"
    return row


def partial_success(records: int) -> Row:
    """OTLP: the far end takes a request but for one record that it does not name."""
    from sinks.receivers import Receiver, Request, otlp_answer, otlp_records, serve, uid

    row = Row("OTLP partial success for one record", records)
    far, chosen = Far(), []

    def answer(request: Request) -> Any:
        ids = [uid(one) for one in otlp_records(request)]
        if not chosen:
            chosen.append(ids[len(ids) // 2])
        far.ids += [one for one in ids if one != chosen[0]]
        return otlp_answer(int(chosen[0] in ids), "no")

    with folder() as tmp, serve(Receiver(answer)) as receiver:
        log = tmp / "log.jsonl"
        log.write_bytes(b"".join(many(records)))
        expected = straight(tmp, log)
        uri = f"otlp:{receiver.url()}"
        run = Following(delivery(tmp, [str(log)], [Plan(uri, lambda: open_sink(uri))]))
        until(lambda: run.follower.spool.end.offset >= len(expected)
              and run.follower.senders[0].is_done, PATIENCE_S)  # fmt: skip
        run.stop()
        row.compare(far, expected, dead_in(tmp / "state"))
    row.note = "duplicates: the requests that were halved to find it"
    return row


def disk_full(records: int) -> Row:
    """Nothing can be written beyond a size (EFBIG, as a full disk answers ENOSPC), then it can."""
    row = Row("disk full, then room again", records)
    with folder() as tmp, serving(Far()) as far:
        log = tmp / "log.jsonl"
        log.write_bytes(b"".join(many(records)))
        expected = straight(tmp, log)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        said: list[str] = []
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
            run = Following(delivery(tmp, [str(log)], [far.plan, jsonl(tmp / "out")],
                                     said=said.append))  # fmt: skip
            until(lambda: said, PATIENCE_S)
            time.sleep(2)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        until(lambda: run.follower.spool.end.offset >= len(expected)
              and all(one.is_done for one in run.follower.senders), PATIENCE_S)  # fmt: skip
        run.stop()
        row.compare(far, expected)
        row.compare_lines(tmp / "out", expected)
    row.note = f"said: {said[0].removeprefix('hookstream: ')}"
    return row


def clock_jumps(records: int) -> Row:
    real = time.time_ns

    def jumping() -> int:
        return real() + random.choice((-1, 0, 1)) * 86_400 * 10**9

    with mock.patch("time.time_ns", jumping), mock.patch("time.time", lambda: jumping() / 1e9):
        return far_end("the clock jumps by a day to and fro", records, sometimes(503, 500))


def rotated(records: int, name: str, rotate: Callable[[Path, int], None]) -> Row:
    row = Row(name, records)
    with folder() as tmp, serving(Far()) as far:
        whole, log = tmp / "whole.jsonl", tmp / "logs" / "log.jsonl"
        log.parent.mkdir()
        lines = many(records)
        whole.write_bytes(b"".join(lines))
        run = Following(delivery(tmp, [str(log)], [far.plan]))
        count = 0
        for at in range(0, records, 500):
            with log.open("ab") as file:
                for n in range(at, min(at + 500, records), 50):
                    file.write(b"".join(lines[n : n + 50]))
                    file.flush()
                    time.sleep(0.001)
            count += 1
            rotate(log, count)
            time.sleep(0.15)
        expected = straight(tmp, whole)
        until(lambda: len(set(far.ids)) >= len(expected), PATIENCE_S)
        run.stop()
        row.compare(far, expected)
        row.note = f"{count} rotations"
    return row


def by_rename(log: Path, count: int) -> None:
    log.rename(log.with_name(f"{log.name}.{count}"))


def by_copy(log: Path, count: int) -> None:
    shutil.copyfile(log, log.with_name(f"{log.name}.{count}"))
    os.truncate(log, 0)


def latency(third: Callable[[list[str]], Answer], records: int) -> tuple[list[float], Row]:
    """Milliseconds from the write of a line to its arrival at two healthy sinks of three."""
    row = Row("one of three sinks dead for the whole run", records)
    with folder() as tmp, ExitStack() as stack:
        fars = [stack.enter_context(serving(Far(one))) for one in
                (lambda ids: 200, lambda ids: 200, third)]  # fmt: skip
        log = tmp / "log.jsonl"
        log.touch()
        run = Following(delivery(tmp, [str(log)], [far.plan for far in fars]))
        until(lambda: run.follower.reader.discovery.tails)
        written: list[float] = []
        for line in many(records):
            with log.open("ab") as file:
                file.write(line)
            written.append(time.monotonic())
            time.sleep(0.01)
        expected = straight(tmp, log)
        until(lambda: all(len(set(far.ids)) == len(expected) for far in fars[:2]), PATIENCE_S)
        run.stop()
        found = []
        for far in fars[:2]:
            row.compare(far, expected)
            found += [
                (far.at[name] - at) * 1000 for name, at in zip(expected, written, strict=True)
            ]
        waiting = run.ending.waiting.get(fars[2].plan.uri, 0)
        row.note = f"{waiting} wait for the dead one"
    return found, row


def dead_sink(records: int) -> Row:
    before, _ = latency(lambda ids: 200, records)
    after, row = latency(lambda ids: "stall", records)
    shown = [f"{quantiles(one, n=20)[9]:.0f} / {quantiles(one, n=20)[18]:.0f}" for one in
             (before, after)]  # fmt: skip
    row.note += f"; the others' latency, median / p95 in ms: {shown[0]} before, {shown[1]} with it"
    return row


def rows(records: int, rounds: int) -> dict[str, Callable[[], Row]]:
    few = max(500, records // 10)
    bound = "bound lowered from 300 s to 1 s for this run"

    def absurd() -> Row:
        with mock.patch("hookstream.sinks.http.MAX_WAIT_S", 1.0):
            answers = ((429, "999999999"), (503, "Fri, 31 Dec 9999 23:59:59 GMT"), (429, "-1"))
            return far_end("429 / 503, absurd Retry-After", records, sometimes(*answers), bound)

    return {
        "kill": lambda: killed(records, rounds),
        "lake": lambda: killed_lake(few, max(5, rounds // 10)),
        "500": lambda: far_end("500", records, sometimes(500)),
        "503": lambda: far_end("503", records, sometimes(503)),
        "429": lambda: far_end("429, Retry-After 1", few, sometimes((429, "1"), each=5)),
        "absurd": absurd,
        "400": lambda: far_end("400 for one poison record", records, poison()),
        "half": lambda: far_end("half a body", records, sometimes("half")),
        "reset": lambda: far_end("connection reset", records, sometimes("reset")),
        "stall": lambda: far_end("no answer in time", few, sometimes("stall", each=4)),
        "lost": lambda: far_end("taken, but the answer is lost", records, sometimes("taken")),
        "partial": lambda: partial_success(records),
        "disk": lambda: disk_full(records),
        "clock": lambda: clock_jumps(records),
        "rename": lambda: rotated(records, "rotated by rename", by_rename),
        "copy": lambda: rotated(records, "copied and truncated", by_copy),
        "dead": lambda: dead_sink(min(records, 1000)),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--only", nargs="*", default=[])
    asked = parser.parse_args()
    print("| fault | records | missing | altered | duplicates | dead letters | |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |", flush=True)
    lost = 0
    for name, run in rows(asked.records, asked.rounds).items():
        if not asked.only or name in asked.only:
            row = run()
            lost += row.missing + row.altered
            print(row.text(), flush=True)
    return 1 if lost else 0


if __name__ == "__main__":
    threading.excepthook = lambda given: None  # receivers end with their sockets
    sys.exit(main())
