"""Hooks over HTTP, and everybody else who finds the port."""

import json
import os
import resource
import socket
import ssl
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest
from hook_runner import CLAUDE, COPILOT

sys.path.insert(0, os.path.dirname(__file__))
from collector_runner import SERVE, Collector, log_of, memory, served

pytestmark = pytest.mark.long


@pytest.fixture
def collector(home):
    with Collector(home) as running:
        yield running


def raw(collector, data: bytes, wait_s: float = 10) -> bytes:
    port = int(collector.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=wait_s) as line:
        line.sendall(data)
        got = b""
        while chunk := line.recv(65536):
            got += chunk
        return got


def test_an_http_hook_is_recorded_and_observed(home, collector):
    assert collector.post("/hook/claude-code", CLAUDE) == (200, b"{}")
    assert collector.post("/hook/copilot/preToolUse", COPILOT) == (200, b"{}")
    first, second = log_of(home.log)
    assert first["source"]["tool"] == "claude-code"
    assert second["metadata"]["dev.hookstream"]["native_event"] == "preToolUse"


def test_copilot_in_both_spellings(home, collector):
    pascal = {
        "hook_event_name": "PreToolUse",
        "session_id": "8e3f",
        "timestamp": "2026-11-21T02:10:10.012Z",
        "cwd": "/home/dev/project",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
    }
    collector.post("/hook/copilot/preToolUse", COPILOT)
    collector.post("/hook/copilot/PreToolUse", pascal)
    assert [event["event_type"] for event in log_of(home.log)] == ["Action.Before"] * 2


def test_a_plugin_posts_many_at_once(home, collector):
    lines = b"\n".join(
        json.dumps({**CLAUDE, "tool_use_id": f"t{number}"}).encode() for number in range(3)
    )
    assert collector.post("/hook/claude-code", lines)[0] == 200
    array = [{**CLAUDE, "tool_use_id": f"a{number}"} for number in range(3)]
    assert collector.post("/hook/claude-code", array)[0] == 200
    assert len(log_of(home.log)) == 6


@pytest.mark.parametrize("vendor", ["opencode", "openclaw"])
def test_plugins_of_the_clients(home, collector, vendor):
    payloads = {
        "openclaw": {
            "hook": "before_tool_call",
            "event": {"toolName": "exec", "params": {"command": "ls"}, "toolCallId": "c1"},
            "ctx": {"sessionKey": "agent:main:main", "sessionId": "s"},
        },
        "opencode": {
            "input": {"tool": "bash", "sessionID": "ses_1", "callID": "c1"},
            "output": {"args": {"command": "ls"}},
        },
    }
    event = {"openclaw": "before_tool_call", "opencode": "tool.execute.before"}[vendor]
    assert collector.post(f"/hook/{vendor}/{event}", payloads[vendor])[0] == 200
    assert [event["event_type"] for event in log_of(home.log)] == ["Action.Before"]


def test_garbage_is_answered_like_anything_else(home, collector):
    """Copilot takes any other answer for a deny."""
    for body in (
        b"",
        b"garbage",
        b"{",
        b"[" * 5000,
        b"\xff\xff",
        b"null",
        b"[1, 2]",
        bytes(range(128, 227)),  # one line: a line break would make two payloads of it
    ):
        assert collector.post("/hook/copilot/preToolUse", body) == (200, b"{}")
    kinds = [line["event_type"] for line in log_of(home.log)]
    assert kinds == ["vendor.copilot.CaptureFailed"] * 9  # a list has two elements
    assert home.failures()


def test_elements_of_a_list_with_lone_surrogates_are_mended(home, collector):
    body = json.dumps([CLAUDE, CLAUDE]).replace("ls -la", "ls \\ud83d").encode()
    assert collector.post("/hook/claude-code/PreToolUse", body) == (200, b"{}")
    assert len({line["event_id"] for line in log_of(home.log)}) == 1
    commands = [line["data"]["action"]["input"]["command"] for line in log_of(home.log)]
    assert commands == ["ls \ufffd"] * 2


def test_many_broken_lines_of_one_body_do_not_fill_the_log(home, collector):
    assert collector.post("/hook/copilot/preToolUse", b"{\n" * 5000) == (200, b"{}")
    assert len(log_of(home.log)) == 17


def test_a_million_parts_of_one_body_are_bounded(home, collector):
    """A list of nothings costs no gigabytes (4 they were), and what is left out is said."""
    body = b"[" + b",".join([b"[]"] * 1_000_000) + b"]"
    assert collector.post("/hook/opencode", body)[0] == 200
    assert memory(collector) < 600 << 20
    assert "more than 100000 payloads in one body" in home.log.read_text("utf-8")


def test_a_log_that_takes_nothing_does_not_show(home):
    with Collector(home, log="/proc/nope/log.jsonl") as running:
        assert running.post("/hook/copilot/preToolUse", COPILOT) == (200, b"{}")
    assert home.failures()[0]["stage"] == "collector"


REFUSED = [
    ({"Authorization": "Bearer wrong"}, 401),
    ({"Authorization": ""}, 401),
    ({"Authorization": "Basic x"}, 401),
    ({"Host": "attacker.example"}, 403),
    ({"Host": "attacker.example:4718"}, 403),
    ({"Host": "127.0.0.1.attacker.example"}, 403),
    ({"Origin": "http://127.0.0.1"}, 403),
    ({"Origin": "null"}, 403),
    ({"Sec_Fetch_Site": "cross-site"}, 403),
]


def test_who_is_refused(home, collector):
    for headers, status in REFUSED:
        assert collector.post("/hook/claude-code", CLAUDE, **headers)[0] == status, headers
    assert not home.log.exists()


def test_the_names_of_this_machine(collector):
    for host in ("localhost", "127.0.0.1", "[::1]", "LOCALHOST:1"):
        assert collector.post("/hook/claude-code", CLAUDE, Host=host)[0] == 200, host


ELSEWHERE = [
    ("/", "POST", 404),
    ("/hook", "POST", 404),
    ("/hook/nobody", "POST", 404),
    ("/hook/claude-code/a/b", "POST", 404),
    ("/hook/claude-code/%2e%2e%2fx", "POST", 404),
    ("/hook/claude-code/" + "x" * 65, "POST", 404),
    ("/hook/claude-code", "PUT", 405),
    ("/aos", "DELETE", 405),
]


def test_paths_and_methods(collector):
    for path, method, status in ELSEWHERE:
        assert collector.post(path, CLAUDE, method=method)[0] == status, path


def test_a_body_beyond_the_limit(home):
    with Collector(home, body_limit=2048) as running:
        assert running.post("/hook/claude-code", CLAUDE)[0] == 200
        head = "POST /hook/claude-code HTTP/1.1\r\nHost: localhost\r\n"
        head += f"Authorization: Bearer {running.token}"
        for length, status in (
            ("2049", b"413"),
            ("9" * 30, b"413"),
            ("-1", b"400"),
            ("1e3", b"400"),
        ):
            got = raw(running, f"{head}\r\nContent-Length: {length}\r\n\r\n".encode())
            assert got.split(b" ")[1] == status
        got = raw(running, f"{head}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".encode())
        assert got.split(b" ")[1] == b"411"


NOISE = [
    b"\r\n\r\n",
    b"GET\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
    b"POST /hook/claude-code HTTP/1.1\r\n\r\n",
    b"POST /hook/claude-code HTTP/1.1\r\nHost: localhost\r\nHost: x\r\n\r\n",
    b"POST /hook/claude-code HTTP/1.1\r\nHost : localhost\r\n\r\n",
    b"POST /hook/claude-code HTTP/9.9\r\nHost: localhost\r\n\r\n",
    b"POST http://x/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST / HTTP/1.1\r\nX: " + b"x" * 40_000 + b"\r\n\r\n",
]


def test_noise_gets_a_4xx_or_5xx_and_the_door(collector):
    for data in NOISE:
        got = raw(collector, data)
        assert got.startswith((b"HTTP/1.1 4", b"HTTP/1.1 5")), data[:60]
        assert collector.post("/hook/claude-code", CLAUDE)[0] == 200


def test_who_dawdles_is_shown_the_door(home, collector, within):
    """A head that never ends costs a connection for some seconds, and nobody else anything."""
    port = int(collector.url.rpartition(":")[2])
    lines = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
    for line in lines:
        line.sendall(b"POST / HTTP/1.1\r\n")
    lines[0].settimeout(30)
    with within(8):
        with within(2):
            assert collector.post("/hook/claude-code", CLAUDE)[0] == 200
        assert lines[0].recv(100).startswith(b"HTTP/1.1 408")
    for line in lines:
        line.close()


def told(home, count):
    """What the file of errors says once it holds so many: it is written after the answer."""
    until = time.monotonic() + 30
    while len(home.failures()) < count and time.monotonic() < until:
        time.sleep(0.02)
    return [failure["problem"] for failure in home.failures()]


REFUSALS = [
    ("/hook/copilot/preToolUse", {"Authorization": "Bearer wrong"}),
    ("/hook/copilot/preToolUse", {"Authorization": ""}),
    ("/hook/copilot/preToolUse", {"Host": "host.docker.internal:4718"}),
    ("/hook/copilot/preToolUse", {"Origin": "null"}),
    ("/hook/copilot/a/b", {}),
    ("/hook/copilot/%00", {}),
    # Copilot reads the settings of Claude Code, and says its own name.
    ("/hook/claude-code", {"Authorization": "", "User_Agent": "copilot/1.0.102 (linux v24)"}),
]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs Linux's /proc and prlimit")
def test_without_descriptors_the_idle_make_room_for_the_next(home, within):
    """accept() fails while others hold every descriptor: who has waited longest is closed at once,
    not after the five seconds that a connection may wait."""
    with Collector(home) as collector, ExitStack() as stack:
        process, port = collector.process.pid, int(collector.url.rpartition(":")[2])
        assert collector.post("/hook/claude-code", CLAUDE) == (200, b"{}")
        most = len(os.listdir(f"/proc/{process}/fd")) + 8
        resource.prlimit(process, resource.RLIMIT_NOFILE, (most, most))
        with within(3.0):
            for _ in range(40):
                stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            assert collector.post("/hook/claude-code", CLAUDE) == (200, b"{}")
    assert len(log_of(home.log)) == 2


@pytest.mark.parametrize(("path", "headers"), REFUSALS)
def test_copilot_is_never_refused_and_nothing_refused_is_recorded(home, collector, path, headers):
    for _ in range(3):
        assert collector.post(path, COPILOT, **headers) == (200, b"{}")
    assert not home.log.exists()
    (count,) = json.loads(collector.post("/health", b"", method="GET")[1])["refused"].values()
    assert count == 3
    problems = told(home, 2)
    assert sorted(problem.partition("(")[2] for problem in problems) == ["1 so far)", "2 so far)"]


def test_a_body_too_long_for_copilot_is_read_and_let_go(home):
    """Who stops reading resets the connection, and the client sees an error and no answer."""
    with Collector(home, body_limit=2048) as running:
        big = {**COPILOT, "toolArgs": "x" * 20_000_000}
        assert running.post("/hook/copilot/preToolUse", big) == (200, b"{}")
        assert running.post("/hook/copilot/preToolUse", big, Authorization="") == (200, b"{}")
        head = "POST /hook/copilot/preToolUse HTTP/1.1\r\nHost: localhost\r\n"
        head += f"Authorization: Bearer {running.token}\r\nTransfer-Encoding: chunked\r\n\r\n"
        body = b"4\r\nabcd\r\n" * 3 + b"0\r\n\r\n"
        assert raw(running, head.encode() + body).startswith(b"HTTP/1.1 200")
    assert not home.log.exists()


def test_claude_code_is_told_since_an_error_blocks_nothing_there(home, collector):
    assert collector.post("/hook/claude-code", CLAUDE, Authorization="")[0] == 401
    assert not home.log.exists()
    assert told(home, 1) == ["HTTP 401: request refused (1 so far)"]


def refused(home, *, env=None, **options) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SERVE.format(options=options)],
        env=served(home, env),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0
    return done.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "192.0.2.1", "example.org"])
def test_other_machines_need_tls_and_a_token(home, host, certificate):
    assert "needs --tls-cert" in refused(home, http=f"{host}:0")
    cert, key = certificate
    said = refused(home, http=f"{host}:0", tls_cert=cert, tls_key=key)
    assert "needs --token-file" in said
    assert not (home.state / "run").exists() or not (home.state / "run" / "collector.sock").exists()


def test_a_token_that_others_can_read_is_refused(home, tmp_path):
    path = tmp_path / "token"
    path.write_text("t" * 32)
    path.chmod(0o644)
    assert "others can read" in refused(home, http="127.0.0.1:0", token_file=str(path))
    assert "needs at least" in refused(home, http="127.0.0.1:0", env={"HOOKSTREAM_TOKEN": "short"})


def test_the_made_token_is_ours_alone(home, collector):
    assert (home.state / "collector.token").stat().st_mode & 0o777 == 0o600
    assert len(collector.token) >= 32


@pytest.fixture
def certificate(tmp_path):
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-keyout",
            str(key),
            "-out",
            str(cert),
        ],
        check=True,
        capture_output=True,
    )
    return str(cert), str(key)


def test_tls(home, certificate):
    cert, key = certificate
    token = "t" * 32
    env = {"HOOKSTREAM_TOKEN": token}
    with Collector(
        home, env, http="0.0.0.0:0", tls_cert=cert, tls_key=key, names=("audit.example",)
    ) as running:
        assert running.url.startswith("https://0.0.0.0:")
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        port = int(running.url.rpartition(":")[2])
        body = json.dumps(CLAUDE).encode()
        for host, status in (
            ("audit.example", b"200"),
            ("other.example", b"403"),
            ("localhost", b"403"),
        ):
            head = (
                f"POST /hook/claude-code HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n"
                f"Authorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            plain = socket.create_connection(("127.0.0.1", port), timeout=10)
            with plain, context.wrap_socket(plain) as line:
                line.sendall(head.encode() + body)
                assert line.recv(100).split(b" ")[1] == status


STREAM = "application/vnd.agent-hooks.stream+jsonl"
FOREIGN = {
    "spec_version": "0.1.0", "event_id": "a1b2c3d4-e5f6-4890-abcd-ef1234567890",
    "event_type": "Action.Before", "timestamp": "2026-05-10T10:00:00Z", "session_id": "s-1",
    "source": {"tool": "intentra"}, "actor": {"type": "ai_agent"},
    "data": {"action": {"name": "shell", "input": {"command": "ls"}}},
}  # fmt: skip
ATTRIBUTES = {
    "specversion": "1.0", "id": "1", "source": "urn:a:b", "type": "org.example.audit",
    "time": "2026-05-10T10:00:00Z",
}  # fmt: skip


def claude(number: int) -> dict:
    return {**CLAUDE, "tool_use_id": f"toolu_{number}"}


def text_of(*lines: object) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in lines)


PLAIN = text_of(claude(1), FOREIGN).encode()
BINARY = {f"ce_{name}": value for name, value in ATTRIBUTES.items()}


@pytest.mark.parametrize(
    ("body", "headers", "count"),
    [
        # structured, batched, binary; one event or a stream
        ({**ATTRIBUTES, "data": claude(1)}, {"Content_Type": "application/cloudevents+json"}, 1),
        ({**ATTRIBUTES, "data": text_of(claude(1), claude(2)), "datacontenttype": STREAM}, {}, 2),
        ([{**ATTRIBUTES, "data": claude(1)}, {**ATTRIBUTES, "data": FOREIGN}],
         {"Content_Type": "application/cloudevents-batch+json"}, 2),
        ([{**ATTRIBUTES, "data": text_of(claude(1), claude(2)), "datacontenttype": STREAM},
          {**ATTRIBUTES, "data": claude(3)}], {}, 3),
        (claude(1), {**BINARY, "Content_Type": "application/json"}, 1),
        (text_of(claude(1), FOREIGN, claude(2)).encode(), {**BINARY, "Content_Type": STREAM}, 3),
        (text_of(claude(1)).encode(), {**BINARY, "Content_Type": f"{STREAM}; charset=utf-8"}, 1),
        # no CloudEvent
        (PLAIN, {"Content_Type": STREAM}, 2),
    ],
)  # fmt: skip
def test_cloud_events_in_every_mode(home, collector, body, headers, count):
    assert collector.post("/hook/claude-code", body, **headers) == (200, b"{}")
    events = log_of(home.log)
    assert len(events) == count, events
    for event in events:
        assert event["event_type"] == "Action.Before"
        assert event["source"]["tool"] in ("claude-code", "intentra")
        if event["source"]["tool"] == "claude-code" and (body != PLAIN):
            assert event["timestamp"].startswith("2026-05-10T10:00:00")


@pytest.mark.parametrize(
    ("body", "headers", "reason"),
    [
        (claude(1), {**BINARY, "ce_id": ""}, "invalid_cloudevent: id"),
        (b"\n", {**BINARY, "Content_Type": STREAM}, "no payload"),
        (b"\n" * 100_002 + b"{}", {**BINARY, "Content_Type": STREAM}, "cloudevent_stream_too_long"),
        (b"no json", {**BINARY, "Content_Type": "application/json"}, "not_json"),
        ({**ATTRIBUTES, "data": {**ATTRIBUTES, "data": claude(1)}}, {}, "cloudevent_in_cloudevent"),
    ],
)
def test_a_cloud_event_that_cannot_be_read_is_a_line_of_the_log(
    home, collector, body, headers, reason
):
    assert collector.post("/hook/claude-code", body, **headers)[0] == 200
    (line, *_) = log_of(home.log)
    assert reason in json.dumps(line)


def test_a_bad_line_of_a_stream_costs_that_line(home, collector):
    body = (text_of(claude(1)) + "{no\n" + text_of(claude(2))).encode()
    assert collector.post("/hook/claude-code", body, **BINARY, Content_Type=STREAM)[0] == 200
    assert [line["event_type"] for line in log_of(home.log)] == [
        "Action.Before",
        "vendor.claude-code.CaptureFailed",
        "Action.Before",
    ]


def test_anothers_event_in_the_log_is_complete_for_a_run(home, collector, tmp_path):
    from hookstream.delivery.job import Job
    from hookstream.delivery.run import execute

    collector.post("/hook/claude-code", FOREIGN)
    execute(Job([str(home.log)], [f"jsonl:{tmp_path}"], now="2026-05-10T11:00:00Z"))
    (event,) = map(json.loads, (tmp_path / "agent-hooks.jsonl").read_text().splitlines())
    assert event["event_id"] == FOREIGN["event_id"]
    assert event["metadata"]["dev.hookstream"]["hook_point"] == "PreToolUse"
