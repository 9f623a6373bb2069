"""run kafka://..., run nats://...: a stream as source, by partitions."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hookstream.errors import HookstreamError

if TYPE_CHECKING:
    from pathlib import Path

    from hookstream.config import Settings, SinkSettings
    from hookstream.runner.options import Job
    from hookstream.sinks.base import Sink


def consume(job: Job, settings: Settings, state: Path | None, follow: bool) -> dict[str, Any]:
    """One stream into the sinks, each partition in a folder of its own where a sink writes to one.

    Without `follow` it ends where all partitions end. HookstreamError for what the user can mend.
    """
    from hookstream.delivery.consume import Consuming
    from hookstream.delivery.follow import folder_for
    from hookstream.runner.options import (
        clock_of,
        make_pipeline,
        make_redactor,
        pseudonym_key,
        state_folder,
    )

    if len(job.sources) != 1:
        raise HookstreamError("a kafka:// or nats:// address is the only source of its run")
    clock = clock_of(job)
    redactor = make_redactor(job)
    folder = state or settings.state or folder_for(state_folder(), ["-"], job.sources[0], job.mode)
    consuming = Consuming(
        folder,
        lambda: make_pipeline(job, redactor),
        lambda name: [_open(job, one, name, clock) for one in settings.sinks],
        pseudonym_key(job),
        clock,
    )
    if follow:
        print(f"consuming {job.sources[0]}; state in {folder}", file=sys.stderr)
    return consuming.run(job.sources[0], settings.kafka, once=not follow)


def _open(job: Job, one: SinkSettings, name: str, clock: Any) -> Sink:
    """The sink of a partition: folders have one writer, far ends take many."""
    from hookstream.config import opening
    from hookstream.runner.options import seal_keys, sealing_of
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
