"""The program at the other end of a plugin's pipe: capture records in, lines of the log out.

`launch.py feed VENDOR`, one JSON object per line on standard input. It ends with its input, or when
nothing has come for a while (the plugin starts another). After `--last` the agent is ending and
waits: the input is read to its end, and recorded by a separate process. What recording needs is
imported when the input is safe.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from hookstream.core.records import Record, Rejection
    from hookstream.normalizers.claude_code.mod import ModReader
    from hookstream.normalizers.steps import Steps

CHUNK = 1 << 18
IDLE_S = 120.0


class Feed:
    """One plugin's stream. A line that cannot be read, or that a killed agent left unfinished,
    gives a line of the log about that."""

    def __init__(
        self, vendor: str, registered: str | None = None, scope: str | None = None
    ) -> None:
        from hookstream.capture.collector.handler import Handler

        self.vendor = vendor
        self.handler = Handler(registered=registered, scope=scope)
        self.rest = b""
        self.skipping = False
        self.mod: ModReader | None = None
        self.version: str | None = None

    def take(self, chunk: bytes) -> None:
        """Record the complete lines of the input."""
        from hookstream.core.limits import LINE_BYTES

        *lines, self.rest = (self.rest + chunk).split(b"\n")
        for line in lines:
            if self.skipping:
                self.skipping = False
            else:
                self._record(line)
        if len(self.rest) > LINE_BYTES:
            if not self.skipping:
                self.handler.reject(rejection("too_long", self.rest), self.vendor)
            self.skipping = True
            self.rest = b""

    def close(self) -> None:
        """The stream has ended: what is left is a line, or half of one."""
        if self.rest.strip() and not self.skipping:
            self._record(self.rest)
        self.rest = b""
        if self.mod is not None:
            self._keep(self.mod.finish(), None)

    def _record(self, line: bytes) -> None:
        from hookstream.capture.hook.request import now_text
        from hookstream.core.records import Rejection, read_record

        taken = read_record(line, "plugin")
        if taken is None:
            return
        if isinstance(taken, Rejection):
            self.handler.reject(taken, self.vendor)
            return
        if taken.witness == "mod":
            self._observe(taken)
            return
        event = taken.native_event
        try:
            self.handler.record(taken, self.vendor, event, now_text(), {})
        except Exception as error:
            self.handler.lose(error, self.vendor, event, line)

    def _observe(self, taken: Record) -> None:
        """Record what a mod inside the client saw: a call's records are read together."""
        from hookstream.normalizers.claude_code.mod import ModReader

        if self.mod is None:
            self.mod = ModReader()
        self.version = taken.client_version
        self._keep(self.mod.read(taken.payload), taken.received_at)

    def _keep(self, steps: Steps, received_at: str | None) -> None:
        from hookstream.capture.hook.request import now_text
        from hookstream.core.records import Record
        from hookstream.normalizers.steps import record_of

        for step in steps:
            source = ("plugin", 0)
            record = record_of(step, self.vendor, self.version, source, "mod", received_at)
            if isinstance(record, Record):
                event = record.native_event
                try:
                    self.handler.record(record, self.vendor, event, now_text(), {})
                except Exception as error:
                    self.handler.lose(error, self.vendor, event, None)


def rejection(reason: str, data: bytes) -> Rejection:
    """Bytes that are not a record."""
    from hashlib import sha256

    from hookstream.core.records import Rejection

    return Rejection(reason, len(data), sha256(data).hexdigest(), "plugin", 0)


def run(words: list[str], options: list[str]) -> NoReturn:
    """The program; it does not return and always ends with status 0. `options` is what the
    launcher adds to vendor and `--last`."""
    from hookstream.capture.hook.request import HookRequest

    request = HookRequest(options + words)
    registered = (request.log or "") if request.registered else None
    try:
        if "--last" in words:
            _last(words[0], registered, request.scope)
        else:
            _follow(words[0], registered, request.scope)
    except BaseException as error:
        from hookstream.capture.hook.failures import last_resort

        last_resort(options + words, error, should_answer=False)
    os._exit(0)


def _follow(vendor: str, registered: str | None, scope: str | None) -> None:
    feed = Feed(vendor, registered, scope)
    while chunk := _next():
        feed.take(chunk)
    feed.close()


def _last(vendor: str, registered: str | None, scope: str | None) -> None:
    chunks = []
    while chunk := os.read(0, CHUNK):
        chunks.append(chunk)
    if hasattr(os, "fork") and os.fork():
        return
    if hasattr(os, "setsid"):
        os.setsid()
    feed = Feed(vendor, registered, scope)
    feed.take(b"".join(chunks))
    feed.close()


def _next() -> bytes:
    if os.name != "nt":
        from select import select

        if not select((0,), (), (), IDLE_S)[0]:
            return b""
    return os.read(0, CHUNK)
