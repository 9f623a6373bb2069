"""The sink contract. A sink takes batches of rendered Events and answers with a receipt for each.

Rules every sink keeps, proved by one test suite over all of them:

- `write` answers one receipt for each record of the batch, in order: DELIVERED once the far end
  has it (or the file has the bytes), a retry with the seconds to wait, or a rejection with its
  reason. It never raises for a record's or the far end's fault.
- what is not DELIVERED was not kept: the caller still owns it and may write it again. Writing a
  record twice may duplicate it; `event_id` removes duplicates.
- records leave in the order they came, within one sink.
- `flush` returns once everything DELIVERED would survive the end of the process.
- `close` flushes, frees, and may be called twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from hookstream.jsons import ascii_line, canonical
from hookstream.standards.aarts import aarts
from hookstream.standards.agent_hooks import agent_hooks

if TYPE_CHECKING:
    from hookstream.event import Event


class Rendered:
    """An Event with both renderings as bytes (one ASCII JSON object, no newline), made lazily and
    once, however many sinks read them."""

    __slots__ = ("_aarts", "_agent_hooks", "event")

    def __init__(self, event: Event) -> None:
        self.event = event
        self._agent_hooks: bytes | None = None
        self._aarts: bytes | bool | None = False

    @property
    def agent_hooks(self) -> bytes:
        if self._agent_hooks is None:
            self._agent_hooks = ascii_line(canonical(agent_hooks(self.event)))
        return self._agent_hooks

    @property
    def aarts(self) -> bytes | None:
        """The AARTS wrapper, None for an Event without hook point and decision."""
        if isinstance(self._aarts, bool):
            wrapper = aarts(self.event)
            self._aarts = None if wrapper is None else ascii_line(canonical(wrapper))
        return self._aarts


class Receipt:
    """What became of one record: `status` is delivered, retry (after `after_s` seconds) or
    rejected (for good, with `reason`)."""

    __slots__ = ("after_s", "reason", "status")

    def __init__(self, status: str, reason: str = "", after_s: float = 0.0) -> None:
        self.status = status
        self.reason = reason
        self.after_s = after_s

    def __repr__(self) -> str:
        return f"Receipt({self.status!r}, {self.reason!r}, {self.after_s!r})"


DELIVERED = Receipt("delivered")


def retry(reason: str, after_s: float = 1.0) -> Receipt:
    return Receipt("retry", reason, after_s)


def rejected(reason: str) -> Receipt:
    return Receipt("rejected", reason)


class Sink(Protocol):
    """What every sink offers. `uri` is how it was asked for, without credentials."""

    uri: str

    def write(self, batch: list[Rendered]) -> list[Receipt]: ...

    def reject(self, lines: list[bytes]) -> None:
        """Rejection records (one JSON object each); a sink that has no place for them drops them."""

    def flush(self) -> None: ...

    def close(self) -> None: ...


class SinkError(Exception):
    """A sink cannot be opened as asked; the text is one line a user can act on."""
