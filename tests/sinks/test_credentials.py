"""Credentials stay where they were meant to go: no redirect, no plain text, no message has them."""

from __future__ import annotations

import socket
import threading
from typing import Any

import pytest

from hookstream.sinks import SinkError, open_sink

from . import receivers
from .events import rendered, stream
from .receivers import Receiver, serve

TOKEN = "word-" + "9" * 12
SINKS: list[tuple[str, dict[str, Any]]] = [
    ("webhook:{url}/x", {"token": TOKEN}),
    ("webhook:{url}/x", {"headers": {"X-Key": TOKEN}}),
    ("cloudevents:{url}/x", {"token": TOKEN}),
    ("otlp:{url}", {"token": TOKEN}),
    ("splunk:{url}", {"token": TOKEN}),
    ("elastic:{url}", {"token": TOKEN}),
    ("elastic:{url}", {"user": "hookstream", "password": TOKEN}),
]
each = pytest.mark.parametrize(("uri", "options"), SINKS)


@each
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(uri: str, options: dict[str, Any], status: int) -> None:
    with serve(Receiver(receivers.plain)) as other, serve(Receiver(receivers.plain)) as far:
        far.answer = lambda _: (status, {"Location": other.url("/x")}, b"")
        sink = open_sink(uri.format(url=far.url()), **options)
        receipts = sink.write(rendered(stream(2)))
        sink.close()
        assert {one.status for one in receipts} == {"retry"}
        assert "redirect" in receipts[0].reason
        assert TOKEN not in receipts[0].reason
        assert far.requests
        assert not other.requests


@each
def test_nothing_readable_goes_to_a_port_without_tls(uri: str, options: dict[str, Any]) -> None:
    """A far end that talks no TLS gets the beginning of a handshake and nothing else."""
    got: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                got.append(connection.recv(65536))
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        url = f"https://127.0.0.1:{server.getsockname()[1]}"
        sink = open_sink(uri.format(url=url), timeout_s=2.0, **options)
        receipts = sink.write(rendered(stream(2)))
        sink.close()
    assert {one.status for one in receipts} == {"retry"}
    assert got[0].startswith(b"\x16\x03")
    assert TOKEN.encode() not in got[0]
    assert b"event_id" not in got[0]


@each
def test_over_plain_http_they_go_to_loopback_only(uri: str, options: dict[str, Any]) -> None:
    with pytest.raises(SinkError, match="https only") as found:
        open_sink(uri.format(url="http://far.example"), **options)
    assert TOKEN not in str(found.value)
