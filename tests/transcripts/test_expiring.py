"""Sessions that a client will delete are named, with the command that keeps them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.status import report
from hookstream.capture.log.place import default_log
from hookstream.normalizers.client import client_of
from hookstream.transcripts.expiring import DAY_S, expiring
from hookstream.transcripts.unread import OLDER, unread

CLAUDE = client_of("claude-code")
NOW = time.time()
RECORD = {
    "type": "user",
    "uuid": "u1",
    "sessionId": "s1",
    "timestamp": "2026-11-01T00:00:00Z",
    "message": {"role": "user", "content": "hello"},
}


@pytest.fixture
def session(tmp_path: Path) -> Callable[[str, float], Path]:
    def write(name: str, days: float) -> Path:
        path = tmp_path / ".claude" / "projects" / "-srv-app" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(RECORD) + "\n")
        os.utime(path, (NOW - days * DAY_S,) * 2)
        return path

    return write


def machine(home: Path) -> InstallFolders:
    return InstallFolders(project=home, env={"HOME": str(home), "USERPROFILE": str(home)})


def test_the_first_to_go_is_named(tmp_path: Path, session: Callable[[str, float], Path]) -> None:
    session("a", 3)
    session("b", 25)
    first = session("c", 28)
    text = expiring(CLAUDE, machine(tmp_path), NOW)
    assert text is not None
    assert "deletes 2 session files within 7 days (cleanupPeriodDays 30)" in text
    assert str(first) in text
    assert "hookstream backfill claude-code --since all --to" in text


def test_the_setting_of_the_client_counts(
    tmp_path: Path, session: Callable[[str, float], Path]
) -> None:
    session("a", 28)
    settings = tmp_path / ".claude" / "settings.json"
    settings.write_text('{"cleanupPeriodDays": 365}')
    assert expiring(CLAUDE, machine(tmp_path), NOW) is None
    settings.write_text(json.dumps({"cleanupPeriodDays": 10**400}))
    assert expiring(CLAUDE, machine(tmp_path), NOW) is None
    for unreadable in ("soon", True, -1):
        settings.write_text(json.dumps({"cleanupPeriodDays": unreadable}))
        assert "cleanupPeriodDays 30" in (expiring(CLAUDE, machine(tmp_path), NOW) or "")


def test_a_client_that_deletes_nothing_is_silent(tmp_path: Path) -> None:
    assert expiring(client_of("codex"), machine(tmp_path), NOW) is None


def test_a_window_says_how_much_it_leaves(
    tmp_path: Path, session: Callable[[str, float], Path]
) -> None:
    session("a", 3)
    session("b", 40)
    (row,) = unread(tmp_path, ["claude-code"], NOW - 30 * DAY_S, {})
    assert (row["files"], row["why"]) == (1, OLDER)
    assert unread(tmp_path, ["claude-code"], 0, {}) == []


def test_status_has_it_among_the_gaps(
    tmp_path: Path, session: Callable[[str, float], Path]
) -> None:
    session("a", 28)
    (agent,) = report([CLAUDE], machine(tmp_path))["agents"]
    assert any("cleanupPeriodDays 30" in gap for gap in agent["gaps"])


def test_a_client_that_ran_without_its_hooks_is_named(
    tmp_path: Path, session: Callable[[str, float], Path]
) -> None:
    """Registered a day ago, no record of a hook, and a session file of today."""
    path = session("a", 0)
    line = "/x/hookstream/hookstream-hook claude-code Stop 2>/dev/null || :"
    settings = tmp_path / ".claude" / "settings.json"
    entry = {"hooks": [{"type": "command", "command": line, "timeout": 10}]}
    settings.write_text(json.dumps({"hooks": {"Stop": [entry]}}))
    ran = f"ran without its hooks: {path} was written at "
    for days, is_named in ((1, True), (0, False)):
        os.utime(settings, (NOW - days * DAY_S,) * 2)
        (agent,) = report([CLAUDE], machine(tmp_path))["agents"]
        assert any(gap.startswith(ran) for gap in agent["gaps"]) is is_named
    os.utime(settings, (NOW - DAY_S,) * 2)
    log = Path(str(default_log()))
    log.parent.mkdir(parents=True, exist_ok=True)
    own = {"native_event": "Stop", "vendor": "claude-code"}
    when = datetime.fromtimestamp(NOW - 60, UTC).isoformat()
    event = {
        "source": {"tool": "claude-code"},
        "timestamp": when,
        "metadata": {"dev.hookstream": own},
    }
    log.write_text(json.dumps(event) + "\n")
    (agent,) = report([CLAUDE], machine(tmp_path))["agents"]
    assert not any(gap.startswith(ran) for gap in agent["gaps"])
