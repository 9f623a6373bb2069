"""Claude Code: what a payload says of an outcome, beyond which event came."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers.claude_code import telemetry

NOW = "2026-01-01T00:00:00.000Z"


WORKSPACE = "/w/src/a b.py"


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
    assert telemetry.is_command({"prompt": "/x", **fields}) is not is_prompt


def test_a_compaction_by_hand_is_no_prompt_in_spans() -> None:
    payloads = ({"user_prompt": "/compact keep names"}, {"user_prompt": "/compactness?"})
    assert [telemetry.is_compact(payload) for payload in payloads] == [True, False]
