"""Retention of the capture log: what every delivery has taken goes, and nothing else."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from delivery.far import Far, serving
from hookstream.capture.log.rotation import rotate
from same_process import text_of

pytestmark = pytest.mark.long

Log = Callable[[int], None]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def line(number: int) -> bytes:
    given = {
        "session_id": f"s{number}",
        "hook_event_name": "UserPromptSubmit",
        "cwd": "/w",
        "prompt": "go on",
    }
    record = {
        "vendor": "claude-code",
        "payload": given,
        "received_at": f"2026-11-01T10:00:{number:02}Z",
    }
    return json.dumps(record).encode() + b"\n"


def rotated_log(home: Path, files: int = 3, days: int = 30) -> Path:
    """A log of rotated files, a line each, and a current one."""
    log = home / "state/hookstream/log"
    log.mkdir(parents=True)
    current = log / "agent-hooks.jsonl"
    for number in range(files):
        current.write_bytes(line(number))
        os.utime(rotate(str(current)), (time.time() - days * 86400,) * 2)
    current.write_bytes(line(files))
    return log


def names(log: Path) -> list[str]:
    return sorted(path.name for path in log.glob("*.jsonl"))


def prune(home: Path, *words: str, code: int = 0) -> str:
    done = text_of("retain", "--log", *words)
    assert done.returncode == code, done.stderr
    return done.stderr


ALL = [f"agent-hooks.{n:06}.jsonl" for n in (1, 2, 3)] + ["agent-hooks.jsonl"]


def test_nothing_goes_before_somebody_has_it(home: Path) -> None:
    log = rotated_log(home)
    assert "no delivery of this log is known" in prune(home, "--max-age", "1d", code=2)
    assert names(log) == ALL


def test_what_was_delivered_goes_by_age_and_the_current_file_stays(home: Path) -> None:
    log = rotated_log(home)
    file = config(home, f"jsonl:{home}/out")
    assert text_of("run", "--config", str(file)).returncode == 0
    assert "2 files" in prune(home, "--max-age", "1d", "--dry-run")
    assert names(log) == ALL
    assert "0 files" in prune(home, "--max-age", "52w")
    prune(home, "--max-age", "1d")
    assert names(log) == ALL[2:], "the newest number stays: numbers go on from it"
    # The delivery goes on behind what is gone.
    with (log / "agent-hooks.jsonl").open("ab") as out:
        out.write(line(9))
    assert text_of("run", "--config", str(file)).returncode == 0
    events = (home / "out/agent-hooks.jsonl").read_text().splitlines()
    ids = [json.loads(one)["session_id"] for one in events]
    assert list(dict.fromkeys(ids)) == ["s0", "s1", "s2", "s3", "s9"]


def test_by_size_the_oldest_go_first(home: Path) -> None:
    log = rotated_log(home, days=1)
    file = config(home, f"jsonl:{home}/out")
    assert text_of("run", "--config", str(file)).returncode == 0
    prune(home, "--max-bytes", str(2 * len(line(0)) + 10))
    assert names(log) == ALL[2:]


def config(home: Path, *sinks: str, state: str = "") -> Path:
    path = home / f"hookstream{len(list(home.glob('*.toml')))}.toml"
    log = home / "state/hookstream/log"
    text = f'sources = ["{log}"]\n' + (f'state = "{state}"\n' if state else "")
    path.write_text(text + "".join(f'[[sink]]\nuri = "{sink}"\n' for sink in sinks))
    return path


def test_a_sink_that_is_behind_keeps_the_files(home: Path) -> None:
    """And lets them go once it has caught up with where the reading was."""
    log = rotated_log(home)
    with serving(Far()) as far:
        port = far.port
    file = config(home, f"jsonl:{home}/out", f"cloudevents:http://127.0.0.1:{port}/in")
    assert text_of("run", "--config", str(file)).returncode == 3
    assert "not taken yet by" in prune(home, "--max-age", "1d")
    assert names(log) == ALL


def test_every_delivery_counts_also_one_with_a_state_of_its_own(home: Path) -> None:
    log = rotated_log(home)
    one = config(home, f"jsonl:{home}/out")
    assert text_of("run", "--config", str(one)).returncode == 0
    elsewhere = home / "elsewhere"
    other = config(home, "cloudevents:http://127.0.0.1:9/in", state=str(elsewhere))
    assert text_of("run", "--config", str(other)).returncode == 3
    assert str(elsewhere) in prune(home, "--max-age", "1d", "--config", str(other))
    assert names(log) == ALL


def test_a_hold_keeps_the_file_with_its_line(home: Path) -> None:
    log = home / "state/hookstream/log"
    log.mkdir(parents=True)
    current = log / "agent-hooks.jsonl"
    for number in range(3):
        held = {"session_id": f"s{number}", "event_id": str(number), "spec_version": "0.1.0"}
        current.write_bytes(json.dumps(held).encode() + b"\n")
        os.utime(rotate(str(current)), (1e9, 1e9))
    current.write_bytes(line(5))
    assert text_of("run", "--config", str(config(home, f"jsonl:{home}/out"))).returncode == 0
    assert text_of("hold", str(log), "case-1", "--session", "s0").returncode == 0
    assert "held" in prune(home, "--max-age", "1d")
    assert names(log) == [ALL[0], *ALL[2:]]
    assert text_of("hold", str(log), "case-1", "--release").returncode == 0
    prune(home, "--max-age", "1d")
    assert names(log) == ALL[2:]


def test_marks_let_go_what_was_read_before_what_still_waits(tmp_path: Path) -> None:
    """A busy sink always has something waiting: a file goes when the sinks are where the reading
    was when the file was first seen read."""
    from hookstream.retention.capture_log import Limits
    from hookstream.retention.capture_log import prune as apply

    log = tmp_path / "log"
    log.mkdir()
    (log / "agent-hooks.jsonl").write_bytes(line(1))
    path = Path(rotate(str(log / "agent-hooks.jsonl")))
    os.utime(path, (1e9, 1e9))
    (log / "agent-hooks.jsonl").write_bytes(line(2))
    rotate(str(log / "agent-hooks.jsonl"))
    size = path.stat().st_size

    def state(records: int, undelivered: int, read: int = size) -> dict:
        sinks = {"lake": {"undelivered": undelivered}}
        sources = {str(path): {"read": read, "size": size}}
        return {"folder": "d", "records": records, "sinks": sinks, "sources": sources}

    limits = Limits(max_age_s=60)
    assert apply(log, limits, [state(5, 0, read=1)]).removed == []
    assert apply(log, limits, [state(10, 4)]).removed == []
    assert apply(log, limits, [state(14, 5)]).removed == []
    assert apply(log, limits, [state(20, 9)]).removed == [(path, size)]
    assert not path.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--log",), "give --max-age or --max-bytes"),
        (("--log", "--max-age", "1d", "--user", "u"), "whole files go"),
        (("--max-bytes", "5", "x"), "needs --log"),
    ],
)
def test_wrong_usage_is_one_line(home: Path, words: tuple[str, ...], said: str) -> None:
    done = text_of("retain", *words)
    assert done.returncode == 2
    assert said in done.stderr
