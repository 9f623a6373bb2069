"""Named questions beside a bare count, over a lake made of the samples many times over.

    python benchmarks/queries/questions.py FOLDER --events 1000000

Sessions are copied under new ids, machines and days; CPU and wall seconds are printed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

import duckdb

from hookstream.queries.catalog import queries
from hookstream.queries.runner import Filters, ask, open_stream
from hookstream.tables.update import update

SAMPLES = Path(__file__).parents[2] / "samples"
COPY = """
copy (
    select e.* exclude (date) replace (
        md5(event_id || n)::uuid::varchar as event_id,
        md5(session_id || n)::uuid::varchar as session_id,
        md5(about || n)::uuid::varchar as about,
        md5(duplicate_of || n)::uuid::varchar as duplicate_of,
        md5(parent_session_id || n)::uuid::varchar as parent_session_id,
        'machine-' || (n % 300) as machine_id,
        "timestamp" + to_days(cast(n % 20 as integer)) as "timestamp"
    ), strftime("timestamp" + to_days(cast(n % 20 as integer)), '%Y-%m-%d') as date
    from read_parquet('{source}/**/*.parquet', hive_partitioning = true) as e,
        range({copies}) as r(n)
) to '{target}' (format parquet, partition_by (date), compression zstd)
"""


def made(folder: Path, events: int) -> Path:
    seed, lake = folder / "seed", folder / "lake"
    if not lake.exists():
        subprocess.run(
            [sys.executable, "-m", "hookstream", "run", str(SAMPLES), "--to", f"parquet:{seed}"],
            check=True,
        )
        rows = duckdb.execute(
            f"select count(*) from read_parquet('{seed}/**/*.parquet', hive_partitioning = false)"
        ).fetchall()[0][0]
        duckdb.execute(COPY.format(source=seed, target=lake, copies=-(-events // rows)))
    return lake


def timed(name: str, work: object) -> None:
    began, cpu = time.perf_counter(), time.process_time()
    result = work()  # type: ignore[operator]
    took = (time.perf_counter() - began, time.process_time() - cpu)
    print(f"{name:20} {took[0]:8.3f} s wall {took[1]:8.3f} s CPU  {result}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--events", type=int, default=1_000_000)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    lake = made(options.folder, options.events)
    timed("tables", lambda: update(lake).how)
    with open_stream(lake) as stream:
        count = "select count(*) from whole.denies"
        timed("bare count", lambda: stream.connection.execute(count).fetchall()[0][0])
        for name in queries():
            timed(name, lambda name=name: len(ask(stream, name, Filters(), limit=50).rows))


if __name__ == "__main__":
    main()
