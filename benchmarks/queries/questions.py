"""Named questions beside a bare DuckDB count in the same run, and what builds and refreshes cost.

    python benchmarks/queries/questions.py FOLDER --events 1000000

Builds and refreshes are commands (CPU, wall, peak memory of the whole process). A question is
opened and asked anew each time, in this process: what it costs beyond the start of a process,
median of the rounds.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

sys.path.insert(0, str(Path(__file__).parent))
from lake import LATE, arrive, depart

from hookstream.queries.catalog import queries
from hookstream.queries.runner import Filters, ask, ask_sql, open_stream
from hookstream.tables.manifest import folder_of

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 3
PAGE = 50
COUNTED = "select tool, certainty, count(*) from {} group by all"


def command(name: str, *words: str) -> None:
    """Runs `hookstream WORDS` and prints what it cost."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "hookstream", *words], stderr=subprocess.PIPE, text=True
    )
    _, status, used = os.wait4(process.pid, 0)
    took = time.perf_counter() - began
    said = process.stderr.read().strip() if process.stderr else ""
    cpu = used.ru_utime + used.ru_stime
    print(
        f"{name:28} {cpu:8.1f} s CPU {took:8.1f} s wall {used.ru_maxrss / 1024:8,.0f} MB  "
        f"{said.rpartition(': ')[2]}",
        flush=True,
    )
    if status:
        sys.exit(said)


def timed(name: str, work: Callable[[], object]) -> None:
    """Prints the median of the rounds."""
    walls, cpus, result = [], [], None
    for _ in range(ROUNDS):
        began, cpu = time.perf_counter(), time.process_time()
        result = work()
        walls.append(time.perf_counter() - began)
        cpus.append(time.process_time() - cpu)
    wall, cpu = statistics.median(walls), statistics.median(cpus)
    print(f"{name:28} {wall * 1000:8.0f} ms wall {cpu * 1000:8.0f} ms CPU  {result}", flush=True)


def asked(lake: Path, name: str, filters: Filters) -> str:
    with open_stream(lake) as stream:
        return f"{len(ask(stream, name, filters, limit=PAGE).rows)} rows"


def counted(lake: Path) -> str:
    with open_stream(lake) as stream:
        return f"{sum(row[-1] for row in ask_sql(stream, COUNTED.format('denies')).rows)} denies"


def bare(lake: Path) -> str:
    files = f"read_parquet('{folder_of(lake)}/denies/**/*.parquet', hive_partitioning = false)"
    with duckdb.connect() as connection:
        found = connection.execute(COUNTED.format(files)).fetchall()
    return f"{sum(row[-1] for row in found)} denies"


def opened(lake: Path) -> str:
    with open_stream(lake) as stream:
        return f"{len(stream.files)} parts"


def one_session(lake: Path) -> tuple[str, str]:
    """The machine and id of a session with many events."""
    files = f"read_parquet('{folder_of(lake)}/sessions/**/*.parquet', hive_partitioning = false)"
    with duckdb.connect() as connection:
        found = connection.execute(
            f"select machine_id, session_id from {files} order by events desc, session_id limit 1"
        ).fetchone()
    assert found is not None
    return found


def ask_all(lake: Path, names: list[str]) -> None:
    machine, session = one_session(lake)
    timed("bare count of denies", lambda: bare(lake))
    timed("(open)", lambda: opened(lake))
    timed("count of denies", lambda: counted(lake))
    one = Filters(machine=machine, session=session)
    timed("timeline --session", lambda: asked(lake, "timeline", one))
    for name in names or sorted(queries()):
        timed(name, lambda name=name: asked(lake, name, Filters()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--only", nargs="*", default=[], help="questions; no build, no refresh")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    lake = options.folder / "lake"
    making = [sys.executable, str(Path(__file__).parent / "lake.py"), str(options.folder)]
    # In a process of its own: a command begins with the peak memory of this one.
    subprocess.run([*making, str(options.events)], check=True)
    if options.only:
        ask_all(lake, [] if options.only == ["all"] else options.only)
        return
    depart(lake)
    shutil.rmtree(folder_of(lake), ignore_errors=True)
    command("build", "tables", str(lake))
    ask_all(lake, [])
    for name in LATE:
        rows = arrive(options.folder / "late" / name, lake)
        command(f"refresh: {rows} of {name}", "tables", str(lake))
    depart(lake)


if __name__ == "__main__":
    main()
