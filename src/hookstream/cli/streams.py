"""run kafka://..., run nats://...: a stream as source, by partitions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import HookstreamError
from hookstream.core.logs import LOG
from hookstream.core.shown import shown

if TYPE_CHECKING:
    from pathlib import Path

    from hookstream.delivery.job import Job
    from hookstream.delivery.settings import DeliverySettings, SinkSettings
    from hookstream.delivery.watch import Watched
    from hookstream.sinks.base import Sink


def consume(
    job: Job, settings: DeliverySettings, state: Path | None, follow: bool, watched: Watched
) -> dict[str, Any]:
    """One stream into the sinks, each partition in a separate folder if a sink writes to one.

    Without `follow` it ends where all partitions end. HookstreamError for what the user can mend.
    """
    from hookstream.delivery.consume import Consuming
    from hookstream.delivery.job import clock_of, make_pipeline, make_redactor, pseudonym_key

    clock = clock_of(job)
    redactor = make_redactor(job)
    folder = state or settings.state or default_folder(job)
    consuming = Consuming(
        folder,
        lambda: make_pipeline(job, redactor),
        lambda name: [_open(job, one, name, clock) for one in settings.sinks],
        pseudonym_key(job),
        clock,
    )
    watched.show(consuming.samples, consuming.not_ready)
    if follow:
        LOG.info("consuming %s; state in %s", job.sources[0], folder)
    return consuming.run(job.sources[0], settings.kafka, once=not follow)


def default_folder(job: Job) -> Path:
    """The default state folder of a stream."""
    from hookstream.core.folders import state_path
    from hookstream.delivery.folders import folder_for

    return folder_for(state_path(), ["-"], job.sources[0], job.mode)


def state_of(
    job: Job, settings: DeliverySettings, stuck_s: float
) -> tuple[dict[str, Any], list[str]]:
    """A stream's state, partition by partition, with what the broker has now, and what is wrong
    with it. HookstreamError if it has never run."""
    from hookstream.delivery.broker_lag import lags
    from hookstream.delivery.stream_state import read_stream, stream_problems

    folder = settings.state or default_folder(job)
    state = {"source": shown(job.sources[0]), **read_stream(folder)}
    if not state["partitions"]:
        raise HookstreamError(f"has never run (no state in {folder})")
    problems = []
    try:
        offsets = {name: one["offset"] for name, one in state["partitions"].items()}
        for name, lag in lags(job.sources[0], offsets, settings.kafka).items():
            unknown = {"running": False, "offset": None, "at": 0.0}
            state["partitions"].setdefault(name, unknown)["lag"] = lag
    except HookstreamError as error:
        problems.append(str(error))
    return state, [*problems, *stream_problems(state, stuck_s)]


def _open(job: Job, one: SinkSettings, name: str, clock: Any) -> Sink:
    """The sink of a partition: folders have one writer, far ends take many."""
    from hookstream.delivery.job import seal_keys, sealing_of
    from hookstream.delivery.settings import opening
    from hookstream.seal.sealed import files_of, open_sealed

    if files_of(one.uri, one.standard, one.options) is not None:
        one = replace(one, uri=f"{one.uri.rstrip('/')}/{name}")
    return open_sealed(
        one.uri,
        opening(one, now=clock),
        sealing_of(job),
        seal_keys(),
        one.standard,
        one.options,
    )
