"""A hook's command line, and the values it takes from its surroundings."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class HookRequest:
    """The command line of a hook: vendor, event, log, the clock, a payload as argument.

    `registered`: install wrote the command; then `log` is the place it resolved, empty for the
    configured one, and the environment does not change it.
    """

    def __init__(self, argv: list[str]) -> None:
        self.argv = list(argv)
        self.vendor: str | None = None
        self.event: str | None = None
        self.payload: str | None = None
        self.log: str | None = None
        self.now: str | None = None
        self.registered = False
        # level of the settings that register it; None: it was run by hand
        self.scope: str | None = None
        words = list(argv)
        if words and words[-1].lstrip().startswith("{"):
            self.payload = words.pop()
        while words:
            word = words.pop(0)
            if word == "--log" and words:
                self.log = words.pop(0)
            elif word == "--registered" and words:
                self.registered = True
                self.log = words.pop(0)
            elif word == "--now" and words:
                self.now = words.pop(0)
            elif word == "--scope" and words:
                self.scope = plain_scope(words.pop(0))
            elif self.vendor is None:
                self.vendor = clean(word)
            elif self.event is None:
                self.event = clean(word)
        if self.scope is None and self.registered:
            self.scope = "user"


def plain_scope(word: str) -> str | None:
    """The value if it is one that install writes."""
    return word if word in ("managed", "user", "project") else None


def now_text() -> str:
    """The clock as RFC 3339 in UTC with milliseconds."""
    return iso(time.time_ns())


def environment(vendor: str | None, env: Mapping[str, str] | None = None) -> dict[str, Any] | None:
    """The variables a vendor's table reads, those by which another client shows itself, and no
    other: an environment holds credentials."""
    from hookstream.capture.hook.output import facts_of
    from hookstream.core.clients import VARIABLES

    env = os.environ if env is None else env
    names = dict.fromkeys((*facts_of(vendor).environment, *VARIABLES))
    return {name: clean(env[name]) for name in names if name in env} or None


def version(vendor: str, env: Mapping[str, str] | None = None) -> str | None:
    """The client's version, if its environment has it."""
    from hookstream.capture.hook.output import facts_of

    name = facts_of(vendor).version
    return clean((os.environ if env is None else env).get(name or "", "")) or None


def clean(text: str) -> str:
    """The text with U+FFFD for what the system gave that is not UTF-8: no line can hold it."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def iso(now_ns: int) -> str:
    """Nanoseconds since 1970 as RFC 3339 in UTC with milliseconds."""
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now_ns // 1_000_000_000))
    return f"{stamp}.{now_ns // 1_000_000 % 1000:03d}Z"
