"""Lines of a followed log as they are: what a shipper sends to a collector.

A log's lines have been normalized and redacted by their writer; a shipper changes no byte. It
keeps no state and needs the standard library only.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from hookstream.core.lines import Lines
from hookstream.core.records import Rejection

if TYPE_CHECKING:
    from hookstream.delivery.tail import Line, Tail

# A line end inside a line would be one in the spool.
BREAKS = (b"\r", b"\n")


class Copied:
    """A line that replaces its event."""

    __slots__ = ("agent_hooks",)

    def __init__(self, line: bytes) -> None:
        self.agent_hooks = line


class Verbatim:
    """The stage of a shipper, in place of `Normalized`."""

    shape = "lines"
    tally = None

    def lines(self, tail: Tail, lines: list[Line], sources: list[str]) -> Lines:
        return Lines([(line, tail.name, offset) for offset, line in lines])

    def outcomes(self, lines: Lines) -> list[list[Copied] | Rejection | str]:
        return [outcome(*line) for line in lines.given]

    def everything(self) -> bytes:
        return b""

    def changes(self) -> bytes:
        return b""

    def apply(self, body: bytes) -> None:
        pass

    def forget(self) -> None:
        pass


def outcome(line: bytes | Rejection, source: str, offset: int) -> list[Copied] | Rejection | str:
    if isinstance(line, Rejection):
        return line
    text = line.removesuffix(b"\r")
    if not text.strip():
        return "blank line"
    if any(one in text for one in BREAKS):
        digest = sha256(text).hexdigest()
        return Rejection("carriage return in a line", len(text), digest, source, offset)
    return [Copied(text)]
