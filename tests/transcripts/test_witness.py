"""What a record comes from stays with it: in the line, in the column, in its identity."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.records import Record, Rejection, read_record
from hookstream.lake.columns import row
from hookstream.normalizers import compiled, has_table, normalize
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.standards.agent_hooks import agent_hooks
from hookstream.standards.agent_hooks_reader import read_agent_hooks

NOW = "2026-01-01T00:00:00.000Z"
PAYLOAD = {
    "hook_event_name": "PreToolUse",
    "session_id": "s",
    "transcript_path": "/t",
    "tool_name": "Bash",
    "tool_use_id": "toolu_1",
    "tool_input": {"command": "ls"},
}


def record(witness: str) -> Record:
    line = {"vendor": "claude-code", "witness": witness, "payload": PAYLOAD, "received_at": NOW}
    made = read_record(json.dumps(line).encode())
    assert isinstance(made, Record)
    return made


def event_of(witness: str) -> Any:
    made = normalize(record(witness), compiled("claude-code"), NOW)
    assert not isinstance(made, str)
    return made[0]


def test_a_capture_record_names_its_witness_and_an_unknown_one_is_a_hook() -> None:
    assert record("telemetry").witness == "telemetry"
    assert record("rumour").witness == "hook"


def test_the_witness_stands_in_the_line_and_in_the_column() -> None:
    event = event_of("telemetry")
    line = agent_hooks(event)
    assert line["metadata"]["dev.hookstream"]["witness"] == "telemetry"
    assert read_agent_hooks(line).facts["witness"] == "telemetry"
    assert row(event, "", None)["witness"] == "telemetry"
    assert row(event_of("hook"), "", None)["witness"] == "hook"


def test_the_same_call_of_two_witnesses_is_two_events_and_of_hook_and_wrap_one() -> None:
    hook, wrap, file = (event_of(w).facts["event_id"] for w in ("hook", "wrap", "telemetry"))
    assert hook == wrap != file


def test_a_table_is_found_by_its_witness() -> None:
    assert compiled("claude-code", "wrap") is compiled("claude-code")
    assert not has_table("windsurf", "telemetry")
    assert not has_table("nobody", "hook")
    with pytest.raises(KeyError):
        compiled("windsurf", "transcript")


def test_only_the_witnesses_asked_for_are_used(tmp_path: Path) -> None:
    pipeline = Pipeline(Redactor(pseudonym_key=b"k" * 32), lambda: NOW, witnesses=("transcript",))
    assert pipeline.take(record("hook")) == []
    assert pipeline.tally.ignored == {"hook: not asked for": 1}


def test_a_witness_without_a_table_is_a_rejection() -> None:
    pipeline = Pipeline(Redactor(pseudonym_key=b"k" * 32), lambda: NOW)
    given = Record(PAYLOAD, vendor="windsurf", witness="transcript")
    refused = pipeline.take(given)
    assert isinstance(refused, Rejection)
    assert refused.reason == "unknown_vendor"
