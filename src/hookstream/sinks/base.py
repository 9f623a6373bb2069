"""The sink contract: a sink takes batches of rendered Events and returns a receipt for each.

Rules every sink keeps, proved by one test suite over all of them:

- `write` answers one receipt for each record of the batch, in order: DELIVERED once the sink
  answers for it, a retry with the seconds to wait, or a rejection with its reason. It never
  raises for a record's or the destination's fault.
- what is not DELIVERED was not kept: the caller still owns it and may write it again. Writing a
  record twice may duplicate it; `event_id` removes duplicates.
- records leave in the order they came, within one sink: after a retry nothing of the batch is
  sent, so a retry is answered for the rest too.
- `flush` is the commit. Once it returns, everything DELIVERED survives the end of the process and
  of the machine; until then DELIVERED means that the sink holds the record (a file not synced, a
  row in a buffer). A checkpoint therefore moves only after `flush`. When it cannot keep that
  promise `flush` raises SinkError and drops nothing: it may be called again, and a caller that
  gives up writes from its checkpoint again.
- `close` flushes, frees, and may be called twice; if its flush fails it frees and raises.

A file sink can be filled by several processes: each writes to a sink of `open_segment` in a
private folder, and the one real sink takes the folders over with `adopt`, in order. The bytes are
those of one process.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Protocol, runtime_checkable

from hookstream.core.errors import SinkError as SinkError
from hookstream.standards.rendered import Rendered


@dataclass(slots=True, eq=False)
class Receipt:
    """The result for one record: `status` is delivered, retry (after `after_s` seconds) or
    rejected (for good, with `reason`). An infinite `after_s` says that this sink will take
    nothing more in this process (its reader has gone away). `is_setup_fault`: a retry that
    waits for a user to fix the address or the credentials, which are read again before it."""

    status: str
    reason: str = ""
    after_s: float = 0.0
    is_setup_fault: bool = False

    def __repr__(self) -> str:
        return f"Receipt({self.status!r}, {self.reason!r}, {self.after_s!r})"


DELIVERED = Receipt("delivered")
# The sink has no use for the record, and answers for that; it is counted apart.
FILTERED = Receipt("delivered", "filtered")
NEVER = inf
SETUP_WAIT_S = 30.0


def retry(reason: str, after_s: float = 1.0) -> Receipt:
    return Receipt("retry", reason, after_s)


def setup_fault(reason: str) -> Receipt:
    """A retry whose fault is in the address or the credentials, not in a record."""
    return Receipt("retry", reason, SETUP_WAIT_S, True)


def rejected(reason: str) -> Receipt:
    return Receipt("rejected", reason)


@runtime_checkable
class Sink(Protocol):
    """The interface of every sink. `uri` is how it was asked for, without credentials."""

    uri: str

    def write(self, batch: list[Rendered]) -> list[Receipt]: ...

    def reject(self, lines: list[bytes]) -> None:
        """Rejection records (one JSON object each); a sink without a place drops them."""

    def flush(self) -> None: ...

    def close(self) -> None: ...


@runtime_checkable
class Adopting(Sink, Protocol):
    """A sink that can take over what another process wrote into a private folder."""

    def adopt(self, folder: str) -> Receipt:
        """Append a closed segment and remove it. On a retry nothing was taken: adopt it again."""
        ...


@runtime_checkable
class Ticking(Sink, Protocol):
    """A sink that has work to do when nothing comes."""

    def tick(self) -> None:
        """Do pending work; called every second or so. SinkError as `flush`."""
        ...
