"""retain, hold: what has been kept long enough goes; what a case needs stays."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hookstream.cli.places import local
from hookstream.cli.progress import bar
from hookstream.core.errors import HookstreamError
from hookstream.core.logs import say

if TYPE_CHECKING:
    from hookstream.delivery.job import Job
    from hookstream.retention.policy import Counts

FORMATS = ("table", "json")


def retain(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Lakes and folders of jsonl: that `run` wrote.")
    ] = None,
    max_age: Annotated[
        str | None, typer.Option(help="Delete records older than this: 365d, 12h, 52w.")
    ] = None,
    content_max_age: Annotated[
        str | None, typer.Option(help="Reduce content older than this to digest and length.")
    ] = None,
    user: Annotated[
        list[str] | None, typer.Option(help="Delete all records of this user_id (a pseudonym).")
    ] = None,
    operator_key: Annotated[
        str | None, typer.Option(help="Private key (PEM) that signs removals in sealed folders.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="TOML file with [retention]; its local sinks are the paths.")
    ] = None,
    seal_to: Annotated[
        list[str] | None, typer.Option(help="Second place of checkpoints, as run --seal-to.")
    ] = None,
    log: Annotated[
        bool,
        typer.Option("--log", help="The capture log (or PATHS): rotated files, once delivered."),
    ] = False,
    max_bytes: Annotated[
        int | None, typer.Option(min=0, help="With --log: what the log may hold.")
    ] = None,
    dry_run: Annotated[bool, typer.Option(help="Count, and remove nothing.")] = False,
    format: Annotated[str, typer.Option(help="table or json.")] = "table",
    now: Annotated[str | None, typer.Option(help="Ages count back from this time.")] = None,
) -> None:
    """Delete records by age or user, and content earlier. Legal holds stay, seals stay valid.

    Exit 0 done, 2 nothing was changed (the message says why)."""
    from hookstream.cli.configured import follower_job
    from hookstream.delivery.job import digest_key, pseudonym_key
    from hookstream.delivery.settings import job_of
    from hookstream.redaction.redact import Redactor
    from hookstream.retention import holds
    from hookstream.retention.apply import Retention
    from hookstream.retention.policy import Policy, RetentionSettings, load_settings, seconds
    from hookstream.seal import SealError
    from hookstream.seal.operator import Operator
    from hookstream.seal.sealed import seal_keys

    if format not in FORMATS:
        raise HookstreamError(f"--format {format}: one of {', '.join(FORMATS)}")
    if log:
        if content_max_age or user or operator_key or seal_to:
            raise HookstreamError("--log: whole files go; give --max-age or --max-bytes alone")
        prune_logs(paths, max_age, max_bytes, config, _time(now), dry_run=dry_run)
        return
    if max_bytes is not None:
        raise HookstreamError("--max-bytes: needs --log")
    settings = load_settings(config) if config is not None else RetentionSettings()
    job = job_of({}) if config is None else follower_job({"config": config})
    folders = [local(path) for path in paths or _local_folders(job)]
    ages = (
        settings.max_age_s if max_age is None else seconds(max_age, "--max-age"),
        settings.content_max_age_s
        if content_max_age is None
        else seconds(content_max_age, "--content-max-age"),
    )
    if not folders:
        raise HookstreamError("no folder: name one, or a --config with local sinks")
    if ages == (None, None) and not user:
        raise HookstreamError("nothing to do: give --max-age, --content-max-age or --user")
    at = _time(now)
    key_file = operator_key or settings.operator_key_file
    try:
        operator = Operator.load(key_file) if key_file and not dry_run else None
        redactor = Redactor("hash", pseudonym_key=pseudonym_key(job), digest_key=digest_key(job))
        for folder in folders:
            if not folder.is_dir():
                raise HookstreamError(f"{folder}: no folder")
            policy = Policy(at, *ages, frozenset(user or ()), holds.read(folder))
            work = Retention(
                policy, redactor, seal_keys(), operator, tuple(seal_to or job.seal_to), time.time
            )
            with bar("records"):
                counts = work.apply(folder, dry_run=dry_run)
            _show(folder, counts, format, dry_run=dry_run)
            if not dry_run:
                with bar("batches"):
                    _refresh(folder)
        if operator is not None:
            say(f"signed by {operator.verifier}")
    except SealError as error:
        raise HookstreamError(str(error)) from None


def prune_logs(
    paths: list[Path] | None,
    max_age: str | None,
    max_bytes: int | None,
    config: Path | None,
    now: float,
    *,
    dry_run: bool,
) -> None:
    """Remove rotated files of capture logs. HookstreamError if nothing may go."""
    from hookstream.cli.configured import follower_job
    from hookstream.core.folders import state_folder
    from hookstream.delivery.folders import state_of
    from hookstream.delivery.state import of_user, read
    from hookstream.retention.capture_log import Limits, prune
    from hookstream.retention.policy import seconds

    limits = Limits(None if max_age is None else seconds(max_age, "--max-age"), max_bytes)
    if limits == Limits():
        raise HookstreamError("nothing to do: give --max-age or --max-bytes")
    state = state_folder()
    folders = paths or ([Path(state, "log")] if state is not None else [])
    by_folder = {one["folder"]: one for one in of_user()}
    if config is not None:
        own = state_of(follower_job({"config": config}))
        by_folder[str(own)] = read(own)
    for folder in map(local, folders):
        if not folder.is_dir():
            raise HookstreamError(f"{folder}: no folder")
        done = prune(folder, limits, by_folder.values(), now, dry_run=dry_run)
        for path, why in done.kept:
            say(f"{path}: stays: {why}")
        size = sum(size for _, size in done.removed)
        verb = "would be removed" if dry_run else "removed"
        say(
            f"{folder}: {len(done.removed)} files ({size} bytes) {verb}, {len(done.kept)} stay "
            "although they are due",
        )


def _local_folders(job: Job) -> list[Path]:
    """The folders that the sinks of a job write to."""
    from hookstream.sinks import files_of

    found = [files_of(output.uri, output.standard, output.options) for output in job.outputs]
    return list(dict.fromkeys(one[0] for one in found if one is not None))


def _time(text: str | None) -> float:
    from hookstream.core.times import micros

    if text is None:
        return time.time()
    found = micros(text)
    if found is None:
        raise HookstreamError(f"--now: invalid time {text!r}; use 2026-11-21T12:00:00Z")
    return found / 1e6


def _show(folder: Path, counts: Counts, format: str, *, dry_run: bool) -> None:
    from hookstream.cli.answers import table_text
    from hookstream.queries.runner import Result

    rows = counts.table()
    if format == "json":
        fields: dict[str, Any] = {"path": str(folder), "dry_run": dry_run, "kept": counts.kept}
        print(json.dumps({**fields, "rows": rows, "left": counts.left}, indent=1))
    elif rows:
        names = ("class", "date", "user_id", "records")
        print(table_text(Result.of(names, (tuple(row.values()) for row in rows))))
    for left in counts.left:
        say(left)
    verb = "would be deleted" if dry_run else "deleted"
    lost = "would lose their content" if dry_run else "lost their content"
    say(
        f"{folder}: {counts.total('age', 'user')} records {verb}, {counts.total('content')} "
        f"{lost}, {counts.total('held')} held, {counts.kept} stay",
    )


def _refresh(folder: Path) -> None:
    """Derived tables hold what was derived from records that are gone: a retention has declared
    them void before it removed anything."""
    from hookstream.core.errors import NothingToRead
    from hookstream.tables import manifest
    from hookstream.tables.update import update

    tables = manifest.folder_of(folder)
    if tables.is_dir() and manifest.read(tables) is None:
        try:
            update(folder, rebuild=True)
        except NothingToRead:  # not one part is left
            import shutil

            shutil.rmtree(tables)


def hold(
    path: Annotated[Path, typer.Argument(help="A lake or folder that `run` wrote.")],
    case: Annotated[
        str | None, typer.Argument(help="The case; without one, holds are listed.")
    ] = None,
    session: Annotated[list[str] | None, typer.Option(help="Hold this session_id.")] = None,
    user: Annotated[list[str] | None, typer.Option(help="Hold this user_id.")] = None,
    machine: Annotated[list[str] | None, typer.Option(help="Hold this machine_id.")] = None,
    release: Annotated[bool, typer.Option(help="End the hold of the case.")] = False,
) -> None:
    """Put records under legal hold; list and release holds. What is held is not deleted."""
    from datetime import UTC, datetime

    from hookstream.retention.holds import Hold, read, write

    folder = local(path)
    if not folder.is_dir():
        raise HookstreamError(f"{folder}: no folder")
    known = list(read(folder))
    rest = [one for one in known if one.case != case]
    if case is None:
        for one in known:
            words = [*one.sessions, *one.users, *one.machines]
            print(f"{one.case}  since {one.since}  {' '.join(words)}")
        if not known:
            say("nothing is held")
        return
    if release:
        if len(rest) == len(known):
            raise HookstreamError(f"{folder}: no hold {case!r}")
        write(folder, rest)
        return
    if not (session or user or machine):
        raise HookstreamError("what is held? give --session, --user or --machine")
    before = next((one for one in known if one.case == case), Hold(case))
    made = Hold(
        case,
        _wider(before.sessions, session),
        _wider(before.users, user),
        _wider(before.machines, machine),
        before.since or datetime.now(UTC).isoformat(timespec="seconds"),
    )
    write(folder, [*rest, made])


def _wider(before: tuple[str, ...], asked: list[str] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*before, *(asked or ()))))
