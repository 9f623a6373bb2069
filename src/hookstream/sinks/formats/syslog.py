"""RFC 5424 messages and the octet counting of RFC 6587 and RFC 5425.

No structured data of ours: an SD-ID needs a registered enterprise number. `origin` is one of
IANA's. The host name is left out unless it is given: the stream does not say where it ran.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.sinks.formats.moment import plain
from hookstream.sinks.formats.severity import DEBUG, ERROR, INFO, WARN, severity
from hookstream.version import __version__

if TYPE_CHECKING:
    from hookstream.core.event import Event

SEVERITY = {DEBUG: 7, INFO: 6, WARN: 4, ERROR: 3}
FACILITIES = {"user": 1, "authpriv": 10, "audit": 13, "alert": 14}
FACILITIES.update({f"local{n}": 16 + n for n in range(8)})
BOM = b"\xef\xbb\xbf"


def message(event: Event, body: bytes, facility: int, hostname: str | None = None) -> bytes:
    """One syslog message. `body` is UTF-8 without a line break; a body that is not ASCII gets the
    byte order mark the RFC wants. ValueError if the event has no time that can be read."""
    head = " ".join(
        (
            f"<{facility * 8 + SEVERITY[severity(event)]}>1",
            plain(event.facts["timestamp"]),
            word(hostname, 255),
            "hookstream",
            "-",
            word(event.type, 32),
            f'[origin software="hookstream" swVersion="{parameter(__version__)}"]',
        )
    )
    return head.encode("ascii") + b" " + (b"" if body.isascii() else BOM) + body


def word(text: str | None, longest: int) -> str:
    """A header field: printable US-ASCII without space, or the nil value."""
    if not text:
        return "-"
    return "".join(char if "!" <= char <= "~" else "_" for char in text)[:longest]


def parameter(text: str) -> str:
    """A structured data value: quote, backslash and closing bracket escaped."""
    for char in ("\\", '"', "]"):
        text = text.replace(char, "\\" + char)
    return text


def counted(frame: bytes) -> bytes:
    """The frame after its length in octets: what is inside cannot end it."""
    return b"%d %s" % (len(frame), frame)
