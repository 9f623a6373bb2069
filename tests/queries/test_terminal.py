"""Answers in a terminal fit its width, the decisive columns first; a pipe gets complete cells."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from tests.same_process import hookstream

from hookstream.queries.catalog import queries
from hookstream.queries.errors import QueryError
from hookstream.queries.formats import brief
from hookstream.queries.nearest import full_session
from hookstream.queries.runner import Result, ask, open_stream
from hookstream.queries.stream import OpenStream
from hookstream.queries.terminal import chosen, records, table

SAMPLES = Path(__file__).parents[2] / "samples"
COLOR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("terminal") / "lake"
    clients = [SAMPLES / name for name in ("claude-code", "codex", "gemini-cli")]
    assert hookstream("run", *clients, "--to", f"parquet:{place}").returncode == 0
    return place


@pytest.fixture(scope="module")
def stream(lake: Path) -> Iterator[OpenStream]:
    with open_stream(lake) as opened:
        yield opened


def result(columns: str, *rows: tuple[object, ...], shows: str = "") -> Result:
    made = Result(columns.split(), [])
    made.rows, made.shows = list(rows), shows.split()
    return made


@pytest.mark.parametrize("name", sorted(queries()))
def test_every_answer_fits(name: str, stream: OpenStream) -> None:
    answer = ask(stream, name, limit=20)
    for width in (80, 100, 200):
        lines = table(answer, width).splitlines()
        assert max(map(len, lines)) <= width, (width, max(lines, key=len))
        if answer.rows:
            assert len(lines) == len(answer.rows) + 3  # heading, rule, footer: no row is folded


def test_a_pipe_gets_every_cell_complete() -> None:
    long = "x" * 500
    text = table(result("command session_id", (long, "a" * 36), (long, "b" * 36)), None)
    assert text.count(long) == 2 and "a" * 36 in text


def test_a_text_is_cut_in_the_middle() -> None:
    command = "cat /home/dev/project/" + "deep/" * 30 + "secrets.env"
    (line,) = table(result("command", (command,)), 40).splitlines()[2:3]
    assert line.startswith("cat /home") and line.endswith("secrets.env") and "\u2026" in line


def test_ids_are_cut_to_what_tells_them_apart() -> None:
    ids = ["0b1c2d3e-4f50-8a61", "0b1c2d3e-5f50-8a61"]
    text = table(result("session_id", *[(one,) for one in ids]), 80)
    assert [line.strip() for line in text.splitlines()[2:4]] == ["0b1c2d3e-4", "0b1c2d3e-5"]


def test_the_last_line_names_what_is_not_shown() -> None:
    row = tuple(f"value {n} of a wide column" for n in range(12))
    text = table(result(" ".join(f"column_{n}" for n in range(12)), row), 80)
    shown = len(text.splitlines()[0].split())
    assert f"; ... {12 - shown} more columns" in text and 2 < shown < 12


def test_columns_are_chosen_in_the_order_given() -> None:
    answer = chosen(result("a b c", (1, 2, 3), shows="a"), "c,a")
    assert table(answer, 80).splitlines()[0].split() == ["c", "a"]
    assert "b" in table(chosen(result("a b c", (1, 2, 3), shows="a"), "all"), 80).splitlines()[0]
    with pytest.raises(QueryError, match="no column 'd'; there are a, b, c"):
        chosen(result("a b c", (1, 2, 3)), "c,d")


def test_a_record_has_every_value_on_its_line() -> None:
    when = datetime(2026, 11, 21, 8, 0, 1)
    text = records(result("timestamp command empty", (when, "ls", None), (when, "id", None)), 80)
    assert text.splitlines() == [
        "-- row 1",
        "timestamp  2026-11-21 08:00:01",
        "command    ls",
        "-- row 2",
        "timestamp  2026-11-21 08:00:01",
        "command    id",
        "2 rows",
    ]


def test_newest_first(stream: OpenStream) -> None:
    for name, question in queries().items():
        if question.time is not None:
            answer = ask(stream, name)
            at = answer.columns.index(question.time)
            times = [row[at] for row in answer.rows if row[at] is not None]
            assert times == sorted(times, reverse=True), name


def in_terminal(columns: int, *words: str | Path, **env: str) -> str:
    """What a command shows in a terminal of that width."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "hookstream", *map(str, words)],
        stdin=child,
        stdout=child,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", "PAGER": "cat"} | env,
    )
    os.close(child)
    shown = b""
    try:
        while data := os.read(parent, 65536):
            shown += data
    except OSError as error:
        if error.errno != errno.EIO:  # how Linux says that the other end has closed
            raise
    os.close(parent)
    assert process.wait() == 0
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.long
def test_a_terminal_has_width_and_colours(lake: Path) -> None:
    shown = in_terminal(80, "query", "denies", lake)
    assert max(len(COLOR.sub("", line)) for line in shown.splitlines()) <= 80
    assert COLOR.search(shown)
    assert not COLOR.search(in_terminal(80, "query", "denies", lake, NO_COLOR="1"))


def test_one_row_is_a_record(lake: Path) -> None:
    shown = in_terminal(80, "query", "denies", lake, "--limit", "1")
    assert re.search(r"^tool +\S+$", shown, re.MULTILINE) and "\u2500" not in shown


def said(*words: str | Path) -> tuple[str, str]:
    done = hookstream("query", *words)
    return done.stdout.decode(), done.stderr.decode()


@pytest.mark.long
def test_an_empty_answer_says_why(lake: Path) -> None:
    assert said("denies", lake, "--tool", "claude") == (
        "no rows\n",
        "hookstream: no tool 'claude'; did you mean claude-code?\n",
    )
    assert "the newest is of 20" in said("denies", lake, "--since", "2099-01-01")[1]
    assert "the oldest is of 20" in said("denies", lake, "--until", "1999-01-01")[1]
    assert "no session begins with 'zzz'" in said("denies", lake, "--session", "zzz")[1]
    out, err = said("failed_open", lake, "--tool", "gemini-cli")
    assert out == "no rows\n" and "before trusting a zero" in err


@pytest.mark.long
def test_a_session_is_named_by_the_beginning_of_its_id(lake: Path, stream: OpenStream) -> None:
    answer = ask(stream, "sessions")
    ids = [str(row[answer.columns.index("session_id")]) for row in answer.rows]
    (first,) = [one for one in ids if sum(other.startswith(one[:8]) for other in ids) == 1][:1]
    complete = said("calls", lake, "--session", first)
    assert said("calls", lake, "--session", first[:8]) == complete
    letters = [one[0] for one in ids]
    common = next(letter for letter in letters if letters.count(letter) > 1)
    several = hookstream("query", "calls", lake, "--session", common)
    assert several.returncode == 2 and b"several sessions begin so" in several.stderr


@pytest.mark.long
def test_columns_are_chosen_in_every_format(lake: Path) -> None:
    words = ("query", "denies", lake, "--limit", "1", "--columns", "decided_by,tool", "--format")
    row = json.loads(hookstream(*words, "json").stdout)[0]
    assert list(row) == ["decided_by", "tool"]
    assert hookstream(*words, "csv").stdout.splitlines()[0] == b"decided_by,tool"
    assert hookstream(*words, "markdown").stdout.startswith(b"| decided_by | tool |")
    wrong = hookstream("query", "denies", lake, "--columns", "tols", "--format", "csv")
    assert wrong.returncode == 2 and b"no column 'tols'" in wrong.stderr
    vertical = hookstream("query", "denies", lake, "--format", "json", "--vertical")
    assert vertical.returncode == 2 and b"--vertical is for --format table" in vertical.stderr


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (2.5946350000000002, "2.59"), (537.0, "537"), (0.012345, "0.0123"), (-0.5, "-0.5"),
        (0.0, "0.0"), (1234567.891, "1234567.89"), (1e18, "1e+18"), (float("inf"), ""),
    ],
)  # fmt: skip
def test_numbers_are_shown_as_a_person_writes_them(value: float, shown: str) -> None:
    assert brief(value) == shown


def test_a_lake_that_passes_is_laid_out_like_any_answer(lake: Path) -> None:
    """`timeline` of a whole lake comes day by day: complete in a pipe, fitted in a terminal."""
    out, _ = said("timeline", lake)
    (long, *_) = sorted((line for line in out.splitlines()), key=len, reverse=True)
    assert len(long) > 200 and "\u2026" not in out
    shown = in_terminal(80, "query", "timeline", lake, NO_COLOR="1")
    assert max(map(len, shown.splitlines())) <= 80
    assert len(shown.splitlines()) == len(out.splitlines())


def test_a_complete_id_is_searched_for_in_no_part(
    stream: OpenStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hookstream.queries.nearest._rows", pytest.fail)
    complete = "5342d889-08f8-4c68-b933-cc1dc37ac635"
    assert full_session(stream, complete) == complete
