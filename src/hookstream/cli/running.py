"""The work of `hookstream run` and of commands like it, without the library of the command line,
whose import takes longer than a run over a few lines."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.errors import HookstreamError, Undelivered, invalid_choice

if TYPE_CHECKING:
    from typing import Any

    from hookstream.runner.run import Outcome

STANDARDS = ("agent-hooks", "aarts", "both")
MODES = ("hash", "redact", "full")
WITNESSES = ("hook", "transcript", "telemetry")


def run(
    sources: list[str] | None = None,
    to: list[str] | None = None,
    standard: str | None = None,
    privacy: str | None = None,
    vendor: str | None = None,
    report: Path | None = None,
    workers: int = 1,
    strict: bool = False,
    now: str | None = None,
    hash_key_file: Path | None = None,
    allow: Path | None = None,
    witness: str | None = None,
    machine: str | None = None,
    follow: bool = False,
    config: Path | None = None,
    seal: bool = False,
    seal_to: list[str] | None = None,
    state: Path | None = None,
    rules: list[str] | None = None,
    metrics: str | None = None,
    metrics_otlp: str | None = None,
    log_format: str = "text",
    log_level: str = "info",
    loop_threshold: int | None = None,
) -> int:
    """The exit code; the parameters are those of the command. Raises HookstreamError."""
    from hookstream.runner.options import Job
    from hookstream.runner.run import execute

    if loop_threshold == 1:
        raise HookstreamError("--loop-threshold: one attempt is no loop; use 2 or more")
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
        from hookstream.cli.delivery import Asked, deliver
        from hookstream.delivery.watch import Watched

        watched = Watched(metrics, metrics_otlp, log_format, log_level)
        deliver(job, Asked(follow, config, state, report, privacy, standard), watched)
        return 0
    from hookstream.cli.configured import configured
    from hookstream.cli.progress import bar

    job = configured(job, privacy)
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
    if summary["rejected"]:
        print(f"hookstream: {rejected(summary, job.sinks)}", file=sys.stderr)
    try:
        if report is not None:
            write_report(report, summary)
    finally:
        # What did not arrive matters more than a report that could not be written.
        demand_delivery(outcome)
    return 1 if strict and summary["rejected"] else 0


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


def rejected(summary: dict[str, Any], sinks: list[str]) -> str:
    """How many lines were rejected and why, which files tell of each, and what to do."""
    from hookstream.runner.run import folder_of
    from hookstream.sinks.jsonl import REJECTED

    reasons = summary["by_rejection"]
    why = ", ".join(f"{name} {number}" for name, number in reasons.items())
    folders = [folder_of(uri) for uri in sinks if uri.startswith("jsonl:")]
    files = [str(folder / REJECTED) for folder in folders if folder is not None]
    where = f"see {' and '.join(files)}" if files else "--to jsonl:DIR keeps a list of them"
    advice = "; --vendor NAME says whose lines they are" if "unknown_vendor" in reasons else ""
    return (
        f"{summary['rejected']} of {summary['read']} lines were rejected ({why}): {where} "
        f"(reason, offset, digest){advice}; --strict makes this an error"
    )


def one_of(option: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise invalid_choice(option, value, allowed)
