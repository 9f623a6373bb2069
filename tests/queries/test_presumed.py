"""A refusal that a program saw itself, beside spans of the same call that show no error."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.queries.history import History, answers

SPAN = {"witness": "telemetry"}


def spans(outcome: str | None, presumed: bool) -> History:
    h = History("openai-agents", "s", second=0.5)
    h.before("c1", **SPAN)
    h.after("c1", outcome=outcome, **SPAN)
    if presumed:
        h.events[-1].synthesized = ["outcome", "success"]
    return h


@pytest.mark.parametrize(
    ("outcome", "presumed", "told"),
    [
        (None, False, "denied"),
        ("ok", True, "denied"),
        ("ok", False, "ok"),
        # What refuses may raise, and a call that was refused has failed.
        ("error", False, "denied"),
    ],
)
def test_only_what_a_span_shows_speaks_against_a_refusal(
    outcome: str | None, presumed: bool, told: str, tmp_path: Path
) -> None:
    seen = History("openai-agents", "s")
    seen.before("c1", witness="callback")
    seen.blocked("c1", witness="callback")
    (row,) = answers(tmp_path, "calls", seen, spans(outcome, presumed))
    assert (row["outcome"], row["decision"]) == (told, "deny")
    assert row["witnesses"] == ["callback", "telemetry"]


def test_a_call_that_ran_after_a_refusal_ran(tmp_path: Path) -> None:
    seen = History("openai-agents", "s")
    seen.before("c1", witness="callback")
    seen.blocked("c1", witness="callback")
    seen.after("c1", outcome="ok", witness="callback")
    (row,) = answers(tmp_path, "calls", seen, spans("ok", True))
    assert row["outcome"] == "ok"


def test_spans_alone_are_as_they_are(tmp_path: Path) -> None:
    (row,) = answers(tmp_path, "calls", spans("ok", True))
    assert (row["outcome"], row["decision"]) == ("ok", None)
