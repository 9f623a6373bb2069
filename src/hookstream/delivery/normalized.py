"""Lines of a followed file through the pipeline, and what the pipeline remembers of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.delivery.encryption import decrypt, encrypt
from hookstream.delivery.memory import Memory, shape, turn_to
from hookstream.machines import machine_of
from hookstream.transcripts.following import Following

if TYPE_CHECKING:
    from hookstream.delivery.tail import Line, Tail
    from hookstream.pipeline import Outcome, Pipeline
    from hookstream.tally import Tally


class Normalized:
    """Records become events; their state is encrypted under `key` wherever it is saved."""

    def __init__(self, pipeline: Pipeline, key: bytes) -> None:
        self.pipeline = pipeline
        self.key = key
        self.memory = Memory(pipeline)
        self.following = Following()
        # State of another build is not poured into this one.
        self.shape = shape()

    @property
    def tally(self) -> Tally:
        return self.pipeline.tally

    def outcomes(self, tail: Tail, lines: list[Line], sources: list[str]) -> list[Outcome]:
        """What has become of each record."""
        turn_to(self.pipeline, tail.source)
        self.pipeline.machines.source = machine_of(tail.path, sources)
        given = self.following.given(tail.path, tail.name, lines)
        return self.pipeline.outcomes(given, "agent-hooks")

    def everything(self) -> bytes:
        return encrypt(self.memory.everything(), self.key)

    def changes(self) -> bytes:
        return encrypt(self.memory.changes(), self.key)

    def apply(self, body: bytes) -> None:
        """Puts back what `everything` or `changes` gave. Raises DecryptionError."""
        self.memory.apply(decrypt(body, self.key))

    def forget(self) -> None:
        for table in self.memory.tables.values():
            table.clear()

    def restored(self) -> None:
        self.memory.restored()
