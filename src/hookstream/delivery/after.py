"""Followers of a run: rules, derived tables, seals. These are an analyst's rooms, which no run
imports; the command hands over their functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hookstream.core.event import Event
    from hookstream.delivery.job import Job, SinkSettings
    from hookstream.sinks.base import Sink
    from hookstream.standards.rendered import Rendered

    Judge = Callable[[list[list[Rendered]]], None]
    Opener = Callable[[], Sink]


class StoredQuestion(Protocol):
    """A question about stored events, asked again and again; `interrupt` ends one that runs."""

    def __call__(self) -> list[Event]: ...

    def interrupt(self) -> None: ...


@dataclass(frozen=True)
class After:
    """Functions of other rooms, at module level so that workers get them with their job: `judge`
    makes what adds findings to events, `correlate` the question about a lake, `refresh` derives a
    lake's tables (at once or if worth it), `seal` opens a sink sealed, `rehearse` checks that."""

    judge: Callable[[Sequence[Path]], Judge] | None = None
    correlate: Callable[[Path, Sequence[Path], Callable[[], str]], StoredQuestion] | None = None
    refresh: Callable[[Path, bool], object] | None = None
    seal: Callable[[Job, SinkSettings, Opener], Sink] | None = None
    rehearse: Callable[[Job, SinkSettings, Opener], None] | None = None


NOTHING = After()
