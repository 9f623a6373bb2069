"""Claude Code: what a payload says of an outcome, beyond which event came."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers.claude_code import telemetry

NOW = "2026-01-01T00:00:00.000Z"


def after(response: Any) -> Event:
    payload = {
        "session_id": "s1",
        "hook_event_name": "PostToolUse",
        "cwd": "/w",
        "tool_name": "TaskUpdate",
        "tool_use_id": "t1",
        "tool_input": {"taskId": "1"},
        "tool_response": response,
    }
    record = Record(payload, "claude-code", "PostToolUse", NOW)
    taken = normalize(record, compiled("claude-code"), NOW)
    assert isinstance(taken, list), taken
    return taken[0]


@pytest.mark.parametrize(
    ("response", "success", "outcome"),
    [
        ({"success": True, "taskId": "1"}, True, "ok"),
        ({"success": False, "taskId": "1", "error": "no such task"}, False, "error"),
        ({"stdout": "half", "stderr": "", "interrupted": True}, False, "cancelled"),
        ({"stdout": "all", "stderr": "", "interrupted": False}, True, "ok"),
        ([{"type": "text", "text": "x"}], True, "ok"),
        ("text", True, "ok"),
        (None, True, "ok"),
    ],
)
def test_success_is_what_the_response_says(response: Any, success: bool, outcome: str) -> None:
    event = after(response)
    assert event.facts["success"] is success
    assert event.facts["outcome"] == outcome


WORKSPACE = "/w/src/a b.py"
DONT_ASK = "because Claude Code is running in don't ask mode. IMPORTANT: You *may* attempt"


def entry(text: Any, tool: str) -> Event:
    call = {
        "tool_name": tool,
        "tool_use_id": "t1",
        "tool_input": {"file_path": WORKSPACE, "command": "ls -l"},
        "tool_response": text,
    }
    payload = {"session_id": "s1", "hook_event_name": "PostToolBatch", "tool_calls": [call]}
    taken = normalize(
        Record(payload, "claude-code", "PostToolBatch", NOW), compiled("claude-code"), NOW
    )
    assert isinstance(taken, list), taken
    return taken[0]


@pytest.mark.parametrize(
    ("tool", "text", "who"),
    [
        ("Bash", "PreToolUse:Bash hook error: [/opt/guard.sh]: no", "hook"),
        ("mcp__demo__echo", "PreToolUse:mcp__demo__echo hook error: no", "hook"),
        ("Bash", f"Permission to use Bash has been denied {DONT_ASK}", "mode"),
        ("mcp__a__b", f"Permission to use mcp__a__b has been denied {DONT_ASK}", "mode"),
        ("Write", f"Cannot write to {WORKSPACE} while in plan mode.", "mode"),
        ("Agent", "Cannot call Agent while in plan mode.", "mode"),
        ("Bash", "Permission to use Bash with command git push\n-f has been denied.", "rule"),
        ("WebFetch", "Permission to use WebFetch has been denied.", "rule"),
        ("WebFetch", "WebFetch denied access to domain:example.com.", "rule"),
        ("Read", f"Permission to read {WORKSPACE} has been denied.", "rule"),
        ("Edit", "Permission to edit ~/src/a b.py has been denied.", "rule"),
        ("Task", "Permission to use Task has been denied. IMPORTANT: You *may* ask", "client"),
        (
            "WebFetch",
            "Claude requested permissions to use WebFetch, but you haven't granted it yet.",
            "client",
        ),
        (
            "Write",
            f"Claude requested permissions to write to {WORKSPACE}, but you haven't granted it"
            " yet.",
            "client",
        ),
        (
            "Edit",
            f"Claude requested permissions to edit {WORKSPACE} which is a sensitive",
            "client",
        ),
        ("Bash", "Hook 'PreToolUse:Bash' requires approval for this Bash command", "client"),
        (
            "Bash",
            "Auto mode is unavailable: its safety check does not run for this session, so Bash was"
            " not run.",
            "classifier",
        ),
    ],
)
def test_the_clients_sentences_about_the_entrys_own_tool_are_evidence(
    tool: str, text: str, who: str
) -> None:
    facts = entry(text, tool).facts
    assert (facts["decided_by"], facts["certainty"]) == (who, "observed")
    assert facts["decision_evidence"] == "tool_calls.tool_response"
    assert "\n" not in facts["refusal"]
    assert len(facts["refusal"]) <= 303
    other = entry(text, "Grep" if tool != "Grep" else "LS").facts
    if WORKSPACE not in text and "~" not in text:
        assert "certainty" not in other, "another tool's"


@pytest.mark.parametrize(
    "text",
    [
        "  PreToolUse:Bash hook error: no",
        "log: Permission to use Bash has been denied.",
        "Permission to read /etc/other has been denied.",
        [{"type": "text", "text": "PreToolUse:Bash hook error: no"}],
        "ok",
        None,
    ],
)
def test_a_text_that_only_holds_such_words_is_no_evidence(text: Any) -> None:
    assert not {"decision_evidence", "certainty", "refusal"} & entry(text, "Bash").facts.keys()


@pytest.mark.parametrize(
    ("fields", "is_prompt"),
    [
        ({"command_name": "compact", "command_source": "builtin"}, False),
        ({"command_name": "init", "command_source": "builtin", "message_uuid": "m-1"}, True),
        ({"command_name": "fix", "command_source": "project"}, True),
        ({}, True),
    ],
)
def test_a_command_that_the_client_carries_out_is_no_prompt(
    fields: dict[str, str], is_prompt: bool
) -> None:
    """Its telemetry names every line that a person enters."""
    assert telemetry.is_command({"prompt": "/x", **fields}, Record({})) is not is_prompt


def test_a_compaction_by_hand_is_no_prompt_in_spans() -> None:
    payloads = ({"user_prompt": "/compact keep names"}, {"user_prompt": "/compactness?"})
    assert [telemetry.is_compact(payload, Record({})) for payload in payloads] == [True, False]
