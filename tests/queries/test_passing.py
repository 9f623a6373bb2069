"""A whole lake's timeline: the rows of the question, written day by day while they come."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries import terminal
from hookstream.queries.passing import Passing
from hookstream.queries.runner import Filters, ask, moment, open_stream
from hookstream.queries.stream import OpenStream

DAYS = ("2026-11-20", "2026-11-21", "2026-11-23")
SESSIONS = 3


def record(day: str, session: int, number: int) -> dict[str, object]:
    event = "PreToolUse" if number % 2 else "PostToolUse"
    return {
        "vendor": "claude-code", "native_event": event, "machine": f"m{session}",
        "received_at": f"{day}T10:{number:02}:00Z",
        "payload": {"hook_event_name": event, "session_id": f"s{session}", "tool_name": "Bash",
                    "tool_input": {"command": f"echo {number} | cat"},
                    "tool_use_id": f"{day}-{number}"},
    }  # fmt: skip


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("passing")
    source = folder / "captured.jsonl"
    records = [record(d, s, n) for d in DAYS for s in range(SESSIONS) for n in range(40)]
    source.write_text("".join(json.dumps(one) + "\n" for one in records))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        execute(Job([str(source)], [f"parquet:{folder / 'lake'}"]))
    return folder / "lake"


@pytest.fixture
def stream(lake: Path) -> Iterator[OpenStream]:
    with open_stream(lake) as opened:
        yield opened


@pytest.mark.parametrize(
    "filters",
    [
        Filters(),
        Filters(since=moment("2026-11-20T10:20:00Z"), until=moment("2026-11-21T10:05:00Z")),
        Filters(until=moment("2000-01-01")),
    ],
)
def test_the_rows_of_all_days_are_those_of_the_question(lake: Path, filters: Filters) -> None:
    with open_stream(lake) as first, open_stream(lake) as second:
        whole = ask(first, "timeline", filters)
        passing = Passing(second, "timeline", filters)
        assert list(passing.rows()) == whole.rows
        assert passing.columns == whole.columns and passing.count == len(whole.rows)


@pytest.mark.parametrize("form", ["json", "csv", "markdown"])
def test_the_pieces_are_the_whole_answer(
    lake: Path, stream: OpenStream, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hookstream.queries.passing.CHUNK", 7)
    with open_stream(lake) as other:
        whole = terminal.render(ask(other, "timeline"), form)
    pieces = list(Passing(stream, "timeline", Filters()).written(form, 120))
    assert "".join(pieces) == whole and len(pieces) > 10


def test_the_first_lines_are_there_before_later_days_are_asked(
    stream: OpenStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hookstream.queries.passing.CHUNK", 7)
    asked = []
    real = stream.filter
    monkeypatch.setattr(stream, "filter", lambda *given: asked.extend(given[2:3]) or real(*given))
    pieces = Passing(stream, "timeline", Filters()).written("table", 120)
    heading, lines = (next(pieces) for _ in range(2))
    assert heading.startswith("timestamp") and lines.count("2026-11-20") == 7
    assert asked == [moment("2026-11-20")]
    rest = "".join(pieces)
    assert len(asked) == len(DAYS)
    assert rest.endswith("more columns (--columns all, --vertical)\n")
    assert f"{len(DAYS) * SESSIONS * 40} rows" in rest
    assert all(len(line) <= 120 for line in (heading + lines + rest).splitlines())


def command(lake: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "hookstream", "query", "timeline", str(lake), *more]


def test_a_reader_that_goes_ends_it_without_a_word(lake: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{' '.join(command(lake))} | head -n 1"],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.stdout.startswith("timestamp") and done.stderr == ""


def test_ctrl_c_ends_it_in_one_line(lake: Path) -> None:
    reading, writing = os.pipe()  # nobody reads: it waits in the middle of the answer
    process = subprocess.Popen(
        command(lake, "--format", "json"), stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    os.read(reading, 1)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    drained = b"x"
    while drained:
        drained = os.read(reading, 1 << 16)
    _, said = process.communicate(timeout=60)
    os.close(reading)
    assert process.returncode in (0, 130)
    assert len(said.splitlines()) <= 1 and "Traceback" not in said


def on_a_terminal(*arguments: str) -> str:
    """What the command prints there."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "hookstream", *arguments], stdout=theirs, stderr=subprocess.DEVNULL
    )
    os.close(theirs)
    read = b""
    with contextlib.suppress(OSError):  # how a terminal says that its other end has gone
        while data := os.read(ours, 1 << 16):
            read += data
    os.close(ours)
    assert process.wait(60) == 0
    return read.decode("utf-8", "replace").replace("\r\n", "\n")


@pytest.mark.long
def test_a_terminal_gets_so_many_rows_and_is_told(lake: Path) -> None:
    count = len(DAYS) * SESSIONS * 40
    assert count > 200
    seen = on_a_terminal("query", "select tool, event_id from events", str(lake))
    assert seen.endswith("200 rows (--limit for more)\n")
    assert seen.count("claude-code") == 200
    more = on_a_terminal("query", "select tool from events", str(lake), "--limit", "1000")
    assert more.count("claude-code") == count
    asked = [sys.executable, "-m", "hookstream", "query", "select tool from events", str(lake)]
    piped = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert piped.count("claude-code") == count
