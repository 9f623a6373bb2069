"""The AARTS wrapper: what the standard has no place for is said beside it, never made up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.standards.aarts import aarts
from hookstream.standards.aarts_reader import read_aarts
from hookstream.standards.artifacts import extract
from hookstream.standards.validate import Validator

FACTS = {
    "event_id": "00000000-0000-4000-8000-000000000000",
    "session_id": "s",
    "timestamp": "2026-01-01T00:00:00Z",
    "tool": "cline",
    "turn_id": "turn-1",
    "action_name": "shell",
    "action_category": "shell",
    "action_native": "run_commands",
}


def event(kind: str, point: str | None, tool_input: Any = None, **facts: Any) -> Event:
    made = Event(kind, point, {**FACTS, **facts}, "cline")
    made.input = tool_input
    made.artifacts = extract(made)
    return made


def written(made: Event) -> dict[str, Any]:
    wrapper = aarts(made)
    assert wrapper is not None
    assert Validator().problems(json.dumps(wrapper).encode()) == []
    return wrapper


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"command": "ls"}, "tool_input.command"),
        ({"commands": ["pwd", "ls"]}, "tool_input.commands[1]"),
        ({"calls": [{"run": {"line": "ls"}}]}, "tool_input.calls[0].run.line"),
        ({"patch": "*** Update File: ls"}, "tool_input"),
        (None, "tool_input"),
    ],
)
def test_an_artifact_names_where_it_stands_in_the_input(given: Any, field: str) -> None:
    body = written(event("Action.Before", "PreToolUse", given, command="ls"))["aarts"]
    assert body["artifacts"][0] == {"type": "command", "value": "ls", "source_field": field}


def test_a_question_without_an_input_names_no_place_in_one() -> None:
    asked = event("Agent.Notification", None, None, command="ls")
    assert asked.artifacts == [("command", "ls", "command", "")]


def test_a_result_that_is_a_list_is_given_as_its_json_text() -> None:
    parts = [{"type": "text", "text": "done"}]
    body = written(event("Action.After", "PostToolUse", {}, output=parts))["aarts"]
    assert json.loads(body["tool_result"]) == parts


def test_a_verdict_of_nobody_says_so_and_gives_no_engine_when_read_back() -> None:
    wrapper = written(event("Policy.Blocked", None, {}, decision="deny"))
    assert wrapper["verdict"]["source"] == "unknown"
    assert wrapper["hookstream"]["unavailable"] == ["verdict.source"]
    assert "policy_engine" not in read_aarts(wrapper).facts
    answered = event("Policy.Blocked", "PostAskResolution", decision="deny", resolution="denied")
    assert "decided_by" not in read_aarts(written(answered)).facts


@pytest.mark.parametrize(
    ("given", "back"),
    [
        ({"policy_engine": "prisma-airs"}, {"policy_engine": "prisma-airs"}),
        ({"decided_by": "hook"}, {"decided_by": "hook"}),
    ],
)
def test_whose_verdict_it_is_is_read_back(given: dict[str, str], back: dict[str, str]) -> None:
    wrapper = written(event("Policy.Blocked", None, {}, decision="deny", **given))
    facts = read_aarts(wrapper).facts
    assert {
        name: facts.get(name) for name in ("policy_engine", "decided_by") if name in facts
    } == back


def test_both_sides_of_a_changed_input_are_read_back() -> None:
    made = event("Action.Before", "PreToolInputModification", {"command": "ls -l"})
    made.native = {"original_input": {"command": "ls"}}
    again = read_aarts(written(made))
    assert (again.input, again.native) == (made.input, made.native)


def test_a_path_is_redacted_once_however_often_it_is_read() -> None:
    made = event("Action.After", "PostToolUse", {}, output_hash="sha256:" + "a" * 64)
    made.facts["output_length"] = 3
    made.redacted = ["output"]
    wrapper = written(made)
    again = written(read_aarts(wrapper))
    assert again["hookstream"]["redacted"] == wrapper["hookstream"]["redacted"] == ["tool_result"]
