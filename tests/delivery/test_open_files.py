"""Limits of the machine are not faults of the data: a follower holds few files open."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from hookstream.core.processes import is_lack, most_open_files

FOLLOW = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
from hookstream.cli import main
main()
"""
PAYLOAD = {"hook_event_name": "SessionStart", "cwd": "/x", "source": "startup"}


def record(session: str) -> str:
    payload = {**PAYLOAD, "session_id": session}
    return json.dumps(
        {"vendor": "claude-code", "received_at": "2026-11-22T10:00:00.000Z", "payload": payload}
    )


@pytest.mark.long
def test_more_files_than_may_be_open_are_read_each_line_once(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(1200):
        (tmp_path / "in" / f"{number}.jsonl").write_text(record(f"s{number}") + "\n", "utf-8")
    out = tmp_path / "out" / "agent-hooks.jsonl"
    run = subprocess.Popen(
        [sys.executable, "-c", FOLLOW, "run", "--follow", str(tmp_path / "in"), "--state",
         str(tmp_path / "state"), "--to", f"jsonl:{tmp_path / 'out'}"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    until = time.monotonic() + 60
    while time.monotonic() < until:
        time.sleep(0.5)
        if out.exists() and out.read_bytes().count(b"\n") >= 1200:
            break
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=30)
    assert "rejected 0" in errors
    lines = out.read_text("utf-8").splitlines()
    sessions = Counter(json.loads(line)["session_id"] for line in lines)
    assert len(sessions) == 1200
    assert set(sessions.values()) == {1}


def test_a_lack_of_the_machine_is_no_damage_of_a_file() -> None:
    lacks = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC)
    assert all(is_lack(OSError(number, os.strerror(number))) for number in lacks)
    assert is_lack(MemoryError())
    assert not is_lack(OSError(errno.EIO, "damaged"))
    assert 8 <= most_open_files() <= 256
