"""What the analyst sees of a wrapped hook, on the hook's own log and after `run`."""

import os
import sys

import pytest
from hook_runner import CLAUDE, COPILOT

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.runner import Filters, ask, open_stream

sys.path.insert(0, os.path.dirname(__file__))
from wrap_runner import lines, policy, wrapped

RAN = {"stdout": "", "stderr": "", "interrupted": False}
SECOND = {**CLAUDE, "tool_use_id": "toolu_02", "tool_input": {"command": "curl example.org"}}
BATCH = {
    **{key: CLAUDE[key] for key in ("session_id", "transcript_path", "cwd", "prompt_id")},
    "hook_event_name": "PostToolBatch",
    "tool_calls": [
        {
            "tool_name": "Bash",
            "tool_input": CLAUDE["tool_input"],
            "tool_use_id": "toolu_01",
            "tool_response": "PreToolUse:Bash hook error: [policy.py]: not today",
        }
    ],
}


@pytest.fixture
def story(home, tmp_path):
    """One call refused, one that ran because its guard failed, one refused by a crash."""
    refuse = policy(tmp_path, "sys.stderr.write('not today'); sys.exit(2)")
    wrapped(home, "claude-code", "PreToolUse", refuse, CLAUDE)
    home.hook("claude-code", "PostToolBatch", payload=BATCH)
    crash = policy(tmp_path, "raise SystemExit(1)")
    wrapped(home, "claude-code", "PreToolUse", crash, SECOND)
    lines(home.log, 5)  # the tool takes its time
    after = {**SECOND, "hook_event_name": "PostToolUse", "tool_response": RAN}
    home.hook("claude-code", "PostToolUse", payload=after)
    wrapped(home, "copilot", "preToolUse", crash, COPILOT)
    lines(home.log, 8)
    return home.log


def rows(path, name):
    with open_stream(path) as stream:
        found = ask(stream, name, Filters(), limit=50)
        return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


@pytest.mark.long
@pytest.mark.parametrize("delivered", [False, True])
def test_denies_are_observed_and_failures_found(story, tmp_path, delivered):
    place = story.parent
    if delivered:
        place = tmp_path / "out"
        execute(
            Job(sources=[str(story)], sinks=[f"jsonl:{place}"], standard="both", privacy="hash")
        )
    denies = rows(place, "denies")[::-1]  # the newest is first
    told = [(row["tool"], row["decided_by"], row["certainty"]) for row in denies]
    assert told == [("claude-code", "hook", "observed"), ("copilot", "hook", "observed")]
    assert denies[0]["call_id"] == "toolu_01"
    assert denies[0]["decision_reason"] == "not today"
    assert denies[0]["decision_evidence"] == "hook answer"
    assert denies[0]["executed_afterwards"] is False
    opened = rows(place, "failed_open")
    assert [(row["call_id"], row["failure"], row["outcome"]) for row in opened] == [
        ("toolu_02", "error", "ok")
    ]
