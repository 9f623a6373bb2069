"""A plugin's thrown error: with the call that failed in its words and never ran, a refusal."""

from __future__ import annotations

import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from homes import DATA, Told, home_of
from test_witnesses import relations

from hookstream.lake.columns import row

SCENARIO = "opencode/deny"
TELEMETRY = DATA.parent.parent / "telemetry" / "data" / "opencode-deny.otlp.jsonl"
REFUSED = "call_0004be2799"
WORDS = "refused by the fixture policy"
Row = dict[str, Any]


@cache
def recorded() -> tuple[Row, ...]:
    with tempfile.TemporaryDirectory() as folder:
        home = home_of(SCENARIO, Path(folder))
        told = Told([DATA / SCENARIO / "hooks.jsonl", home, TELEMETRY])
    return tuple({**row(event, "", None), "agent_hooks": None} for event in told.events)


def rows_of(*witnesses: str) -> list[Row]:
    return [dict(one) for one in recorded() if one["witness"] in witnesses]


def calls(rows: list[Row]) -> dict[str, Row]:
    return {call["call_id"]: call for call in relations(rows, "calls")["calls"]}


def thrown(rows: list[Row]) -> Row:
    (found,) = [one for one in rows if one["native_event"] == "Plugin.trigger.end"]
    return found


@pytest.mark.parametrize(
    "live", [("hook",), ("transcript",), ("hook", "transcript")], ids=" and ".join
)
def test_the_call_that_failed_in_its_words_was_refused_by_a_hook(live: tuple[str, ...]) -> None:
    rows = rows_of("telemetry", *live)
    random.Random(3).shuffle(rows)
    made = relations(rows, "calls", "denies")
    outcomes = {call["call_id"]: call["outcome"] for call in made["calls"]}
    assert outcomes == {"call_0002be1863": "ok", REFUSED: "denied", "call_0006be2f8f": "ok"}
    (deny,) = made["denies"]
    (call,) = [one for one in made["calls"] if one["call_id"] == REFUSED]
    assert (call["decision"], call["decided_by"]) == ("deny", "hook")
    assert (call["decision_reason"], call["certainty"]) == (WORDS, "observed")
    assert thrown(rows)["event_id"] in call["evidence"]
    assert set(call["witnesses"]) == {"telemetry", *live}
    assert (deny["call_id"], deny["decided_by"]) == (REFUSED, "hook")
    assert deny["decision_evidence"] == "Plugin.trigger.end"


def test_without_telemetry_it_is_a_failure() -> None:
    call = calls(rows_of("hook", "transcript"))[REFUSED]
    assert (call["outcome"], call["decision"]) == ("error", None)


def test_telemetry_alone_names_no_call() -> None:
    assert REFUSED not in calls(rows_of("telemetry"))


def test_a_call_that_was_run_was_not_refused() -> None:
    """As where a plugin throws after the tool ended."""
    rows = rows_of("hook", "transcript", "telemetry")
    (ran,) = [
        one
        for one in rows
        if one["native_event"] == "Tool.execute.start" and one["call_id"] == "call_0002be1863"
    ]
    call = calls([*rows, {**ran, "event_id": "ran", "call_id": REFUSED}])[REFUSED]
    assert (call["outcome"], call["decision"]) == ("error", None)


@pytest.mark.parametrize("changed", [{"error_message": "no such file"}, {"session_id": "other"}])
def test_an_error_in_other_words_or_of_another_session_is_none(changed: Row) -> None:
    rows = rows_of("hook", "transcript", "telemetry")
    thrown(rows).update(changed)
    call = calls(rows)[REFUSED]
    assert (call["outcome"], call["decision"]) == ("error", None)


def test_one_error_refuses_one_call() -> None:
    rows = rows_of("transcript", "telemetry")
    later = [
        {**one, "call_id": "later", "event_id": f"later-{one['event_id']}"}
        for one in rows
        if one["call_id"] == REFUSED
    ]
    for one in later:
        one["timestamp"] = one["timestamp"].replace("10:12:26", "10:12:27")
    found = calls(rows + later)
    assert found[REFUSED]["outcome"] == "denied"
    assert found["later"]["outcome"] == "error"
