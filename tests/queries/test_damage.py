"""A lake of which one file is damaged inside, and free SQL whose rows no module can show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.same_process import hookstream

from hookstream.queries.errors import QueryError
from hookstream.queries.report import report
from hookstream.queries.runner import ask, ask_sql, open_stream, read

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lake")
    one_day = [SAMPLES / "codex" / f"{name}.jsonl" for name in ("deny", "tools")]
    done = hookstream("run", *one_day, SAMPLES / "cursor", "--to", f"parquet:{folder / 'lake'}")
    assert done.returncode == 0
    return folder / "lake"


def spoil(lake: Path, tool: str, first: float, last: float) -> Path:
    """A part of this tool with every byte between two shares of its length turned over."""
    [part] = lake.glob(f"date=*/tool={tool}/*.parquet")
    data = bytearray(part.read_bytes())
    for at in range(max(4, int(len(data) * first)), int(len(data) * last)):
        data[at] ^= 0x5A
    part.write_bytes(data)
    return part


@pytest.fixture
def spoilt(lake: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    import shutil

    copy = tmp_path / "lake"
    shutil.copytree(lake, copy)
    spoil(copy, "codex", *request.param)
    return copy


WHERE = pytest.mark.parametrize(
    "spoilt", [(0.0, 0.3), (0.2, 0.5), (0.0, 0.9)], indirect=True, ids=["start", "middle", "most"]
)


@pytest.mark.long
@WHERE
def test_a_damaged_file_blinds_no_question(spoilt: Path) -> None:
    """What a question does not look at may be as it likes; else the file is left out and named."""
    for name in ("sessions", "denies", "tools", "timeline"):
        result = read(spoilt, lambda stream, name=name: ask(stream, name))  # type: ignore[misc]
        tools = {row[result.columns.index("tool")] for row in result.rows}
        assert "cursor" in tools
        assert ("codex" in tools) == (not result.warnings) or name == "denies"
        assert all("tool=codex" in warning for warning in result.warnings)
    assert "cursor" in report(spoilt)


@WHERE
def test_the_command_line_says_which_file_it_left_out(spoilt: Path) -> None:
    sql = "select distinct tool from events where agent_hooks is not null"
    done = hookstream("query", sql, spoilt, "--format", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout) == [{"tool": "cursor"}]
    assert b"1 line or file could not be read and were left out: " in done.stderr
    assert b"tool=codex" in done.stderr


def test_a_file_that_is_the_whole_stream_is_refused(lake: Path, tmp_path: Path) -> None:
    [part] = lake.glob("date=*/tool=codex/*.parquet")
    own = tmp_path / "date=2026-11-21" / "tool=codex" / "a.parquet"
    own.parent.mkdir(parents=True)
    own.write_bytes(part.read_bytes())
    spoil(tmp_path, "codex", 0.0, 0.9)
    done = hookstream("query", "sessions", tmp_path)
    assert done.returncode == 2
    assert b"no readable Parquet file" in done.stderr


def test_a_question_cannot_name_a_file_away(lake: Path) -> None:
    """An error with a file's name in it, which is none of the stream's, is only an error."""
    sql = """select error('Failed to read file "/etc/x.parquet": gone') from events"""
    with pytest.raises(QueryError, match="gone"):
        read(lake, lambda stream: ask_sql(stream, sql), sql)


@pytest.mark.parametrize(
    "sql",
    [
        "select now() as t, 1 as one -- now",
        "select current_timestamp as t, tool as one from events limit 1",
        "select timestamp '2026-01-01 10:00:00+02'::timestamptz as t, 1 as one;",
        'select ["timestamp"::timestamptz] as t, 1 as one from events order by "timestamp" limit 1',
    ],
)
def test_a_time_with_a_zone_is_shown_as_utc(lake: Path, sql: str) -> None:
    with open_stream(lake) as stream:
        result = ask_sql(stream, sql)
    assert result.columns == ["t", "one"]
    [(time, _)] = result.rows
    first = time[0] if isinstance(time, list) else time
    assert first.tzinfo is None


def test_columns_of_one_name_are_both_in_an_object(lake: Path) -> None:
    sql = "select 1 as tool, 2 as tool, 3 as tool_1"
    done = hookstream("query", sql, lake, "--format", "json")
    assert json.loads(done.stdout) == [{"tool": 1, "tool_1": 2, "tool_1_1": 3}]


def test_a_span_that_ends_before_it_begins_is_refused(lake: Path) -> None:
    words = ("--since", "2026-11-22", "--until", "2026-11-21")
    done = hookstream("query", "sessions", lake, *words)
    assert done.returncode == 2
    assert b"--since 2026-11-22 is not before --until 2026-11-21" in done.stderr
