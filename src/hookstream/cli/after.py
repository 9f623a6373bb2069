"""Followers that commands hand to a run: rules, derived tables, seals. Loaded where needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.delivery.job import After
from hookstream.rules import judge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hookstream.delivery.job import Job, Opener, SinkSettings, StoredQuestion
    from hookstream.seal.sealed import Sealing
    from hookstream.sinks.base import Sink


def correlate(lake: Path, places: Sequence[Path], clock: Callable[[], str]) -> StoredQuestion:
    """The correlation rules, to be asked of a lake."""
    from hookstream.rules.following import Correlations

    return Correlations(lake, places, clock)


def refresh(lake: Path, at_once: bool) -> None:
    """Refresh the derived tables of a lake."""
    from hookstream.tables.update import freshen

    freshen(lake, at_once=at_once)


def seal(job: Job, sink: SinkSettings, make: Opener) -> Sink:
    """The sink, sealed if the job says so or its folder is. SinkError."""
    from hookstream.seal.sealed import open_sealed, seal_keys

    sealing = _sealing_of(job)
    return open_sealed(sink.uri, make, sealing, seal_keys(), sink.standard, sink.options)


def rehearse(job: Job, sink: SinkSettings, make: Opener) -> None:
    """Refuse what `seal` would refuse. SinkError."""
    from hookstream.seal.sealed import rehearse_sealed, seal_keys

    sealing = _sealing_of(job)
    rehearse_sealed(sink.uri, make, sealing, seal_keys(), sink.standard, sink.options)


def _sealing_of(job: Job) -> Sealing | None:
    from hookstream.seal.sealed import Sealing, seal_keys

    return Sealing(seal_keys(), job.seal_to) if job.seal or job.seal_to else None


AFTER = After(judge, correlate, refresh, seal, rehearse)
