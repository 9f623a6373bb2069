"""What people get wrong at the command line: one line that names the mistake and the way on."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.documents import ROOT
from tests.same_process import hookstream

MISTAKES = [
    ("quer denies", "did you mean query?"),
    ("query denise log.jsonl", "did you mean 'denies'?"),
    ("query denies nowhere", "nowhere: no such file or folder"),
    ("query denies empty", "holds no stream"),
    ("query denies table.csv", "not JSON"),
    ("query denies log.jsonl", "hookstream run log.jsonl --to parquet:lake"),
    ("query denies log.jsonl --since yesteday", "use 2026-11-21"),
    ("query denies log.jsonl --limit abc", "'abc' is not a whole number in its range"),
    ("query denies log.jsonl --format xml", "choose from table, json, csv, markdown"),
    ("query denies log.jsonl --colums a", "--columns"),
    ("run nowhere --to jsonl:out", "nowhere: no such file or folder"),
    ("run log.jsonl", "name a source and a sink"),
    ("run log.jsonl --to jsn:out", "did you mean jsonl?"),
    ("run log.jsonl --to parquet", "for a lake parquet:parquet"),
    ("run empty --to jsonl:out", "no *.jsonl or *.ndjson file in it"),
    ("run log.jsonl --to kafka:x", "write kafka:host:9092/topic"),
    ("run --config bad.toml", "bad.toml: Invalid value"),
    ("run --config none.toml", "none.toml: No such file or directory"),
    ("run log.jsonl --to jsonl:out --privacy hsh", "did you mean hash?"),
    ("install claud-code", "did you mean claude-code?"),
    ("install cluade", "did you mean claude-code?"),
    ("install", "--all for every one found here"),
    ("backfill gemni", "did you mean gemini-cli?"),
    ("backfill --home nowhere", "nowhere is not a folder"),
    ("serve --http foo", "is not a HOST:PORT"),
    ("detect log.jsonl --level hi", "did you mean high?"),
    ("verify nowhere", "nowhere: no such file or folder"),
    ("export log.jsonl out.csv", "name it out.duckdb"),
    ("validate log.jsonl --standard ahs", "'agent-hooks', 'aarts'"),
    ("completion tcsh", "choose from bash, zsh, fish"),
    ("retain log.jsonl --max-age 5x", "use 365d, 12h or 8w"),
    ("cost log.jsonl --by mont", "choose from project, client, model, user, day"),
    ("vendors claud", "did you mean claude-code?"),
    ("--verison", "--version"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "samples" / "codex" / "tools.jsonl", tmp_path / "log.jsonl")
    (tmp_path / "table.csv").write_text("a,b\n")
    (tmp_path / "bad.toml").write_text("x = [\n")
    (tmp_path / "empty").mkdir()
    return tmp_path


@pytest.mark.parametrize(("words", "way"), MISTAKES, ids=[words for words, _ in MISTAKES])
def test_a_mistake_is_one_line_that_says_what_to_do(words: str, way: str, folder: Path) -> None:
    answer = hookstream(*words.split(), cwd=folder)
    text = answer.stderr.decode()
    assert answer.returncode == 2
    assert text.startswith("hookstream: ") and text.count("\n") == 1
    assert way in text
    assert answer.stdout == b"" and not (folder / "out").exists()


@pytest.mark.posix("serve needs Unix sockets")
def test_a_port_that_is_taken_is_named(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        answer = hookstream("serve", "--http", address, "--socket", "off", cwd=folder)
    expected = f"hookstream: --http {address}: Address already in use\n"
    assert (answer.returncode, answer.stderr.decode()) == (2, expected)


@pytest.mark.parametrize(("encoding", "rule"), [("ascii", "-----"), ("utf-8", "\u2500\u2500")])
def test_a_terminal_without_unicode_gets_a_rule_of_dashes(
    encoding: str, rule: str, folder: Path
) -> None:
    hookstream("run", "log.jsonl", "--to", "jsonl:out", cwd=folder)
    command = [sys.executable, "-m", "hookstream", "query", "sessions", "out"]
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    shown = subprocess.run(command, cwd=folder, env=env, capture_output=True, check=True).stdout
    assert shown.decode(encoding).splitlines()[1].startswith(rule)
