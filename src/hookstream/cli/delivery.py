"""run --follow, run --config, replay, compact: delivery that survives crashes and far ends."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hookstream.cli.places import local
from hookstream.core.errors import HookstreamError, SinkError, Undelivered
from hookstream.core.logs import LOG, say_error
from hookstream.delivery.watch import Watched, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.configuration.layers import Layer
    from hookstream.delivery.afterwards import Later
    from hookstream.delivery.follow import Ending
    from hookstream.delivery.job import Job
    from hookstream.delivery.settings import DeliverySettings, SinkSettings


def register(app: typer.Typer) -> None:
    app.command()(replay)
    app.command()(compact)


@dataclass(frozen=True)
class DeliveryOptions:
    """The options of a delivery; a job's own values win where they are set, else the file's."""

    follow: bool
    config: Path | None
    state: Path | None
    report: Path | None
    privacy: str | None
    standard: str | None
    personal: str | None = None


def deliver(job: Job, asked: DeliveryOptions, watched: Watched) -> None:
    """Follows, or with a file and without --follow delivers what is new. Undelivered (exit 3)
    where something waits at the end; it is sent by the next run."""
    from hookstream.cli.running import headline, write_report
    from hookstream.delivery.consume import is_stream
    from hookstream.delivery.follow import follow

    watched.begin()
    job, settings = settled(job, asked)
    demand_sources(job)
    if any(map(is_stream, job.sources)):
        from hookstream.cli.streams import consume

        counts = consume(job, settings, asked.state, asked.follow, watched)
        if asked.report is not None:
            write_report(asked.report, dict(counts))
        names = ("read", "events", "ignored", "rejected", "dead")
        LOG.info(", ".join(f"{name} {counts.get(name, 0)}" for name in names))
        return
    delivery = replace(_delivery(job, asked, settings), opened=watched.opened, said=say)
    began = time.monotonic()
    begun = f"following {', '.join(map(_shown, job.sources))}; state in {delivery.folder}"
    ending = follow(delivery, lambda: LOG.info(begun) if asked.follow else None)
    summary = ending.tally.report(time.monotonic() - began, ending.sinks)
    if asked.report is not None:
        write_report(asked.report, summary)
    LOG.info(headline(summary))
    _end(ending, delivery.folder)


def demand_sources(job: Job) -> None:
    """Refuse a delivery without a source, and one of a stream and something else."""
    from hookstream.delivery.consume import is_stream

    if not job.sources:
        raise HookstreamError("nothing to read: name a source, or write sources in the file")
    if len(job.sources) > 1 and any(map(is_stream, job.sources)):
        raise HookstreamError("a kafka:// or nats:// address is the only source of its run")


def settled(job: Job, asked: DeliveryOptions) -> tuple[Job, DeliverySettings]:
    """The job with what files say where its options say nothing, and the settings of its sinks."""
    from hookstream.cli.configured import configured

    settings, file = _settings(job, asked)
    job = replace(
        configured(job, asked.privacy, file, asked.personal),
        sources=[*job.sources, *settings.sources],
        vendor=job.vendor or settings.vendor,
        seal=job.seal or settings.seal,
        seal_to=job.seal_to or tuple(settings.seal_to),
    )
    return job, settings


def _shown(source: str) -> str:
    there = any(sign in source for sign in "*?[") or Path(source).exists()
    return source if there else f"{source} (not there yet)"


def _end(ending: Ending, folder: Path) -> None:
    text = "; ".join(
        f"{n} records for {name}" + (f" ({why})" if (why := ending.errors.get(name)) else "")
        for name, n in ending.waiting.items()
    )
    said = f"{text} wait in {folder} and are sent by the next run" if text else ""
    if ending.trouble is not None:
        said = "; ".join([f"not everything was read: {ending.trouble}", *([said] if said else [])])
    if ending.hung:
        # A sink is still inside a request; everything that must survive is on disk.
        if said:
            say_error(said)
        sys.stderr.flush()
        sys.stdout.flush()
        os._exit(3 if said else 0)
    if said:
        raise Undelivered(said)


def _settings(job: Job, asked: DeliveryOptions) -> tuple[DeliverySettings, Layer | None]:
    """The file's settings over the machine's policy, then the command line's sinks."""
    from hookstream.cli.configured import follower_settings
    from hookstream.delivery.select import Selection
    from hookstream.delivery.settings import SinkSettings

    settings, file = follower_settings(asked.config)
    standard = asked.standard or "both"
    for uri in dict.fromkeys(job.sinks):
        if uri in (one.name for one in settings.sinks):
            raise HookstreamError(f"--to {uri}: is in the file already")
        settings.sinks.append(SinkSettings(uri, uri, standard, Selection(), {}, None))
    if not settings.sinks:
        raise HookstreamError("where to? name a sink with --to, or write [[sink]] in a file")
    return settings, file


def rehearse(config: Path) -> None:
    """Open what `run --config` opens and make and send nothing: sources, state, keys, rules of
    redaction, sinks with their options and credentials. Raise what the run would raise."""
    from hookstream.delivery.consume import is_stream
    from hookstream.delivery.folders import check_sources, check_state
    from hookstream.delivery.job import Job, clock_of, make_pipeline, sealing_of
    from hookstream.delivery.settings import opening
    from hookstream.seal.sealed import rehearse_sealed

    job, settings = settled(Job([], []), DeliveryOptions(False, config, None, None, None, None))
    demand_sources(job)
    streams = any(map(is_stream, job.sources))
    with TemporaryDirectory() as scratch:
        job = _with_key(job, Path(scratch))
        if streams:
            from hookstream.cli.streams import default_folder as stream_folder

            folder = settings.state or stream_folder(job)
        else:
            folder = settings.state or default_folder(job)
            check_sources(job.sources, [one.uri for one in settings.sinks], folder)
        try:
            check_state(folder)
            make_pipeline(job)
            for one in settings.sinks:
                make = opening(one, now=clock_of(job), scratch=scratch)
                rehearse_sealed(one.uri, make, sealing_of(job), one.standard, one.options)
        except SinkError as error:
            raise HookstreamError(str(error)) from None


def _with_key(job: Job, scratch: Path) -> Job:
    """The job with a passing key of pseudonyms where the run would make one."""
    from hookstream.core.folders import pseudonym_key_file

    path = job.pseudonyms or Path(pseudonym_key_file())
    if job.may_make_key and not os.path.lexists(path):
        return replace(job, pseudonyms=scratch / "pseudonym.key")
    return job


def _delivery(job: Job, asked: DeliveryOptions, settings: DeliverySettings) -> Any:
    from hookstream.delivery.follow import Delivery, Plan
    from hookstream.delivery.job import (
        clock_of,
        make_pipeline,
        pseudonym_key,
        seal_keys,
        sealing_of,
    )
    from hookstream.delivery.settings import opening
    from hookstream.delivery.spool import SPOOL_BYTES
    from hookstream.seal.sealed import open_sealed

    def sealing_for(one: SinkSettings) -> dict[str, Any]:
        return {
            "sealing": sealing_of(job),
            "keys": seal_keys(),
            "standard": one.standard,
            "options": one.options,
        }

    clock = clock_of(job)
    folder = asked.state or settings.state or default_folder(job)
    return Delivery(
        sources=job.sources,
        plans=[
            Plan(
                one.uri,
                partial(
                    open_sealed,
                    one.uri,
                    opening(one, now=clock, **_resumed(one.uri, folder)),
                    **sealing_for(one),
                ),
                "" if one.name == one.uri else one.name,
                one.flush_s,
            )
            for one in settings.sinks
        ],
        folder=folder,
        pipeline=lambda: make_pipeline(job),
        key=pseudonym_key(job),
        clock=clock,
        spool_bytes=settings.spool_bytes or SPOOL_BYTES,
        once=not asked.follow,
        must_end=asked.follow,
        later=_later(job, settings, clock),
    )


def _later(job: Job, settings: DeliverySettings, clock: Callable[[], str]) -> Later | None:
    """Correlation rules, asked of the first lake among the sinks that takes all events."""
    from hookstream.delivery.afterwards import Later
    from hookstream.delivery.job import rule_places
    from hookstream.queries.bounds import interrupt
    from hookstream.rules.following import Correlations

    if not job.rules:
        return None
    for one in settings.sinks:
        kind, _, target = one.uri.partition(":")
        if kind == "parquet" and "://" not in target and one.selection.takes_all:
            found = Correlations(Path(target), rule_places(job), clock)
            return Later(one.uri, found, interrupt)
    LOG.info("correlation rules are not asked: they need a sink parquet:FOLDER for all events")
    return None


def state_folder_of(config: Path) -> Path:
    """The state folder of a configuration file's delivery."""
    from hookstream.delivery.job import Job

    job, settings = settled(Job([], []), DeliveryOptions(False, config, None, None, None, None))
    return settings.state or default_folder(job)


def default_folder(job: Job) -> Path:
    """The default state folder of a delivery."""
    from hookstream.core.folders import state_path
    from hookstream.delivery.folders import folder_for

    key_file = str(job.key_file.resolve()) if job.key_file else ""
    return folder_for(state_path(), job.sources, job.mode, job.vendor or "", key_file)


def _resumed(uri: str, folder: Path) -> dict[str, str]:
    """The name of this spool at a fleet's collector."""
    from hookstream.delivery.ship import stream_of

    return {"stream": stream_of(folder)} if uri.startswith("hookstream:") else {}


def replay(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Dead-letter files or state folders (default: all)."),
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", help="Send to this sink instead of their own.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="Options and credentials of sinks.")] = None,
) -> None:
    """Resend dead letters, the records that a sink did not take."""
    from hookstream.delivery.job import state_folder
    from hookstream.delivery.replay import files_in
    from hookstream.delivery.replay import replay as send
    from hookstream.delivery.settings import load

    files: list[Path] = []
    for path in paths or [state_folder()]:
        if not path.exists():
            raise HookstreamError(f"{path}: no such file or folder")
        files += files_in(path)
    known = {one.uri: one for one in load(config).sinks} if config is not None else {}
    done = send(files, lambda uri, standard: _sink(uri, standard, to, known))
    note = f", {done.unreadable} lines are no records" if done.unreadable else ""
    print(f"sent {done.sent}, kept {done.kept}{note}", file=sys.stderr)
    if done.kept:
        raise Undelivered(f"{done.kept} records were not taken; they stay where they were")


def _sink(uri: str | None, standard: str, to: str | None, known: dict[str, SinkSettings]) -> Any:
    from hookstream.delivery.credentials import open_at
    from hookstream.delivery.job import seal_keys
    from hookstream.seal.sealed import open_sealed

    wanted = to or uri
    if wanted is None:
        raise HookstreamError("these lines do not say which sink they are for; name it with --to")
    if wanted in known:
        one = known[wanted]
        return open_sealed(wanted, one.open, None, seal_keys(), one.standard, one.options)
    return open_sealed(
        wanted, partial(open_at, wanted, standard=standard), None, seal_keys(), standard
    )


def compact(
    path: Annotated[Path, typer.Argument(help="Lake written by a parquet: sink.")],
    target_mb: Annotated[
        int, typer.Option("--target-mb", min=1, help="Target size of merged parts.")
    ] = 128,
) -> None:
    """Merge small Parquet files. Safe while a follower is writing."""
    from hookstream.lake.compaction import compact as put_together
    from hookstream.lake.listing import Parts
    from hookstream.tables.update import freshen

    path = local(path)
    if not path.is_dir():
        raise HookstreamError(f"{path}: no such folder")
    if not Parts(path).is_lake:
        raise HookstreamError(f"{path}: holds no lake (no date=*/tool=*/*.parquet in it)")
    done = put_together(path, target_mb << 20)
    if done.after:
        freshen(path, at_once=False)
    for said in done.left:
        print(f"hookstream: left as it is: {said}", file=sys.stderr)
    print(f"{done.before} files with {done.rows} rows became {done.after}", file=sys.stderr)
