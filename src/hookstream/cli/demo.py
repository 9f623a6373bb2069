"""`hookstream demo`: the shipped samples through the pipeline, and some questions about them."""

from __future__ import annotations

import tempfile
import time
from importlib.resources import files
from pathlib import Path

from rich.console import Console

from hookstream.core.errors import NothingToRead
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute

QUESTIONS = {
    "denies": (
        "tool",
        "action_name",
        "command",
        "decided_by",
        "decision_reason",
        "certainty",
        "executed_afterwards",
    ),
    "retry_loops": ("tool", "action_name", "kind", "attempts", "failures", "elapsed_ms"),
    "compactions": ("tool", "trigger", "tokens_before", "tokens_after", "completed", "certainty"),
    "asks": ("tool", "action_name", "resolution", "waited_ms"),
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
    console = Console()
    if not console.is_terminal:
        console = Console(width=150)
    with tempfile.TemporaryDirectory(prefix="hookstream-demo-") as scratch:
        folder = keep or Path(scratch)
        began = time.monotonic()
        job = Job(
            sources=[str(samples())],
            sinks=[f"jsonl:{folder / 'stream'}", f"parquet:{folder / 'lake'}"],
            now=NOW,
        )
        outcome = execute(job)
        report = outcome.report(time.monotonic() - began)
        vendors = ", ".join(sorted(report["by_vendor"]))
        console.print(
            f"[bold]{report['read']} payloads[/] of {vendors}\n"
            f"gave [bold]{report['events']} events[/] in both standards, "
            f"{sum(report['ignored'].values())} known non-events, {report['rejected']} rejected, "
            f"{sum(report['redactions'].values())} secrets replaced, in {report['elapsed_s']} s\n"
        )
        from hookstream.cli.query import show

        lake = folder / "lake"
        for name, columns in QUESTIONS.items():
            named = str(lake) if keep else "PATH"
            show(console, name, lake, 8, columns, ORDER.get(name, ""), named)
        if keep is None:
            console.print(
                "To keep the output: hookstream demo --keep DIR; then hookstream ui DIR/lake"
            )
        else:
            console.print(f"Kept in {folder}. Look at it: hookstream ui {lake}")
