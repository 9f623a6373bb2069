"""A hook whose payload the client has read in part or completely."""

from __future__ import annotations

import os
from time import monotonic

from hookstream.capture.hook.main import Hook
from hookstream.capture.hook.request import HookRequest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.records import Record, Rejection

# One that has begun continues within this time, or has ended without closing.
QUIET_S = 0.5


class PreReadHook(Hook):
    """A hook whose payload has been read in part or completely."""

    def __init__(self, request: HookRequest, data: bytes, ended: bool, began_s: float) -> None:
        super().__init__(request)
        self.began_s = began_s
        self.read = data
        self.ended = ended

    def _take(self, budget_s: float) -> Record | Rejection | None:
        self.data = self.read
        if self.request.payload is not None or not (self.read or self.ended):
            return super()._take(budget_s)
        from hookstream.capture.hook.output import client_of
        from hookstream.core.limits import LINE_BYTES
        from hookstream.core.records import read_record

        data = self.data = self.read if self.ended else rest_of(self.read, QUIET_S)
        taken: Record | Rejection | None
        if len(data) > LINE_BYTES and not self.ended:
            from hookstream.capture.collector.intake import drain, waiter

            taken = drain(data, waiter(), monotonic() + budget_s * 0.4)
        else:
            taken = read_record(data, "stdin")
        self.client = client_of(getattr(taken, "payload", None), self.request.vendor)
        return taken


def rest_of(data: bytes, wait_s: float) -> bytes:
    """The rest of standard input, up to its end, a complete object, or a pause."""
    from select import select

    from hookstream.core.limits import LINE_BYTES
    from hookstream.core.records import Record, read_record

    tried = 0
    while len(data) <= LINE_BYTES:
        if len(data) >= 2 * tried and data[-64:].rstrip().endswith(b"}"):
            tried = len(data)
            if isinstance(read_record(data), Record):
                break
        if not select((0,), (), (), wait_s)[0]:
            break
        chunk = os.read(0, 1 << 18)
        if not chunk:
            break
        data += chunk
        wait_s = QUIET_S
    return data
