"""Syslog: messages parsed by RFC 5424's grammar, by rsyslog, and connections that break."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hookstream.sinks import SinkError, open_sink
from hookstream.version import __version__

from .events import rendered, rich, shell, stream
from .receivers import Frame, SyslogReceiver, eventually, serve_syslog

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what was acknowledged")


@pytest.fixture
def far() -> Iterator[SyslogReceiver]:
    with serve_syslog(SyslogReceiver()) as receiver:
        yield receiver


def send(port: int, events: list[Any], **options: Any) -> None:
    sink = open_sink(f"syslog:tcp://127.0.0.1:{port}", **options)
    assert {r.status for r in sink.write(rendered(events))} == {"delivered"}
    sink.close()


def test_messages_are_rfc_5424_and_hold_the_event(far: SyslogReceiver) -> None:
    events = rich()
    send(far.port, events, standard="agent-hooks")
    assert eventually(lambda: len(far.frames) == len(events))
    for event, frame in zip(rendered(events), far.frames, strict=True):
        assert frame.body == event.agent_hooks
        assert (frame.facility, frame.app, frame.process, frame.host) == (
            13,
            "hookstream",
            "-",
            "-",
        )
        assert frame.kind == event.event.type[:32]
        assert frame.structured == f'[origin software="hookstream" swVersion="{__version__}"]'
    severities = {f.kind: f.severity for f in far.frames}
    assert severities["Policy.Blocked"] == 4
    assert severities["Session.Start"] == 6


def test_cef_outside_ascii_carries_the_mark_of_utf_8(far: SyslogReceiver) -> None:
    event = shell(1)
    event.facts["decision_reason"] = "caf\u00e9 \u4e2d"
    send(far.port, [event], format="cef", hostname="h\u00e9 st", facility="local3")
    assert eventually(lambda: len(far.frames) == 1)
    assert b"caf\xc3\xa9" in far.frames[0].body
    assert (far.frames[0].facility, far.frames[0].host) == (19, "h__st")


def test_hostile_words_break_no_frame(far: SyslogReceiver) -> None:
    event = shell(1)
    event.type = "vendor.x.\n<1>1 - evil - - - -" + "y" * 60
    event.facts["session_id"] = "a\n12 <14>1 - - - - - -"
    for format in ("native", "cef", "ecs", "ocsf"):
        send(far.port, [event], format=format, standard="agent-hooks")
    assert eventually(lambda: len(far.frames) == 4)
    assert not far.broken


def test_what_is_too_long_for_the_receiver_is_refused_not_cut(far: SyslogReceiver) -> None:
    long = shell(2, command="x" * 9000)
    sink = open_sink(f"syslog:tcp://127.0.0.1:{far.port}")
    receipts = sink.write(rendered([shell(1), long, shell(3)]))
    assert [r.status for r in receipts] == ["delivered", "rejected", "delivered"]
    assert "max_bytes" in receipts[1].reason
    sink.close()
    send(far.port, [long], max_bytes=65536)


@linux
def test_a_connection_closed_by_the_far_end_loses_nothing(far: SyslogReceiver) -> None:
    events = stream(300)
    far.close_after = 40
    sink = open_sink(f"syslog:tcp://127.0.0.1:{far.port}", standard="agent-hooks", timeout_s=3.0)
    waiting = rendered(events)
    while waiting:
        receipts = sink.write(waiting[:10])
        done = sum(receipt.status == "delivered" for receipt in receipts)
        waiting = waiting[done:]
        time.sleep(0.001)
    sink.flush()
    sink.close()
    wanted = {event.facts["event_id"] for event in events}
    assert eventually(lambda: wanted <= {json.loads(f.body)["event_id"] for f in far.frames})


@linux
@pytest.mark.posix("Windows does not say what was acknowledged")
def test_flush_fails_while_nobody_acknowledges_and_succeeds_afterwards() -> None:
    """A far end whose window is full has not got the bytes, whatever `send` said."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    server.bind(("127.0.0.1", 0))
    server.listen()
    port = server.getsockname()[1]
    sink = open_sink(f"syslog:tcp://127.0.0.1:{port}", standard="agent-hooks", timeout_s=0.3)
    events = stream(50)
    receipts = sink.write(rendered(events))
    delivered = [r for r in receipts if r.status == "delivered"]
    with pytest.raises(SinkError, match="not acknowledged"):
        sink.flush()
    server.close()
    receiver = SyslogReceiver()
    with serve_syslog(receiver) as far:
        sink._transport._address = ("127.0.0.1", far.port)  # type: ignore[attr-defined]
        sink.flush()
        assert eventually(lambda: len(receiver.frames) >= len(delivered))
    sink.close()


def test_nobody_listening_is_a_retry_and_the_record_stays_the_callers() -> None:
    sink = open_sink("syslog:tcp://127.0.0.1:9", timeout_s=0.5)
    assert {r.status for r in sink.write(rendered(stream(2)))} == {"retry"}
    sink.flush()  # nothing was taken, so nothing waits
    sink.close()


def test_datagrams_hold_one_message_each() -> None:
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))
    server.settimeout(2)
    sink = open_sink(f"syslog:udp://127.0.0.1:{server.getsockname()[1]}", standard="agent-hooks")
    items = rendered(stream(3))
    assert {r.status for r in sink.write(items)} == {"delivered"}
    sink.close()
    frames = [Frame(server.recv(65536)) for _ in items]
    assert [frame.body for frame in frames] == [item.agent_hooks for item in items]
    server.close()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_tls_is_verified(tmp_path: Path) -> None:
    import ssl

    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-keyout", str(key), "-out", str(cert), "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    with serve_syslog(SyslogReceiver(), context) as far:
        uri = f"syslog:tls://localhost:{far.port}"
        trusted = open_sink(uri, ca_file=str(cert), timeout_s=2.0, standard="agent-hooks")
        assert {r.status for r in trusted.write(rendered(stream(3)))} == {"delivered"}
        trusted.close()
        assert eventually(lambda: len(far.frames) == 3)
        stranger = open_sink(uri, timeout_s=2.0)
        (receipt,) = stranger.write(rendered(stream(1)))
        assert receipt.status == "retry"
        assert "certificate" in receipt.reason.lower()
        stranger.close()
        assert len(far.frames) == 3
    # A far end that wants our certificate says so only after our side of the handshake.
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(cert)
    with serve_syslog(SyslogReceiver(), context) as far:
        unknown = open_sink(f"syslog:tls://localhost:{far.port}", ca_file=str(cert), timeout_s=2.0)
        for _ in range(3):
            assert {r.status for r in unknown.write(rendered(stream(5)))} == {"retry"}
        unknown.close()
        assert not far.frames


CONF = """
global(workDirectory="{work}" maxMessageSize="64k")
module(load="imtcp") module(load="imudp")
template(name="all" type="list" option.jsonf="on") {{
  property(outname="pri" name="pri" format="jsonf")
  property(outname="stamp" name="timereported" dateFormat="rfc3339" format="jsonf")
  property(outname="host" name="hostname" format="jsonf")
  property(outname="app" name="app-name" format="jsonf")
  property(outname="process" name="procid" format="jsonf")
  property(outname="kind" name="msgid" format="jsonf")
  property(outname="structured" name="structured-data" format="jsonf")
  property(outname="body" name="msg" format="jsonf")
}}
ruleset(name="keep") {{ action(type="omfile" file="{out}" template="all") }}
input(type="imtcp" port="{port}" address="127.0.0.1" ruleset="keep")
"""


@pytest.mark.skipif(shutil.which("rsyslogd") is None, reason="needs rsyslogd")
@pytest.mark.parametrize("framing", ["octet-counting", "newline"])
def test_rsyslog_reads_every_field(tmp_path: Path, framing: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    conf, out = tmp_path / "rsyslog.conf", tmp_path / "out.jsonl"
    conf.write_text(CONF.format(work=tmp_path, out=out, port=port), encoding="utf-8")
    process = subprocess.Popen(
        ["rsyslogd", "-n", "-f", str(conf), "-i", str(tmp_path / "pid"), "-C"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert eventually(lambda: _listens(port), 10)
        events = [*rich(), *stream(20)]
        send(port, events, standard="agent-hooks", framing=framing, hostname="desk")
        assert eventually(lambda: out.exists() and len(_lines(out)) == len(events), 10)
    finally:
        process.terminate()
        process.wait(10)
    for item, found in zip(rendered(events), _lines(out), strict=True):
        assert found["body"].strip().encode() == item.agent_hooks
        assert (found["app"], found["host"], found["process"]) == ("hookstream", "desk", "-")
        assert found["kind"] == item.event.type
        assert found["structured"].startswith('[origin software="hookstream"')
        assert int(found["pri"]) >> 3 == 13


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 0.2).close()
    except OSError:
        return False
    return True


def _lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    "uri", ["host", "http://h", "tcp://", "tcp://u:p@h", "tcp://h:x", "tcp://h/path"]
)
def test_a_wrong_address_is_one_line(uri: str) -> None:
    with pytest.raises(SinkError, match="syslog: "):
        open_sink(f"syslog:{uri}")


@pytest.mark.parametrize(("name", "value"), [("facility", "kern"), ("framing", "xml")])
def test_a_wrong_option_names_the_right_ones(name: str, value: str) -> None:
    with pytest.raises(SinkError, match="one of"):
        open_sink("syslog:tcp://h", **{name: value})
