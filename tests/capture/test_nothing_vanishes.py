"""Whatever reaches a hook leaves a line: normalized as by `run`, or one that says what is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hook_runner import CLAUDE, SAMPLES, answer_of, read_log, wrap_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hookstream
from hookstream.capture.hook.failures import LAST_WORDS, last_resort, lost_line, written
from hookstream.capture.install.command import direct
from hookstream.core.jsons import _fast, _standard

if TYPE_CHECKING:
    from hook_runner import Home

pytestmark = pytest.mark.long

PACKAGE = Path(hookstream.__file__).parent
SECRET = "hunter" + "2-in-the-payload"


def with_command(text: str) -> bytes:
    """A payload of Claude Code whose command is this piece of JSON text."""
    payload = json.dumps({**CLAUDE, "tool_input": {"command": "?"}}).encode()
    return payload.replace(b'"?"', text.encode("utf-8", "surrogatepass"))


AGENT_HOOKS = {
    "spec_version": "0.1.0",
    "event_id": "00000000-0000-8000-8000-000000000000",
    "event_type": "Action.Before",
    "timestamp": "2026-11-24T10:00:00Z",
    "source": {"tool": "claude-code"},
    "session_id": "s",
    "actor": {"type": "ai_agent"},
}
# Bytes that are read as `run` reads them, with the event type of the line.
MENDED = {
    "lone surrogate": with_command('"rm -rf x # \\ud83d"'),
    "low surrogate": with_command('"\\udc00 a \\ud800\\u0041"'),
    "surrogate in a key": with_command('{"\\ud83d": 1}'),
    "duplicate keys": with_command('"ls", "command": "rm"'),
    "huge integer": with_command("9" * 300),
    "huge integer in the payload's root": with_command('"ls"')[:-1] + b',"n":1' + b"0" * 30 + b"}",
    "endless integer": with_command("9" * 5000),
    "many digits": with_command("1" * 20),
    "agent hooks text": json.dumps(
        {"vendor": "claude-code", "payload": json.dumps({**CLAUDE, "x": AGENT_HOOKS})}
    ).encode(),
    "ten megabytes": with_command('"' + "a" * 10_000_000 + '"'),
    "nan": with_command("NaN"),
    "infinity": with_command("-Infinity"),
    "overflow": with_command("1e999"),
    "escapes": with_command('"\\u0000\\u001b[31m\\u202e"'),
}
# Bytes that hold no payload: the line says so.
LOST = {
    "empty": b"",
    "blank": b" \r\n",
    "nul": b"\0" * 64,
    "nul inside": with_command('"a\0b"'),
    "invalid utf-8": with_command('"ls"').replace(b"ls", b"\xff\xfe"),
    "utf-16": json.dumps(CLAUDE).encode("utf-16-le"),
    "deep": with_command("[" * 200 + "]" * 200),
    "deeper": with_command("[" * 50_000 + "]" * 50_000),
    "array": b"[" + json.dumps(CLAUDE).encode() + b"]",
    "truncated": json.dumps(CLAUDE).encode()[:-20],
    "bare word": b"nul",
}


def own_of(line: dict[str, Any]) -> dict[str, Any]:
    return line["metadata"]["dev.hookstream"]


def answers(home: Home, question: str) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "hookstream", "query", question, home.log.parent, "--format=json"],
        capture_output=True,
        env=home.environment(),
        check=True,
    )
    return json.loads(done.stdout)


def assert_answered(
    done: subprocess.CompletedProcess[bytes], vendor: str, event: str = "PreToolUse"
) -> None:
    assert (done.returncode, done.stdout, done.stderr) == (0, answer_of(vendor, event), b"")


@pytest.mark.parametrize("kind", MENDED)
def test_what_run_can_mend_the_hook_mends_in_the_same_way(home: Home, kind: str) -> None:
    from hookstream.api import normalize

    data = MENDED[kind]
    assert_answered(home.hook("claude-code", "PreToolUse", data=data), "claude-code")
    (line,) = read_log(home.log)
    (event,) = normalize(data, "claude-code")
    assert line["event_type"] == event.type == "Action.Before"
    if kind != "ten megabytes":  # too long to be scanned while an agent waits
        assert line["data"]["action"].get("input") == event.input
    assert own_of(line).get("native") == event.native
    assert home.failures() == []


@pytest.mark.parametrize("kind", LOST)
def test_what_holds_no_payload_leaves_its_length_digest_and_reason(home: Home, kind: str) -> None:
    from hashlib import sha256

    data = LOST[kind]
    assert_answered(home.hook("claude-code", "PreToolUse", data=data), "claude-code")
    (line,) = read_log(home.log)
    assert line["event_type"] == "vendor.claude-code.CaptureFailed"
    own = own_of(line)
    assert own["native"] == {"length": len(data), "sha256": sha256(data).hexdigest()}
    assert own["native_event"] == "PreToolUse" and own["error_code"] and own["received_at"]


@pytest.mark.parametrize(("vendor", "event", "payload"), SAMPLES, ids=[s[0] for s in SAMPLES])
def test_each_client_gets_its_answer_and_a_row_of_gaps(
    home: Home, vendor: str, event: str, payload: dict[str, Any]
) -> None:
    bad = json.dumps(payload).encode()[:-1] + b',"x":NaN'
    surrogate = json.dumps(payload).encode()[:-1] + b',"x":"\\ud83d"}'
    assert_answered(home.hook(vendor, event, data=bad), vendor, event)
    assert_answered(home.hook(vendor, event, data=surrogate), vendor, event)
    first, second = read_log(home.log)
    assert first["event_type"] == f"vendor.{vendor}.CaptureFailed"
    assert second["event_type"] == "Action.Before"
    rows = [row for row in answers(home, "gaps") if row["gap"] == "capture_failures"]
    assert [(row["tool"], row["where"], row["count"]) for row in rows] == [(vendor, "not_json", 1)]
    assert len(answers(home, "sessions")) == 1  # what is lost belongs to no session


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    data=st.one_of(
        st.binary(max_size=200),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=20,
        ).map(lambda value: with_command(json.dumps(value))),
        st.sampled_from([*MENDED.values(), *LOST.values()]).map(lambda data: data[:5000]),
    ),
    vendor=st.sampled_from([sample[0] for sample in SAMPLES]),
)
def test_for_any_bytes_the_log_has_a_record_and_a_run_of_it_an_event(
    data: bytes, vendor: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from hookstream.api import read
    from hookstream.capture.hook.main import Hook
    from hookstream.capture.hook.request import HookRequest
    from hookstream.core.records import read_record

    log = tmp_path_factory.mktemp("any") / "log.jsonl"
    event = next(sample[1] for sample in SAMPLES if sample[0] == vendor)
    hook = Hook(HookRequest(["--log", str(log), vendor, event]))
    hook.answered = True
    hook._take = lambda budget_s: (setattr(hook, "data", data), read_record(data))[1]  # type: ignore[method-assign]
    hook.run()
    lines = log.read_bytes().splitlines()
    assert lines
    assert len(list(read(log))) >= 1


NUMBER = r"[-+]?[0-9]{1,330}(\.[0-9]+)?([eE][-+]?[0-9]{1,4})?"


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=60),
        st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")),
        st.sampled_from([*MENDED.values(), *LOST.values()]).map(lambda data: data[:5000]),
        st.from_regex(r"[-+]?[0-9]{1,330}(\.[0-9]+)?([eE][-+]?[0-9]{1,4})?", fullmatch=True).map(
            str.encode
        ),
        st.from_regex(r'"(\\u[dD][89a-fA-F][0-9a-f]{2}|a)*"', fullmatch=True).map(str.encode),
    )
)
def test_both_parsers_take_and_refuse_the_same(data: bytes) -> None:
    def outcome(loads: Any) -> Any:
        try:
            return repr(loads(data))
        except (ValueError, RecursionError):
            return None

    assert outcome(_standard()["loads"]) == outcome(_fast()["loads"])


def test_a_variable_that_is_not_utf_8_is_mended(home: Home) -> None:
    env = {"CURSOR_VERSION": os.fsdecode(b"\xff1"), "CURSOR_PROJECT_DIR": os.fsdecode(b"/\xff")}
    payload = SAMPLES[1][2]
    assert_answered(home.hook("cursor", "beforeShellExecution", payload=payload, env=env), "cursor")
    (line,) = read_log(home.log)
    assert line["event_type"] == "Action.Before"


# A package that is broken.


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package to break a module of, and to mend again."""
    root = tmp_path_factory.mktemp("site")
    shutil.copytree(
        PACKAGE, root / "hookstream", ignore=shutil.ignore_patterns("__pycache__", "*.bin")
    )
    return root / "hookstream"


def hook_of(package: Path, home: Home, data: bytes, vendor: str = "claude-code") -> Any:
    words = [sys.executable, "-ISEB", package / "capture/hook/launch.py", "hook", vendor]
    return subprocess.run(
        [*words, "PreToolUse"], input=data, capture_output=True, env=home.environment(), check=False
    )


HOWS = ("deleted", "syntax error", "raises")
BREAKS = [
    "core/parse.py",
    "core/records.py",
    "core/jsons.py",
    "core/event.py",
    "version.py",
    "normalizers/__init__.py",
    "normalizers/claude_code/table.py",
    "redaction/redact.py",
    "standards/agent_hooks.py",
    "capture/__init__.py",
    "capture/settings.py",
    "capture/hook/__init__.py",
    "capture/hook/main.py",
    "capture/hook/client.py",
    "capture/hook/appender.py",
    "capture/hook/request.py",
    "capture/log/place.py",
    "capture/log/append.py",
    "capture/log/locks.py",
    "capture/hook/in_process.py",
    "capture/collector/intake.py",
]


@pytest.mark.parametrize(
    ("name", "how"),
    [
        *((name, HOWS[number % 3]) for number, name in enumerate(BREAKS)),
        *(
            pytest.param(name, how, marks=pytest.mark.long)
            for number, name in enumerate(BREAKS)
            for how in HOWS
            if how != HOWS[number % 3]
        ),
    ],
)
def test_a_module_that_cannot_be_imported_leaves_a_trace(
    home: Home, broken: Path, name: str, how: str
) -> None:
    path = broken / name
    source = path.read_bytes()
    try:
        if how == "deleted":
            path.unlink()
        else:
            path.write_text("def (" if how == "syntax error" else "raise ImportError('broken')")
        done = hook_of(broken, home, json.dumps(CLAUDE).encode())
    finally:
        path.write_bytes(source)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    lines = read_log(home.log)
    assert len(lines) == 1, lines
    if lines[0]["event_type"] != "Action.Before":
        own = own_of(lines[0])
        assert lines[0]["event_type"] == "vendor.claude-code.CaptureFailed"
        assert own["native"]["length"] == len(json.dumps(CLAUDE))
        assert own["native_event"] == "PreToolUse"
        assert home.failures()


def test_without_a_module_gaps_and_status_say_so(home: Home, broken: Path) -> None:
    path = broken / "core" / "parse.py"
    source = path.read_bytes()
    path.unlink()
    try:
        hook_of(broken, home, b'{"prompt": "%s"}' % SECRET.encode())
        done = hook_of(broken, home, b"{}", "cursor")
    finally:
        path.write_bytes(source)
    assert done.stdout == LAST_WORDS["cursor"]
    assert SECRET not in home.log.read_text()
    rows = [row for row in answers(home, "gaps") if row["gap"] == "capture_failures"]
    assert {row["tool"] for row in rows} == {"claude-code", "cursor"}
    status = subprocess.run(
        [sys.executable, "-m", "hookstream", "status", "claude-code", "--format=json"],
        capture_output=True,
        env=home.environment(),
        check=True,
    )
    assert json.loads(status.stdout)["agents"][0]["errors"] >= 1


@pytest.mark.parametrize("text", [b"raise AttributeError", b"def (", b"1 / 0"])
def test_whatever_a_module_of_facts_raises_the_answer_goes_out(
    home: Home, broken: Path, text: bytes
) -> None:
    path = broken / "normalizers" / "hook_facts.py"
    source = path.read_bytes()
    path.write_bytes(text)
    try:
        done = hook_of(broken, home, json.dumps(CLAUDE).encode(), "cursor")
    finally:
        path.write_bytes(source)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"{}", b"")


def test_without_the_module_that_records_failures_the_answer_goes_out(
    home: Home, broken: Path
) -> None:
    paths = [broken / "capture" / f"{name}.py" for name in ("collector/intake", "hook/failures")]
    sources = [path.read_bytes() for path in paths]
    for path in paths:
        path.unlink()
    try:
        done = hook_of(broken, home, json.dumps(CLAUDE).encode(), "cursor")
    finally:
        for path, source in zip(paths, sources, strict=True):
            path.write_bytes(source)
    assert (done.returncode, done.stdout) == (0, b"{}")


def test_a_compiled_build_next_to_the_sources_changes_nothing(home: Home, broken: Path) -> None:
    from importlib.machinery import EXTENSION_SUFFIXES

    made = []
    for name in ("parse", "records", "capture/hook/client", "normalizers/base", "capture/__init__"):
        made.append(broken / f"{name}{EXTENSION_SUFFIXES[0]}")
        made[-1].write_bytes(b"\x7fELF no library")
    try:
        done = hook_of(broken, home, json.dumps(CLAUDE).encode())
    finally:
        for path in made:
            path.unlink()
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (line,) = read_log(home.log)
    assert line["event_type"] == "Action.Before"
    assert home.failures() == []


def test_the_last_resort_writes_what_the_hook_writes(home: Home, monkeypatch: Any) -> None:
    """One shape, in and out of the package: strict, and read back as it is."""
    from hookstream.standards.validate import Validator

    line = lost_line("claude-code", "PreToolUse", "2026-11-24T10:00:00.000Z", "x" * 999, length=1)
    assert list(Validator().problems(line)) == []
    assert json.loads(line)["metadata"]["dev.hookstream"]["error_code"] == "x" * 200
    value = {"b": ['"\\\n', "é😀", 1, True, None], "a": {}}
    assert json.loads(written(value)) == value
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "AGENT_HOOKS_LOG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home.path))
    config = home.path / ".config" / "hookstream"
    config.mkdir(parents=True)
    (config / "config.toml").write_text('log = "off"\n')
    last_resort(["claude-code", "Stop"], "broken", b"{}", True, should_answer=False)
    assert not home.log.exists() and home.failures()
    (config / "config.toml").write_text('log = "~/elsewhere/"\n')
    last_resort(["--registered", "", "claude-code"], "broken", b"{}", True, should_answer=False)
    (line,) = read_log(home.path / "elsewhere" / "agent-hooks.jsonl")
    assert line["metadata"]["dev.hookstream"]["capture_scope"] == "user"


# Other ways to the log.


def wait_for_a_line(home: Home) -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if home.log.exists() and home.log.read_bytes().endswith(b"\n"):
            return
        time.sleep(0.05)


def test_a_feed_names_what_it_cannot_read(home: Home) -> None:
    good = json.dumps({"vendor": "claude-code", "native_event": "PreToolUse", "payload": CLAUDE})
    mended = good.replace("ls -la", "ls \\ud83d")
    lines = [good, mended, '{"payload": nan}', "[1]", good[:-30]]
    done = subprocess.run(
        direct("feed", ["claude-code"]),
        input="\n".join(lines).encode(),
        capture_output=True,
        env=home.environment(),
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    kinds = [line["event_type"].rpartition(".")[2] for line in read_log(home.log)]
    assert kinds == ["Before", "Before", "CaptureFailed", "CaptureFailed", "CaptureFailed"]


@pytest.mark.parametrize("data", [b"", b"garbage", b'{"a": nan}'])
def test_a_wrap_names_what_it_cannot_read(home: Home, data: bytes) -> None:
    done = subprocess.run(
        wrap_command("claude-code", "PreToolUse", ["/bin/cat"]),
        input=data,
        capture_output=True,
        env=home.environment(),
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, data)
    wait_for_a_line(home)
    (line,) = read_log(home.log)
    assert line["event_type"] == "vendor.claude-code.CaptureFailed"


@pytest.mark.parametrize(
    "name", ["capture/wrap/main.py", "capture/wrap/record.py", "core/parse.py"]
)
def test_a_wrap_of_a_broken_package_runs_its_hook_and_leaves_a_trace(
    home: Home, broken: Path, name: str
) -> None:
    path = broken / name
    source = path.read_bytes()
    path.write_text("def (")
    try:
        words = [sys.executable, "-ISEB", broken / "capture/hook/launch.py", "wrap", "claude-code"]
        done = subprocess.run(
            [*words, "PreToolUse", "--", "/bin/cat"],
            input=json.dumps(CLAUDE).encode(),
            capture_output=True,
            env=home.environment(),
            check=False,
        )
        wait_for_a_line(home)
    finally:
        path.write_bytes(source)
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, CLAUDE, b"")
    (line,) = read_log(home.log)
    assert line["event_type"] == "vendor.claude-code.CaptureFailed"
    assert own_of(line)["native_event"] == "PreToolUse"
