"""Refused calls in recorded session files: what shows that they did not run, and who refused them.

The truth is the marks that commands left on disk, the guard's own log, and the keys pressed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hookstream.normalizers.claude_code.transcript import ClaudeReader

DATA = Path(__file__).parent / "verdicts/claude-code"
SESSIONS = sorted(path.parent.name for path in DATA.glob("*/truth.json"))
SENTENCE = "The user doesn't want to proceed with this tool use. The tool use was rejected"


def ends(records: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The end of each call, as the reader of the session file has it."""
    reader = ClaudeReader("/h/.claude/projects/p/s.jsonl")
    steps = [step for record in records for step in reader.read(record)] + list(reader.finish())
    return {
        str(facts["call_id"]): facts
        for name, facts in steps
        if name == "user.tool_result" and facts is not None
    }


@pytest.mark.parametrize("session", SESSIONS)
def test_a_call_ran_only_if_its_result_shows_a_run(session: str) -> None:
    truth = json.loads((DATA / session / "truth.json").read_text("utf-8"))
    path = next((DATA / session).rglob("*.jsonl"))
    rows = ends([json.loads(line) for line in path.read_text("utf-8").splitlines()])
    assert set(rows) == set(truth)
    for call_id, call in truth.items():
        row = rows[call_id]
        assert row["outcome"] in call["expect"].split("|"), (call, row)
        if row["outcome"] == "denied":
            # A host's no and a hook's have the same words in builds that record no decision.
            assert row.get("decided_by") in (*call["by"], None), (call, row)


def result(text: str, **fields: Any) -> dict[str, Any]:
    part = {"type": "tool_result", "tool_use_id": "c1", "content": text, "is_error": True}
    return {
        "type": "user", "sessionId": "s", "uuid": "u", "parentUuid": None, "isSidechain": False,
        "entrypoint": "cli", "message": {"role": "user", "content": [part]}, **fields,
    }  # fmt: skip


@pytest.mark.parametrize("version", ["2.0.1", "2.1.199", "2.1.332", "3.0.0", None])
@pytest.mark.parametrize(
    ("text", "fields", "outcome", "who"),
    [
        ("no", {"toolDenialKind": "permission-rule"}, "denied", "hook"),
        ("no", {"toolDenialKind": "permission-rule", "entrypoint": "sdk-cli"}, "denied", None),
        (
            "<tool_use_error>no</tool_use_error>",
            {"toolDenialKind": "permission-rule"},
            "denied",
            "mod",
        ),
        ("no", {"toolDenialKind": "automode-blocked"}, "denied", "classifier"),
        ("no", {"toolDenialKind": "user-rejected"}, "denied", "client"),
        ("no", {"toolDenialKind": "a kind of tomorrow"}, "denied", "client"),
        ("stopped", {"toolDenialKind": "interrupted"}, "cancelled", None),
        (
            SENTENCE,
            {"toolDenialKind": "user-rejected", "toolDenialBeforeRun": True},
            "denied",
            "user",
        ),
        (
            SENTENCE,
            {"toolDenialKind": "user-rejected", "entrypoint": "sdk-cli"},
            "cancelled",
            None,
        ),
        (
            "no",
            {"permissionDecision": {"decision": "reject", "source": "user_reject",
                                    "reasonCode": "permissionPromptTool"}},
            "denied",
            "host",
        ),
    ],
)  # fmt: skip
def test_a_record_says_of_itself_that_its_call_did_not_run(
    text: str, fields: dict[str, Any], outcome: str, who: str | None, version: str | None
) -> None:
    """... whatever the version of the client that wrote it."""
    row = ends([result(text, version=version, **fields)])["c1"]
    assert (row["outcome"], row.get("decided_by")) == (outcome, who)


@pytest.mark.parametrize(
    ("verdict", "engine"),
    [
        ({"decision": "accept", "reasonType": "hook"}, "python3 guard.py"),
        ({"decision": "accept"}, None),
    ],
)
def test_an_allowed_call_names_the_hook_that_let_it_run(
    verdict: dict[str, Any], engine: str | None
) -> None:
    answer = {"hookSpecificOutput": {"permissionDecision": "allow"}}
    hook = {
        "type": "hook_success", "hookEvent": "PreToolUse", "toolUseID": "c1",
        "command": "python3 guard.py", "stdout": json.dumps(answer),
    }  # fmt: skip
    quiet = {**hook, "command": "observer", "stdout": ""}
    told = result("done", permissionDecision=verdict)
    told["message"]["content"][0]["is_error"] = False
    attached = [{"type": "attachment", "attachment": about} for about in (hook, quiet)]
    assert ends([*attached, told])["c1"].get("policy_engine") == engine
