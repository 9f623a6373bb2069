"""run, demo: from sources to sinks."""

from __future__ import annotations

import shlex
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from hookstream.cli.next_steps import hint
from hookstream.cli.options import takes
from hookstream.cli.progress import bar
from hookstream.cli.running import (
    can_report,
    demand_delivery,
    headline,
    mention_folders,
    mention_unread,
    rejected,
    why_ignored,
    write_report,
)
from hookstream.core.errors import HookstreamError, NothingToRead
from hookstream.core.logs import say

# Files and sources that are named on a terminal.
MOST_NAMED = 5


@takes(
    "sources", "sink", "standard", "privacy", "personal", "vendor", "report", "workers", "strict",
    "now", "hash_key_file", "allow", "witness", "machine", "follow", "config", "seal", "seal_to",
    "state", "rules", "metrics", "metrics_otlp", "log_format", "log_level", "loop_threshold",
)  # fmt: skip
def run(**options: Any) -> None:
    """Normalize payloads and write both standards to the sinks."""
    from hookstream.delivery.folders import is_stream

    mention_folders(options["sink"] or ())
    if options["follow"] or options["config"] or any(map(is_stream, options["sources"] or ())):
        from hookstream.cli.delivery import deliver

        deliver(options)
    else:
        _run_once(options)


def _run_once(options: dict[str, Any]) -> None:
    """Run over what the sources hold now and end."""
    from hookstream.cli.after import AFTER
    from hookstream.delivery.run import execute
    from hookstream.delivery.settings import job_of
    from hookstream.sinks import read_uri

    job = replace(job_of(options), after=AFTER)
    if not job.sources or not job.sinks:
        raise HookstreamError("run: name a source and a sink: hookstream run SOURCE --to SINK")
    report = options["report"]
    if report is not None:
        can_report(report)
    began = time.monotonic()
    with bar("records"):
        outcome = execute(job)
    mention_unread(job.sources)
    summary = outcome.report(time.monotonic() - began)
    say(headline(summary))
    if why := why_ignored(summary):
        say(why)
    for note in outcome.notes:
        say(f"hookstream: {note}")
    if summary["rejected"]:
        say(f"hookstream: {rejected(summary, job.uris)}")
    try:
        if report is not None:
            write_report(report, summary)
    finally:
        # What did not arrive matters more than a report that could not be written.
        demand_delivery(outcome)
    for file, why in list(outcome.tally.broken_off.items())[:MOST_NAMED]:
        say(f"hookstream: {file}: {why}")
    if options["strict"] and summary["rejected"]:
        raise typer.Exit(1)
    if summary["rejected"] == summary["read"]:
        raise NothingToRead(f"{', '.join(job.sources[:MOST_NAMED])}: no line of it is a record")
    for address in map(read_uri, job.uris):
        if address.folder is not None and address.kind.is_queried:
            hint(f"hookstream query denies {shlex.quote(address.target)}")
            break


def demo(
    keep: Annotated[Path | None, typer.Option(help="Keep the output in this folder.")] = None,
) -> None:
    """Show what it does on the shipped samples. Normalizes, writes, queries, prints."""
    from hookstream.cli.demo import run_demo

    run_demo(keep)
