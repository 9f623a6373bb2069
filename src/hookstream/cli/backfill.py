"""backfill: what the session files on this machine say, without any hook."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hookstream.cli.next_steps import hint
from hookstream.cli.options import PricesFile, takes
from hookstream.cli.progress import bar
from hookstream.cli.running import can_report, one_of, write_report
from hookstream.core.errors import HookstreamError, NothingToRead
from hookstream.core.interrupt import temporary_folder
from hookstream.core.progress import step

# What the report's tables may hold at once; the rest is spilled.
REPORT_BYTES = 256 << 20
# Files named where none of them could be read.
UNREAD_SHOWN = 5

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.delivery.backfill import Backfilled
    from hookstream.delivery.job import Job
    from hookstream.queries.backfilled import Settings as SettingsOf
    from hookstream.queries.backfilled import Summary
    from hookstream.queries.prices import Prices
    from hookstream.transcripts.permissions import PermissionSettings
    from hookstream.transcripts.places import ListedSession


@takes("sink", "privacy", "personal", "standard", "report", "hash_key_file", "allow")
def backfill(
    clients: Annotated[
        list[str] | None, typer.Argument(help="Clients; else all whose files are found.")
    ] = None,
    since: Annotated[
        str, typer.Option(help="Whole files changed since: 30d, 12h, 2026-11-01, or all.")
    ] = "30d",
    home: Annotated[Path | None, typer.Option(help="Home folder to look in.")] = None,
    machine: Annotated[
        str | None, typer.Option(help="Whose files: the machine (default: this, without --home).")
    ] = None,
    user: Annotated[
        str | None, typer.Option(help="The account (default: yours, without --home).")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes.")] = None,
    prices: PricesFile = None,
    **options: Any,
) -> None:
    """Read the session files on this machine, and report. No hooks are needed."""
    from hookstream.capture.hook.lines import machine_name, user_name
    from hookstream.cli.after import AFTER
    from hookstream.delivery.settings import job_of
    from hookstream.queries.prices import read_prices
    from hookstream.tables.connection import memory_of

    job = replace(
        job_of(options),
        workers=workers or os.cpu_count() or 1,
        machine=machine or (machine_name() if home is None else None),
        user=user or (user_name() if home is None else None),
        after=AFTER,
    )
    table = read_prices(prices)
    report = options.get("report")
    if report is not None:
        can_report(report)
    began = time.monotonic()
    seconds = seconds_of(since)
    files, shut = files_of(clients, home, seconds)
    with temporary_folder("hookstream-backfill-") as folder:
        lake = f"parquet:{folder}/lake"
        with memory_of(REPORT_BYTES):
            made = with_progress(job, lake, files, int(seconds * 1000))
        if not made.tally.produced:
            raise NothingToRead(no_event(files, int(seconds * 1000)))
        from hookstream.cli.backfilled import show

        with bar("questions"):
            found = found_in(Path(folder) / "lake", table, rules_below(home))
        left = left_unread(clients, home, seconds)
        show(found, files, shut, made, time.monotonic() - began, left)
    say_what_is_left(clients, home, left)
    hint("hookstream ui shows these sessions in a browser")
    if report is not None:
        write_report(report, {**made.tally.report(time.monotonic() - began, {}), "unread": left})


def left_unread(clients: list[str] | None, home: Path | None, since: float) -> list[dict[str, Any]]:
    """The files of sessions that are not read, by client and reason."""
    from hookstream.transcripts.unread import unread

    return unread(home or Path.home(), clients, since, os.environ if home is None else {})


def say_what_is_left(
    clients: list[str] | None, home: Path | None, left: list[dict[str, Any]]
) -> None:
    """Say on stderr how many files the window left out, and what a client will delete."""
    from hookstream.capture.install.homes import InstallFolders
    from hookstream.core.logs import say
    from hookstream.normalizers.client import client_of
    from hookstream.transcripts.clients import CLIENTS
    from hookstream.transcripts.expiring import expiring
    from hookstream.transcripts.unread import OLDER

    older = sum(row["files"] for row in left if row["why"] == OLDER)
    if older:
        files = "1 session file was" if older == 1 else f"{older} session files were"
        say(f"{files} left out, last written before that time; --since all reads them too")
    machine = InstallFolders(
        env=None if home is None else {"HOME": str(home), "USERPROFILE": str(home)}
    )
    for client in map(client_of, clients or CLIENTS):
        text = expiring(client, machine, time.time())
        if text is not None:
            say(text)


def no_event(files: list[ListedSession], since_ms: int) -> str:
    """Return why none of the files gave an event, by file."""
    from hookstream.core.records import Rejection
    from hookstream.delivery.backfill import read_file

    said = []
    for file in files[:UNREAD_SHOWN]:
        reasons = (one.reason for one in read_file(file, since_ms) if isinstance(one, Rejection))
        said.append(f"{file.path}: {next(reasons, 'holds no event')}")
    more = f"; and {len(files) - len(said)} more" if len(files) > len(said) else ""
    return f"no event in {len(files)} session files: {'; '.join(said)}{more}"


def found_in(lake: Path, prices: Prices, settings: SettingsOf) -> Summary:
    """The report, within REPORT_BYTES of memory if that is enough for the lake."""
    import pyarrow as pa

    from hookstream.queries.backfilled import summary
    from hookstream.tables.connection import within_memory

    pa.default_memory_pool().release_unused()
    return within_memory(REPORT_BYTES, lambda: summary(lake, prices, settings))


def rules_below(home: Path | None) -> Callable[[list[tuple[str, str]]], PermissionSettings]:
    """Read the permission rules of projects; of another home only those in it."""
    from hookstream.transcripts.permissions import settings_of

    def settings(projects: list[tuple[str, str]]) -> PermissionSettings:
        if home is None:
            return settings_of(Path.home(), projects, os.environ, machine=True)
        inside = [(tool, one) for tool, one in projects if Path(one).is_relative_to(home)]
        return settings_of(home, inside, {}, machine=False)

    return settings


def seconds_of(since: str) -> float:
    """Seconds since 1970 that `--since` means; 0 for all."""
    from hookstream.queries.errors import QueryError
    from hookstream.queries.runner import moment

    if since == "all":
        return 0.0
    try:
        from datetime import UTC

        return moment(since).replace(tzinfo=UTC).timestamp()
    except QueryError as error:
        raise HookstreamError(f"--since: {error}; or all") from None


def files_of(
    clients: list[str] | None, home: Path | None, since: float
) -> tuple[list[ListedSession], list[Path]]:
    from hookstream.transcripts.clients import CLIENTS
    from hookstream.transcripts.places import find

    for client in clients or ():
        one_of("CLIENT", client, CLIENTS)
    if home is not None and not home.is_dir():
        raise NothingToRead(f"--home: {home} is not a folder")
    wanted = tuple(clients) if clients else CLIENTS
    env = os.environ if home is None else {}
    files, shut = find(home or Path.home(), wanted, since, env)
    if not files:
        where = home or Path.home()
        left = left_unread(clients, home, since)
        unread = "".join(
            f"; {row['tool']}: {row['files']} files not read: {row['why']}" for row in left
        )
        raise NothingToRead(
            f"no session files of {', '.join(wanted)} below {where} in that time; "
            f"name another --home or a longer --since{unread}"
        )
    return files, shut


def with_progress(job: Job, lake: str, files: list[ListedSession], since_ms: int) -> Backfilled:
    """The run with a progress bar on stderr, if that is a terminal."""
    from hookstream.delivery.backfill import backfill as run

    total = sum(file.size for file in files)
    done = 0

    def read(_: Any, size: int) -> None:
        nonlocal done
        done += size
        step(done, total)

    with bar("MB"):
        return run(job, lake, files, since_ms, read)
