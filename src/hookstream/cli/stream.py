"""run, demo, validate: from sources to sinks, and whether what was written keeps the standards."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hookstream.cli.places import local
from hookstream.cli.running import (
    MODES,
    STANDARDS,
    can_report,
    demand_delivery,
    headline,
    mention_unread,
    one_of,
    rejected,
    witnesses_of,
    write_report,
)
from hookstream.core.errors import HookstreamError, NothingToRead
from hookstream.core.logs import say

if TYPE_CHECKING:
    from hookstream.delivery.job import Job


# Files and sources that are named on a terminal.
MOST_NAMED = 5


def register(app: typer.Typer) -> None:
    app.command()(run)
    app.command()(validate)
    app.command()(demo)


def run(
    sources: Annotated[
        list[str] | None, typer.Argument(help="Files, folders, globs, or - for stdin.")
    ] = None,
    to: Annotated[
        list[str] | None, typer.Option("--to", help="Sink URI; may be given more than once.")
    ] = None,
    standard: Annotated[
        str | None, typer.Option(help="agent-hooks | aarts | both (default)")
    ] = None,
    privacy: Annotated[str | None, typer.Option(help="hash (default) | redact | full")] = None,
    personal: Annotated[
        str | None,
        typer.Option(
            help="Redacted personal data: email,phone,card,iban,national-id,private-ip | all | none"
        ),
    ] = None,
    vendor: Annotated[
        str | None, typer.Option(help="Vendor (default: detected per record).")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write counters as JSON to this file.")
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, help="Number of processes; the output does not depend on it.")
    ] = 1,
    strict: Annotated[bool, typer.Option(help="Exit 1 if any line was rejected.")] = False,
    now: Annotated[str | None, typer.Option(help="RFC 3339 time to use as the clock.")] = None,
    hash_key_file: Annotated[
        Path | None, typer.Option(help="Key for digests (hmac-sha256); mode 0600.")
    ] = None,
    allow: Annotated[
        Path | None, typer.Option(help="Allowlist: rules and digests that are not secrets here.")
    ] = None,
    witness: Annotated[
        str | None, typer.Option(help="hook,transcript,telemetry: the kinds to use (default all)")
    ] = None,
    machine: Annotated[
        str | None, typer.Option(help="Machine of records that name none; see docs/tables.md.")
    ] = None,
    follow: Annotated[
        bool, typer.Option(help="Keep running and deliver new lines as they arrive (like tail -F).")
    ] = False,
    config: Annotated[
        Path | None,
        typer.Option(
            help="TOML file of sinks and filters; resumes where the last delivery stopped."
        ),
    ] = None,
    seal: Annotated[
        bool, typer.Option("--seal", help="Seal what is written (docs/seal.md).")
    ] = False,
    seal_to: Annotated[
        list[str] | None,
        typer.Option(
            "--seal-to", help="Second place of checkpoints: file:, git:, https:, syslog:, s3:"
        ),
    ] = None,
    state: Annotated[
        Path | None, typer.Option(help="Folder of checkpoints and spool, with --follow, --config.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(help="Sigma rules asked of every event: files, folders, or pack."),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(help="[HOST:]PORT of /metrics, /healthz, /readyz, with --follow, --config."),
    ] = None,
    metrics_otlp: Annotated[
        str | None, typer.Option(help="OTLP/HTTP URL for the same figures, .../v1/metrics.")
    ] = None,
    log_format: Annotated[str, typer.Option(help="text | json (standard error)")] = "text",
    log_level: Annotated[str, typer.Option(help="debug | info | warning | error")] = "info",
    loop_threshold: Annotated[
        int | None, typer.Option(min=2, help="Failed attempts that are a retry loop (default 3).")
    ] = None,
) -> None:
    """Normalize payloads and write both standards to the sinks."""
    from hookstream.delivery.job import Job

    one_of("--standard", standard or "both", STANDARDS)
    one_of("--privacy", privacy or "hash", MODES)
    job = Job(
        sources=sources or [],
        sinks=to or [],
        standard=standard or "both",
        mode=privacy or "hash",
        vendor=vendor,
        workers=workers,
        now=now,
        key_file=hash_key_file,
        allow=allow,
        seal=seal,
        seal_to=tuple(seal_to or ()),
        witnesses=witnesses_of(witness),
        machine=machine,
        rules=tuple(rules or ()),
        loop_threshold=loop_threshold or Job.loop_threshold,
    )
    streams = any(source.startswith(("kafka://", "nats://")) for source in job.sources)
    if follow or config is not None or streams:
        from hookstream.cli.delivery import DeliveryOptions, deliver
        from hookstream.delivery.watch import Watched

        watched = Watched(metrics, metrics_otlp, log_format, log_level)
        deliver(
            job,
            DeliveryOptions(follow, config, state, report, privacy, standard, personal),
            watched,
        )
    else:
        _run_once(job, (privacy, personal), report, strict)


def _run_once(
    job: Job, options: tuple[str | None, str | None], report: Path | None, strict: bool
) -> None:
    """Run over what the sources hold now and end."""
    from hookstream.cli.configured import configured
    from hookstream.cli.progress import bar
    from hookstream.delivery.run import execute

    privacy, personal = options
    job = configured(job, privacy, personal=personal)
    if not job.sources or not job.sinks:
        raise HookstreamError("run: name a source and a sink: hookstream run SOURCE --to SINK")
    if report is not None:
        can_report(report)
    began = time.monotonic()
    with bar("records"):
        outcome = execute(job)
    mention_unread(job.sources)
    summary = outcome.report(time.monotonic() - began)
    print(headline(summary), file=sys.stderr)
    for note in outcome.notes:
        say(f"hookstream: {note}")
    if summary["rejected"]:
        print(f"hookstream: {rejected(summary, job.sinks)}", file=sys.stderr)
    try:
        if report is not None:
            write_report(report, summary)
    finally:
        # What did not arrive matters more than a report that could not be written.
        demand_delivery(outcome)
    for file, why in list(outcome.tally.broken_off.items())[:MOST_NAMED]:
        print(f"hookstream: {file}: {why}", file=sys.stderr)
    if strict and summary["rejected"]:
        raise typer.Exit(1)
    if summary["rejected"] == summary["read"]:
        raise NothingToRead(f"{', '.join(job.sources[:MOST_NAMED])}: no line of it is a record")


def validate(
    path: Annotated[Path, typer.Argument(help="File or folder written by hookstream.")],
) -> None:
    """Validate every line against the strict schemas.

    Exit 1 if any fails, with file:line: reason for each.
    """
    from hookstream.core.sources import ENDINGS, closed
    from hookstream.queries.strict import numbered
    from hookstream.standards.validate import Validator

    path = local(path)
    if path.is_dir():
        files = sorted(
            [
                *(p for p in path.rglob("*") if p.name.endswith(ENDINGS) and p.is_file()),
                *closed(path),
            ]
        )
    elif path.exists():
        files = [path]
    else:
        raise NothingToRead(f"{path}: no such file or folder")
    validator = Validator()
    checked = failed = 0
    for file in files:
        for number, line in numbered(file):
            if isinstance(line, bytes) and not line.strip():
                continue
            checked += 1
            problems = validator.problems(line) if isinstance(line, bytes) else [line]
            failed += bool(problems)
            for problem in problems:
                print(f"{file}:{number}: {problem}")
    if not checked:
        raise NothingToRead(f"{path}: holds no line to check")
    print(f"{checked} lines checked, {failed} failed", file=sys.stderr)
    if failed:
        raise typer.Exit(1)


def demo(
    keep: Annotated[Path | None, typer.Option(help="Keep the output in this folder.")] = None,
) -> None:
    """Show what it does on the shipped samples. Normalizes, writes, queries, prints."""
    from hookstream.cli.demo import run_demo

    run_demo(keep)
