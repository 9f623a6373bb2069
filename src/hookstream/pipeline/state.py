"""The pipeline over one machine's log, for programs and engines that keep its state.

    from hookstream.pipeline.state import State, normalise

    state = State(key, now="2026-11-21T12:00:00Z")
    events, state = normalise(batch, state)
    data = state.dump()
    state = State.load(data, key, now="2026-11-21T12:00:00Z")

A state belongs to one machine's log in its order: a record depends on the records before it, and on
none of other machines. Key and clock are explicit; another process continues from the bytes of
`dump`. `run`, its workers, Spark tasks and followers run the same pipeline; followers and consumers
of Kafka and JetStream keep its state in the same form.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import HookstreamError
from hookstream.core.lines import Lines
from hookstream.core.personal import DEFAULT
from hookstream.core.times import to_iso
from hookstream.pipeline.memory import (
    DecryptionError,
    Memory,
    decrypt,
    encrypt,
    pack,
    shape,
    unpack,
)
from hookstream.pipeline.stages import Pipeline
from hookstream.pipeline.turns import through
from hookstream.redaction import Redactor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hookstream.core.lines import Lines
    from hookstream.pipeline.stages import Pipeline, Unread
    from hookstream.standards.rendered import Rendered


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
        state = cls.__new__(cls)
        state._begin(pipeline, key)
        return state

    @classmethod
    def load(cls, data: bytes, key: bytes, now: str | Callable[[], str], **options: Any) -> State:
        """Load the state from the bytes of `dump`, to continue with the same key and options.
        StateError if the bytes were made with another key or version, or were changed."""
        state = cls(key, now, **options)
        head, _, body = data.partition(b"\n")
        if not head.startswith(HEAD):
            raise StateError("these bytes are not a saved state")
        state.lines = int(lines) if (lines := head.rpartition(b" ")[2]).isdigit() else 0
        if head != state._head():
            raise StateError("the state was saved by another version of hookstream")
        try:
            memory, state.pipeline.telemetry = unpack(decrypt(body, key, head))
            state._memory.apply(memory)
        except DecryptionError as error:
            raise StateError(f"the state cannot be used: {error}") from None
        return state

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


def normalise(batch: Any, state: State) -> tuple[Any, State]:
    """Convert a `pyarrow.RecordBatch` of lines and a state to one of events and the next state.

    Columns of the input: `line` (text or bytes, one JSON object per row; null rows are left out),
    and optionally `source` (name of the file or topic), `offset` (int64, where the line begins
    there; rows are counted if absent) and `machine` (the default for records without a machine).
    Sources may come in turns; rows of one source must come in their order. The output has the
    columns of the `events` table (`hookstream.lake.rows.schema()`), no row for a known non-event,
    and none for what is rejected: `state.counts` says how many and why.

    The state is changed in place and returned: continue with what is returned. Raises
    HookstreamError for a batch without the column `line`.
    """
    import pyarrow as pa

    from hookstream.lake.rows import DATE, PLACE, rows_of, schema

    events: list[Rendered] = []
    for (source, machine), rows in groupby(_rows(batch, state), key=lambda row: row[0]):
        lines = Lines([line for _, line in rows], f"{machine or ''}\0{source}", machine)
        for outcome in through(state.pipeline, lines, state.standard):
            events += outcome if type(outcome) is list else ()
    table, _ = rows_of(events, state.standard) if events else (None, {})
    if table is None:
        return pa.RecordBatch.from_pylist([], schema()), state
    table = table.drop_columns([DATE, PLACE]).combine_chunks()
    return table.to_batches()[0], state


def _rows(batch: Any, state: State) -> list[tuple[tuple[str, str | None], Unread]]:
    names = batch.schema.names
    if "line" not in names:
        raise HookstreamError(f"a batch has a column `line`; this one has {', '.join(names)}")

    def column(name: str, default: Any) -> list[Any]:
        return batch.column(name).to_pylist() if name in names else [default] * len(batch)

    rows: list[tuple[tuple[str, str | None], Unread]] = []
    lines, sources = column("line", None), column("source", "")
    for line, source, offset, machine in zip(
        lines, sources, column("offset", None), column("machine", None), strict=True
    ):
        name = source or ""
        if offset is None:
            offset = state.lines
            state.lines += 1
        if line is not None:
            data = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
            rows.append(((name, machine), (data, name, offset)))
    return rows
