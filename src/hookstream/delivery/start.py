"""The job of a long run opened: a delivery of files, or of the partitions of a stream."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import HookstreamError
from hookstream.core.logs import LOG
from hookstream.delivery.folders import (
    check_sources,
    check_state,
    demand_sources,
    is_stream,
    state_of,
)
from hookstream.delivery.job import (
    clock_of,
    make_pipeline,
    make_redactor,
    opener,
    plain_opener,
    pseudonym_key,
    unsealed,
)
from hookstream.sinks import files_of, read_uri

if TYPE_CHECKING:
    from hookstream.delivery.afterwards import Later
    from hookstream.delivery.consume import Consuming
    from hookstream.delivery.follow import Delivery
    from hookstream.delivery.job import Job, Opener, SinkSettings
    from hookstream.sinks.base import Sink


def demand_ends(job: Job) -> None:
    """Refuse a delivery without a source or a sink, and one of a stream and something else."""
    if not job.sinks:
        raise HookstreamError("where to? name a sink with --to, or write [[sink]] in a file")
    if not job.sources:
        raise HookstreamError("nothing to read: name a source, or write sources in the file")
    if len(job.sources) > 1 and any(map(is_stream, job.sources)):
        raise HookstreamError("a kafka:// or nats:// address is the only source of its run")


def delivery_of(job: Job, follow: bool) -> Delivery:
    """The delivery of files; without `follow` it ends when all is delivered."""
    from hookstream.delivery.follow import Delivery, Plan
    from hookstream.delivery.spool import SPOOL_BYTES

    folder = state_of(job)
    return Delivery(
        sources=job.sources,
        plans=[
            Plan(
                output.uri,
                opener(job, output, **_resumed(output.uri, folder)),
                output.label,
                output.flush_s,
            )
            for output in job.outputs
        ],
        folder=folder,
        pipeline=lambda: make_pipeline(job),
        key=pseudonym_key(job),
        clock=clock_of(job),
        spool_bytes=job.spool_bytes or SPOOL_BYTES,
        once=not follow,
        must_end=follow,
        later=_later(job),
    )


def _resumed(uri: str, folder: Path) -> dict[str, str]:
    """The name of this spool at a fleet's collector."""
    from hookstream.delivery.ship import stream_of

    return {"stream": stream_of(folder)} if read_uri(uri).kind.takes_stream else {}


def _later(job: Job) -> Later | None:
    """Correlation rules, asked of the first lake among the sinks that takes all events."""
    from hookstream.delivery.afterwards import Later

    correlate = job.after.correlate
    if not job.rules or correlate is None:
        return None
    for output in job.outputs:
        sink = read_uri(output.uri)
        if sink.kind.is_lake and sink.folder is not None and output.selection.takes_all:
            question = correlate(Path(sink.target), job.rule_places, clock_of(job))
            return Later(output.uri, question, question.interrupt)
    LOG.info("correlation rules are not asked: they need a sink parquet:FOLDER for all events")
    return None


def consuming_of(job: Job) -> Consuming:
    """The consumer of a stream, each partition in a separate folder if a sink writes to one."""
    from hookstream.delivery.consume import Consuming

    redactor = make_redactor(job)
    return Consuming(
        state_of(job),
        lambda: make_pipeline(job, redactor),
        lambda name: [_open_for(job, output, name) for output in job.outputs],
        pseudonym_key(job),
        clock_of(job),
    )


def _open_for(job: Job, sink: SinkSettings, partition: str) -> Sink:
    """The sink of a partition: folders have one writer, far ends take many."""
    if files_of(sink.uri, sink.standard, sink.options) is not None:
        sink = replace(sink, uri=f"{sink.uri.rstrip('/')}/{partition}")
    return opener(job, sink)()


def rehearse(job: Job, scratch: Path, *, follow: bool) -> None:
    """Open what a delivery opens, and make and send nothing: state, keys, rules of redaction, sinks
    with their options and credentials. Raises what the run would raise; `scratch` is an empty
    folder."""
    from hookstream.core.errors import SinkError

    demand_ends(job)
    if not follow:
        demand_sources(job.sources)
    folder = state_of(job)
    job = _with_key(job, scratch)
    # In the order of the run: of several faults both name the same.
    for output in job.outputs:
        read_uri(output.uri)
    pseudonym_key(job)
    clock_of(job)
    if not is_stream(job.sources[0]):
        check_sources(job.sources, [output.uri for output in job.outputs], folder)
    try:
        check_state(folder)
        make_pipeline(job)
        for output in job.outputs:
            make = plain_opener(job, output, scratch=str(scratch))
            (job.after.rehearse or _rehearse_unsealed)(job, output, make)
    except SinkError as error:
        raise HookstreamError(str(error)) from None


def _rehearse_unsealed(job: Job, sink: SinkSettings, make: Opener) -> None:
    unsealed(job, sink, make).close()


def _with_key(job: Job, scratch: Path) -> Job:
    """The job with a passing key of pseudonyms where the run would make one."""
    from hookstream.core.folders import pseudonym_key_file

    path = job.pseudonym_key_file or Path(pseudonym_key_file())
    if job.may_make_key and not (path.exists() or path.is_symlink()):
        return replace(job, pseudonym_key_file=scratch / "pseudonym.key")
    return job
