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
from pathlib import Path
from statistics import median

from hookstream.delivery.spool_reader import Position, SpoolEntry, SpoolRecord
from hookstream.jsons import loads_text
from hookstream.runner.batch import FanOut, run_files
from hookstream.runner.options import Job, make_pipeline
from hookstream.seal.proof import find, prove
from hookstream.seal.sealed import SEALS, Sealing, open_sealed
from hookstream.seal.verify import verify
from hookstream.sinks import open_sink

ROOT = Path(__file__).resolve().parents[2]
NOW = "2026-03-01T12:00:00.000Z"
BATCH = {"jsonl": 250, "parquet": 10_000}
NAME = "agent-hooks.jsonl"


def lines(folder: Path, count: int) -> list[bytes]:
    """Agent Hooks lines of the shipped samples, again and again."""
    sink = open_sink(f"jsonl:{folder}")
    job = Job([], [], now=NOW, pseudonyms=folder / "pseudonym.key")
    files: list[Path | None] = [
        path
        for path in sorted((ROOT / "samples").rglob("*.jsonl"))
        if not path.name.endswith(".expected.jsonl")
    ]
    run_files(files, make_pipeline(job), FanOut([sink]))
    sink.close()
    found = (folder / NAME).read_bytes().splitlines()
    return (found * (count // len(found) + 1))[:count]


def write(uri: str, given: list[bytes], keys: Path | None, batch: int) -> float:
    """CPU seconds of writing the lines, sealed where there is a folder of keys."""

    def make():  # type: ignore[no-untyped-def]
        return open_sink(uri, standard="agent-hooks")

    sealing = None if keys is None else Sealing(keys)
    sink = open_sealed(uri, make, sealing, keys or Path("none"), "agent-hooks")
    items = [
        SpoolRecord(SpoolEntry("E", n, 0, line, Position(n + 1, 0, 0)))
        for n, line in enumerate(given)
    ]
    began = time.process_time()
    for first in range(0, len(items), batch):
        sink.write(items[first : first + batch])
        sink.flush()
    used = time.process_time() - began
    sink.close()
    return used


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


def proofs(tmp: Path, given: list[bytes], count: int) -> list[str]:
    folder = tmp / "proofs"
    more = (given * (count // len(given) + 1))[:count]
    write(f"jsonl:{folder}", more, tmp / "keys", 250)
    began = time.process_time()
    verify(folder)
    took = time.process_time() - began
    rows = [f"verify, {count} records: {took:.1f} s CPU"]
    event_id = loads_text(given[len(given) // 3].decode())["event_id"]
    for what in ("first", "again"):
        began = time.perf_counter()
        number, line = find(folder / NAME, event_id)
        found = time.perf_counter()
        prove(folder / SEALS / NAME, number, line)
        ended = time.perf_counter()
        rows.append(
            f"one event, {what}: found in {(found - began) * 1e3:.1f} ms, proved in "
            f"{(ended - found) * 1e3:.2f} ms"
        )
    return rows


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
            print("\n".join(["", *proofs(tmp, given, options.verify)]))


if __name__ == "__main__":
    main()
