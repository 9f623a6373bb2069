"""Guardians step by step: each one's answer, what all came to, and what ran in the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.queries.history import History, answers

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, open_stream
from hookstream.tables.update import update

pytestmark = pytest.mark.long

Rows = list[dict[str, Any]]


def request(id: str, call: str, command: str) -> dict[str, Any]:
    called = {
        "executionId": call,
        "toolId": {"id": "t-1", "name": "Bash"},
        "inputs": [{"name": "command", "value": command}, {"name": "to", "value": "x"}],
    }
    return {"id": id, "method": "steps/toolCallRequest", "params": {"toolCallRequest": called}}


def result(id: str, call: str) -> dict[str, Any]:
    given = {"executionId": call, "result": {"outputs": [], "isError": False}}
    return {"id": id, "method": "steps/toolCallResult", "params": given}


def answer(id: str, decision: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "result": {"decision": decision, "message": "m", **more}}


def modify(id: str, guardian: str, command: str, to: str) -> dict[str, Any]:
    inputs = [{"name": "command", "value": command}, {"name": "to", "value": to}]
    return answer(id, "modify", guardianId=guardian, modifiedRequest={"inputs": inputs})


def asked(tmp_path: Path, messages: list[dict[str, Any]]) -> Rows:
    """The replay of an AOS session; lines, a lake and its tables give the same."""
    context = {
        "agent": {"id": "a", "name": "a"},
        "session": {"id": "s-1"},
        "turnId": "t",
        "timestamp": "2026-05-10T10:34:55.123Z",
    }
    source = tmp_path / "aos.jsonl"
    with source.open("w") as file:
        for one in messages:
            if "params" in one:
                one["params"]["context"] = context
            file.write(json.dumps({"jsonrpc": "2.0", **one}) + "\n")
    sinks = [f"jsonl:{tmp_path / 'lines'}", f"parquet:{tmp_path / 'lake'}"]
    execute(Job([str(source)], sinks, now="2026-11-24T12:00:00Z"))
    found: list[Rows] = []
    for form in ("lines", "lake", "tables"):
        if form == "tables":
            update(tmp_path / "lake")
        with open_stream(tmp_path / ("lines" if form == "lines" else "lake")) as stream:
            found.append(objects(ask(stream, "replay", Filters(session="s-1"), limit=1000)))
    assert found[0] == found[1] == found[2]
    return found[0]


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_each_guardian_s_answer_and_what_all_came_to(tmp_path: Path) -> None:
    rows = asked(
        tmp_path,
        [
            request("q-1", "c-1", "run"),
            answer("q-1", "allow", guardianId="platform", policyId="p-1", policyVersion="v1"),
            answer("q-1", "allow", guardianId="security", policyId="p-2", policyVersion="v7"),
            result("r-1", "c-1"),
            request("q-2", "c-2", "rm -rf /"),
            modify("q-2", "platform", "ls", "x"),
            answer("q-2", "deny", guardianId="security", policyId="p-2", policyVersion="v7"),
            request("q-3", "c-3", "mail"),
            modify("q-3", "platform", "mail --safe", "x"),
            modify("q-3", "security", "mail", "y"),
            result("r-3", "c-3"),
        ],
    )
    told = [(row["step"], row["guardian"], row["decision"], row["merged_decision"]) for row in rows]
    assert told == [
        (1, "platform", "allow", "allow"),
        (1, "security", "allow", "allow"),
        (2, "platform", "allow", "deny"),
        (2, "security", "deny", "deny"),
        (3, "platform", "allow", "allow"),
        (3, "security", "allow", "allow"),
    ]
    assert [row["policy_version"] for row in rows[:2]] == ["v1", "v7"]
    assert [row["ran"] for row in rows] == [
        "original",
        "original",
        "nothing",
        "nothing",
        "modified",
        "modified",
    ]
    first, second = rows[4:]
    # Both saw the same input, and each changed a part of it: what ran has both parts.
    assert first["input_hash"] == second["input_hash"] == rows[4]["input_hash"]
    assert (first["changed_paths"], second["changed_paths"]) == ("command", "to")
    assert first["ran_changed_paths"] == "command, to"
    assert first["ran_input_hash"] not in (first["input_hash"], first["modified_input_hash"])
    assert first["ran_input_hash"] == second["ran_input_hash"]
    assert first["ran_certainty"] == "inferred"


def test_what_nobody_enforced_or_answered(tmp_path: Path) -> None:
    rows = asked(
        tmp_path,
        [
            request("q-1", "c-1", "run"),
            {"id": "q-1", "error": {"code": -32603, "message": "no"}},
            result("r-1", "c-1"),
            request("q-2", "c-2", "wait"),
            answer("q-2", "allow"),
        ],
    )
    failed, allowed = rows
    assert (failed["failure"], failed["decision"]) == ("guardian_error", None)
    assert failed["ran"] == "original"
    assert (allowed["merged_decision"], allowed["ran"]) == ("allow", "unknown")


def test_a_call_whose_result_came_first_has_the_tool_of_its_request(tmp_path: Path) -> None:
    asked(tmp_path, [result("r-1", "c-1"), request("q-1", "c-1", "ls")])
    with open_stream(tmp_path / "lake") as stream:
        (call,) = objects(ask(stream, "calls", Filters(session="s-1")))
    assert (call["action_name"], call["command"], call["outcome"]) == ("shell", "ls", "ok")


def test_two_refusals_of_one_call_are_two_answers_and_one_deny(tmp_path: Path) -> None:
    refusals = [answer("q-1", "deny", guardianId=one, policyId=one) for one in ("one", "two")]
    rows = asked(tmp_path, [request("q-1", "c-1", "rm -rf /"), *refusals])
    assert [(row["guardian"], row["policy_id"], row["ran"]) for row in rows] == [
        ("one", "one", "nothing"),
        ("two", "two", "nothing"),
    ]
    with open_stream(tmp_path / "lake") as stream:
        assert len(objects(ask(stream, "denies", Filters(session="s-1")))) == 1


def test_several_wrapped_hooks_for_one_call(tmp_path: Path) -> None:
    history = History(session="s1")
    about = history.before("c1", "rm -rf /tmp/x", call_id="c1")
    known = {
        "call_id": "c1",
        "action_name": "shell",
        "action_category": "shell",
        "action_native": "Bash",
        "about": about,
        "decided_by": "hook",
        "certainty": "observed",
        "decision_point": "PreToolUse",
    }
    kind = "vendor.claude-code"
    history.add(f"{kind}.HookDecision", decision="allow", guardian="./one.sh", **known)
    history.add(
        f"{kind}.HookDecision",
        decision="allow",
        modified=True,
        guardian="./two.sh",
        changed_paths="command",
        input_hash="sha256:" + "1" * 64,
        **known,
    )
    history.add(
        f"{kind}.ToolInputModified",
        hook_point="PreToolInputModification",
        modified=True,
        guardian="./two.sh",
        changed_paths="command",
        input_hash="sha256:" + "1" * 64,
        modified_input_hash="sha256:" + "2" * 64,
        action_fingerprint="modified",
        **{name: known[name] for name in ("call_id", "about", "action_name", "action_native")},
    )
    history.after("c1", "ls", action_fingerprint="modified")
    rows = answers(tmp_path, "replay", history)
    assert [(row["guardian"], row["decision"], row["modified"]) for row in rows] == [
        ("./one.sh", "allow", None),
        ("./two.sh", "allow", True),
    ]
    for row in rows:
        assert (row["step"], row["merged_decision"], row["merged_modified"]) == (1, "allow", True)
        assert (row["ran"], row["ran_certainty"]) == ("modified", "observed")
        assert row["ran_input_hash"] == "sha256:" + "2" * 64
    assert rows[1]["modified_input_hash"] == "sha256:" + "2" * 64


def test_without_a_session_it_says_what_is_missing(tmp_path: Path) -> None:
    history = History(session="s1")
    history.before("c1")
    answers(tmp_path, "replay", history)
    with open_stream(next(tmp_path.rglob("*.jsonl")).parent) as stream:
        assert "--session" in " ".join(ask(stream, "replay").warnings)
        assert not ask(stream, "replay", Filters(session="s1")).warnings
