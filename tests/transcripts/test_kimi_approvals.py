"""Kimi Code's record of an answer: a person's only where its session file shows a question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.records import Record
from hookstream.transcripts.files import SessionFile

PLACE = "/h/.kimi-code/sessions/wd_project_1/session_s/agents/main/wire.jsonl"
QUESTION = {
    "type": "interaction.request",
    "kind": "approval",
    "toolCallId": "c1",
    "request": {"toolName": "Bash"},
    "time": 1795537558000,
}


@pytest.mark.parametrize(
    ("question", "word", "who"),
    [
        ([QUESTION], "approved", "user"),
        ([QUESTION], "rejected", "user"),
        ([QUESTION], "cancelled", None),
        # Without a broker the client approves by itself, and a hook may answer in its place.
        ([], "approved", None),
        ([], "rejected", None),
    ],
)
def test_who_answered(question: list[dict[str, Any]], word: str, who: str | None) -> None:
    answer = {
        "type": "permission.record_approval_result",
        "toolCallId": "c1",
        "toolName": "Bash",
        "result": {"decision": word},
        "time": 1795537559000,
    }
    file = SessionFile(Path(PLACE), "kimi-code", "s")
    values = [json.dumps(value).encode() for value in (*question, answer)]
    steps = [step for n, value in enumerate(values) for step in file.take(value, n)]
    steps += file.finish(len(values))
    (payload,) = (
        step.payload
        for step in steps
        if isinstance(step, Record) and "decision_evidence" in step.payload
    )
    assert payload.get("decided_by") == who
