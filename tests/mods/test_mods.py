"""Mods in recorded sessions: every witness alone and together against what was.

The truth is the model server's log, marks that commands left on disk, and the MCP server's log.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream

pytestmark = pytest.mark.long

DATA = Path(__file__).parent / "data"
SCENARIOS = sorted(path.parent.name for path in DATA.glob("*/truth.json"))
WITNESSES = ("hook", "transcript", "telemetry", "mod")
# What a shell's own witnesses cannot tell from a tool that failed or answered by itself.
BY_A_MOD_WITHIN = {
    "toolu_000350ebff",
    "toolu_000550ed67",
    "toolu_0012e3edde",
    "toolu_0014e3f18d",
    "toolu_0016e3f50e",
    "toolu_0018e3f89e",
}
# Telemetry has it as a tool that failed, in these words.
SPAWNS_DENIED = {"toolu_0020e3fc99"}
Row = dict[str, Any]


def truth_of(scenario: str) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads((DATA / scenario / "truth.json").read_text("utf-8"))
    return truth


def answers(
    scenario: str, folder: Path, witnesses: tuple[str, ...], *questions: str
) -> dict[str, list[Row]]:
    sink = folder / "lake"
    job = Job(
        [str(DATA / scenario)],
        [f"parquet:{sink}"],
        now="2026-11-25T00:00:00Z",
        witness=witnesses,
        machine="m1",
        pseudonyms=str(folder / "key"),
    )
    report = execute(job).report(0)
    assert (report["rejected"], report["unknown_events"], report["unmapped_fields"]) == (0, {}, {})
    if not any(sink.rglob("*.parquet")):
        return {question: [] for question in questions}
    with open_stream(sink) as lake:
        return {question: objects(ask(lake, question)) for question in questions}


def by_id(rows: list[Row]) -> dict[str, Row]:
    found = {row["call_id"]: row for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_all_witnesses_together_say_what_was(scenario: str, tmp_path: Path) -> None:
    truth = truth_of(scenario)
    said = answers(scenario, tmp_path, (), "calls", "sessions", "prompts")
    calls = by_id(said["calls"])
    asked = {call["id"] for call in truth["calls"]}
    assert {name for name in calls if not name.startswith("toolu_plugin_")} == asked
    assert len(said["sessions"]) == truth["sessions"]
    assert len(said["prompts"]) == truth["prompts"]
    for call in truth["calls"]:
        row = calls[call["id"]]
        if call["id"] != "toolu_000350ebff":
            assert row["outcome"] == call["outcome"], call
            decided = row["decided_by"] if row["decision"] == "deny" else None
            assert decided == call["denied_by"], call
        if call["executed_command"] is not None:
            assert row["command"] == call["executed_command"], call
        requested = call["asked"] if call["rewritten_by"] else None
        assert row["requested_command"] == requested, call
        if call["result_replaced_by"]:
            assert row["told_output_hash"] not in (None, row["output_hash"]), call
        elif scenario != "prompt-and-rows":
            assert row["told_output_hash"] is None, call


@pytest.mark.parametrize("witness", WITNESSES)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_witness_alone_says_what_was_not(scenario: str, witness: str, tmp_path: Path) -> None:
    """It may not know a call, or not how it ended; what it says of an end is so."""
    truth = {call["id"]: call for call in truth_of(scenario)["calls"]}
    for name, row in by_id(answers(scenario, tmp_path, (witness,), "calls")["calls"]).items():
        if name.startswith("toolu_plugin_") or name in BY_A_MOD_WITHIN:
            continue
        if witness == "telemetry" and name in SPAWNS_DENIED:
            continue
        call = truth[name]
        assert row["outcome"] in ("unknown", call["outcome"]), (witness, call)
        if row["decision"] == "deny":
            is_vague = witness == "telemetry" and row["decided_by"] == "hook"
            assert row["decided_by"] == call["denied_by"] or is_vague, (witness, call)
        else:
            assert call["denied_by"] is None or row["outcome"] == "unknown", (witness, call)


def test_a_mod_is_named_where_the_chain_shows_it(tmp_path: Path) -> None:
    calls = by_id(answers("observer-first", tmp_path, (), "calls")["calls"])
    named = {row["command"]: (row["guardian"], row["guardian_scope"]) for row in calls.values()}
    meddled = {text: name for text, name in named.items() if name[0] is not None}
    assert set(meddled.values()) == {("meddler", "user")}
    assert sorted(text.split()[2] for text in meddled) == ["answer", "changed", "deny", "mask"]


def test_an_answered_call_has_no_success_in_either_standard(tmp_path: Path) -> None:
    job = Job(
        [str(DATA / "answer")],
        [f"jsonl:{tmp_path / 'lines'}"],
        now="2026-11-25T00:00:00Z",
        witness=("hook",),
        machine="m1",
        pseudonyms=str(tmp_path / "key"),
    )
    execute(job)
    lines = (tmp_path / "lines/agent-hooks.jsonl").read_text("utf-8").splitlines()
    (event,) = [
        event
        for event in map(json.loads, lines)
        if event["metadata"]["dev.hookstream"].get("outcome") == "answered"
    ]
    assert "success" not in event["data"]["action"].get("result", {})
    assert event["metadata"]["dev.hookstream"]["synthesized"].count("outcome") == 1


ALL_OF_THEM = ("PostToolUse", "PostToolUseFailure", "PreToolUse", "UserPromptSubmit")
SILENCED = (
    ("silence-one", ("telemetry",), {"PostToolUse": 2}),
    ("silence-one", ("hook", "transcript"), {"PostToolUse": 2}),
    ("silence-one", (), {"PostToolUse": 2}),
    ("silence-all", ("telemetry",), dict(zip(ALL_OF_THEM, (3, 1, 4, 1), strict=True))),
    ("silence-all", ("hook", "transcript"), {}),
    ("observer-first", ("mod",), {"PostToolUse": 3}),
    ("observer-first", (), {"PostToolUse": 3}),
    # A managed guard gave these events to the hooks all the same.
    ("managed-observer", (), {}),
)


@pytest.mark.parametrize(("scenario", "witnesses", "expected"), SILENCED)
def test_events_that_a_mod_kept_from_hooks_are_a_gap(
    scenario: str, witnesses: tuple[str, ...], expected: dict[str, int], tmp_path: Path
) -> None:
    said = answers(scenario, tmp_path, witnesses, "gaps", "assurance")
    found = {row["where"]: row["count"] for row in said["gaps"] if row["gap"] == "hooks_silenced"}
    assert found == expected
    has_reason = ["hooks_silenced" in row["reasons"] for row in said["assurance"]]
    assert has_reason == [bool(expected)]


@pytest.mark.parametrize(
    "scenario", sorted(set(SCENARIOS) - {"silence-one", "silence-all", "observer-first"})
)
@pytest.mark.parametrize("witnesses", [("hook", "transcript"), ()])
def test_hooks_that_nothing_silenced_are_no_gap(
    scenario: str, witnesses: tuple[str, ...], tmp_path: Path
) -> None:
    gaps = answers(scenario, tmp_path, witnesses, "gaps")["gaps"]
    assert "hooks_silenced" not in {row["gap"] for row in gaps}


def test_each_mod_is_a_row_with_its_owner_and_its_deeds(tmp_path: Path) -> None:
    rows = {row["mod"]: row for row in answers("observer-first", tmp_path, (), "mods")["mods"]}
    deeds = ("scope", "managed", "denied", "answered", "rewritten", "replaced", "silenced")
    assert [rows["meddler"][name] for name in deeds] == ["user", False, 1, 1, 1, 1, 3]
    assert [rows["mod-observer"][name] for name in deeds[2:]] == [0, 0, 0, 0, 0]
    assert {rows[name]["scope"] for name in rows if name.startswith("cc-plugin-")} == {"builtin"}
    assert all(row["loaded"] == row["sessions"] == 1 for row in rows.values())


def test_a_mod_that_a_managed_guard_passed_by_is_named(tmp_path: Path) -> None:
    rows = {row["mod"]: row for row in answers("managed-observer", tmp_path, (), "mods")["mods"]}
    assert (rows["dark"]["prevented"], rows["dark"]["silenced"]) == (4, 0)
    assert rows["mod-observer"]["managed"] is True
    # Nothing names the mod that denied a call.
    assert (rows[None]["denied"], rows[None]["scope"]) == (1, None)


def test_hooks_alone_show_what_was_asked_for_and_what_was_withheld(tmp_path: Path) -> None:
    calls = by_id(answers("withhold", tmp_path, ("hook",), "calls")["calls"]).values()
    rewritten = {row["command"]: row["requested_command"] for row in calls}
    asked = {text for text in rewritten.values() if text is not None}
    assert len(asked) == 3 and all("zz-rewrite" in text for text in asked)
    assert rewritten["echo a7 changed >> ran.log"] == "echo a7 zz-rewrite >> ran.log"
    withheld = [row for row in calls if row["told_output_hash"] is not None]
    assert sorted(row["outcome"] for row in withheld) == ["error", "ok", "ok"]
    by_mod = {row["decided_by"] for row in calls if row["outcome"] == "answered"}
    assert by_mod == {"mod"}
