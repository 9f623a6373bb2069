"""Session files cut at every byte, of two gigabytes, and in folders of thousands: named, counted,
and read in bounded memory. Peaks are of whole processes, so each run is one of its own."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from homes import DATA, home_of

from hookstream.core.records import Record, Rejection
from hookstream.delivery.batch import unread
from hookstream.transcripts import files
from hookstream.transcripts.database import octet_length
from hookstream.transcripts.files import given as read_session

pytestmark = pytest.mark.slow
SESSIONS = Path(__file__).parent.parent.parent / "benchmarks" / "backfill" / "sessions.py"
# The peaks of the command and of its largest worker, in KiB, on the last line.
RUN = """
import json, resource, sys
from pathlib import Path
from hookstream.cli.backfill import backfill
home, counts = map(Path, sys.argv[1:])
backfill(since="all", home=home, workers=2, report=counts)
peaks = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF,
    resource.RUSAGE_CHILDREN)]
print(json.dumps([peak // 1024 if sys.platform == "darwin" else peak for peak in peaks]))
"""
LIMIT_KIB = 700 << 10
# HOOKSTREAM_SESSIONS=50000 for the figure of the documentation.
MANY = int(os.environ.get("HOOKSTREAM_SESSIONS", "12000"))


def run(home: Path, folder: Path) -> tuple[int, int, dict[str, int]]:
    env = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "HOME": str(folder)}
    counts = folder / f"{home.name}.json"
    words = [sys.executable, "-c", RUN, str(home), str(counts)]
    done = subprocess.run(words, capture_output=True, check=True, timeout=3600, env=env)
    own, worker = json.loads(done.stdout.splitlines()[-1])
    return own, worker, json.loads(counts.read_text("utf-8"))


def made(home: Path, sessions: int) -> Path:
    words = [sys.executable, str(SESSIONS), str(home), "--sessions", str(sessions), "--kib", "4"]
    subprocess.run(words, check=True, capture_output=True)
    return home


LINES = ("claude-code", "codex", "copilot", "gemini-cli", "qwen-code")
DATABASES = {"opencode": "opencode/deny", "openclaw": "openclaw/subagent"}
DOCUMENTS = ("cline", "continue")
# Less says too little of a client's records, more takes long: it is read once for each byte.
SIZE = 2_500
# A database is opened anew for each cut: some fourteen in each page of 512 bytes.
STRIDE = 37


def smallest(client: str, pattern: str) -> Path:
    found = (path for path in (DATA / client).rglob(pattern) if path.stat().st_size > SIZE)
    return min(found, key=lambda path: path.stat().st_size)


@pytest.mark.parametrize("client", LINES)
def test_a_file_cut_at_any_byte_is_read_up_to_there(client: str, tmp_path: Path) -> None:
    whole = smallest(client, "home/**/*.jsonl")
    data = whole.read_bytes()
    path = tmp_path / whole.name
    for end in range(len(data)):
        path.write_bytes(data[:end])
        given = list(unread(path))
        cut = [one for one in given if type(one).__name__ == "Rejection"]
        assert len(cut) <= 1, end
        reasons = {one.reason for one in cut}  # type: ignore[union-attr]
        assert reasons <= {"not_json", "not_utf8"}, end


@pytest.mark.parametrize("client", DOCUMENTS)
def test_a_document_cut_at_any_byte_is_one_rejection_beside_what_is_whole(
    client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "WAIT_S", 0.0)  # nobody is about to write the rest
    whole = smallest(client, "home/**/*.json")
    every = Counter(one.native_event for one in records_of(whole, client))
    assert every
    data = whole.read_bytes().rstrip()
    path = tmp_path / whole.name
    for end in range(1, len(data)):
        path.write_bytes(data[:end])
        given = list(read_session(path, client, path.name))
        (one,) = (part for part in given if isinstance(part, Rejection))
        assert one.reason in ("not_json", "not_utf8"), end
        names = Counter(part.native_event for part in given if isinstance(part, Record))
        assert names <= every, end


@pytest.mark.parametrize("client", DATABASES)
def test_a_database_cut_in_any_page_is_named(client: str, tmp_path: Path) -> None:
    home = home_of(DATABASES[client], tmp_path)
    (path,) = (one for one in home.rglob("*") if one.suffix in (".db", ".sqlite"))
    with closing(sqlite3.connect(path)) as database:
        database.create_function("octet_length", 1, octet_length, deterministic=True)
        database.execute("pragma page_size = 512")
        database.execute("vacuum")
    data = path.read_bytes()
    every = [one.payload.items() for one in records_of(path, client)]
    assert every
    for end in range(0, len(data), STRIDE):
        path.write_bytes(data[:end])
        given = list(read_session(path, client, path.name))
        first, *rows = (one.reason for one in given if isinstance(one, Rejection))
        assert first.startswith(("unreadable", "not_json", "not_utf8", "empty")), end
        # A row whose text runs on into what is missing.
        assert all(reason.endswith(("not_utf8", "control_character")) for reason in rows), end
        # A row of its text may be gone with its page: a fact less, never another.
        left = [one.payload.items() for one in given if isinstance(one, Record)]
        assert all(any(facts <= whole for whole in every) for facts in left), end


def records_of(path: Path, client: str) -> list[Record]:
    given = read_session(path, client, path.name)
    return [one for one in given if isinstance(one, Record)]


def test_the_report_over_many_sessions_holds_what_it_holds_over_few(tmp_path: Path) -> None:
    few = run(made(tmp_path / "few", MANY // 4), tmp_path)
    many = run(made(tmp_path / "many", MANY), tmp_path)
    print(f"{MANY // 4} sessions: {few[:2]} KiB; {MANY} sessions: {many[:2]} KiB")
    assert many[2]["by_vendor"]["claude-code"] > 3.5 * few[2]["by_vendor"]["claude-code"]  # type: ignore[index]
    assert many[0] < 1.5 * few[0]
    assert many[1] < 1.5 * few[1]
    assert max(many[:2]) < LIMIT_KIB


def test_a_file_of_two_gigabytes_is_read_in_bounded_memory(tmp_path: Path) -> None:
    """Records before and behind a line of two gigabytes are read, the line is rejected."""
    home = made(tmp_path / "home", 1)
    path = next(home.rglob("*.jsonl"))
    text = path.read_bytes()
    with path.open("r+b") as file:
        file.seek(len(text) + (2 << 30))
        file.write(b"\n" + text.replace(b'"uuid":"', b'"uuid":"0'))
    own, worker, counts = run(home, tmp_path)
    print(f"2 GiB: {own} and {worker} KiB")
    assert counts["by_rejection"] == {"too_long": 1}  # type: ignore[comparison-overlap]
    assert counts["rejected"] == 1
    assert max(own, worker) < LIMIT_KIB
