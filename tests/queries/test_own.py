"""Own questions from a folder of .sql files, asked like the shipped ones and as safely."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.same_process import hookstream

from hookstream.queries.catalog import broken, queries
from hookstream.queries.errors import QueryError, RefusedSQL
from hookstream.queries.runner import Filters, ask, ask_sql, moment, open_stream


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
        raise broken()[name.removesuffix(".sql")]
    assert "\n" not in str(error.value)
    assert str(own / name) in str(error.value)
    assert "denies" in queries()


@pytest.mark.parametrize(
    ("text", "where", "meant"),
    [
        ("-- mine\nselect tool,\n  sesion_id from denies\n", "typo.sql:3: ", "session_id"),
        ("-- mine\nselect tool\nfrom deneis\n", "typo.sql:3: ", "denies"),
        ("-- mine\nselect tool\nfrm denies where 1 = 1", "typo.sql:3: ", "from"),
        ("selec tool from denies", "typo.sql:1: ", "select"),
        ("select len(tool, 1, 2)\nfrom denies", "typo.sql:1: ", ""),
    ],
)
def test_a_fault_in_an_own_question_has_its_line_and_a_suggestion(
    own: Path, log: Path, text: str, where: str, meant: str
) -> None:
    (own / "typo.sql").write_text(text, "utf-8")
    (own / "good.sql").write_text("select count(*) from denies", "utf-8")
    with open_stream(log) as stream:
        with pytest.raises(QueryError) as error:
            ask(stream, "typo")
        first = str(error.value).split("\n")[0]
        assert where in first
        assert not meant or f"did you mean {meant}" in first.replace('"', "")
        assert ask(stream, "denies").rows
        assert ask(stream, "good").rows[0][0] > 0


def test_one_broken_question_stops_no_other(own: Path, log: Path) -> None:
    (own / "bad.sql").write_text("selec 1", "utf-8")
    (own / "typo.sql").write_text("select nothing from denies", "utf-8")
    with open_stream(log) as stream:
        assert ask(stream, "denies").rows
        assert ask_sql(stream, "select table_name from information_schema.tables").rows
        with pytest.raises(QueryError, match=r"typo\.sql:1"):
            ask_sql(stream, "select * from typo")


def test_own_questions_name_others_however_deep(own: Path, log: Path) -> None:
    (own / "above.sql").write_text("select count(*) as n from below", "utf-8")
    (own / "below.sql").write_text("select * from calls", "utf-8")
    (own / "first.sql").write_text("select * from second", "utf-8")
    (own / "second.sql").write_text("select * from first", "utf-8")
    for asked in ("select n from above", "select count(*) from above, below"):
        with open_stream(log) as stream:
            assert ask_sql(stream, asked).rows[0][0] > 0
    with open_stream(log) as stream, pytest.raises(QueryError, match="first"):
        ask_sql(stream, "select * from first")


def test_an_own_question_reaches_nothing_outside(own: Path, log: Path) -> None:
    (own / "outside.sql").write_text("select * from read_text('/etc/passwd')", "utf-8")
    with open_stream(log) as stream, pytest.raises(RefusedSQL):
        ask(stream, "outside")


def test_the_place_of_a_fault_is_said_once(own: Path, log: Path) -> None:
    file = own / "mine.sql"
    file.write_text("-- Mine.\nselect tol from denies\n", "utf-8")
    done = hookstream("query", "mine", log)
    told = done.stderr.decode()
    assert done.returncode == 2 and f"{file}:2: " in told and told.count(str(file)) == 1
