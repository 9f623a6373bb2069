"""The collector while others hold its connections: hooks and posts go on, and every event is kept.

`make test-attacks` runs the long one: 10,000 connections.
"""

import contextlib
import json
import os
import random
import socket
import ssl
import subprocess
import threading
import time

import pytest
from collector_runner import Collector, forward, log_of
from hook_runner import CLAUDE, COPILOT

from hookstream.capture.hook.output import BUDGET_MS

pytestmark = pytest.mark.long

IDLE = 600


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    words = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split()
    subprocess.run([*words, "-keyout", key, "-out", cert], check=True, capture_output=True)
    return str(cert), str(key)


def connect_http(collector) -> socket.socket:
    port = int(collector.url.rpartition(":")[2])
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def connect_unix(collector) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(10)
    while True:
        try:
            line.connect(str(collector.socket))
            return line
        except BlockingIOError:  # as fast as it accepts
            time.sleep(0.005)


def hold(connect, collector, count: int, data: bytes = b"") -> list[socket.socket]:
    """Connections that say no more than `data` and stay open."""
    lines = []
    for _ in range(count):
        line = connect(collector)
        with contextlib.suppress(OSError):  # it has made room already
            line.sendall(data)
        lines.append(line)
    return lines


def close(lines: list[socket.socket]) -> None:
    for line in lines:
        line.close()


def taken(collector) -> int:
    return json.loads(collector.post("/health", b"", method="GET")[1])["taken"]


def hook(home, number: int = 0) -> float:
    """One hook through whatever answers; the seconds it took."""
    began = time.monotonic()
    payload = {**CLAUDE, "tool_use_id": f"toolu_{number}"}
    done = forward(home, "claude-code", "PreToolUse", payload=payload)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    return time.monotonic() - began


@pytest.mark.parametrize("data", [b"", b"POST /hook/copilot HTTP/1.1\r\nHost: localhost\r\n"])
def test_idle_connections_keep_no_post_out(home, data, within):
    with Collector(home) as collector:
        lines = hold(connect_http, collector, IDLE, data)
        with within(3):
            assert collector.post("/hook/claude-code", CLAUDE) == (200, b"{}")
            assert collector.post("/hook/copilot/preToolUse", COPILOT) == (200, b"{}")
        assert len(log_of(home.log)) == 2
        close(lines)


def test_the_oldest_idle_connection_makes_room(home):
    with Collector(home) as collector:
        lines = hold(connect_http, collector, IDLE)
        with contextlib.suppress(ConnectionResetError):
            assert lines[0].recv(1) == b""
        lines[-1].settimeout(0.2)
        with pytest.raises(TimeoutError):
            lines[-1].recv(1)
        close(lines)


@pytest.mark.parametrize("data", [b"", b"no client hello\r\n\r\n", b"\x16\x03\x01\x02\x00\x01"])
def test_handshakes_that_fail_keep_no_post_out(home, certificate, data, within):
    cert, key = certificate
    with Collector(home, tls_cert=cert, tls_key=key) as collector:
        lines = hold(connect_http, collector, IDLE, data)
        port = int(collector.url.rpartition(":")[2])
        context = ssl.create_default_context(cafile=cert)
        body = json.dumps(COPILOT).encode()
        head = (
            "POST /hook/copilot/preToolUse HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            f"Authorization: Bearer {collector.token}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with within(3):
            plain = socket.create_connection(("127.0.0.1", port), timeout=10)
            with plain, context.wrap_socket(plain, server_hostname="localhost") as line:
                line.sendall(head.encode() + body)
                assert line.recv(100).split(b" ")[1] == b"200"
        assert len(log_of(home.log)) == 1
        close(lines)


def header(stamp: bytes) -> bytes:
    fields = b"\0".join([stamp, b"2", b"claude-code", b"PreToolUse"])
    return b"H" + len(fields).to_bytes(4, "big") + fields


@pytest.mark.parametrize(
    "stamp", [b"9" * 19, b"9" * 40, b"-" + b"9" * 19, b"1e999", b"", b"\xff\xfe", b"9" * 9000]
)
def test_an_absurd_time_ends_no_worker(home, stamp):
    with Collector(home) as collector:
        body = json.dumps(CLAUDE).encode()
        for _ in range(40):
            line = connect_unix(collector)
            line.sendall(header(stamp) + b"Z" + len(body).to_bytes(4, "big") + body)
            assert line.recv(10) in (b"-", b"")
            line.close()
        hook(home)
        assert taken(collector) == 1 and len(log_of(home.log)) == 1


@pytest.mark.parametrize("data", [b"", b"H\0\0", header(b"1763772000000000000")])
def test_idle_connections_keep_no_hook_out(home, data, within):
    with Collector(home) as collector:
        lines = hold(connect_unix, collector, IDLE, data)
        for number in range(3):
            with within(BUDGET_MS / 1000):
                hook(home, number)
        assert taken(collector) == 3 and len(log_of(home.log)) == 3
        close(lines)


def test_what_waited_too_long_for_a_worker_is_left_to_the_hook(tmp_path):
    """The hook has begun to do it itself by then: the event would be there twice."""
    from hookstream.capture.collector.handler import Handler
    from hookstream.capture.collector.socket_server import QUEUE_S, Header, SocketServer

    server = SocketServer(str(tmp_path / "s" / "sock"), Handler(str(tmp_path / "log")))
    asked = Header(b"1763772000000000000\x002\0claude-code\0PreToolUse")
    late = time.monotonic() - QUEUE_S - 0.1
    assert server._reply(asked, json.dumps(CLAUDE).encode(), late) == b"-"
    assert not (tmp_path / "log").exists()
    server.listener.sock.close()


def attack(collector, until: threading.Event, kinds, count: list[int], limit: int) -> None:
    """Opens connections of all kinds as fast as it can, holds 100, closes the oldest."""
    chance = random.Random(len(kinds))
    held: list[socket.socket] = []
    while not until.is_set() and count[0] < limit:
        connect, data = chance.choice(kinds)
        count[0] += 1
        try:
            line = connect(collector)
            held.append(line)
            line.sendall(data)
        except OSError:
            continue
        if len(held) > 100:
            held.pop(0).close()
    close(held)


@pytest.mark.slow
def test_ten_thousand_connections_lose_no_event_and_hold_no_agent(home, figures=print):
    kinds = [
        (connect_http, b""),
        (connect_http, b"\x16\x03\x01\x02\x00\x01"),
        (connect_http, b"POST /hook/copilot HTTP/1.1\r\nContent-Length: 99999999\r\n"),
        (connect_http, os.urandom(4000)),
        (connect_unix, b""),
        (connect_unix, b"H\0\0"),
        (connect_unix, header(b"9" * 30)),
        (connect_unix, os.urandom(400)),
    ]
    with Collector(home) as collector:
        ended, count = threading.Event(), [0]
        attackers = [
            threading.Thread(target=attack, args=(collector, ended, kinds, count, 10_000))
            for _ in range(2)
        ]
        for thread in attackers:
            thread.start()
        hooks, posts, statuses = [], [], []
        while any(thread.is_alive() for thread in attackers) or len(hooks) < 20:
            hooks.append(hook(home, len(hooks)))
            began = time.monotonic()
            statuses.append(collector.post("/hook/copilot/preToolUse", COPILOT))
            posts.append(time.monotonic() - began)
        ended.set()
        for thread in attackers:
            thread.join()
        by_collector = taken(collector)
    ids = [e["metadata"]["dev.hookstream"].get("call_id") for e in log_of(home.log)]
    figures(
        f"\n{count[0]} connections; {len(hooks)} hooks, {by_collector - len(posts)} of them by the "
        f"collector, longest {max(hooks):.2f} s; {len(posts)} posts, longest {max(posts):.2f} s"
    )
    assert count[0] >= 10_000
    assert {f"toolu_{number}" for number in range(len(hooks))} <= set(ids)
    assert set(statuses) == {(200, b"{}")} and ids.count(None) == len(posts)
    assert max(hooks) < 3.6
