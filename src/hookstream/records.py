"""Bytes to Record: one input line becomes a payload with vendor and receipt time, or a rejection."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Record:
    """One native payload and what is known of its delivery.

    `kind` is "payload", "agent-hooks", "aarts" or "wrapper". `source` and `offset` (bytes) say
    where the line stands; they name an event only when nothing else does.
    """

    __slots__ = (
        "argv",
        "client_version",
        "env",
        "kind",
        "marks",
        "native_event",
        "offset",
        "payload",
        "received_at",
        "source",
        "vendor",
    )

    def __init__(
        self,
        payload: dict[str, Any],
        vendor: str | None = None,
        native_event: str | None = None,
        received_at: str | None = None,
        client_version: str | None = None,
        env: dict[str, Any] | None = None,
        argv: list[Any] | None = None,
        source: str = "",
        offset: int = 0,
        kind: str = "payload",
    ) -> None:
        self.payload = payload
        self.vendor = vendor
        self.native_event = native_event
        self.received_at = received_at
        self.client_version = client_version
        self.env = env
        self.argv = argv
        self.source = source
        self.offset = offset
        self.kind = kind
        self.marks: tuple[str, ...] = ()
