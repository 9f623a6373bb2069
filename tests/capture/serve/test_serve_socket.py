"""The forwarder and the collector's socket: what a hook hands over is in the log once."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hook_runner import CLAUDE, NOTIFY, SAMPLES, answer_of, hook_is_up

from hookstream.capture.install.command import prepare, words

sys.path.insert(0, os.path.dirname(__file__))
from collector_runner import Collector, forward, log_of, served


@pytest.fixture
def collector(home):
    with Collector(home, http=None) as running:
        yield running


def test_every_client_gets_its_answer_and_its_line(home, collector):
    for number, (vendor, event, payload) in enumerate(SAMPLES, 1):
        done = forward(home, vendor, event, payload=payload)
        assert (done.returncode, done.stdout, done.stderr) == (0, answer_of(vendor, event), b"")
        assert len(log_of(home.log)) == number, vendor


SECRET = {**CLAUDE, "tool_input": {"command": "export KEY=" + "AKIA" + "Q" * 16}}


def test_the_collector_writes_the_lines_of_the_hook(home):
    given = [*SAMPLES, ("claude-code", "PreToolUse", SECRET)]
    now = "2026-11-21T03:00:00.000Z"
    for vendor, event, payload in given:
        home.hook(vendor, event, "--now", now, payload=payload)
    alone = home.log.read_bytes()
    home.log.unlink()
    with Collector(home, http=None):
        for vendor, event, payload in given:
            forward(home, vendor, event, "--now", now, payload=payload)
    assert home.log.read_bytes().splitlines() == alone.splitlines()
    assert b"QQQQ" not in alone


def test_the_work_is_the_collectors(home, collector):
    """No module of the hook is loaded where the collector answers."""
    command = words("claude-code", "PreToolUse")
    command[1:1] = ["-v"]
    done = subprocess.run(
        command, input=json.dumps(CLAUDE).encode(), capture_output=True, env=home.environment()
    )
    assert b"hookstream.capture.hook.client" in done.stderr
    for name in (b"hookstream.capture.hook.main", b"import 'os'", b"import 'json'", b"import 're'"):
        assert name not in done.stderr
    assert len(log_of(home.log)) == 1


def test_without_a_collector_the_hook_does_it(home):
    done = forward(home, "claude-code", "PreToolUse", payload=CLAUDE)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(log_of(home.log)) == 1


def test_a_collector_that_never_answers_is_not_waited_for(home, within):
    path = home.state / "run" / "collector.sock"
    path.parent.mkdir(parents=True, mode=0o700)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
        dead.listen(8)
        with within(3):
            done = forward(home, "cursor", "stop", payload={**SAMPLES[1][2]})
    assert (done.returncode, done.stdout) == (0, b"{}")
    assert len(log_of(home.log)) == 1


@pytest.mark.parametrize("open_input", [False, True])
@pytest.mark.posix("serve needs Unix sockets")
def test_a_client_that_gives_little_time_is_answered_within_it(home, within, open_input):
    """Codex ends hooks of these events after a second; the wait for a collector counts."""
    path = home.state / "run" / "collector.sock"
    path.parent.mkdir(parents=True, mode=0o700)
    prepare("codex")
    payload = {**SAMPLES[5][2], "hook_event_name": "SessionEnd", "reason": "other"}
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
        dead.listen(8)
        # On a busy machine the start alone may take the time that the client gives.
        for attempt in range(1, 4):
            with (
                within(0.95),
                subprocess.Popen(
                    words("codex", "SessionEnd"), stdin=subprocess.PIPE, env=home.environment()
                ) as running,
            ):
                if not open_input:
                    running.stdin.write(json.dumps(payload).encode())
                    running.stdin.close()
                assert running.wait(30) == 0
            types = [line["event_type"] for line in log_of(home.log)]
            assert len(types) == attempt
            if types[-1] == ("vendor.codex.CaptureFailed" if open_input else "Session.End"):
                return
    raise AssertionError(types)


def test_signals_do_not_stop_a_hook_that_waits_for_the_collector(home):
    path = home.state / "run" / "collector.sock"
    path.parent.mkdir(parents=True, mode=0o700)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
        dead.listen(8)
        with subprocess.Popen(
            words("cursor", "stop"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=home.environment(),
        ) as running:
            running.stdin.write(json.dumps(SAMPLES[1][2]).encode())
            running.stdin.close()
            hook_is_up(running.pid)
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                running.send_signal(number)
            assert running.stdout.read() == b"{}"
            assert running.wait(30) == 0
    assert len(log_of(home.log)) == 1


def test_input_that_stays_open(home, collector):
    with subprocess.Popen(
        words("cursor", "beforeShellExecution"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=home.environment(),
    ) as running:
        running.stdin.write(json.dumps(SAMPLES[1][2]).encode())
        running.stdin.flush()
        assert running.stdout.read() == b"{}"
        assert running.wait(30) == 0
    assert len(log_of(home.log)) == 1


def test_a_payload_in_pieces(home, collector):
    data = json.dumps(
        {**CLAUDE, "tool_input": {"command": "echo }" + "x" * 300_000 + "}"}}
    ).encode()
    with subprocess.Popen(
        words("claude-code", "PreToolUse"), stdin=subprocess.PIPE, env=home.environment()
    ) as running:
        for start in range(0, len(data), 70_000):
            running.stdin.write(data[start : start + 70_000])
            running.stdin.flush()
            time.sleep(0.01)
        running.stdin.close()
        assert running.wait(30) == 0
    assert len(log_of(home.log)) == 1


def test_a_payload_as_an_argument(home, collector):
    done = subprocess.run(
        [*words("codex"), json.dumps(NOTIFY)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=home.environment(),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(log_of(home.log)) == 1


@pytest.mark.parametrize("data", [b"", b"garbage", b"\xff\xfe\x00", b"[1]", b'{"a":'])
def test_garbage_is_answered_and_noted(home, collector, data):
    done = forward(home, "cline", "PreToolUse", payload=data)
    assert (done.returncode, done.stdout) == (0, b'{"cancel": false}')
    (line,) = log_of(home.log)
    assert line["event_type"] == "vendor.cline.CaptureFailed"
    assert line["metadata"]["dev.hookstream"]["native"]["length"] == len(data)
    assert len(home.failures()) == 1


def test_a_lone_surrogate_is_mended_by_the_collector_too(home, collector):
    data = json.dumps(CLAUDE).replace("ls -la", "ls \\ud83d").encode()
    assert forward(home, "claude-code", "PreToolUse", payload=data).returncode == 0
    (line,) = log_of(home.log)
    assert line["data"]["action"]["input"]["command"] == "ls \ufffd"


def test_garbage_on_the_socket_harms_nobody(home, collector):
    for noise in (
        b"",
        b"H",
        b"GET / HTTP/1.1\r\n\r\n",
        b"H\xff\xff\xff\xff",
        b"H\0\0\0\1x",
        os.urandom(999),
        b"H\0\0\0\x04" + b"1\0000",
        b"H\0\0\0\3" + b"1\0" + b"0" + b"Z\0\0\0\0",
    ):
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(collector.socket))
            line.settimeout(5)
            line.sendall(noise)
            line.shutdown(socket.SHUT_WR)
            line.recv(100)
    assert forward(home, "claude-code", "PreToolUse", payload=CLAUDE).returncode == 0
    assert len(log_of(home.log)) == 1


def test_the_environment_of_the_hook_says_where(home, collector, tmp_path):
    place = tmp_path / "elsewhere.jsonl"
    forward(home, "claude-code", "PreToolUse", payload=CLAUDE, env={"AGENT_HOOKS_LOG": str(place)})
    assert len(log_of(place)) == 1
    forward(home, "claude-code", "PreToolUse", payload=CLAUDE, env={"AGENT_HOOKS_LOG": "off"})
    assert not home.log.exists()
    done = forward(
        home,
        "claude-code",
        "PreToolUse",
        payload=CLAUDE,
        cwd=tmp_path,
        env={"AGENT_HOOKS_LOG": "here.jsonl"},
    )
    assert done.returncode == 0
    assert len(log_of(tmp_path / "here.jsonl")) == 1


@pytest.mark.long
def test_64_hooks_at_once(home, collector):
    def one(number: int) -> int:
        payload = {**CLAUDE, "tool_use_id": f"toolu_{number}"}
        return forward(home, "claude-code", "PreToolUse", payload=payload).returncode

    with ThreadPoolExecutor(64) as pool:
        assert set(pool.map(one, range(64))) == {0}
    found = [event["metadata"]["dev.hookstream"]["call_id"] for event in log_of(home.log)]
    assert set(found) == {f"toolu_{number}" for number in range(64)}


@pytest.mark.long
def test_a_collector_killed_in_the_middle_loses_nothing(home):
    with Collector(home, http=None) as running:
        stop = threading.Event()
        statuses = []

        def hooks(worker: int) -> None:
            for number in range(12):
                payload = {**CLAUDE, "tool_use_id": f"toolu_{worker}_{number}"}
                done = forward(home, "claude-code", "PreToolUse", payload=payload)
                statuses.append((done.returncode, done.stdout, done.stderr))
                if worker == 0 and number == 4:
                    stop.set()

        threads = [threading.Thread(target=hooks, args=(worker,)) for worker in range(4)]
        for thread in threads:
            thread.start()
        stop.wait(30)
        running.process.send_signal(signal.SIGKILL)
        for thread in threads:
            thread.join()
    assert set(statuses) == {(0, b"", b"")}
    found = {event["metadata"]["dev.hookstream"]["call_id"] for event in log_of(home.log)}
    assert found == {f"toolu_{worker}_{number}" for worker in range(4) for number in range(12)}


def test_who_may_open_the_socket(home, collector):
    info = collector.socket.stat()
    assert stat.S_ISSOCK(info.st_mode)
    assert stat.S_IMODE(info.st_mode) == 0o600
    assert stat.S_IMODE(collector.socket.parent.stat().st_mode) == 0o700


def test_a_second_collector_is_refused_and_a_dead_one_replaced(home):
    with Collector(home, http=None) as first:
        second = subprocess.run(
            [
                sys.executable,
                "-c",
                "from hookstream.capture.collector.serve import Options, serve; serve(Options())",
            ],
            env=served(home),
            capture_output=True,
            text=True,
        )
        assert second.returncode == 1
        assert "already running" in second.stderr
        first.process.kill()
        first.process.wait()
        assert first.socket.exists()
    with Collector(home, http=None):
        forward(home, "claude-code", "PreToolUse", payload=CLAUDE)
    assert len(log_of(home.log)) == 1


def test_sigterm_drains_within_two_seconds(home, within):
    with Collector(home) as running:
        with socket.socket(socket.AF_UNIX) as slow:
            slow.connect(str(running.socket))
            slow.sendall(b"H\0\0")
            with within(2):
                running.process.send_signal(signal.SIGTERM)
                assert running.process.wait(30) == 0
        assert not running.socket.exists()


def test_the_settings_are_read_again(home, collector, tmp_path):
    forward(home, "claude-code", "PreToolUse", payload=CLAUDE)
    home.configure({"hooks": [{"event": "*", "log": str(tmp_path / "new.jsonl")}]})
    forward(home, "claude-code", "PreToolUse", payload=CLAUDE)
    assert len(log_of(tmp_path / "new.jsonl")) == 1
