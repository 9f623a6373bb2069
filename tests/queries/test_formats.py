"""Answers in four forms: exact for programs, harmless for eyes."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from hookstream.queries.errors import QueryError
from hookstream.queries.formats import FORMATS, plain
from hookstream.queries.runner import Result
from hookstream.queries.terminal import render

HOSTILE = "a|b\n\x1b[31mred\x1b]0;title\x07 <script>alert(1)</script> `x` [l](http://h) \u202eevil"


def result(*rows: tuple[object, ...], columns: str = "a b") -> Result:
    made = Result(columns.split(), [])
    made.rows = list(rows)
    return made


def test_json_is_an_array_of_objects_with_rfc_3339_times() -> None:
    when = datetime(2026, 11, 21, 8, 0, 1, 500000)
    text = render(result((when, [1, {"x": None}]), (None, True)), "json")
    assert json.loads(text) == [
        {"a": "2026-11-21T08:00:01.500Z", "b": [1, {"x": None}]},
        {"a": None, "b": True},
    ]
    assert text.isascii() and json.loads(render(result(), "json")) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (datetime(2026, 1, 1, 0, 0, 0, 123456), "2026-01-01T00:00:00.123456Z"),
        (datetime(2026, 1, 1, tzinfo=UTC), "2026-01-01T00:00:00.000Z"),
        (date(2026, 1, 1), "2026-01-01"),
        (timedelta(milliseconds=1500), 1.5),
        (2**53, 2**53),
        (2**53 + 1, str(2**53 + 1)),
        (Decimal("12"), 12),
        (Decimal("1.5"), 1.5),
        (float("nan"), None),
        (float("inf"), None),
        (b"\x01\xff", "01ff"),
    ],
)
def test_values_as_json_has_them(value: object, expected: object) -> None:
    assert plain(value) == expected


def test_csv_gives_back_what_was_asked() -> None:
    rows = list(csv.reader(io.StringIO(render(result((HOSTILE, None), ("x,y", 1.5)), "csv"))))
    assert rows == [["a", "b"], [HOSTILE, ""], ["x,y", "1.5"]]


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_no_control_character_of_an_agent_reaches_a_terminal(form: str) -> None:
    text = render(result((HOSTILE, HOSTILE), columns=f"a {'b'}"), form, 400)
    assert not [char for char in text if ord(char) < 32 and char != "\n"]
    assert "\u202e" not in text and "\\x1b" in text.replace("\\\\", "\\")


def test_markdown_cells_mark_up_nothing() -> None:
    text = render(result((HOSTILE, 1)), "markdown")
    assert len(text.splitlines()) == 3
    cell = text.splitlines()[2]
    assert "a\\|b" in cell and "\\<script\\>" in cell and "\\[l\\](" in cell and "\\`x\\`" in cell


def test_a_table_leaves_out_empty_columns_and_keeps_brackets() -> None:
    text = render(result(("[bold]x[/bold]", None), ("y", None)), "table", 80)
    assert "[bold]x[/bold]" in text
    assert text.splitlines()[0].split() == ["a"]
    assert text.endswith("2 rows\n")
    assert render(result(), "table") == "no rows\n"


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(QueryError, match=", ".join(FORMATS)):
        render(result(), "xml")
