"""A wrapped hook's bytes, status and end are what they are without us."""

import json
import os
import signal
import subprocess
import sys

import pytest
from hook_runner import CLAUDE, wrap_command

from hookstream.capture.install import launcher

sys.path.insert(0, os.path.dirname(__file__))
from wrap_runner import lines, meta, policy, wrapped

NOISE = bytes(range(256)) * 300


def test_input_output_and_errors_are_the_same_bytes(home, tmp_path):
    hook = policy(
        tmp_path,
        "os.write(1, data); os.write(2, bytes(range(255, -1, -1)) * 300)",
    )
    done = wrapped(home, "claude-code", "PreToolUse", hook, NOISE)
    assert done.stdout == NOISE
    assert done.stderr == bytes(range(255, -1, -1)) * 300
    assert done.returncode == 0


@pytest.mark.parametrize("status", [0, 1, 2, 3, 77, 126, 127, 128, 137, 254, 255])
def test_every_status_comes_through(home, status):
    done = wrapped(home, "claude-code", "PreToolUse", ["sh", "-c", f"exit {status}"], b"{}")
    assert done.returncode == status


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGSEGV", "SIGINT", "SIGPIPE", "SIGABRT"])
def test_a_hook_that_dies_by_a_signal_takes_us_with_it(home, tmp_path, name):
    number = getattr(signal, name)
    hook = policy(
        tmp_path,
        f"import signal; signal.signal({int(number)}, 0) if {int(number)} != 9"
        f" else 0; os.kill(os.getpid(), {int(number)})",
    )
    assert wrapped(home, "claude-code", "PreToolUse", hook, b"{}").returncode == -number


@pytest.mark.parametrize(
    ("command", "status"),
    [(["/nonexistent/hook"], 127), (["/etc/passwd"], 126)],
)
def test_what_cannot_be_started_ends_as_in_a_shell(home, command, status):
    assert wrapped(home, "claude-code", "PreToolUse", command, b"{}").returncode == status


def test_a_script_without_its_first_line_runs(home, tmp_path):
    script = tmp_path / "hook"
    script.write_text("echo plain\n")
    script.chmod(0o755)
    assert wrapped(home, "claude-code", None, [str(script)], b"{}").stdout == b"plain\n"


def test_arguments_environment_and_folder_are_the_same(home, tmp_path):
    show = "import os,sys,json;print(json.dumps([sys.argv[1:],dict(os.environ),os.getcwd()]))"
    odd = ["--", "-x", "--help", "", "a b", "$HOME", "\u00e9", "'\""]
    hook = [sys.executable, "-I", "-S", "-c", show, *odd]
    env = {**home.environment(), "LC_ALL": "C", "ODD": "x=y\nz", "EMPTY": ""}
    seen = []
    for command in (hook, wrap_command("claude-code", "PreToolUse", hook)):
        done = subprocess.run(command, input=b"{}", capture_output=True, env=env, cwd=tmp_path)
        seen.append(done.stdout)
    assert seen[0] == seen[1]
    assert json.loads(seen[1])[0] == odd


def test_no_variable_is_added_in_a_c_locale(home):
    env = {"HOME": str(home.path), "PATH": os.environ["PATH"]}
    command = wrap_command("claude-code", "PreToolUse", ["env"])
    done = subprocess.run(command, input=b"{}", capture_output=True, env=env)
    names = {line.partition(b"=")[0] for line in done.stdout.splitlines()}
    assert names - {b"PWD", b"SHLVL", b"_"} == {b"HOME", b"PATH"}


def test_large_outputs_stream(home, within):
    hook = ["sh", "-c", "echo first; sleep 1; head -c 20000000 /dev/zero"]
    command = wrap_command("claude-code", "PreToolUse", hook)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=home.environment(), **pipes) as running:
        running.stdin.close()
        with within(0.9):
            assert running.stdout.read(6) == b"first\n"
        assert len(running.stdout.read()) == 20_000_000


def test_one_stream_for_both_outputs_keeps_their_order(home):
    hook = ["sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done"]
    command = wrap_command("claude-code", "PreToolUse", hook)
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=home.environment(),
    )
    assert done.stdout == b"".join(b"o%d\ne%d\n" % (i, i) for i in range(1, 10))


def test_input_that_stays_open_holds_nobody(home):
    """The hook answers without its input; the client never closes it."""
    command = wrap_command(
        "claude-code", "PreToolUse", ["sh", "-c", "head -c 1 >/dev/null; exit 2"]
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=home.environment(), **pipes) as running:
        running.stdin.write(json.dumps(CLAUDE).encode())
        running.stdin.flush()
        assert running.wait(30) == 2
    assert meta(lines(home.log, 2)[1])["decided_by"] == "hook"


def test_a_process_the_hook_leaves_behind_keeps_its_output(home):
    hook = ["sh", "-c", "(sleep 0.5; echo late) & echo early"]
    command = wrap_command("claude-code", "PreToolUse", hook)
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=home.environment(), **pipes) as running:
        assert running.wait(30) == 0
        assert running.stdout.read() == b"early\nlate\n"


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1"])
def test_signals_reach_the_hook(home, tmp_path, name):
    hook = policy(
        tmp_path,
        f"import signal\ndef h(n, f): os.write(1, b'got %d' % n); os._exit(9)\n"
        f"signal.signal(signal.{name}, h); os.write(1, b'ready '); time.sleep(20)",
    )
    command = wrap_command("claude-code", "PreToolUse", hook)
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=home.environment(), **pipes) as running:
        assert running.stdout.read(6) == b"ready "
        running.send_signal(getattr(signal, name))
        assert running.stdout.read() == b"got %d" % getattr(signal, name)
        assert running.wait(30) == 9


def test_a_reader_that_goes_away_is_felt_by_the_hook(home):
    command = wrap_command("claude-code", "PreToolUse", ["yes"])
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=home.environment(), **pipes) as running:
        running.stdout.read(10)
        running.stdout.close()
        assert running.wait(30) == -signal.SIGPIPE


def test_a_log_that_cannot_be_written_changes_nothing(home, tmp_path):
    hook = policy(tmp_path, "os.write(1, b'{}'); sys.exit(2)")
    env = {**home.environment(), "AGENT_HOOKS_LOG": "/proc/nope/log.jsonl"}
    command = wrap_command("claude-code", "PreToolUse", hook)
    done = subprocess.run(command, input=json.dumps(CLAUDE).encode(), capture_output=True, env=env)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"{}", b"")


def test_without_the_package_the_guard_still_runs(home):
    script = home.path / "hookstream-wrap"
    script.write_bytes(launcher.script("wrap").replace(launcher.interpreter().encode(), b"/gone"))
    words = ["claude-code", "PreToolUse", "--", "sh", "-c", "echo no >&2; exit 2"]
    command = ["sh", str(script), *words]
    done = subprocess.run(command, input=b"{}", capture_output=True, env=home.environment())
    assert (done.returncode, done.stderr) == (2, b"no\n")


@pytest.mark.parametrize(
    "argv",
    [
        ["claude-code", "--", "sh", "-c", "exit 7"],
        ["claude-code", "PreToolUse", "--", "sh", "-c", "exit 7", "--", "-x"],
    ],
)
def test_the_command_line(home, argv):
    command = [sys.executable, "-m", "hookstream", "wrap", *argv]
    done = subprocess.run(command, input=b"{}", capture_output=True, env=home.environment())
    assert done.returncode == 7, done.stderr
