"""The configuration's allow-list in the hook and a wrap: the bytes of `run --allow`; a list that
cannot be used allows nothing, blocks nobody, and is said once."""

import json
import os
import subprocess
import sys

import pytest
from hook_runner import CLAUDE, CURSOR, read_log, wrap_command
from test_hook import assert_silent_success
from test_same_as_run import NOW, SECRET, without_history

from hookstream.core.records import Record, read_record
from hookstream.delivery.job import Job, make_pipeline
from hookstream.redaction.digest import digest
from hookstream.standards.rendered import Rendered
from same_process import hookstream

KEY = b"k" * 32
OTHER = "npm_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6"[:36]
MAIL = "bob" + "@example.com"
COMMAND = f"export A={SECRET} B={OTHER}; mail {MAIL}"
PAYLOAD = {**CLAUDE, "tool_input": {"command": COMMAND}}
LISTS = {
    "a rule": "email  # published\n",
    "a value": f"{digest(SECRET)}\n",
    "a keyed digest": f"# ours\n{digest(OTHER, KEY)}\n",
    "a keyed digest of one rule": f"npm-token/{digest(OTHER, KEY)}\n",
    "all": f"email\n{digest(SECRET)}\n{digest(OTHER, KEY)}\n",
    "nothing": "",
}


def configured(home, text=None, **more):
    """A home whose configuration names a list and a digest key; their paths."""
    allow, key = home.path / "allow", home.path / "digest.key"
    if text is not None:
        allow.write_text(text)
    key.write_bytes(KEY)
    key.chmod(0o600)
    home.configure({"allow": str(allow), "digest_key": str(key), **more})
    return allow, key


def line_of_run(home, allow, key, mode="hash"):
    state = home.state / "pseudonym.key"
    job = Job(
        [], [], privacy=mode, now=NOW, pseudonym_key_file=state, hash_key_file=key, allow=allow
    )
    record = Record(read_record(json.dumps(PAYLOAD).encode()).payload, "claude-code", None, NOW)
    record.native_event = "PreToolUse"
    (event,) = make_pipeline(job).take(record)
    return json.loads(Rendered(event).agent_hooks)


@pytest.mark.parametrize("mode", ["hash", "redact", "full"])
@pytest.mark.parametrize("name", LISTS)
def test_the_hook_lets_stay_what_run_lets_stay(home, name, mode):
    allow, key = configured(home, LISTS[name], privacy=mode)
    home.hook("claude-code", "PreToolUse", "--now", NOW, payload=PAYLOAD)
    (line,) = read_log(home.log)
    assert without_history(line) == without_history(line_of_run(home, allow, key, mode))
    text = line["data"]["action"]["input"]["command"]
    assert (MAIL in text) == ("email" in LISTS[name])
    assert (SECRET in text) == (digest(SECRET) in LISTS[name])
    assert (OTHER in text) == (digest(OTHER, KEY) in LISTS[name])
    assert home.failures() == []


def test_a_wrap_lets_it_stay_in_event_and_decision(home):
    configured(home, LISTS["a value"])
    guard = home.path / "guard.py"
    said = f"no {SECRET} {OTHER}"
    guard.write_text(
        f"import sys\nsys.stdin.read()\nprint({said!r}, file=sys.stderr)\nsys.exit(2)\n"
    )
    words = wrap_command("claude-code", "PreToolUse", [sys.executable, str(guard)])
    data = json.dumps(PAYLOAD).encode()
    done = subprocess.run(
        words, input=data, capture_output=True, env=home.environment(), check=False, timeout=60
    )
    assert done.returncode == 2
    for _ in range(150):
        if home.log.exists() and home.log.read_bytes().count(b"\n") >= 2:
            break
        subprocess.run(["sleep", "0.1"], check=True)
    events = read_log(home.log)
    assert len(events) == 2
    assert all(SECRET in json.dumps(event) for event in events)
    raw = home.log.read_text()
    assert OTHER not in raw and MAIL not in raw


WRONG = {
    "a line that is neither": f"email\n{SECRET}\n",
    "no text": b"email\n\xff\xfe\x00",
    "not there": None,
    "a folder": "folder",
    "a pipe that nobody writes": "fifo",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_list_that_cannot_be_used_allows_nothing_and_is_said_once(home, name):
    allow, _ = configured(home)
    if name == "a folder":
        allow.mkdir()
    elif name == "a pipe that nobody writes":
        os.mkfifo(allow)
    elif WRONG[name] is not None:
        given = WRONG[name]
        allow.write_bytes(given if isinstance(given, bytes) else given.encode())
    for _ in range(3):
        assert_silent_success(home.hook("claude-code", "PreToolUse", payload=PAYLOAD))
    raw = home.log.read_text()
    assert raw.count("\n") == 3
    assert SECRET not in raw and OTHER not in raw and MAIL not in raw
    (failure,) = home.failures()
    assert failure["problem"].startswith(f"allow-list {allow}")
    assert SECRET not in json.dumps(failure)


def test_a_list_that_may_not_be_read_allows_nothing(home):
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    allow, _ = configured(home, LISTS["all"])
    allow.chmod(0)
    assert_silent_success(home.hook("claude-code", "PreToolUse", payload=PAYLOAD))
    assert SECRET not in home.log.read_text()
    assert home.failures()[0]["problem"] == f"allow-list {allow}: Permission denied"


@pytest.mark.parametrize("path", ["allow", "./allow", 7, ["/allow"], "~other/allow"])
def test_a_path_that_depends_on_the_agent_s_folder_is_not_taken(home, path, tmp_path):
    """A repository could bring a list of its own."""
    work = tmp_path / "work"
    work.mkdir()
    (work / "allow").write_text(LISTS["all"])
    home.configure({"allow": path})
    assert_silent_success(home.hook("claude-code", "PreToolUse", payload=PAYLOAD, cwd=work))
    assert SECRET not in home.log.read_text()
    assert home.failures()[0]["problem"] == "configuration: allow is not valid"


def test_a_tilde_is_the_home_folder(home):
    configured(home, LISTS["a value"])
    home.configure({"allow": "~/allow"})
    home.hook("claude-code", "PreToolUse", payload=PAYLOAD)
    assert SECRET in home.log.read_text()


def test_status_says_what_is_wrong_as_long_as_it_is(home):
    allow, _ = configured(home, "no-such-rule\n")

    def status():
        return json.loads(hookstream("status", "--format", "json", env=home.environment()).stdout)

    wanted = f"allow-list {allow}:1: neither a rule nor a digest"
    assert status()["log"]["problem"] == wanted
    allow.write_text("email\n")
    assert status()["log"]["problem"] is None


def test_without_a_list_nothing_more_is_loaded(home):
    from test_start import probing

    report = "print();print(*sys.modules, sep=chr(10))"
    name = "hookstream.capture.allowed"
    assert name not in probing(home, "cursor", "beforeShellExecution", CURSOR, report).split()
    configured(home, "email\n")
    assert name in probing(home, "cursor", "beforeShellExecution", CURSOR, report).split()
