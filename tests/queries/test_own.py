"""Own questions from a folder of .sql files, asked like the shipped ones and as safely."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookstream.queries.catalog import queries
from hookstream.queries.errors import QueryError, RefusedSQL
from hookstream.queries.runner import Filters, ask, moment, open_stream


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "questions"
    folder.mkdir()
    monkeypatch.setenv("HOOKSTREAM_QUESTIONS", str(folder))
    return folder


@pytest.fixture
def log(tmp_path: Path) -> Path:
    from hookstream.cli.app import run_app

    samples = Path(__file__).parent.parent.parent / "samples" / "claude-code" / "deny.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "sys.argv", ["hookstream", "run", str(samples), "--to", f"parquet:{tmp_path}/lake"]
        )
        assert run_app() == 0
    return tmp_path / "lake"


def test_an_own_question_is_listed_and_answered(own: Path, log: Path) -> None:
    (own / "who_was_denied.sql").write_text(
        "-- Who was denied how often (who_was_denied).\n-- time: last_at\n"
        'select tool, count(*) as denied, max("timestamp") as last_at from denies group by tool\n',
        "utf-8",
    )
    assert queries()["who_was_denied"].description.startswith("Who was denied")
    with open_stream(log) as stream:
        rows = ask(stream, "who_was_denied").rows
        assert len(rows) == 1 and rows[0][1] > 0
        assert ask(stream, "who_was_denied", Filters(since=moment("2999-01-01"))).rows == []


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("denies.sql", "select 1", "is a question already"),
        ("Bad-Name.sql", "select 1", "a question's name"),
        ("two.sql", "select 1; select 2", "one SELECT"),
        ("drop.sql", "drop view denies", "only a SELECT"),
        ("broken.sql", "selec 1", "broken.sql"),
    ],
)
def test_what_is_no_question_is_named(own: Path, name: str, text: str, reason: str) -> None:
    (own / name).write_text(text, "utf-8")
    with pytest.raises(QueryError, match=reason) as error:
        queries()
    assert "\n" not in str(error.value)


def test_an_own_question_reaches_nothing_outside(own: Path, log: Path) -> None:
    (own / "outside.sql").write_text("select * from read_text('/etc/passwd')", "utf-8")
    with open_stream(log) as stream, pytest.raises(RefusedSQL):
        ask(stream, "outside")
