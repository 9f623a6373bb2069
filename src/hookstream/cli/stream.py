"""run, demo, validate: from sources to sinks, and whether what was written keeps the standards."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from hookstream.cli import running
from hookstream.cli.places import local
from hookstream.errors import NothingToRead


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
    code = running.run(
        sources,
        to,
        standard,
        privacy,
        vendor,
        report,
        workers,
        strict,
        now,
        hash_key_file,
        allow,
        witness,
        machine,
        follow,
        config,
        seal,
        seal_to,
        state,
        rules,
        metrics,
        metrics_otlp,
        log_format,
        log_level,
        loop_threshold,
    )
    if code:
        raise typer.Exit(code)


def validate(
    path: Annotated[Path, typer.Argument(help="File or folder written by hookstream.")],
) -> None:
    """Validate every line against the strict schemas.

    Exit 1 if any fails, with file:line: reason for each.
    """
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
    """Show what it does on the shipped samples. Normalizes, writes, queries, prints."""
    from hookstream.cli.demo import run_demo

    run_demo(keep)
