"""Every question over every sample: lines and lake answer alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.queries.history import Row

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.catalog import queries
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, open_stream

SAMPLES = Path(__file__).parent.parent.parent / "samples"
SESSION = "bdf0d086-55da-4dfa-8d9c-508193442ebc"


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, list[Row]]]:
    """The answers to all questions, by lines and by lake."""
    folder = tmp_path_factory.mktemp("samples")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        sinks = [f"jsonl:{folder / 'lines'}", f"parquet:{folder / 'lake'}"]
        execute(Job([str(SAMPLES)], sinks, now="2026-11-21T12:00:00Z"))
    found = []
    for form in ("lines", "lake"):
        with open_stream(folder / form) as stream:
            found.append(
                {
                    name: objects(ask(stream, name, Filters(session=SESSION), limit=100_000))
                    if name == "timeline"
                    else objects(ask(stream, name, limit=100_000))
                    for name in queries()
                }
            )
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(queries()))
def test_a_question_has_one_answer(forms: list[dict[str, list[Row]]], name: str) -> None:
    assert forms[0][name] == forms[1][name]
