"""Page times of `hookstream ui` over a lake, beside a bare DuckDB count of the same Parquet files.

    python benchmarks/ui.py LAKE [--rounds 5]

Each page is asked once to warm up, then in alternation with the count; medians, in milliseconds,
and their ratio. CPU counts all threads. The server runs in this process, without a network.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import duckdb
from starlette.testclient import TestClient

from hookstream.ui.app import create_app
from hookstream.ui.lake import BrowsedLake
from hookstream.ui.pages import PAGES, page_of


def browser(lake: BrowsedLake) -> TestClient:
    """A client that has opened the printed address: its paths are below that of this start."""
    app = create_app(lake, "t", 8000)
    client = TestClient(app, base_url="http://127.0.0.1:8000")
    client.get("/?token=t")
    client.base_url = client.base_url.join(app.state.session.root)
    return client


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lake", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    lake = BrowsedLake(options.lake)
    client = browser(lake)
    files = [str(path) for path in options.lake.rglob("*.parquet")]
    bare = duckdb.connect()
    total = bare.execute("select count(*) from read_parquet(?)", [files]).fetchone()
    session, machine = lake.ask(
        "select session_id, machine_id from sessions order by actions desc limit 1"
    ).rows[0]
    pages = [
        "",
        *(key for key in PAGES if page_of(key)),
        f"session/{session}?machine={machine}",
        "search?q=curl",
    ]
    print(f"{total[0]:,} events, {len(files)} files\n")
    print("| page | first ms | ms | CPU ms | count ms | ratio |\n|---|---|---|---|---|---|")
    for page in pages:
        began = time.perf_counter()
        answer = client.get(f"/{page}")
        first = (time.perf_counter() - began) * 1000
        times: tuple[list[float], list[float]] = ([], [])
        cpu = 0.0
        for _ in range(options.rounds):
            spent = time.process_time()
            times[0].append(timed(lambda page=page: client.get(f"/{page}")))
            cpu += (time.process_time() - spent) * 1000 / options.rounds
            times[1].append(
                timed(
                    lambda: bare.execute(
                        "select count(tool) from read_parquet(?)", [files]
                    ).fetchall()
                )
            )
        mine, count = (statistics.median(each) for each in times)
        note = "" if answer.status_code == 200 else f" ({answer.status_code})"
        name = "/" + page.partition("/")[0] + note
        print(
            f"| {name} | {first:.0f} | {mine:.0f} | {cpu:.0f} | {count:.1f} | {mine / count:.1f} |"
        )
    client.app.state.pages.close()


def timed(work: object) -> float:
    started = time.perf_counter()
    work()  # type: ignore[operator]
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main()
