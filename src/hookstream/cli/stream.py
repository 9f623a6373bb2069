"""run, demo, validate: from sources to sinks, and whether what was written keeps the standards."""

from __future__ import annotations

import shlex
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from hookstream.cli.next_steps import hint
from hookstream.cli.options import takes
from hookstream.cli.places import local
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
from hookstream.core.progress import counted

# Files and sources that are named on a terminal.
MOST_NAMED = 5


def register(app: typer.Typer) -> None:
    app.command()(run)
    app.command()(validate)
    app.command()(demo)


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


def validate(
    path: Annotated[Path, typer.Argument(help="File or folder written by hookstream.")],
) -> None:
    """Validate every line against the strict schemas.

    Exit 1 if any fails, with file:line: reason for each.
    """
    from hookstream.core.sources import closed, is_lines
    from hookstream.queries.strict import numbered
    from hookstream.standards.validate import Validator

    path = local(path)
    if path.is_dir():
        files = sorted(
            [
                *(p for p in path.rglob("*") if is_lines(p.name) and not p.is_dir()),
                *closed(path),
            ]
        )
    elif path.is_file():
        files = [path]
    elif path.exists():
        raise NothingToRead(f"{path}: not a plain file")
    else:
        raise NothingToRead(f"{path}: no such file or folder")
    validator = Validator()
    checked = failed = 0
    with bar("lines"):
        for file in files:
            for number, line in counted(numbered(file), "lines"):
                if isinstance(line, bytes) and not line.strip():
                    continue
                checked += 1
                problems = validator.problems(line) if isinstance(line, bytes) else [line]
                failed += bool(problems)
                for problem in problems:
                    print(f"{file}:{number}: {problem}")
    if not checked:
        raise NothingToRead(f"{path}: holds no line to check")
    say(f"{checked} lines checked, {failed} failed")
    if failed:
        raise typer.Exit(1)


def demo(
    keep: Annotated[Path | None, typer.Option(help="Keep the output in this folder.")] = None,
) -> None:
    """Show what it does on the shipped samples. Normalizes, writes, queries, prints."""
    from hookstream.cli.demo import run_demo

    run_demo(keep)
