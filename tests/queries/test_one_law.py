"""One law of decisions: whatever shows a deny shows the same ones, over all samples and over
streams in which everything that can be refused is."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.decisions import OF_NAME, OF_POINT, OF_TYPE, POINT_OF, SUBJECTS, subject_of
from hookstream.core.event import EVENT_TYPES, HOOK_POINTS, Event
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.formats import objects
from hookstream.queries.report import report
from hookstream.queries.runner import ask, open_stream
from hookstream.sinks.formats.attributes import attributes
from hookstream.sinks.formats.cef import pairs
from hookstream.sinks.formats.ecs import ecs
from hookstream.sinks.formats.ocsf import ocsf
from hookstream.standards.agent_hooks_reader import read_agent_hooks
from hookstream.tables.update import update

pytestmark = pytest.mark.long
SAMPLES = Path(__file__).parents[2] / "samples"
NOW = "2026-11-21T12:00:00Z"
TIME = "2026-05-10T10:34:55.123Z"


def guarded() -> list[dict[str, Any]]:
    """Each AOS request of the reference, denied by two guardians."""
    told = []
    lines = (SAMPLES / "aos" / "reference.jsonl").read_text("utf-8").splitlines()
    for number, line in enumerate(lines):
        payload = json.loads(line.replace("84c36ebb", "95d47fcc"))["payload"]
        if "method" not in payload or payload["method"] == "result":
            continue
        payload["id"] = f"00000000-0000-4000-8000-{number:012}"
        told.append(payload)
        told += [
            {
                "jsonrpc": "2.0",
                "id": payload["id"],
                "result": {"decision": "deny", "reasoning": why, "policyId": why},
            }
            for why in ("first", "second")
        ]
    return told


def condemned() -> list[dict[str, Any]]:
    """An AARTS object of another host at each hook point, with a verdict that denies it."""
    verdict = {"decision": "deny", "category": "prompt_injection", "severity": "critical"}
    return [
        {
            "aarts": {
                "hook_point": point, "session_id": f"s-{point}", "timestamp": TIME,
                "host_id": "otherhost", "aarts_version": "0.1", "turn_id": "t",
                "tool_name": "shell", "tool_input": {"command": "ls"}, "artifacts": [],
            },
            "verdict": {**verdict, "source": "heuristic", "artifacts": [], "reasons": ["no"]},
            "hookstream": {},
        }
        for point in HOOK_POINTS
        if point not in ("PostAskResolution", "PreToolInputModification")
    ]  # fmt: skip


def emitted() -> list[dict[str, Any]]:
    """Agent Hooks of another emitter that carry their decision."""
    kinds = {
        "Prompt.Submitted": {"prompt_length": 2},
        "Action.Before": {"action": {"name": "shell", "input": {"command": "rm -rf build"}}},
        "Policy.Blocked": {"action": {"name": "write_file", "input": {"file_path": "/w/x"}}},
    }
    return [
        {
            "spec_version": "0.1.0", "event_id": f"00000000-0000-7000-8000-{number:012}",
            "event_type": kind, "timestamp": TIME, "source": {"tool": "otherhost"},
            "session_id": "s-emitted",
            "data": {**data, "decision": {"outcome": "deny", "reason": "no"}},
        }
        for number, (kind, data) in enumerate(kinds.items())
    ]  # fmt: skip


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples and those streams, as lines and as a lake with and without derived tables."""
    folder = tmp_path_factory.mktemp("law")
    made = folder / "made"
    made.mkdir()
    for story in (guarded, condemned, emitted):
        lines = "".join(json.dumps(line) + "\n" for line in story())
        (made / f"{story.__name__}.jsonl").write_text(lines, "utf-8")
    payloads = [str(p) for p in SAMPLES.glob("*/*.jsonl") if "expected" not in p.name]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        sinks = [f"jsonl:{folder / 'lines'}", *(f"parquet:{folder / x}" for x in ("plain", "lake"))]
        execute(Job([*payloads, str(made)], sinks, now=NOW))
    update(folder / "lake")
    return folder


@cache
def answer(path: Path, name: str) -> list[dict[str, Any]]:
    with open_stream(path) as stream:
        return objects(ask(stream, name, limit=1_000_000))


@cache
def stream_of(folder: Path) -> dict[str, Event]:
    lines = (folder / "lines" / "agent-hooks.jsonl").read_text("utf-8").splitlines()
    events = [read_agent_hooks(json.loads(line)) for line in lines]
    return {event.facts["event_id"]: event for event in events}


def told(folder: Path) -> list[dict[str, Any]]:
    """Denies that an event says, in the order of the answer; the others rest on silence."""
    events = stream_of(folder)
    return [row for row in answer(folder / "lake", "denies") if "decision" in
            events[row["event_id"]].facts]  # fmt: skip


def test_every_subject_is_refused_somewhere(outputs: Path) -> None:
    subjects = Counter(row["subject"] for row in answer(outputs / "lake", "denies"))
    assert set(SUBJECTS) <= set(subjects)
    assert min(subjects.values()) > 0


@pytest.mark.parametrize("name", ["denies", "decisions", "asks", "sessions", "calls", "turns"])
def test_lines_a_lake_and_its_tables_agree(outputs: Path, name: str) -> None:
    lines, plain, lake = (
        sorted(map(json.dumps, answer(outputs / form, name))) for form in ("lines", "plain", "lake")
    )
    assert lines == plain == lake


def test_sessions_and_turns_count_them(outputs: Path) -> None:
    denies = answer(outputs / "lake", "denies")
    session = ("machine_id", "tool", "session_id")
    for name, key in (("sessions", session), ("turns", (*session, "turn_id"))):
        found = Counter(
            {tuple(row[k] for k in key): row["denies"] for row in answer(outputs / "lake", name)}
        )
        counted = Counter(
            tuple(row[k] for k in key) for row in denies if name == "sessions" or row["turn_id"]
        )
        assert +found == counted, name


def test_no_refusal_but_of_an_action_is_an_action(outputs: Path) -> None:
    for row in answer(outputs / "lake", "denies"):
        assert row["executed_afterwards"] is None or row["subject"] == "action"
    calls = {row["call_id"] for row in answer(outputs / "lake", "calls")}
    for row in answer(outputs / "lake", "denies"):
        if row["subject"] in ("prompt", "response", "memory", "retrieval", "compaction"):
            assert row["call_id"] not in calls - {None}
    sessions = {row["session_id"]: row for row in answer(outputs / "lake", "sessions")}
    assert (sessions["s-PreUserInput"]["actions"], sessions["s-PreUserInput"]["denies"]) == (0, 1)


def test_the_report_counts_them(outputs: Path) -> None:
    denies = answer(outputs / "lake", "denies")
    made = json.loads(report(outputs / "lake", "json"))
    headline = {
        row["what"]: row["count"]
        for section in made["sections"] if section["title"] == "Headline"
        for row in section["rows"]
    }  # fmt: skip
    assert headline["denied, observed"] + headline["denied, inferred"] == len(denies)
    assert headline["of the denied: not an action"] == sum(
        row["subject"] != "action" for row in denies
    )
    assert headline["of the denied: not enforced"] == sum(not row["enforced"] for row in denies)
    for section in made["sections"]:
        if section["title"] in ("Hour by hour", "Day by day") and section["total"] < 72:
            assert sum(row["denies"] for row in section["rows"]) == len(denies)


def test_decisions_hold_every_deny_that_an_event_says(outputs: Path) -> None:
    decisions = {row["event_id"]: row for row in answer(outputs / "lake", "decisions")}
    for row in told(outputs):
        decision = decisions[row["event_id"]]
        assert decision["decision"] == "deny"
        names = ("subject", "hook_point", "enforced", "decided_by", "decision_reason")
        assert [decision[name] for name in names] == [row[name] for name in names]


def test_every_sink_says_the_same(outputs: Path) -> None:
    """By event: what OCSF, ECS, CEF, OpenTelemetry and the verdict say of each refusal."""
    events = stream_of(outputs)
    lines = (outputs / "lines" / "aarts.jsonl").read_text("utf-8").splitlines()
    wrappers = {w["hookstream"]["event_id"]: w for w in map(json.loads, lines)}
    rows = told(outputs)
    assert len(rows) > 80
    for row in rows:
        event = events[row["event_id"]]
        verdict = wrappers[row["event_id"]]
        body = verdict["aarts"] or verdict["hookstream"]
        point = verdict["hookstream"].get("hook_point", body["hook_point"])
        assert verdict["verdict"]["decision"] == "deny"
        assert point == row["hook_point"]
        assert verdict["hookstream"]["subject"] == row["subject"]
        if row["subject"] not in ("action", "other"):
            assert verdict["verdict"]["category"] != "tool_execution"
        flat = attributes(event, aarts=True, arguments=False)
        assert flat["hookstream.subject"] == row["subject"]
        assert flat["aarts.verdict.decision"] == pairs(event, False)["act"] == "deny"
        words = ocsf(event)["action"], ocsf(event)["disposition"]
        assert words == (("Denied", "Blocked") if row["enforced"] else ("Observed", "Detected"))
        assert ("denied" in ecs(event, NOW)["event"]["type"]) == row["enforced"]


def test_every_deny_in_the_stream_is_in_the_table(outputs: Path) -> None:
    """The other way: a deny that an event says is the row's own, or one of its evidence."""
    shown = {
        e for row in answer(outputs / "lake", "denies") for e in (*row["evidence"], row["event_id"])
    }
    for event in stream_of(outputs).values():
        facts = event.facts
        if facts.get("decision") == "deny" and "duplicate_of" not in facts:
            assert facts["event_id"] in shown, event


def test_each_guardian_is_a_decision_and_what_they_refuse_one_row(outputs: Path) -> None:
    decided = Counter(
        row["about"] for row in answer(outputs / "lake", "decisions")
        if row["policy_id"] in ("first", "second") and row["about"] is not None
    )  # fmt: skip
    assert decided and set(decided.values()) == {2}
    denied = Counter(
        row["about"] for row in answer(outputs / "lake", "denies") if row["about"] in decided
    )
    assert set(denied) == set(decided)
    assert set(denied.values()) == {1}


def test_sql_knows_subjects_as_the_stream_does(outputs: Path) -> None:
    """`subject_of`, over all types, hook points and names, against the relation `decided`."""
    cases = [(kind, None) for kind in EVENT_TYPES]
    cases += [(f"vendor.x.{name}", None) for name in (*OF_NAME, "Other")]
    cases += [("vendor.x.Other", point) for point in HOOK_POINTS]
    with open_stream(outputs / "plain") as stream:
        stream.prepare("from derived.decisions")
        known = dict(stream.connection.execute("select key, subject from base.subjects").fetchall())
    for kind, point in cases:
        by_sql = (
            known.get(f"point:{point}")
            or known.get(f"type:{kind}")
            or (kind.startswith("vendor.") and known.get(f"name:{kind.rpartition('.')[2]}"))
            or "other"
        )
        assert by_sql == subject_of(kind, point, {})
    assert {*OF_POINT.values(), *OF_TYPE.values(), *OF_NAME.values(), *POINT_OF} <= set(SUBJECTS)
