"""`hookstream demo`: the shipped samples through the pipeline, and some questions about them."""

from __future__ import annotations

import sys
import time
from importlib.resources import files
from pathlib import Path
from textwrap import fill
from typing import Any

from hookstream.cli.after import AFTER
from hookstream.cli.answers import Look, table_text, width_of
from hookstream.cli.progress import bar
from hookstream.core.errors import NothingToRead
from hookstream.core.interrupt import temporary_folder
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.catalog import query
from hookstream.queries.runner import Filters, ask, ask_sql, open_stream

ROWS = 8

# question -> the columns shown of it.
QUESTIONS = {
    "denies": "tool action_name command decided_by decision_reason certainty executed_afterwards",
    "retry_loops": "tool action_name kind attempts failures elapsed_ms",
    "compactions": "tool trigger tokens_before tokens_after completed certainty",
    "asks": "tool action_name resolution decided_by waited_ms",
}
# What a payload proves and explains comes first, one per client and decider before a second.
ORDER = {
    "denies": "certainty desc, executed_afterwards desc nulls last, decision_reason is null, "
    'row_number() over (partition by tool, decided_by order by "timestamp"), tool, decided_by'
}
NOW = "2026-11-21T12:00:00.000Z"


def samples() -> Path:
    """The folder of sample payloads: next to the source tree, or shipped in the wheel."""
    here = Path(str(files("hookstream")))
    for folder in (here / "samples", here.parent.parent / "samples"):
        if any(folder.glob("*/*.jsonl")):
            return folder
    raise NothingToRead("the samples are not installed; run it from a source tree")


def run_demo(keep: Path | None) -> None:
    """Run over the samples, and print counts and answers."""
    with temporary_folder("hookstream-demo-") as scratch:
        folder = keep or Path(scratch)
        began = time.monotonic()
        job = Job(
            sources=[str(samples())],
            sinks=[f"jsonl:{folder / 'stream'}", f"parquet:{folder / 'lake'}"],
            now=NOW,
            after=AFTER,
        )
        with bar("records"):
            outcome = execute(job)
        report = outcome.report(time.monotonic() - began)
        print(summary(report))
        lake = folder / "lake"
        for name in QUESTIONS:
            with bar("%"):
                text = answer_of(name, lake, str(lake) if keep else "PATH")
            print(text)
        if keep is None:
            print("To keep the output: hookstream demo --keep DIR; then hookstream ui DIR/lake")
        else:
            print(f"Kept in {folder}. Look at it: hookstream ui {lake}")


def summary(report: dict[str, Any]) -> str:
    """The counts of the run, in lines that fit the terminal."""
    vendors = ", ".join(sorted(report["by_vendor"]))
    lines = (
        f"{report['read']} payloads of {vendors}",
        f"gave {report['events']} events in both standards, {sum(report['ignored'].values())} "
        f"known non-events, {report['rejected']} rejected, "
        f"{sum(report['redactions'].values())} secrets replaced, in {report['elapsed_s']} s",
    )
    width = width_of(sys.stdout) or 150
    return "\n".join(fill(line, width, break_on_hyphens=False) for line in lines) + "\n"


def answer_of(name: str, lake: Path, path: str) -> str:
    """A question, its description and the first rows of its answer; `path` is the lake's name in
    the command that shows more."""
    with open_stream(lake) as stream:
        if name in ORDER:
            result = ask_sql(stream, f"from {name} order by {ORDER[name]}", limit=ROWS)
        else:
            result = ask(stream, name, Filters(), limit=ROWS)
    result.shows = QUESTIONS[name].split()
    heading = fill(f"{name}: {query(name).description}", width_of(sys.stdout) or 150)
    more = f"More: hookstream query {name} {path}\n" if result.truncated else ""
    return f"{heading}\n{table_text(result, Look(vertical=False))}{more}"
