"""A hook's answer in Droid's session file and at its wrap is one refusal."""

from __future__ import annotations

import json

import pytest

from hookstream.capture.wrap.verdicts import contract_of, judge
from hookstream.normalizers.droid.transcript import DroidReader
from hookstream.normalizers.droid.wording import answer_of


def own(**words: str) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **words}})


@pytest.mark.parametrize(
    ("status", "output", "errors", "is_refusal"),
    [
        (0, "", "", False),
        (2, "", "no", True),
        (3, "", "stop all", True),
        (1, "", "odd", False),
        (0, own(permissionDecision="deny", permissionDecisionReason="no"), "", True),
        (0, own(permissionDecision="allow"), "", False),
        (0, own(permissionDecision="ask"), "", False),
        (0, "no object", "", False),
    ],
)
def test_both_doors_judge_an_answer_alike(
    status: int, output: str, errors: str, is_refusal: bool
) -> None:
    assert (answer_of(status, output, errors) is not None) == is_refusal
    contract = contract_of("droid", None)
    assert contract is not None
    judged = judge(contract, "PreToolUse", status, output, errors)
    assert (judged.decision == "deny") == is_refusal


def test_a_refusal_names_the_command_of_the_hook_that_gave_it() -> None:
    reader = DroidReader("/h/.factory/sessions/-p/s.jsonl")
    hooks = {
        "hookEventName": "PreToolUse", "hookToolCallId": "c1",
        "hookCommands": [{"command": "observe"}, {"command": "guard"}],
        "hookResults": [{"exitCode": 0}, {"exitCode": 2, "stderr": "no"}],
    }  # fmt: skip
    part = {"type": "tool_result", "tool_use_id": "c1", "is_error": True, "content": "Error: no"}
    messages = (hooks, {"role": "user", "content": [part]})
    steps = [s for m in messages for s in reader.read({"type": "message", "message": m})]
    (end,) = (facts for name, facts in steps if name == "tool_result")
    assert (end["decided_by"], end["policy_engine"]) == ("hook", "guard")
