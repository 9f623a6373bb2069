"""The state of one machine's log: explicit key and clock, and bytes with which another process
continues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.core.errors import HookstreamError
from hookstream.core.personal import DEFAULT
from hookstream.core.times import to_iso
from hookstream.pipeline.encryption import DecryptionError, decrypt, encrypt
from hookstream.pipeline.memory import Memory, pack, shape, unpack
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


HEAD = b"hookstream/state/1 "


class StateError(HookstreamError):
    """Bytes that are not a state of this key and this version of hookstream."""


class State:
    """Everything that a log's next record may depend on, and the counts so far.

    `key` makes pseudonyms and protects `dump`: 16 bytes or more, the same on every machine that
    works on a fleet. `now` is the time of records without one: RFC 3339 text, or a function that
    returns it. `mode` is a privacy mode, `vendor` the client if it is not to be detected,
    `witnesses` the kinds of record to use (empty: all), `machine` the name of the machine of
    records that name none, `personal` the kinds of personal data that are looked for.
    A `redactor` that is ready saves making another (40 ms).
    """

    def __init__(
        self,
        key: bytes,
        now: str | Callable[[], str],
        *,
        mode: str = "hash",
        vendor: str | None = None,
        standard: str = "both",
        witnesses: Sequence[str] = (),
        machine: str | None = None,
        redactor: Redactor | None = None,
        personal: Sequence[str] = DEFAULT,
    ) -> None:
        clock = fixed(now) if isinstance(now, str) else now
        try:
            ready = redactor or Redactor(mode, pseudonym_key=key, personal=personal)
        except ValueError as error:
            raise HookstreamError(str(error)) from None
        self._begin(Pipeline(ready, clock, vendor, witnesses, machine), key)
        self.standard = standard

    def _begin(self, pipeline: Pipeline, key: bytes) -> None:
        self.pipeline = pipeline
        self.standard = "both"
        self.lines = 0  # of batches that give no offsets
        self._key = key
        self._memory = Memory(pipeline)

    @classmethod
    def of(cls, pipeline: Pipeline, key: bytes) -> State:
        """The state of an existing pipeline."""
        made = cls.__new__(cls)
        made._begin(pipeline, key)
        return made

    @classmethod
    def load(cls, data: bytes, key: bytes, now: str | Callable[[], str], **options: Any) -> State:
        """Load the state from the bytes of `dump`, to continue with the same key and options.
        StateError if the bytes were made with another key or version, or were changed."""
        made = cls(key, now, **options)
        head, _, body = data.partition(b"\n")
        if not head.startswith(HEAD):
            raise StateError("these bytes are not a saved state")
        made.lines = int(lines) if (lines := head.rpartition(b" ")[2]).isdigit() else 0
        if head != made._head():
            raise StateError("the state was saved by another version of hookstream")
        try:
            memory, made.pipeline.telemetry = unpack(decrypt(body, key, head))
            made._memory.apply(memory)
        except DecryptionError as error:
            raise StateError(f"the state cannot be used: {error}") from None
        return made

    def dump(self) -> bytes:
        """The entire state, encrypted and authenticated under the key."""
        head = self._head()
        data = pack((self._memory.everything(), self.pipeline.telemetry))
        return head + b"\n" + encrypt(data, self._key, head)

    def _head(self) -> bytes:
        return HEAD + f"{shape()} {self.lines}".encode()

    @property
    def counts(self) -> dict[str, Any]:
        """The counts of the records taken by this object: the report of `hookstream run`."""
        report = self.pipeline.tally.report(0.0, {})
        return {name: n for name, n in report.items() if name not in ("elapsed_s", "sinks")}

    # Parts of commits in steps: the complete state, then changes, applied in that order.

    def everything(self) -> bytes:
        return encrypt(self._memory.everything(), self._key)

    def changes(self) -> bytes:
        return encrypt(self._memory.changes(), self._key)

    def apply(self, data: bytes) -> None:
        """Apply saved changes. Raises DecryptionError."""
        self._memory.apply(decrypt(data, self._key))

    def forget(self) -> None:
        """Empty the tables after a state could not be used."""
        for table in self._memory.tables.values():
            table.clear()


def fixed(now: str) -> Callable[[], str]:
    moment = to_iso(now)
    if moment is None:
        raise HookstreamError(f"now: invalid time {now!r}; use 2026-11-21T12:00:00Z")
    return lambda: moment
