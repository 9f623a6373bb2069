"""Free SQL: one SELECT over the stream, and nothing else of the machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.queries.history import BEGIN, History, at, both, only, select

from hookstream.queries.errors import QueryError, RefusedSQL, UnknownQuery
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, ask_sql, is_name, moment, open_stream
from hookstream.queries.stream import OpenStream


@pytest.fixture(scope="module", params=["lines", "lake"])
def stream(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OpenStream]:
    """One for all: nothing that is asked may change what the next one finds."""
    tmp_path = tmp_path_factory.mktemp("stream")
    h = History()
    h.prompt("t1")
    h.ran("c1", "make", outcome="error")
    h.before("c2", "rm -rf build")
    h.blocked("c2", "rm -rf build")
    other = History("codex", "s2", second=60)
    other.ran("c1", "ls")
    (tmp_path / "outside.csv").write_text("a\n1\n")
    path = both(tmp_path, h, other)[request.param == "lake"]
    with open_stream(path, "select * from events") as opened:
        yield opened


def test_base_has_its_earlier_name_too(stream: OpenStream) -> None:
    count = "select count(*) from base.calls"
    assert ask_sql(stream, count).rows == ask_sql(stream, count.replace("base", "whole")).rows


def test_a_select_is_answered(stream: OpenStream) -> None:
    result = ask_sql(stream, "select tool, count(*) n from events group by tool order by tool")
    assert (result.columns, result.rows) == (["tool", "n"], [("claude-code", 5), ("codex", 2)])


@pytest.mark.parametrize(
    "sql",
    [
        "from events",
        "with a as (select 1 x) select x from a;",
        "values (1)",
        "describe events",
        "select outcome from calls",
        "select * from denied",
        "from broken_lines",
        "select * from query('select 1')",
    ],
)
def test_what_counts_as_a_select(stream: OpenStream, sql: str) -> None:
    ask_sql(stream, sql)


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("copy events to 'out.csv'", "COPY"),
        ("copy (select 1) to '/tmp/out.parquet' (format parquet)", "COPY"),
        ("attach 'other.db'", "ATTACH"),
        ("detach memory", "DETACH"),
        ("install httpfs", "LOAD"),
        ("load httpfs", "LOAD"),
        ("pragma database_list", "PRAGMA"),
        ("set enable_external_access = true", "SET"),
        ("set variable f_tool = 'x'", "SET"),
        ("reset lock_configuration", "SET"),
        ("create table t as select 1", "CREATE"),
        ("create or replace view events as select 1", "CREATE"),
        ("insert into broken_lines values ('a', 1, 'b')", "INSERT"),
        ("update broken_lines set line = 1", "UPDATE"),
        ("delete from broken_lines", "DELETE"),
        ("drop view events", "DROP"),
        ("export database 'out'", "EXPORT"),
        ("call pragma_version()", "CALL"),
        ("explain select 1", "EXPLAIN"),
        ("begin", "TRANSACTION"),
        ("prepare x as select 1", "PREPARE"),
        ("vacuum", "VACUUM"),
        ("checkpoint", "CALL"),
        ("select 1; select 2", "2 statements"),
        ("select 1; drop view events", "2 statements"),
        ("", "0 statements"),
        ("-- nothing", "0 statements"),
        ("selec 1", "syntax error"),
    ],
)
def test_everything_else_is_refused_by_name(stream: OpenStream, sql: str, kind: str) -> None:
    with pytest.raises(RefusedSQL, match=kind) as error:
        ask_sql(stream, sql)
    assert "\n" not in str(error.value)
    assert error.value.code == 2
    assert ask_sql(stream, "select count(*) from events").rows == [(7,)]


@pytest.mark.parametrize(
    "sql",
    [
        "select * from read_csv('{outside}')",
        "select * from '{outside}'",
        "select * from read_text('/etc/hostname')",
        "select * from read_blob('{outside}')",
        "select * from read_json('{outside}')",
        "select * from read_parquet('{outside}')",
        "select * from glob('/etc/*')",
        "select * from parquet_metadata('{outside}')",
        "select * from read_csv('https://example.invalid/x.csv')",
        "select * from query('from read_text(''/etc/hostname'')')",
        "select (select content from read_text('/etc/hostname'))",
        "with x as (insert into broken_lines values ('a', 1, 'b') returning file) select * from x",
        "select getenv('HOME')",
        "select * from stream_of_python",
    ],
)
def test_a_select_reaches_nothing_but_the_stream(stream: OpenStream, sql: str) -> None:
    stream_of_python = [1]
    outside = stream.path.parent / "outside.csv"
    with pytest.raises(RefusedSQL) as error:
        ask_sql(stream, sql.format(outside=outside))
    assert "\n" not in str(error.value)
    assert stream_of_python and ask_sql(stream, "from broken_lines").rows == []


def test_an_error_on_the_way_is_one_line_too(stream: OpenStream) -> None:
    with pytest.raises(QueryError, match="Conversion") as error:
        ask_sql(stream, "select cast(command as integer) from events")
    assert "\n" not in str(error.value)
    ask_sql(stream, "select 1")


def test_memory_and_threads_have_bounds(stream: OpenStream) -> None:
    rows = ask_sql(
        stream,
        """select current_setting('threads') <= 8, current_setting('lock_configuration'),
        current_setting('enable_external_access'), current_setting('temp_directory')""",
    ).rows
    assert rows[0][:3] == (True, True, False)
    assert "hookstream-query-" in rows[0][3]


def test_names_and_sql_are_told_apart(stream: OpenStream) -> None:
    assert is_name("denies") and is_name("no_such")
    assert not is_name("select 1") and not is_name("from events")
    with pytest.raises(UnknownQuery, match="did you mean 'denies'"):
        ask(stream, "denise")
    with pytest.raises(UnknownQuery, match="no query"):
        ask(stream, "../views")


def test_filters_narrow_what_a_question_is_asked_of(stream: OpenStream) -> None:
    def tools(**filters: object) -> list[tuple[object, ...]]:
        rows = objects(ask(stream, "tools", Filters(**filters)))
        return sorted((row["tool"], row["calls"]) for row in rows)

    early, late = BEGIN.replace(tzinfo=None), BEGIN.replace(tzinfo=None, minute=1)
    assert tools() == [("claude-code", 2), ("codex", 1)]
    assert tools(tool="codex") == [("codex", 1)]
    assert tools(session="s1") == [("claude-code", 2)]
    assert tools(session="'; drop view events --") == []
    assert tools(since=late) == [("codex", 1)]
    assert tools(until=late) == [("claude-code", 2)]
    assert tools(since=early, until=late, tool="codex") == []
    rows = ask_sql(stream, "select distinct tool from events", Filters(tool="codex")).rows
    assert rows == [("codex",)]


def test_a_span_is_about_rows_that_have_a_time_not_about_what_led_to_them(tmp_path: Path) -> None:
    h = History()
    h.before("c1", "rm -rf build")
    h.blocked("c1", "rm -rf build")
    h.second = 100
    h.ran("c2", "rm -rf build")
    for path in both(tmp_path, h):
        with open_stream(path) as stream:
            refused = moment(at(2))
            after, until = Filters(since=moment(at(3))), Filters(until=moment(at(3)))
            exact = Filters(since=refused, until=moment(at(2.001)))
            assert ask(stream, "denies", after).rows == []
            for filters in (until, exact):
                (row,) = ask(stream, "denies", filters).rows
                assert row[12] is True  # what ran later is still seen


def test_a_limit_cuts_and_says_so(stream: OpenStream) -> None:
    cut = ask(stream, "timeline", limit=3)
    assert (len(cut.rows), cut.truncated) == (3, True)
    assert cut.rows == ask(stream, "timeline").rows[:3]
    whole = ask(stream, "timeline", limit=7)
    assert (len(whole.rows), whole.truncated) == (7, False)
    assert ask_sql(stream, "select * from events", limit=0).truncated
    with pytest.raises(QueryError, match="--limit"):
        ask(stream, "timeline", limit=-1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-21", "2026-11-21T00:00:00"),
        ("2026-11-21T08:00:00Z", "2026-11-21T08:00:00"),
        ("2026-11-21T10:00:00+02:00", "2026-11-21T08:00:00"),
        ("24h", "2026-11-20T08:00:00"),
        ("7d", "2026-11-14T08:00:00"),
        ("90m", "2026-11-21T06:30:00"),
    ],
)
def test_moments(text: str, expected: str) -> None:
    assert moment(text, now=BEGIN).isoformat() == expected


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "-3h", "3y"])
def test_what_is_no_moment(text: str) -> None:
    with pytest.raises(QueryError, match="invalid time"):
        moment(text)


def test_columns_of_a_struct_can_be_asked_for(tmp_path: Path) -> None:
    h = History()
    h.before("c1", secrets=[("rule-a", "input.command", "f")])
    for path in both(tmp_path, h):
        (row,) = select(path, "select secrets[1].rule as r, len(risk_factors) as n from events")
        assert only(row, "r", "n") == ("rule-a", 0)
