"""The base of sinks over a transport without answers: a new kind says how a record is framed, and
what sends frames and waits until the receiver has them.

`Transport.send` takes all frames of a record or raises OSError and keeps none of them; `drain`
returns once the far host has everything that was sent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hookstream.core.errors import SinkError
from hookstream.sinks.base import DELIVERED, Receipt, retry
from hookstream.sinks.delivery import merged, rendering
from hookstream.standards.rendered import Rendered


class StreamTransport(Protocol):
    """A connection that is made at need, and again when it breaks. OSError."""

    def send(self, frames: list[bytes]) -> None: ...

    def drain(self) -> None: ...

    def close(self) -> None: ...


class StreamSink:
    """Records as frames, in order, over one transport. `frames` raises ValueError with the reason
    for a record that cannot be framed."""

    def __init__(
        self, uri: str, transport: StreamTransport, frames: Callable[[Rendered], list[bytes]]
    ) -> None:
        self.uri = uri
        self._transport = transport
        self._frames = frames

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        made, refused = rendering(batch, self._frames)
        receipts: list[Receipt] = []
        for frames in made:
            try:
                self._transport.send(frames)
            except OSError as error:
                wait = retry(f"not sent: {error.strerror or error}")
                receipts += [wait] * (len(made) - len(receipts))
                break
            receipts.append(DELIVERED)
        return merged(receipts, refused)

    def reject(self, lines: list[bytes]) -> None:
        """Ignore rejections: they are not events."""

    def flush(self) -> None:
        try:
            self._transport.drain()
        except OSError as error:
            raise SinkError(f"{self.uri}: not acknowledged: {error.strerror or error}") from None

    def close(self) -> None:
        try:
            self.flush()
        finally:
            self._transport.close()
