"""The bill: how far each sum can be trusted, and by what it is split."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ui.spending import spending

from hookstream.queries.cost_trust import LEVELS, summary_of
from hookstream.queries.costs import costs, summed_by, total
from hookstream.queries.prices import Prices
from hookstream.queries.runner import ask, open_stream
from same_process import hookstream

ANSWERS: list[dict[str, Any]] = [
    {"cost_usd": 0.5, "cwd": "/home/dev/api"},
    {"input_tokens": 1000, "output_tokens": 10, "cwd": "/home/dev/api/"},
    {"input_tokens": 1000, "output_tokens": 10, "cwd": "C:\\work\\api"},
    {"input_tokens": 1000, "cwd": "/srv/web", "repo": "https://github.com/acme/shop.git"},
    {"input_tokens": 1000, "output_tokens": 1, "repo": "git@github.com:acme/shop.git"},
    {"tool": "opencode", "input_tokens": 9, "output_tokens": 1, "repo": "/srv/shop"},
    {"tool": "gemini-cli", "input_tokens": 9, "output_tokens": 1, "model_id": "gemini-2.5-flash"},
    {"input_tokens": 9, "output_tokens": 1, "model_id": "nobody's"},
    {"input_tokens": 9, "output_tokens": 1, "model_id": None},
]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    answers = [{"sequence": 1, **answer} for answer in ANSWERS]
    lake = spending(tmp_path_factory.mktemp("bill") / "lake", answers)
    lake.close()
    return lake.path


def test_each_cost_says_how_far_it_can_be_trusted_and_why(lake: Path) -> None:
    with open_stream(lake) as stream:
        answer = ask(stream, "costs")
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    reasons = {(row["tool"], row["model_id"], row["trust"]): row["why"] for row in rows}
    assert set(reasons) == {
        ("claude-code", "claude-sonnet-4-5", "exact"),
        ("claude-code", "claude-sonnet-4-5", "partial"),
        ("opencode", "claude-sonnet-4-5", "partial"),
        ("gemini-cli", "gemini-2.5-flash", "approximate"),
        ("claude-code", "nobody's", "unknown"),
        ("claude-code", None, "unknown"),
    }
    assert reasons["opencode", "claude-sonnet-4-5", "partial"] == (
        "no record has the call that names a session"
    )
    assert reasons["claude-code", "nobody's", "unknown"] == "no price for nobody's"
    assert reasons["claude-code", None, "unknown"] == "no model named"
    assert all(row["cost_usd"] is None for row in rows if row["trust"] == "unknown")


def test_a_project_is_the_repository_else_the_folder(lake: Path) -> None:
    with open_stream(lake) as stream:
        rows = costs(stream, Prices())
    answers = {row["project"]: row["answers"] for row in summed_by(rows, "project")}
    assert answers == {"api": 3, "acme/shop": 2, "shop": 1, None: 3}
    sums = total(rows)
    assert sums is not None
    assert (sums["answers"], sums["trust"]) == (9, "partial")
    assert sums["why"].startswith("2 of 9 answers: no ")


@pytest.mark.parametrize("by", ["project", "client", "model", "user", "day"])
@pytest.mark.long
def test_every_split_adds_up_to_the_total(lake: Path, by: str) -> None:
    done = hookstream("cost", lake, "--by", by, "--format", "json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    with open_stream(lake) as stream:
        sums = total(costs(stream, Prices()))
    assert sums is not None
    assert sum(row["answers"] for row in rows) == sums["answers"]
    assert sum(row["cost_usd"] or 0 for row in rows) == pytest.approx(sums["cost_usd"], abs=1e-5)


@pytest.mark.long
def test_the_bill_begins_with_the_total_and_takes_a_file_of_prices(
    lake: Path, tmp_path: Path
) -> None:
    done = hookstream("cost", lake)
    assert done.stdout.startswith(b"Total: $0.5"), done.stdout
    assert [line for line in done.stdout.decode().splitlines() if line.startswith("By ")] == [
        "By project", "By client", "By model", "By user", "By day",
    ]  # fmt: skip
    file = tmp_path / "prices.json"
    file.write_text('{"nobody\'s": {"input": 1e6, "output": 0}}', "utf-8")
    priced = hookstream("cost", lake, "--prices", file, "--by", "model", "--format", "json")
    costs_of = {row["model_id"]: row for row in json.loads(priced.stdout)}
    assert costs_of["nobody's"]["cost_usd"] == 9
    assert costs_of["nobody's"]["why"] == "tokens of each answer; price of your file"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--by", "projects"], "did you mean project?"),
        (["--format", "json"], "add --by"),
        (["--prices", "nowhere.json"], "nowhere.json: No such file"),
    ],
)
def test_a_wrong_option_is_a_line(lake: Path, words: list[str], message: str) -> None:
    done = hookstream("cost", lake, *words)
    assert done.returncode == 2 and message in done.stderr.decode()


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(LEVELS), st.sampled_from("abc")), st.integers(0, 9), min_size=1
    )
)
def test_a_sum_is_trusted_no_further_than_its_parts(parts: dict[tuple[str, str], int]) -> None:
    from collections import Counter

    level, why = summary_of(Counter(parts))
    levels = {level for level, _ in parts}
    if levels == {"unknown"} or "unknown" not in levels:
        assert level == max(levels, key=LEVELS.index)
    else:
        assert level == "partial"
    assert why
