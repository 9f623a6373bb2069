"""Full disks, failing devices, places that cannot be written: the agent sees none of it."""

import json
import os
import shutil
import subprocess

import pytest
from hook_runner import CLAUDE, CURSOR, command, read_log
from test_hook import assert_silent_success


def under_strace(home, expressions, payload=CURSOR, paths=()):
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    words = ["strace", "-f", "-o", str(home.path / "trace")]
    for path in paths:
        words += ["-P", str(path)]
    for expression in expressions:
        words += ["-e", expression]
    made = subprocess.run(
        [*words, *command("cursor", "beforeShellExecution")],
        input=json.dumps(payload).encode(),
        capture_output=True,
        env=home.environment(),
        timeout=60,
        check=False,
    )
    if b"Operation not permitted" in made.stderr:
        pytest.skip("this system does not let strace trace")
    return made


@pytest.mark.parametrize("room", [0, 1, 100, 500])
def test_a_file_that_may_not_grow_holds_no_torn_line(home, room):
    import resource

    home.hook("cursor", "beforeShellExecution", payload=CURSOR)
    before = home.log.read_bytes()
    limit = len(before) + room

    def no_more():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    result = home.hook("cursor", "beforeShellExecution", payload=CURSOR, preexec_fn=no_more)
    assert_silent_success(result, b"{}")
    assert home.log.read_bytes() == before
    problem = home.failures()[0]["problem"]
    assert "too large" in problem or "No space" in problem


@pytest.mark.long
def test_a_full_disk(home):
    """A tmpfs of 64 KiB in a mount namespace: filled by hooks until nothing more fits."""
    import shlex

    line = shlex.join(command("cursor", "beforeShellExecution"))
    payload = home.path / "payload"
    payload.write_text(json.dumps({**CURSOR, "command": "x" * 3000}))
    disk = home.path / "disk"
    disk.mkdir()
    script = f"""
    mount -t tmpfs -o size=64k none {disk} || exit 77
    for n in $(seq 30); do
        AGENT_HOOKS_LOG={disk}/log.jsonl {line} < {payload}; echo " $?"
    done
    cp {disk}/log.jsonl {home.path}/copy.jsonl
    """
    result = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script],
        capture_output=True,
        env=home.environment(),
        check=False,
        timeout=120,
    )
    if result.returncode in (1, 77):
        pytest.skip("no mount namespaces here")
    assert result.stdout.decode().split("\n") == ["{} 0"] * 30 + [""]
    assert result.stderr == b""
    kept = read_log(home.path / "copy.jsonl")
    kept = [line for line in kept if not line["event_type"].endswith(".CaptureFailed")]
    assert 0 < len(kept) < 30
    assert len(kept) + len(home.failures()) == 30
    assert all("No space left" in failure["problem"] for failure in home.failures())


@pytest.mark.parametrize("error", ["ENOSPC", "EIO", "EDQUOT"])
def test_a_write_that_fails_once_loses_nothing(home, error):
    home.hook("cursor", "beforeShellExecution", payload=CURSOR)
    result = under_strace(home, [f"inject=write:error={error}:when=1"], paths=[home.log])
    assert (result.returncode, result.stdout) == (0, b"{}")
    assert len(read_log(home.log)) == 2
    assert home.failures() == []


@pytest.mark.parametrize("error", ["ENOSPC", "EIO"])
def test_writes_that_fail_for_ever_keep_the_answer(home, error):
    result = under_strace(home, [f"inject=write,pwrite64:error={error}"])
    assert (result.returncode, result.stdout) == (0, b"{}")
    assert home.log.read_bytes() == b""


@pytest.mark.parametrize("calls", ["openat", "flock", "fstat,newfstatat", "mkdir", "lseek"])
def test_other_calls_that_fail_for_ever_keep_the_answer(home, calls):
    home.hook("cursor", "beforeShellExecution", payload=CURSOR)
    result = under_strace(home, [f"inject={calls}:error=EIO"], paths=[home.log, home.log.parent])
    assert (result.returncode, result.stdout) == (0, b"{}")
    assert all(line["session_id"] for line in read_log(home.log))


def test_a_sync_that_fails_once_is_not_believed_the_second_time(home):
    home.hook("cursor", "beforeShellExecution", payload=CURSOR)
    result = under_strace(home, ["inject=fdatasync:error=EIO:when=1"])
    assert (result.returncode, result.stdout) == (0, b"{}")
    assert len(read_log(home.log)) == 2
    trace = (home.path / "trace").read_text()
    after = trace[trace.index("fdatasync") :]
    assert after.index("pwrite64") < after.rindex("fdatasync")


def test_a_sync_that_fails_for_ever_is_a_failure(home):
    result = under_strace(home, ["inject=fdatasync:error=EIO"])
    assert (result.returncode, result.stdout) == (0, b"{}")
    assert len(read_log(home.log)) == 1
    assert home.failures()[0]["stage"] == "append"


@pytest.mark.slow
def test_killed_at_every_system_call_of_an_append(home):
    """What a run acknowledged with status 0 is in the log; a killed one leaves no torn line."""
    hook = ("cursor", "beforeShellExecution")
    home.hook(*hook, payload=CURSOR)
    home.log.unlink()
    under_strace(home, ["trace=all"], paths=[home.log, home.log.parent])
    steps = []
    for line in (home.path / "trace").read_text().splitlines():
        name = line.split()[1].partition("(")[0]
        if name.isidentifier():
            steps.append((name, 1 + sum(name == known for known, _ in steps)))
    assert {"write", "fdatasync", "flock"} <= {name for name, _ in steps}
    for is_new in (False, True):
        acknowledged = []
        for step in steps:
            if is_new:
                home.log.unlink(missing_ok=True)
                acknowledged = []
            payload = {**CURSOR, "command": f"{step}"}
            inject = "inject={}:signal=SIGKILL:when={}".format(*step)
            result = under_strace(home, [inject], payload, [home.log, home.log.parent])
            if result.returncode == 0:
                acknowledged.append(f"{step}")
            clean = {**CURSOR, "command": f"after {step}"}
            assert_silent_success(home.hook(*hook, payload=clean), b"{}")
            acknowledged.append(f"after {step}")
            assert home.log.read_bytes().endswith(b"}\n")
            commands = [line["data"]["action"]["input"]["command"] for line in read_log(home.log)]
            assert [command for command in commands if command in acknowledged] == acknowledged


@pytest.mark.parametrize(
    "place", ["/proc/none/log.jsonl", "/dev/null", "{home}/file/log.jsonl", "{home}/link", "/"]
)
def test_a_place_that_takes_nothing(home, place):
    (home.path / "file").write_text("a file")
    (home.path / "victim").write_text("precious")
    (home.path / "link").symlink_to(home.path / "victim")
    place = place.format(home=home.path)
    result = home.hook(
        "cursor", "beforeShellExecution", payload=CURSOR, env={"AGENT_HOOKS_LOG": place}
    )
    assert_silent_success(result, b"{}")
    if place != "/":
        assert home.failures()[0]["stage"] == "append"
        assert " at " not in home.failures()[0]["problem"]  # a reason, and no line number
    assert (home.path / "victim").read_text() == "precious"
    for left in ("/agent-hooks.jsonl", "/hook-errors"):
        if os.path.exists(left):
            os.unlink(left)


def test_a_home_that_is_no_folder(tmp_path):
    for place in ("/nonexistent/home", "/proc", "relative", ""):
        result = subprocess.run(
            command("cursor", "beforeShellExecution"),
            input=json.dumps(CURSOR).encode(),
            capture_output=True,
            env={
                "HOME": place,
                "AGENT_HOOKS_LOG": str(tmp_path / "log.jsonl"),
                # Without a home of its own the user's real one counts: not in a test.
                **({} if place.startswith("/") else {"XDG_STATE_HOME": "/nonexistent/state"}),
            },
            check=False,
            cwd=tmp_path,
        )
        assert_silent_success(result, b"{}")
    assert len(read_log(tmp_path / "log.jsonl")) == 4
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []
    shutil.rmtree("/nonexistent", ignore_errors=True)


def test_failures_are_bounded(home):
    for _ in range(3):
        home.hook("claude-code", "PreToolUse", data=b"garbage")
    (path,) = home.path.rglob("hook-errors")
    path.write_bytes(path.read_bytes() * 400)
    home.hook("claude-code", "PreToolUse", data=b"garbage")
    assert path.stat().st_size < 70_000
    assert all(failure["problem"] == "not_json" for failure in home.failures())
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_unreadable_configuration_costs_no_event(home):
    folder = home.path / ".config" / "hookstream"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{broken")
    assert_silent_success(home.hook("claude-code", "PreToolUse", payload=CLAUDE))
    assert len(read_log(home.log)) == 1
    assert home.failures()[0]["problem"] == "configuration: not JSON"
