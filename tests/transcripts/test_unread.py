"""What a backfill finds and does not read is named, with the reason."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from tests.same_process import hookstream

from hookstream.normalizers.client import clients
from hookstream.transcripts.unread import OLDER, OTHER, SHUT, unread

HOME = Path(__file__).parents[1] / "cases" / "found"
OPENCLAW = HOME / "openclaw-reset-archive" / "input" / "home"
FOLDER = ".openclaw/agents/main/sessions"

CLINE = (
    ".vscode-server/data/User/globalStorage/saoudrizwan.claude-dev/tasks/17/"
    "api_conversation_history.json"
)
KIRO = ".local/share/kiro-cli/data.sqlite3"
PLACES = [
    ("antigravity", ".gemini/antigravity/conversations/c1.pb"),
    ("antigravity", ".gemini/antigravity-cli/implicit/c2.pb"),
    ("cline", CLINE),
    ("cline", ".cline/data/tasks/17/api_conversation_history.json"),
    ("copilot", ".copilot/history-session-state/session_1.json"),
    ("copilot", ".vscode-server/data/User/workspaceStorage/w1/chatSessions/c1.json"),
    ("cursor", ".config/Cursor/User/globalStorage/state.vscdb"),
    ("cursor", ".cursor/chats/0f3a/7d11/store.db"),
    ("kilo", CLINE.replace("saoudrizwan.claude-dev", "kilocode.kilo-code")),
    ("kimi-code", ".kimi/sessions/0f3a/7d11/wire.jsonl"),
    ("kiro", KIRO),
    ("mistral-vibe", ".vibe/logs/session/session_20260511_100000_ab12cd34/messages.jsonl"),
    ("windsurf", ".codeium/windsurf/cascade/c1.pb"),
    ("windsurf", ".windsurf/transcripts/t1.jsonl"),
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    shutil.copytree(OPENCLAW, home)
    return home


def put(home: Path, name: str, text: str = "{}") -> Path:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(("client", "place"), PLACES)
def test_a_declared_place_is_named_with_its_reason(client: str, place: str, home: Path) -> None:
    path = put(home, place)
    (row,) = [row for row in unread(home, None, 0.0, {}) if row["tool"] == client]
    assert (row["files"], row["bytes"], row["first"]) == (1, 2, str(path))
    assert len(row["why"]) > 10


def test_roo_is_named_apart_from_cline(home: Path) -> None:
    put(home, CLINE)
    put(home, CLINE.replace("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline"))
    assert len([row for row in unread(home, ["cline"], 0.0, {}) if row["tool"] == "cline"]) == 2


def test_other_files_of_a_session_folder_are_counted(home: Path) -> None:
    for name in ("s1.bak", "sessions.json"):
        put(home, f"{FOLDER}/{name}")
    put(home, f"{FOLDER}/openclaw-agent.sqlite-wal")
    (row,) = unread(home, ["openclaw"], 0.0, {})
    assert (row["files"], row["why"]) == (2, OTHER)


def test_parts_that_are_read_are_not_named() -> None:
    for case in ("opencode-json-storage", "openclaw-reset-archive", "copilot-shutdown-metrics"):
        assert unread(HOME / case / "input" / "home", None, 0.0, {}) == []


def test_files_before_the_window_and_shut_ones(home: Path) -> None:
    old, shut = sorted((home / FOLDER).iterdir())
    os.utime(old, (1_000_000_000, 1_000_000_000))
    shut.chmod(0)
    rows = unread(home, ["openclaw"], 1_100_000_000.0, {})
    reasons = {row["why"] for row in rows}
    assert OLDER in reasons
    assert SHUT in reasons or os.geteuid() == 0


def test_every_declared_place_can_be_looked_for() -> None:
    """A place whose pattern matches no path that it could have is never reported."""
    for client in clients():
        for reason in client.unread:
            assert reason.files, client.key
            assert all(place.variables or place.texts[0][0] == "~" for place in reason.files)


@pytest.mark.long
def test_a_backfill_lists_them_in_its_table_and_its_report(home: Path, tmp_path: Path) -> None:
    put(home, KIRO)
    report = tmp_path / "report.json"
    done = hookstream("backfill", "--home", home, "--since", "36500d", "--report", report)
    assert done.returncode == 0, done.stderr.decode()
    assert b"Found and not read: 1" in done.stdout
    (row,) = json.loads(report.read_text("utf-8"))["unread"]
    assert row["tool"] == "kiro"
    assert row["files"] == 1


def test_a_backfill_that_reads_nothing_names_them(tmp_path: Path) -> None:
    put(tmp_path, KIRO)
    done = hookstream("backfill", "--home", tmp_path)
    assert done.returncode == 2
    assert b"kiro: 1 files not read" in done.stderr
