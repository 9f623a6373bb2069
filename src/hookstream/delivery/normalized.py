"""Lines of a followed file through the pipeline, and what the pipeline remembers of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.core.lines import Lines
from hookstream.core.owners import owner_of
from hookstream.pipeline.machines import machine_of
from hookstream.pipeline.memory import shape
from hookstream.pipeline.state import State
from hookstream.pipeline.turns import through
from hookstream.transcripts.following import Following

if TYPE_CHECKING:
    from hookstream.core.tally import Tally
    from hookstream.delivery.tail import Line, Tail
    from hookstream.pipeline.stages import Outcome, Pipeline


class Normalized:
    """Records become events; their state is encrypted under `key` wherever it is saved."""

    def __init__(self, pipeline: Pipeline, key: bytes) -> None:
        self.pipeline = pipeline
        self.state = State.of(pipeline, key)
        self.following = Following()
        # State of another build is not poured into this one.
        self.shape = shape()

    @property
    def tally(self) -> Tally:
        return self.pipeline.tally

    def lines(self, tail: Tail, lines: list[Line], sources: list[str]) -> Lines:
        """The records of a file's lines, and whose they are."""
        given = self.following.given(tail.path, tail.name, lines)
        return Lines(given, tail.source, machine_of(tail.path, sources), owner_of(tail.path))

    def outcomes(self, lines: Lines) -> list[Outcome]:
        """Return the outcome of each record."""
        return through(self.pipeline, lines, "agent-hooks")

    def everything(self) -> bytes:
        return self.state.everything()

    def changes(self) -> bytes:
        return self.state.changes()

    def apply(self, body: bytes) -> None:
        """Restore what `everything` or `changes` gave. Raises DecryptionError."""
        self.state.apply(body)

    def forget(self) -> None:
        self.state.forget()
