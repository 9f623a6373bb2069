"""run --follow, run --config, replay, compact: delivery that survives crashes and far ends."""

from __future__ import annotations

import os
import sys
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hookstream.cli.after import AFTER
from hookstream.cli.places import local
from hookstream.cli.progress import bar
from hookstream.core.errors import HookstreamError, Undelivered
from hookstream.core.logs import LOG, say, say_error
from hookstream.delivery.watch import Watched
from hookstream.delivery.watch import say as log_message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookstream.delivery.follow import FollowEnding
    from hookstream.delivery.job import Job, SinkSettings


def deliver(options: Mapping[str, Any]) -> None:
    """Follow, or with a file and without --follow deliver what is new. Undelivered (exit 3) where
    something waits at the end; it is sent by the next run."""
    from hookstream.cli.configured import follower_job
    from hookstream.cli.running import headline, write_report
    from hookstream.delivery.folders import demand_sources, is_stream
    from hookstream.delivery.follow import follow
    from hookstream.delivery.start import delivery_of, demand_ends

    names = ("metrics", "metrics_otlp", "log_format", "log_level")
    watched = Watched(*(options[name] for name in names))
    watched.begin()
    job = replace(follower_job(options), after=AFTER)
    is_following, report = options["follow"], options["report"]
    demand_ends(job)
    if not is_following:
        demand_sources(job.sources)
    if is_stream(job.sources[0]):
        consume(job, is_following, report, watched)
        return
    delivery = replace(delivery_of(job, is_following), opened=watched.opened, said=log_message)
    began = time.monotonic()
    begun = f"following {', '.join(map(_shown, job.sources))}; state in {delivery.folder}"
    with nullcontext() if is_following else bar("records"):
        ending = follow(delivery, lambda: LOG.info(begun) if is_following else None)
    summary = ending.tally.report(time.monotonic() - began, ending.sinks)
    if report is not None:
        write_report(report, summary)
    LOG.info(headline(summary))
    _end(ending, delivery.folder)


def consume(job: Job, is_following: bool, report: Path | None, watched: Watched) -> None:
    """Deliver a stream; without --follow it ends where all partitions end."""
    from hookstream.cli.running import write_report
    from hookstream.delivery.start import consuming_of

    consuming = consuming_of(job)
    watched.show(consuming.samples, consuming.not_ready)
    if is_following:
        LOG.info("consuming %s; state in %s", job.sources[0], consuming.folder)
    counts = consuming.run(job.sources[0], job.kafka, once=not is_following)
    if report is not None:
        write_report(report, dict(counts))
    names = ("read", "events", "ignored", "rejected", "dead")
    LOG.info(", ".join(f"{name} {counts.get(name, 0)}" for name in names))


def rehearse(config: Path, *, follow: bool = False) -> None:
    """Open what `run --config` opens and make and send nothing. Raise what the run would raise."""
    from hookstream.cli.configured import follower_job
    from hookstream.delivery import start

    job = replace(follower_job({"config": config}), after=AFTER)
    with TemporaryDirectory() as scratch:
        start.rehearse(job, Path(scratch), follow=follow)


def _shown(source: str) -> str:
    there = any(sign in source for sign in "*?[") or Path(source).exists()
    return source if there else f"{source} (not there yet)"


def _end(ending: FollowEnding, folder: Path) -> None:
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
    from hookstream.cli.configured import follower_job
    from hookstream.delivery.job import state_folder
    from hookstream.delivery.replay import files_in
    from hookstream.delivery.replay import replay as send

    files: list[Path] = []
    for path in paths or [state_folder()]:
        if not path.exists():
            raise HookstreamError(f"{path}: no such file or folder")
        files += files_in(path)
    sinks = follower_job({"config": config}).outputs if config is not None else []
    by_uri = {sink.uri: sink for sink in sinks}
    with bar("records"):
        done = send(files, lambda uri, standard: _sink(uri, standard, to, by_uri))
    note = f", {done.unreadable} lines are not records" if done.unreadable else ""
    if done.unreadable and not (done.sent or done.kept):
        raise HookstreamError(f"no record in these files{note}")
    say(f"sent {done.sent}, kept {done.kept}{note}")
    if done.kept:
        raise Undelivered(f"{done.kept} records were not taken; they stay where they were")


def _sink(uri: str | None, standard: str, to: str | None, known: dict[str, SinkSettings]) -> Any:
    from hookstream.delivery.job import Job, SinkSettings, opener

    wanted = to or uri
    if wanted is None:
        raise HookstreamError("these lines do not say which sink they are for; name it with --to")
    sink = known.get(wanted) or SinkSettings(wanted, wanted, standard)
    return opener(Job([], [], after=AFTER), sink)()


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
    with bar("partitions"):
        done = put_together(path, target_mb << 20)
        if done.after:
            freshen(path, at_once=False)
    for said in done.left:
        say(f"hookstream: left as it is: {said}")
    if not done.before:
        say("nothing merged" if done.left else "nothing to merge")
        return
    say(f"{done.before} files with {done.rows} rows became {done.after}")
