"""run, demo, validate: from sources to sinks, and whether what was written keeps the standards."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hookstream.cli.places import local
from hookstream.errors import HookstreamError, NothingToRead, Undelivered, invalid_choice

if TYPE_CHECKING:
    from hookstream.runner.run import Outcome

STANDARDS = ("agent-hooks", "aarts", "both")
MODES = ("hash", "redact", "full")
WITNESSES = ("hook", "transcript", "telemetry")


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
        typer.Option("--seal-to", help="Second place of checkpoints: file:, git:, https:, syslog:"),
    ] = None,
    state: Annotated[
        Path | None, typer.Option(help="Folder of checkpoints and spool, with --follow, --config.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(help="Sigma rules asked of every event: files, folders, or pack."),
    ] = None,
) -> None:
    """Normalize payloads and write both standards to the sinks."""
    from hookstream.runner.options import Job
    from hookstream.runner.run import execute

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
    )
    streams = any(source.startswith(("kafka://", "nats://")) for source in job.sources)
    if follow or config is not None or streams:
        from hookstream.cli.delivery import Asked, deliver

        deliver(job, Asked(follow, config, state, report, privacy, standard))
        return
    from hookstream.cli.configured import configured

    job = configured(job, privacy)
    if not job.sources or not job.sinks:
        raise HookstreamError("run: name a source and a sink: hookstream run SOURCE --to SINK")
    if report is not None:
        can_report(report)
    began = time.monotonic()
    outcome = execute(job)
    mention_unread(job.sources)
    summary = outcome.report(time.monotonic() - began)
    print(headline(summary), file=sys.stderr)
    try:
        if report is not None:
            write_report(report, summary)
    finally:
        # What did not arrive matters more than a report that could not be written.
        demand_delivery(outcome)
    if strict and summary["rejected"]:
        raise typer.Exit(1)


def witnesses_of(given: str | None) -> tuple[str, ...]:
    """The kinds of record that `--witness` names, separated by commas; empty means all."""
    found = tuple(word.strip() for word in (given or "").split(",") if word.strip())
    for word in found:
        one_of("--witness", word, WITNESSES)
    return found


def mention_unread(sources: list[str]) -> None:
    """Say which rotated files beside the sources were not asked for."""
    from hookstream.sources import find, unread_beside

    beside = unread_beside(find([source for source in sources if source != "-"]))
    if beside:
        shown = ", ".join(map(str, beside[:3])) + (" ..." if len(beside) > 3 else "")
        print(f"hookstream: not read: {shown}; name the folder to read them too", file=sys.stderr)


def demand_delivery(outcome: Outcome) -> None:
    """Says where records wait that a sink could not take, or that they could not even wait."""
    if outcome.unkept:
        why = ", ".join(outcome.unkept)
        raise Undelivered(
            f"not everything was delivered, nor could it be kept ({why}); "
            "the input holds it: make room and run again"
        )
    if outcome.waiting:
        where = ", ".join(outcome.waiting)
        raise Undelivered(f"not everything was delivered; hookstream replay sends {where}")


def can_report(path: Path) -> None:
    """Says that the report cannot be written while nothing has been done yet."""
    import os

    folder = path.parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise HookstreamError(
            f"--report: {path} cannot be written; name a file in a folder of yours"
        )


def write_report(path: Path, summary: dict[str, object]) -> None:
    import json

    try:
        path.write_text(json.dumps(summary, indent=1, ensure_ascii=True) + "\n", "utf-8")
    except OSError as error:
        raise HookstreamError(
            f"--report: {path}: {error.strerror or error}; the stream itself is written"
        ) from None


def headline(summary: dict[str, object]) -> str:
    ignored = summary["ignored"]
    total = sum(ignored.values()) if isinstance(ignored, dict) else 0
    return (
        f"read {summary['read']}, events {summary['events']}, ignored {total}, "
        f"rejected {summary['rejected']}"
    )


def one_of(option: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise invalid_choice(option, value, allowed)


def validate(
    path: Annotated[Path, typer.Argument(help="File or folder written by hookstream.")],
) -> None:
    """Validate every line against the strict schemas; exit 1 and file:line: reason on failure."""
    from hookstream.queries.strict import numbered
    from hookstream.sources import ENDINGS, closed
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
    """Run the main job on the shipped samples: normalize, write, query, show."""
    from hookstream.cli.demo import run_demo

    run_demo(keep)
