"""What sealing costs, verifying, and proving one event. Prints Markdown.

    python benchmarks/delivery/seal.py [--records 100000] [--rounds 5] [--verify 1000000]

The same records (lines of the shipped samples, as a follower hands them over) go to `jsonl:` and
`parquet:` in batches of 250 with a flush after each (parquet: 10,000), by turns without a seal and
with one; the median of the rounds' CPU time, that of the system included. Verifying and proving
are measured on a sealed file of as many lines as `--verify` says, 0 for none.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from statistics import median
from uuid import UUID

from hookstream.core.jsons import loads_text
from hookstream.delivery.batch import FanOut, run_files
from hookstream.delivery.job import Job, make_pipeline
from hookstream.delivery.spool_reader import Position, SpoolEntry, SpoolRecord
from hookstream.seal.proof import prove
from hookstream.seal.sealed import LAKE, SEALS, Sealing, open_sealed
from hookstream.seal.verify import verify
from hookstream.sinks import open_sink

ROOT = Path(__file__).resolve().parents[2]
NOW = "2026-03-01T12:00:00.000Z"
BATCH = {"jsonl": 250, "parquet": 10_000}
NAME = "agent-hooks.jsonl"


def lines(folder: Path, count: int) -> list[bytes]:
    """Agent Hooks lines of the shipped samples, again and again."""
    sink = open_sink(f"jsonl:{folder}")
    job = Job([], [], now=NOW, pseudonym_key_file=folder / "pseudonym.key")
    files: list[Path | None] = [
        path
        for path in sorted((ROOT / "samples").rglob("*.jsonl"))
        if not path.name.endswith(".expected.jsonl")
    ]
    run_files(files, make_pipeline(job), FanOut([sink]))
    sink.close()
    found = (folder / NAME).read_bytes().splitlines()
    return (found * (count // len(found) + 1))[:count]


def write(uri: str, given: Iterable[bytes], keys: Path | None, batch: int) -> float:
    """CPU seconds of writing the lines, sealed where there is a folder of keys."""

    def make():  # type: ignore[no-untyped-def]
        return open_sink(uri, standard="agent-hooks")

    sealing = None if keys is None else Sealing(keys)
    sink = open_sealed(uri, make, sealing, keys or Path("none"), "agent-hooks")
    rest, used, number = iter(given), 0.0, 0
    while lines := list(islice(rest, batch)):
        items = [
            SpoolRecord(SpoolEntry("E", n, 0, line, Position(n + 1, 0, 0)))
            for n, line in enumerate(lines, number)
        ]
        number += len(lines)
        began = time.process_time()
        sink.write(items)
        sink.flush()
        used += time.process_time() - began
    sink.close()
    return used


def again(given: list[bytes], number: int) -> bytes:
    """A line of them as another event's."""
    line = given[number % len(given)]
    if number < len(given):
        return line
    at = line.index(b'"event_id":"') + 12
    return line.replace(line[at : at + 36], str(UUID(int=number)).encode())


def cost(tmp: Path, kind: str, given: list[bytes], rounds: int) -> str:
    plain, sealed = [], []
    for number in range(rounds):
        for times, keys in ((plain, None), (sealed, tmp / "keys")):
            folder = tmp / f"{kind}-{number}-{keys is None}"
            times.append(write(f"{kind}:{folder}", given, keys, BATCH[kind]))
            shutil.rmtree(folder)
    a, b = median(plain), median(sealed)
    per = (b - a) / len(given) * 1e6
    return f"| `{kind}:` | {a / len(given) * 1e6:.1f} | {per:.1f} | {b / a:.2f} |"


def proofs(tmp: Path, kind: str, given: list[bytes], count: int) -> list[str]:
    folder = tmp / f"proofs-{kind}"
    data, log = folder / NAME, folder / SEALS / NAME
    if kind == "parquet":
        data, log = folder, folder / SEALS / LAKE
    more = (again(given, n) for n in range(count))
    write(f"{kind}:{folder}", more, tmp / "keys", BATCH[kind])
    began = time.process_time()
    verify(folder)
    took = time.process_time() - began
    rows = [f"`{kind}:` verify, {count} records: {took:.1f} s CPU"]
    some = (again(given, n) for n in range(0, count, count // 9))
    event_ids = [loads_text(one.decode())["event_id"] for one in some]
    times = []
    for event_id in event_ids:
        began = time.process_time()
        assert prove(data, log, event_id) is not None
        times.append((time.process_time() - began) * 1e3)
    first, rest = times[0], median(times[1:])
    made = f"the first {first:.0f} ms CPU (makes the index), then {rest:.2f}"
    return [*rows, f"`{kind}:` one event: {made}"]


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--records", type=int, default=100_000)
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--verify", type=int, default=1_000_000)
    asked.add_argument("--tmp", type=Path, default=None)
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(dir=options.tmp) as name:
        tmp = Path(name)
        given = lines(tmp / "lines", options.records)
        print("| sink | us a record, unsealed | sealing, us a record | times |")
        print("| --- | --- | --- | --- |")
        for kind in BATCH:
            print(cost(tmp, kind, given, options.rounds), flush=True)
        if options.verify:
            for kind in BATCH:
                print("\n".join(["", *proofs(tmp, kind, given, options.verify)]), flush=True)


if __name__ == "__main__":
    main()
