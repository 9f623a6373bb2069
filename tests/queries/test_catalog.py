"""The questions: all there, each described, each deterministic in its order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.queries.history import History, both

from hookstream.lake.columns import COLUMNS
from hookstream.queries.catalog import queries
from hookstream.queries.runner import ask, open_stream
from hookstream.queries.stream import OpenStream
from hookstream.tables.relations import sources

TESTS = Path(__file__).parents[1]
EXPECTED = (
    "agents asks assurance bypasses calls compactions context_pressure coverage decisions denies "
    "egress "
    "errors failed_open gaps mcp_servers packages permissions prompts "
    "retry_loops "
    "risky_modes secrets sensitive_files sessions timeline tools turns unmapped usage"
).split()


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[OpenStream]]:
    """A session that has only begun, in both forms."""
    h = History()
    h.start()
    streams = [open_stream(path) for path in both(tmp_path_factory.mktemp("begun"), h)]
    yield streams
    for stream in streams:
        stream.close()


def test_every_question_of_the_contract_is_there() -> None:
    """Scripts rely on these; a new one needs no line here."""
    assert set(EXPECTED) <= set(queries())
    assert list(queries()) == sorted(queries())


@pytest.mark.parametrize("name", list(queries()))
def test_a_test_asks_each_question(name: str) -> None:
    """Rows in, rows out: in a module that makes or reads a history."""
    asking = re.compile(rf"\w\(.*[\"']{name}[\"']|\bfrom {name}\b")
    walking = ("test_samples.py", "test_catalog.py", "test_terminal.py", "test_documents.py")
    modules = [path for path in TESTS.rglob("test_*.py") if path.name not in walking]
    assert any(asking.search(path.read_text("utf-8")) for path in modules)


@pytest.mark.parametrize("name", sorted(set(queries()) - {"conformance", "coverage", "unmapped"}))
def test_an_answer_about_people_carries_user_and_machine(
    begun: list[OpenStream], name: str
) -> None:
    """Those are about clients' formats."""
    for stream in begun:
        assert {"user_id", "machine_id"} <= set(ask(stream, name).columns)


@pytest.mark.parametrize("name", list(queries()))
def test_a_question_is_described_and_ordered(name: str) -> None:
    one = queries()[name]
    assert 20 <= len(one.description) <= 110 and one.description.endswith(".")
    assert re.search(r"^order by ", one.sql, re.MULTILINE)
    # The texts of events are not held for a question by name.
    for text in (one.sql, *sources().values()):
        assert not re.search(r"\b(agent_hooks|aarts)\b", text)


@pytest.mark.parametrize("name", list(queries()))
def test_a_question_has_an_answer_and_its_column_of_time(
    name: str, begun: list[OpenStream]
) -> None:
    for stream in begun:
        result = ask(stream, name)
        time = queries()[name].time
        assert time is None or time in result.columns
        assert set(queries()[name].shows) <= set(result.columns)
        assert len(set(result.columns)) == len(result.columns)


# What has no session has no machine either: native events and fields by client.
@pytest.mark.parametrize(
    "name", [name for name in EXPECTED if name not in ("coverage", "unmapped")]
)
def test_every_answer_says_whose_machine_and_user(name: str, begun: list[OpenStream]) -> None:
    assert {"machine_id", "user_id"} <= set(ask(begun[0], name).columns)


@pytest.mark.parametrize(
    "name", ["egress", "packages", "sensitive_files", "mcp_servers", "risky_modes", "secrets"]
)
def test_what_reaches_out_says_when_it_was_first_seen(name: str, begun: list[OpenStream]) -> None:
    assert {"first_seen", "last_seen"} <= set(ask(begun[0], name).columns)


def test_the_views_give_every_column_of_the_table(tmp_path: Path) -> None:
    h = History()
    h.start()
    for path in both(tmp_path, h):
        with open_stream(path) as stream:
            described = stream.connection.execute("describe events").fetchall()
            assert [row[0] for row in described] == list(COLUMNS)
