"""Every question and every error in a real terminal of 80, 100 and 200 columns."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from hookstream.queries.catalog import shipped
from same_process import hookstream

SAMPLES = Path(__file__).parents[2] / "samples"
SESSIONS = Path(__file__).parents[1] / "transcripts" / "data"
WIDTHS = (80, 100, 200)
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
MARK = "\x01"
# All commands of one terminal in one process: a start takes longer than most answers.
PROGRAM = """
import json, sys
from hookstream.cli.app import run_app
for words in json.loads(sys.argv[1]):
    sys.argv = ["hookstream", *words]
    try:
        code = run_app()
    except SystemExit as left:
        code = left.code
    sys.stderr.flush()
    print(f"\\x01{code}\\x01", flush=True)
"""
LEAST = 8  # characters of the narrowest column that a long text may be cut to


def in_terminal(columns: int, commands: list[list[str]], **env: str) -> list[tuple[str, int]]:
    """What each command shows, and its exit code."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, json.dumps(commands)],
        stdin=child, stdout=child, stderr=child,
        env={**os.environ, "TERM": "xterm", "PAGER": "cat"} | env,
    )  # fmt: skip
    os.close(child)
    shown = b""
    try:
        while data := os.read(parent, 1 << 16):
            shown += data
    except OSError as error:
        if error.errno != errno.EIO:  # how Linux says that the other end has closed
            raise
    os.close(parent)
    assert process.wait() == 0
    pieces = shown.decode().replace("\r\n", "\n").split(MARK)
    return [(pieces[n], int(pieces[n + 1])) for n in range(0, len(pieces) - 1, 2)]


def lines_of(shown: str) -> list[str]:
    """What stays on the screen: without colours, and without a bar that was there before."""
    lines = shown.split("\n")
    return [ESCAPE.sub("", re.split(r"\r|\x1b\[2K", line)[-1]) for line in lines]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory, home_of_module: None) -> Path:
    place = tmp_path_factory.mktemp("widths") / "lake"
    done = hookstream("run", SAMPLES, "--to", f"parquet:{place}", "--to", f"jsonl:{place}-lines")
    assert done.returncode == 0
    return place


def answers(lake: Path) -> list[list[str]]:
    """A command for each question, and those whose answer is a table, too."""
    asked = [["query", name, str(lake), "--limit", "20"] for name in shipped()]
    return [
        *asked,
        ["query", "from events limit 5", str(lake)],
        ["query", "denies", str(lake), "--limit", "1"],
        ["query", "denies", str(lake), "--limit", "3", "--vertical"],
        ["query", "calls", str(lake), "--limit", "5", "--columns", "command,file_path,outcome"],
        ["detect", str(lake)],
        ["detect", str(lake), "--summary"],
        ["detect", "--list"],
        ["report", str(lake)],
        ["cost", str(lake)],
        ["cost", str(lake), "--by", "model"],
        ["queries"],
        ["vendors"],
        ["vendors", "codex"],
        ["vendors", "--witness"],
        ["status", "--all"],
        ["config", "show"],
        ["tables", str(lake)],
        ["validate", f"{lake}-lines"],
        ["compact", str(lake)],
        ["retain", str(lake), "--max-age", "1d", "--dry-run"],
        ["export", str(lake), f"{lake}.duckdb", "--force"],
        ["demo"],
        [],
    ]


def mistakes(lake: Path) -> list[list[str]]:
    there = str(lake)
    return [
        ["querry"], ["query"], ["query", "tokens", there], ["query", "denys", there],
        ["query", "denies", "nowhere"], ["query", "denies", there, "--tol", "x"],
        ["query", "denies", there, "--since", "yesterday"], ["query", "de", there],
        ["query", "denies", there, "--columns", "nope"], ["query", "denies", there, "--sort", "x"],
        ["query", "denies", there, "--format", "xml"], ["query", "drop table events", there],
        ["query", "select tol from denies", there], ["query", "select 1", f"{there}.none"],
        ["query", "denies", there, "--since", "2026-01-02", "--until", "2026-01-01"],
        ["run", "nowhere", "--to", "jsonl:out"], ["run", there, "--to", "spluk:x"],
        ["run", there], ["run", there, "--to", "jsonl:out", "--privacy", "hsh"],
        ["run", there, "--to", "jsonl:out", "--vendor", "claud"],
        ["run", "--config", "nowhere.toml"], ["config", "check", "nowhere.toml"], ["config"],
        ["detect", there, "--level", "grave"], ["detect", there, "--rules", "nowhere"],
        ["report", "nowhere"], ["verify", there], ["compact", "nowhere"], ["tables", "nowhere"],
        ["export", "nowhere", "a.duckdb"], ["retain", there], ["hold", there, "c", "--release"],
        ["install", "claud-code"], ["vendors", "nope"], ["resolve", "x"], ["completion", "tcsh"],
        ["machines", "list", "nowhere"], ["backfill", "--home", "nowhere"],
        ["backfill", "--since", "soon"], ["serve", "--http", "nonsense"], ["alert", there],
        ["digest", there, "--file", "nowhere"], ["ship"], ["validate", "nowhere"],
    ]  # fmt: skip


def too_wide(lines: list[str], columns: int) -> list[str]:
    """The lines that a terminal would fold, but for one word (a path) that nothing can fold."""
    return [line for line in lines if len(line) > columns and len(line.split()) > 1]


@pytest.mark.long
@pytest.mark.parametrize("columns", WIDTHS)
def test_every_answer_fits(columns: int, lake: Path) -> None:
    commands = answers(lake)
    shown = in_terminal(columns, commands, NO_COLOR="1", HOME=str(lake.parent / "home"))
    assert len(shown) == len(commands)
    for words, (text, code) in zip(commands, shown, strict=True):
        lines = lines_of(text)
        assert code == 0, (words, text)
        assert not re.search(r"\x1b\[[0-9;]+m", lines_of_answer(text)), words
        assert too_wide(lines, columns) == [], (words, columns)
        rules = [at for at, line in enumerate(lines) if set(line) == {"\u2500"}]
        for at in rules:
            names = re.split(r" {2,}", lines[at - 1].strip())
            assert all(len(name) >= 1 for name in names)
            cut = [name for name in names if "\u2026" in name]
            assert all(len(name) >= LEAST for name in cut), (words, lines[at - 1])


@pytest.mark.long
def test_what_is_said_of_a_busy_home_fits(tmp_path: Path, home_of_module: None) -> None:
    for home in sorted(SESSIONS.glob("*/*/home")):
        shutil.copytree(home, tmp_path, dirs_exist_ok=True)
    for path in tmp_path.rglob("*"):
        os.utime(path)
    commands = [[], ["backfill"], ["cost"], ["query", "denies"]]
    shown = in_terminal(80, commands, NO_COLOR="1", HOME=str(tmp_path))
    assert [code for _, code in shown] == [0, 0, 0, 0], shown
    for text, _ in shown:
        lines = [line for line in lines_of(text) if not line.startswith("next: ")]
        assert too_wide(lines, 80) == []


def lines_of_answer(text: str) -> str:
    """The lines below the last bar."""
    return re.split(r"\x1b\[2K", text)[-1]


@pytest.mark.long
@pytest.mark.parametrize("columns", WIDTHS)
def test_every_mistake_is_answered_in_lines_that_fit(columns: int, lake: Path) -> None:
    commands = mistakes(lake)
    shown = in_terminal(columns, commands, NO_COLOR="1")
    assert len(shown) == len(commands)
    for words, (text, code) in zip(commands, shown, strict=True):
        lines = lines_of(text)
        assert code in (1, 2, 3), (words, text)
        assert "Traceback" not in text and "internal error" not in text, (words, text)
        assert too_wide(lines, columns) == [], (words, columns)


@pytest.mark.long
def test_a_pipe_gets_the_same_whatever_the_terminal(lake: Path) -> None:
    """A pipe has complete cells, no colour, no bar and no hint."""
    for words in (["query", "denies", lake], ["detect", lake], ["vendors"], ["report", lake]):
        shown = set()
        for columns in ("80", "200"):
            done = subprocess.run(
                [sys.executable, "-m", "hookstream", *map(str, words)], capture_output=True,
                env={**os.environ, "COLUMNS": columns, "FORCE_COLOR": ""}, check=True,
            )  # fmt: skip
            assert b"\x1b" not in done.stdout + done.stderr, words
            assert b"\xe2\x80\xa6" not in done.stdout or words[0] == "report", words
            shown.add(done.stdout)
        assert len(shown) == 1, words
