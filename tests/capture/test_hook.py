"""The hook as a real process: its answer, its exit status, its line, whatever comes in."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import time

import pytest
from hook_runner import (
    CLAUDE,
    CODEX,
    CURSOR,
    KIRO,
    NOTIFY,
    SAMPLES,
    answer_of,
    command,
    hook_is_up,
    read_log,
)


def assert_silent_success(result, answer=b""):
    assert result.returncode == 0
    assert result.stdout == answer
    assert result.stderr == b""


@pytest.mark.parametrize(("vendor", "event", "payload"), SAMPLES, ids=[s[0] for s in SAMPLES])
def test_each_vendor_gets_its_answer_and_one_line(home, vendor, event, payload):
    result = home.hook(vendor, event, payload=payload)
    assert_silent_success(result, answer_of(vendor, event))
    (line,) = read_log(home.log)
    assert line["source"]["tool"] == vendor
    assert line["event_type"] == "Action.Before"
    assert home.failures() == []


@pytest.mark.parametrize(("vendor", "event", "payload"), SAMPLES, ids=[s[0] for s in SAMPLES])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\xff garbage \x80",
        b"{",
        b"[1]",
        b'"text"',
        b"nul",
        b"{" * 100_000,
        b"[" * 100_000,
    ],
    ids=["empty", "garbage", "cut", "list", "text", "word", "open", "deep"],
)
def test_garbage_is_answered_and_recorded_without_its_content(home, vendor, event, payload, data):
    result = home.hook(vendor, event, data=data)
    assert_silent_success(result, answer_of(vendor, event))
    (line,) = read_log(home.log)
    assert line["event_type"] == f"vendor.{vendor}.CaptureFailed"
    own = line["metadata"]["dev.hookstream"]
    digest = hashlib.sha256(data).hexdigest()
    assert own["native"] == {"length": len(data), "sha256": digest}
    assert own["native_event"] == event and own["error_code"] and own["machine_id"]
    (failure,) = home.failures()
    assert failure["stage"] == "read"
    assert failure["vendor"] == vendor
    assert "garbage" not in json.dumps([failure, line])


@pytest.mark.parametrize("name", ["hunter2", "ghp_" + "a1B2" * 9, "x" * 49, "naïve", "a b"])
def test_what_stands_in_the_place_of_a_name_is_not_recorded(home, name):
    home.hook(name, name, data=b"garbage")
    (failure,) = home.failures()
    assert (failure["vendor"], failure["event"]) == ("?", "?")


def test_fifty_megabytes_are_read_to_the_end_and_refused(home):
    body = b'{"hook_event_name": "PreToolUse", "x": "' + b"a" * 50_000_000 + b'"}'
    result = home.hook("claude-code", "PreToolUse", data=body)
    assert_silent_success(result)
    (failure,) = home.failures()
    assert failure["problem"] == "too_long"
    assert failure["length"] == len(body)
    (line,) = read_log(home.log)
    assert line["metadata"]["dev.hookstream"]["native"]["length"] == len(body)


def test_a_payload_of_ten_megabytes_gives_a_line_within_the_grammar(home):
    payload = {**CLAUDE, "tool_input": {"command": "x" * 10_000_000}}
    result = home.hook("claude-code", "PreToolUse", payload=payload)
    assert_silent_success(result)
    data = home.log.read_bytes()
    assert len(data) < 1024 * 1024
    (line,) = read_log(home.log)
    assert line["data"]["action"]["input"]["command"].startswith("[hookstream:sha256=")
    assert "input.command" in line["metadata"]["dev.hookstream"]["redacted"]


@pytest.mark.parametrize("boms", [1, 2, 3])
def test_byte_order_marks_are_no_part_of_the_payload(home, boms):
    data = b"\xef\xbb\xbf" * boms + json.dumps(CURSOR).encode() + b"\r\n"
    assert_silent_success(home.hook("cursor", "beforeShellExecution", data=data), b"{}")
    assert len(read_log(home.log)) == 1


@pytest.mark.parametrize("tail", [b"", b"\n", b" \r\n\t"])
def test_standard_input_that_stays_open_is_not_waited_for(home, within, tail):
    process = subprocess.Popen(
        command("claude-code", "PreToolUse"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=home.environment(),
    )
    process.stdin.write(json.dumps(CLAUDE).encode() + tail)
    process.stdin.flush()
    with within(1.0):
        assert process.wait(timeout=20) == 0
    assert process.stdout.read() + process.stderr.read() == b""
    assert len(read_log(home.log)) == 1


def test_standard_input_that_is_never_written_ends_soon(home):
    process = subprocess.Popen(
        command("cursor", "stop"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=home.environment(),
    )
    assert process.wait(timeout=20) == 0
    assert process.stdout.read() == b"{}"
    assert process.stderr.read() == b""
    assert home.failures()[0]["problem"] == "no payload"


@pytest.mark.parametrize("pause_s", [0.0, 0.3])
@pytest.mark.posix("a pipe cannot be asked there whether more comes")
def test_an_end_that_looked_like_none_is_found_in_a_pause(home, within, pause_s):
    """A chunk that ends in a brace by chance, then the rest, and the pipe stays open."""
    process = subprocess.Popen(
        command("claude-code"), stdin=subprocess.PIPE, env=home.environment()
    )
    data = json.dumps({**CLAUDE, "tool_input": {"command": "}" * 50_000}}).encode()
    at = data.index(b"}}}") + 40_000
    process.stdin.write(data[:at])
    process.stdin.flush()
    time.sleep(pause_s + 0.15)
    process.stdin.write(data[at:])
    process.stdin.flush()
    with within(1.5):
        assert process.wait(timeout=20) == 0
    assert len(read_log(home.log)) == 1


def test_a_payload_in_pieces_is_one_payload(home):
    process = subprocess.Popen(
        command("claude-code"), stdin=subprocess.PIPE, env=home.environment()
    )
    data = json.dumps({**CLAUDE, "tool_input": {"command": "a}" * 3000}}).encode()
    for start in range(0, len(data), 1500):
        process.stdin.write(data[start : start + 1500])
        process.stdin.flush()
        time.sleep(0.02)
    process.stdin.close()
    assert process.wait(timeout=20) == 0
    (line,) = read_log(home.log)
    assert line["data"]["action"]["input"]["command"] == "a}" * 3000


def test_kiro_takes_its_context_from_the_environment(home):
    result = home.hook("kiro", "promptSubmit", data=b"", env={"USER_PROMPT": "hello"})
    assert_silent_success(result)
    (line,) = read_log(home.log)
    assert line["event_type"] == "Prompt.Submitted"


@pytest.mark.parametrize("words", [("codex",), ("codex", "notify")])
def test_codex_notify_comes_as_an_argument(home, words):
    result = home.hook(*words, json.dumps(NOTIFY), data=b"")
    assert_silent_success(result)
    assert [line["event_type"] for line in read_log(home.log)] == ["Agent.Response"]


def test_the_shape_of_the_payload_decides_whose_it_is(home):
    result = home.hook("claude-code", "PreToolUse", payload=CURSOR)
    assert_silent_success(result, b"{}")
    result = home.hook("claude-code", "PreToolUse", payload=CODEX)
    assert_silent_success(result)
    assert [line["source"]["tool"] for line in read_log(home.log)] == ["cursor", "codex"]


def test_an_unknown_vendor_or_option_blocks_nothing(home):
    for argv in (("nobody", "Event"), ("--wrong",), ()):
        assert_silent_success(home.hook(*argv, data=b'{"a": 1}'))


def test_no_environment_at_all(home, tmp_path):
    """The home is the account's then: of a password file of this test, in a mount namespace."""
    accounts = tmp_path / "passwd"
    accounts.write_text(f"root:x:0:0::{home.path}:/bin/sh\n")
    apart = ["unshare", "--mount", *(["--map-root-user"] if os.getuid() else [])]
    if not shutil.which("unshare") or subprocess.run([*apart, "true"], check=False).returncode:
        pytest.skip("needs a mount namespace")
    bound = 'mount --bind "$0" /etc/passwd && exec env -i "$@"'
    result = subprocess.run(
        [*apart, "sh", "-c", bound, accounts, *command("cursor", "stop")],
        input=b"garbage",
        capture_output=True,
        check=False,
    )
    assert_silent_success(result, b"{}")
    assert len(home.failures()) == 1
    assert home.state.is_dir()


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_closed_standard_streams_are_not_taken_for_the_log(home, closed):
    import shlex

    line = " ".join(shlex.quote(word) for word in command("cursor", "beforeShellExecution"))
    payload = home.path / "payload"
    payload.write_text(json.dumps(CURSOR))
    result = subprocess.run(
        ["sh", "-c", f"{line} <{payload} {closed}"],
        capture_output=True,
        env=home.environment(),
        check=False,
    )
    assert result.returncode == 0
    assert result.stderr == b""
    (line,) = read_log(home.log)  # without a payload, too: that there was none
    assert home.log.read_bytes().endswith(b"}\n")
    assert ("no payload" in json.dumps(line)) == ("0<&-" in closed)


def test_a_reader_that_is_gone_is_no_failure(home):
    read_end, write_end = os.pipe()
    os.close(read_end)
    result = subprocess.run(
        command("cursor", "beforeShellExecution"),
        input=json.dumps(CURSOR).encode(),
        stdout=write_end,
        stderr=subprocess.PIPE,
        env=home.environment(),
        check=False,
    )
    os.close(write_end)
    assert result.returncode == 0
    assert result.stderr == b""
    assert len(read_log(home.log)) == 1


@pytest.mark.posix("POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_that_ask_to_stop_do_not_change_the_outcome(home, number):
    process = subprocess.Popen(
        command("cursor", "beforeShellExecution"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=home.environment(),
    )
    hook_is_up(process.pid)
    process.send_signal(number)
    out, err = process.communicate(json.dumps(CURSOR).encode(), timeout=20)
    assert (process.returncode, out, err) == (0, b"{}", b"")
    assert len(read_log(home.log)) == 1


def test_out_of_time_is_answered_and_recorded(home, within):
    home.configure({"budget_ms": 300})
    fifo = home.path / "slow"
    os.mkfifo(fifo)
    holder = os.open(fifo, os.O_RDWR)
    with within(1.5):
        process = subprocess.Popen(
            command("cursor", "beforeShellExecution"),
            stdin=holder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=home.environment(),
        )
        # A client that writes for ever and never ends its object.
        until = time.monotonic() + 20
        while process.poll() is None and time.monotonic() < until:
            os.write(holder, b" " * 512)
            time.sleep(0.01)
    os.close(holder)
    assert process.returncode == 0
    assert process.stdout.read() == b"{}"
    assert process.stderr.read() == b""
    assert home.failures()[-1]["problem"] in ("out of time", "no payload")
    (line,) = read_log(home.log)
    assert line["event_type"] == "vendor.cursor.CaptureFailed"


def test_memory_that_runs_out_is_no_exit_status(home):
    import resource

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (60_000_000, 60_000_000))

    body = json.dumps({**CURSOR, "command": "x" * 14_000_000}).encode()
    result = home.hook("cursor", "beforeShellExecution", data=body, preexec_fn=limit)
    assert_silent_success(result, b"{}")


def test_user_and_machine_are_facts_of_the_line(home):
    home.hook("claude-code", "PreToolUse", payload=CLAUDE)
    (line,) = read_log(home.log)
    assert line["user"]["id"]
    assert line["metadata"]["dev.hookstream"]["machine_id"]


def test_no_environment_variable_but_the_needed_ones_is_recorded(home):
    marker = "value-that-nobody-needs"
    home.hook("kiro", "preToolUse", payload=KIRO, env={"SOME_TOKEN": marker})
    home.hook("cursor", "stop", payload=CURSOR, env={"CURSOR_USER_EMAIL": marker})
    assert marker not in home.log.read_text()


def test_time_is_an_argument(home):
    home.hook("claude-code", "PreToolUse", "--now", "2026-01-02T03:04:05.678Z", payload=CLAUDE)
    (line,) = read_log(home.log)
    assert line["timestamp"] == "2026-01-02T03:04:05.678Z"
