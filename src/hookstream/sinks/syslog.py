"""`syslog:tcp://host:601`, `syslog:tls://host:6514`, `syslog:udp://host:514`: RFC 5424.

Syslog has no answers. Over TCP and TLS what was sent is kept here until the far host has
acknowledged every byte (`flush` waits for it, on Linux); when a connection breaks before, it is
sent again on the next one, so it may come twice. Over UDP this does not exist: what the network
loses is lost.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from urllib.parse import urlsplit

from hookstream.core.errors import SinkError
from hookstream.core.event import Event
from hookstream.core.times import system_clock
from hookstream.sinks.formats.render import Message, renderer_at
from hookstream.sinks.formats.words import DEBUG, ERROR, INFO, WARN, plain, severity
from hookstream.sinks.http import TLS, client_context
from hookstream.sinks.kinds import (
    ARGUMENTS,
    FORMATS,
    OCSF_VERSION,
    SIGNING_KEY,
    Opening,
    SinkKind,
    SinkOption,
    format_option,
)
from hookstream.sinks.sockets import Datagrams, SocketStream
from hookstream.sinks.streaming import StreamSink
from hookstream.standards.rendered import Rendered
from hookstream.version import __version__

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


PORTS = {"tcp": 601, "tls": 6514, "udp": 514}
FRAMINGS = ("octet-counting", "newline")
MAX_BYTES = 8192  # what receivers commonly take; they cut longer messages without a word


def open_sink(
    at: Opening,
    *,
    format: str,
    facility: str,
    hostname: str | None,
    framing: str,
    max_bytes: int,
    timeout_s: float,
    ca_file: str | None,
    cert_file: str | None,
    key_file: str | None,
    arguments: bool | None,
    version: str,
    signing_key_file: str | None,
) -> StreamSink:
    scheme, host, port = _address(at.target)
    render = renderer_at(
        at, format, arguments=arguments, version=version, signing_key_file=signing_key_file
    )
    code = FACILITIES[facility]
    framed = bytes if scheme == "udp" else _lines if framing == "newline" else counted

    def frames(item: Rendered) -> list[bytes]:
        return [framed(_frame(item, one, code, hostname, max_bytes)) for one in render(item)]

    if scheme == "udp":
        return StreamSink(at.uri, Datagrams(host, port), frames)
    is_tls = scheme == "tls"
    context = client_context(at.uri, ca_file, cert_file, key_file) if is_tls else None
    return StreamSink(at.uri, SocketStream(host, port, timeout_s, context), frames)


KIND = SinkKind(
    name="syslog",
    open=open_sink,
    options=(
        format_option(*FORMATS),
        SinkOption("facility", str, "audit", "Facility.", tuple(FACILITIES)),
        SinkOption("hostname", str, None, "Field HOSTNAME; `-` if unset."),
        SinkOption("framing", str, "octet-counting", "Framing over TCP and TLS.", FRAMINGS),
        SinkOption(
            "max_bytes", int, MAX_BYTES, "Longer messages become dead letters, never truncated."
        ),
        SinkOption("timeout_s", float, 10.0, "Longest wait for the remote host."),
        ARGUMENTS,
        OCSF_VERSION,
        SIGNING_KEY,
        *TLS,
    ),
    targets="`tcp://`, `tls://`, `udp://` `host:port`",
    delivered="the remote host's TCP acknowledged every byte; UDP: it was sent",
    duplicates="what was in flight",
    example="""\
uri = "syslog:tls://siem.example:6514"
format = "cef"
facility = "local4"
""",
)


def connect(target: str) -> Callable[[str, bytes], None]:
    """Return a function that sends a body under a message id to an address, and returns once the
    far host has it. OSError."""
    scheme, host, port = _address(target)
    if scheme == "udp":
        connection: SocketStream | Datagrams = Datagrams(host, port)
    else:
        context = ssl.create_default_context() if scheme == "tls" else None
        connection = SocketStream(host, port, 5.0, context)

    def send(msgid: str, body: bytes) -> None:
        head = f"<{FACILITIES['audit'] * 8 + 6}>1 {system_clock()} - hookstream - {msgid} - "
        frame = head.encode("ascii") + body
        connection.send([frame if scheme == "udp" else counted(frame)])
        connection.drain()

    return send


def _lines(frame: bytes) -> bytes:
    """Framing by line feed (RFC 6587, 3.4.2): no message of ours holds one."""
    return frame + b"\n"


def _address(target: str) -> tuple[str, str, int]:
    try:
        parts = urlsplit(target)
        port, host = parts.port, parts.hostname
    except ValueError:
        raise SinkError("syslog: not an address") from None
    if parts.scheme not in PORTS or not host or parts.path.strip("/") or "@" in target:
        raise SinkError("syslog: write syslog:tcp://host:port, syslog:tls:// or syslog:udp://")
    return parts.scheme, host, port or PORTS[parts.scheme]


def _frame(
    item: Rendered, body: Message, facility: int, hostname: str | None, max_bytes: int
) -> bytes:
    frame = message(item.event, body.data, facility, hostname)
    if len(frame) > max_bytes:
        raise ValueError(f"syslog message of {len(frame)} bytes, over max_bytes {max_bytes}")
    return frame
