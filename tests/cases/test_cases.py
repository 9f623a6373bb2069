"""Small inputs beside the rows that they must give.

A case is a folder `<kind>/<case>`: `input` (a home folder under `input/home`, else files for
`run`), `expected.json` (each query and its rows, in any order) and `why.md` (what the input is and
why these rows are right).
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.same_process import hookstream

from hookstream.core import places

CASES = sorted(path.parent for path in Path(__file__).parent.rglob("expected.json"))
# Kinds with many cases, which together take a while.
MANY = ("found", "money", "repeats")


# A client's folder, as on Linux, that is another on Windows.
ELSEWHERE = ".local/share/goose"


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A case's files are few: to start processes for them takes longer than to read them."""
    monkeypatch.setattr("hookstream.delivery.backfill.pool_of", ThreadPoolExecutor)


def answers(case: Path, out: Path, queries: list[str]) -> dict[str, list[list[Any]]]:
    """Read a case's input and ask each query."""
    home = case / "input" / "home"
    words = ["run", case / "input"]
    if home.is_dir():
        words = ["backfill", "--home", home, "--since", "36500d"]
    done = hookstream(*words, "--to", f"jsonl:{out}")
    assert done.returncode == 0, done.stderr.decode()
    rows = {}
    for query in queries:
        done = hookstream("query", query, out, "--format", "json", "--limit", "100000")
        assert done.returncode == 0, done.stderr.decode()
        rows[query] = [list(row.values()) for row in json.loads(done.stdout)]
    return rows


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=f"{case.parent.name}/{case.name}",
            marks=[pytest.mark.long] if case.parent.name in MANY else [],
        )
        for case in CASES
    ],
)
def test_a_case_gives_its_rows_and_writes_what_it_reads(case: Path, tmp_path: Path) -> None:
    expected = json.loads((case / "expected.json").read_text("utf-8"))
    assert (case / "why.md").read_text("utf-8").strip()
    if places.sys.platform == "win32" and (case / "input" / "home" / ELSEWHERE).is_dir():
        pytest.skip("its folder is another on Windows")
    rows = answers(case, tmp_path / "out", list(expected))
    for query, right in expected.items():
        assert sorted(map(json.dumps, rows[query])) == sorted(map(json.dumps, right)), query
    assert_same_again(tmp_path / "out", tmp_path / "again")


def assert_same_again(out: Path, again: Path) -> None:
    """What a case writes is the same when it is read again."""
    done = hookstream("run", out / "agent-hooks.jsonl", "--to", f"jsonl:{again}")
    assert done.returncode == 0, done.stderr.decode()
    for name in ("agent-hooks.jsonl", "aarts.jsonl"):
        lines = [
            sorted((folder / name).read_bytes().splitlines())
            for folder in (out, again)
            if (folder / name).is_file()
        ]
        assert lines[:1] == lines[1:]


def test_what_aarts_has_no_place_for_is_not_concluded_again(tmp_path: Path) -> None:
    """An own line lists what was concluded; the name of an action is not in it."""
    case = next(case for case in CASES if case.name == "queued-prompt")
    answers(case, tmp_path / "out", [])
    done = hookstream(
        "run", tmp_path / "out" / "aarts.jsonl", "--to", f"jsonl:{tmp_path / 'again'}"
    )
    assert done.returncode == 0, done.stderr.decode()
    for folder in ("out", "again"):
        text = (tmp_path / folder / "aarts.jsonl").read_text("utf-8")
        lists = [json.loads(line)["hookstream"]["synthesized"] for line in text.splitlines()]
        assert lists
        assert not [names for names in lists if "action_name" in names]
