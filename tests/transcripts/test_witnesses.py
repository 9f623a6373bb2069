"""One truth from several witnesses: one more removes nothing, order does not matter."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from homes import DATA, SCENARIOS, Told, home_of
from hypothesis import given, settings
from hypothesis import strategies as st

from hookstream.lake.columns import row
from hookstream.lake.rows import instants, schema
from hookstream.tables.connection import connect
from hookstream.tables.relations import Relations

pytestmark = pytest.mark.long

TELEMETRY = DATA.parent.parent / "telemetry" / "data"
SPANS = {
    one: TELEMETRY / f"{one.replace('/', '-')}.otlp.jsonl"
    for one in SCENARIOS
    if (TELEMETRY / f"{one.replace('/', '-')}.otlp.jsonl").exists()
}
BOTH = [one for one in SCENARIOS if (DATA / one / "hooks.jsonl").exists()]
SEVERAL = sorted({*BOTH, *SPANS})
# In editors no hook of this client tells of calls.
NO_CALL_HOOKS = ("gemini-cli/approval-user",)
KNOWN = ("exit_code", "decided_by", "decision_reason", "call_id", "action_name")
Row = dict[str, Any]


@cache
def events_of(scenario: str) -> tuple[Row, ...]:
    """Rows of what the hooks, the files and the telemetry of a scenario say, as far as recorded."""
    with tempfile.TemporaryDirectory() as folder:
        home = home_of(scenario, Path(folder))
        hooks = DATA / scenario / "hooks.jsonl"
        beside = [
            *([hooks] if hooks.exists() else []),
            *([SPANS[scenario]] if scenario in SPANS else []),
        ]
        told = Told([*beside, home])
    rows = []
    for event in told.events:
        made = row(event, "", None)
        made["agent_hooks"] = None
        rows.append(made)
    return tuple(rows)


def table_of(rows: list[Row]) -> Any:
    import pyarrow as pa

    arrays = []
    for field in schema():
        values = [one[field.name] for one in rows]
        is_time = field.type == pa.timestamp("us")
        arrays.append(instants(values) if is_time else pa.array(values, field.type))
    return pa.Table.from_arrays(arrays, schema=schema())


def relations(rows: list[Row], *names: str) -> dict[str, list[Row]]:
    """The relations over rows, each event id once."""
    once: dict[str, Row] = {}
    for one in rows:
        once.setdefault(one["event_id"], one)
    with tempfile.TemporaryDirectory() as spill:
        connection = connect(spill)
        connection.register("rows_given", table_of(list(once.values())))
        connection.execute("create schema base")
        connection.execute("create table base.events as from rows_given")
        made = Relations(connection)
        made.ensure(names)
        found = {}
        for name in names:
            result = connection.execute(f"select * from base.{name}")
            columns = [column[0] for column in result.description]
            found[name] = [dict(zip(columns, one, strict=True)) for one in result.fetchall()]
        connection.close()
    return found


def plain(rows: list[Row]) -> list[str]:
    return sorted(json.dumps(one, default=str, sort_keys=True) for one in rows)


@pytest.mark.long
@pytest.mark.parametrize("scenario", SEVERAL)
def test_two_witnesses_are_one_truth(scenario: str) -> None:
    truth = json.loads((DATA / scenario / "truth.json").read_text("utf-8"))
    made = relations(list(events_of(scenario)), "calls", "prompts", "agents", "compactions")
    calls = {call["call_id"]: call for call in made["calls"]}
    assert len(calls) == len(made["calls"]) == len(truth["calls"])
    for call in truth["calls"]:
        said = calls[call["transcript_id"]]
        assert said["outcome"] == call["outcome"], call
        if call["outcome"] == "denied":
            certainty = call.get("certainty", "observed")
            assert (said["decided_by"], said["certainty"]) == (call["denied_by"], certainty)
        if call["exit_code"] is not None:
            assert said["exit_code"] == call["exit_code"]
    if scenario not in NO_CALL_HOOKS:
        assert any(len(call["witnesses"]) >= 2 for call in made["calls"])
    assert len(made["prompts"]) == truth["prompts"]
    assert len(made["agents"]) == len(truth["agents"])
    assert len([one for one in made["compactions"] if one["completed"]]) == len(
        truth["compactions"]
    )


@pytest.mark.long
@settings(max_examples=12, deadline=None)
@given(st.sampled_from(SEVERAL), st.randoms(use_true_random=False), st.booleans())
def test_order_and_repetition_do_not_matter(scenario: str, chance: Any, twice: bool) -> None:
    rows = list(events_of(scenario))
    names = ("calls", "prompts", "agents", "compactions", "sessions")
    straight = relations(rows, *names)
    mixed = rows * 2 if twice else rows[:]
    chance.shuffle(mixed)
    other = relations(mixed, *names)
    for name in names:
        assert plain(other[name]) == plain(straight[name]), name


@pytest.mark.parametrize("scenario", SEVERAL)
def test_an_event_id_has_one_content(scenario: str) -> None:
    """Of two events with one id a lake shows one: which, no order may decide."""
    once: dict[str, Row] = {}
    for one in events_of(scenario):
        assert once.setdefault(one["event_id"], one) == one


def witnesses_of(scenario: str) -> list[str]:
    return sorted({one["witness"] for one in events_of(scenario)})


@pytest.mark.long
@settings(max_examples=24, deadline=None)
@given(st.sampled_from(SEVERAL), st.data())
def test_adding_a_witness_removes_no_fact(scenario: str, data: Any) -> None:
    kinds = witnesses_of(scenario)
    first = data.draw(st.sets(st.sampled_from(kinds), min_size=1, max_size=len(kinds) - 1))
    # Who says that a call was refused does not always say why.
    silent = data.draw(st.sets(st.sampled_from(kinds)))
    rows = [
        {**one, "decision_reason": None} if one["witness"] in silent else one
        for one in events_of(scenario)
    ]
    alone = [one for one in rows if one["witness"] in first]
    added = [one for one in rows if one["witness"] not in first]
    # Whatever part of the other witnesses has come so far.
    some = added[: data.draw(st.integers(0, len(added)))]
    before, after = (
        relations(alone, "calls", "prompts"),
        relations(alone + some, "calls", "prompts"),
    )
    holding = {event: call for call in after["calls"] for event in call["evidence"]}
    for call in before["calls"]:
        kept = [holding[event] for event in call["evidence"] if event in holding]
        assert kept, call["call_id"]
        best = kept[0]
        if call["outcome"] != "unknown":
            assert best["outcome"] != "unknown"
        if call["decision"] == "deny" and call["certainty"] == "observed":
            assert (best["decision"], best["certainty"]) == ("deny", "observed")
        for name in KNOWN:
            if call[name] is not None:
                assert best[name] is not None, (name, call)
        assert set(call["witnesses"]) <= set(best["witnesses"])
    assert len(after["prompts"]) >= len(before["prompts"])


REFUSED = {
    "qwen-code/approval-tui": {"call_0005d2f212": "User did not allow tool call"},
    "codex/approval-user": {
        "call_0005b6e535": "rejected by user",
        "call_0008b6e748": "rejected by user",
    },
}


def reasons(rows: list[Row]) -> dict[str, str | None]:
    return {one["call_id"]: one["decision_reason"] for one in relations(rows, "denies")["denies"]}


@pytest.mark.parametrize("scenario", REFUSED)
def test_a_reason_that_one_witness_gives_stays_beside_those_without(scenario: str) -> None:
    """Telemetry of both says who refused and not why."""
    rows = list(events_of(scenario))
    for others in (set(), {"hook"}, {"telemetry"}, {"hook", "telemetry"}):
        chosen = [one for one in rows if one["witness"] in {"transcript", *others}]
        assert reasons(chosen) == REFUSED[scenario]
    no_words = [
        {**one, "decision_reason": None} if one["witness"] == "transcript" else one for one in rows
    ]
    by_hook = scenario == "qwen-code/approval-tui"
    nothing = dict.fromkeys(REFUSED[scenario])
    assert reasons(no_words) == (REFUSED[scenario] if by_hook else nothing)


def refusal(rows: list[Row], witness: str) -> Row:
    (found,) = [
        one
        for one in rows
        if one["witness"] == witness and one["decision"] == "deny" and not one["derived"]
    ]
    return found


def test_of_reasons_that_differ_the_one_believed_most_stays() -> None:
    rows = [dict(one) for one in events_of("qwen-code/approval-tui")]
    for witness in ("transcript", "hook"):
        refusal(rows, witness)["decision_reason"] = f"as the {witness} says"
    assert list(reasons(rows).values()) == ["as the transcript says"]
    refusal(rows, "transcript")["decision_reason"] = None
    assert list(reasons(rows).values()) == ["as the hook says"]


def test_what_another_party_is_said_to_have_refused_for_is_no_reason() -> None:
    rows = [dict(one) for one in events_of("qwen-code/approval-tui")]
    refusal(rows, "transcript")["decision_reason"] = None
    refusal(rows, "hook")["decided_by"] = "rule"
    made = relations(rows, "denies")["denies"]
    assert [(one["decided_by"], one["decision_reason"]) for one in made] == [("user", None)]
    refusal(rows, "hook")["decided_by"] = None
    assert list(reasons(rows).values()) == list(REFUSED["qwen-code/approval-tui"].values())


def test_tokens_are_one_witness_s() -> None:
    rows = list(events_of("codex/rules"))
    files = [one for one in rows if one["witness"] == "transcript"]
    both = relations(rows, "sessions")["sessions"]
    alone = relations(files, "sessions")["sessions"]
    assert [one["input_tokens"] for one in both] == [one["input_tokens"] for one in alone]


def test_what_witnesses_disagree_about_is_named() -> None:
    rows = [dict(one) for one in events_of("codex/rules")]
    for one in rows:
        if one["witness"] == "hook" and one["event_type"] == "Action.After":
            one["outcome"], one["success"] = "error", False
    made = relations(rows, "calls", "conflicts")
    assert made["conflicts"]
    statements = made["conflicts"][0]["statements"]
    assert "hook says error" in statements
    told = {call["call_id"]: call["outcome"] for call in made["calls"]}
    assert all(
        f"transcript says {told[one['call_id']]}" in one["statements"] for one in made["conflicts"]
    )


def test_a_witness_that_is_missing_on_a_machine_is_named() -> None:
    rows = [dict(one) for one in events_of("codex/rules")]
    for one in rows:
        one["machine_id"] = "m1"
    other = [dict(one) for one in rows if one["witness"] == "hook"]
    for one in other:
        one |= {"machine_id": "m2", "event_id": f"other-{one['event_id']}"}
    made = relations(rows + other, "unseen_witnesses")["unseen_witnesses"]
    missing = {(one["machine_id"], one["kind"]) for one in made}
    assert missing == {("m2", "telemetry"), ("m2", "transcript")}


def test_a_question_without_an_id_is_of_the_call_that_telemetry_tells_of() -> None:
    """In editors this client's hooks tell of questions alone."""
    refused = "call_0005d2f212"
    rows = [
        one
        for one in events_of("qwen-code/approval-tui")
        if one["witness"] == "telemetry" or (one["witness"] == "hook" and one["call_id"] != refused)
    ]
    asked = [one["call_id"] for one in rows if one["notification_type"] == "ToolPermission"]
    assert refused not in {one["call_id"] for one in rows if one["witness"] == "hook"}
    assert any(str(call).startswith("call-") for call in asked)
    made = relations(rows, "calls", "asks")
    called = [one["call_id"] for one in made["calls"]]
    assert len(called) == len(set(called)) == 3
    assert refused in called
    (answer,) = [one for one in made["asks"] if one["call_id"] == refused]
    assert answer["resolution"] == "denied"


@pytest.mark.parametrize("scenario", ["qwen-code/approval-tui", "gemini-cli/approval-user"])
def test_what_a_person_answered_was_asked_though_only_a_file_tells(scenario: str) -> None:
    truth = json.loads((DATA / scenario / "truth.json").read_text("utf-8"))
    refused = [call for call in truth["calls"] if call["denied_by_in_transcript"] == "user"]
    rows = list(events_of(scenario))
    files = [one for one in rows if one["witness"] == "transcript"]
    told = relations(files, "asks")["asks"]
    answers = {one["call_id"]: (one["resolution"], one["decided_by"]) for one in told}
    assert refused
    for call in refused:
        assert answers.pop(call["transcript_id"]) == ("denied", "user")
    assert set(answers.values()) <= {("approved", "user")}
    both = relations(rows, "asks")["asks"]
    assert len({one["call_id"] for one in both}) == len(both) >= len(told)
