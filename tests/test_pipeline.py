"""The pipeline as a whole: what one record does to the others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hookstream.core.records import Record
from hookstream.normalizers import normalize
from hookstream.pipeline import stages as pipeline
from hookstream.redaction import Redactor

if TYPE_CHECKING:
    import pytest

NOW = "2026-11-21T12:00:00Z"


def prompt(text: str) -> Record:
    return Record(
        {
            "session_id": "11111111-1111-4111-8111-111111111111",
            "hook_event_name": "UserPromptSubmit",
            "transcript_path": "/t",
            "cwd": "/w",
            "permission_mode": "default",
            "prompt": text,
        },
        vendor="claude-code",
    )


def test_a_fault_of_ours_costs_one_record_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(record: Record, ready: Any, now: str) -> Any:
        if record.payload["prompt"] == "two":
            raise KeyError("a message that may hold a payload")
        return normalize(record, ready, now)

    monkeypatch.setattr(pipeline, "normalize", faulty)
    line = pipeline.Pipeline(Redactor("redact", pseudonym_key=bytes(16)), lambda: NOW)
    events, rejections = line.take_all([prompt("one"), prompt("two"), prompt("three")])
    assert [event.facts["prompt"] for event in events] == ["one", "three"]
    assert [rejection.reason for rejection in rejections] == ["internal: KeyError"]
    assert (line.tally.read, line.tally.produced, line.tally.rejected) == (3, 2, 1)


def test_a_batch_is_what_its_records_are_one_by_one() -> None:
    records = [prompt(text) for text in ("one", "two", "three")]
    together = pipeline.Pipeline(Redactor("hash", pseudonym_key=bytes(16)), lambda: NOW)
    apart = pipeline.Pipeline(Redactor("hash", pseudonym_key=bytes(16)), lambda: NOW)
    events, _ = together.take_all(records)
    one_by_one = [event for record in records for event in apart.take(record)]  # type: ignore[union-attr]
    assert [event.facts for event in events] == [event.facts for event in one_by_one]


def test_only_lines_that_become_events_are_looked_at_twice() -> None:
    deep = json.loads('{"a":' * 80 + "1" + "}" * 80)
    common = {"session_id": "s", "transcript_path": "/t/.gemini/x", "cwd": "/w", "timestamp": NOW}
    model = {"llm_request": {"model": "m", "messages": []}}

    def line(name: str, **more: Any) -> bytes:
        payload = {**common, "hook_event_name": name, **more}
        return json.dumps({"vendor": "gemini-cli", "payload": payload}).encode()

    twice = line("BeforeModel", **model).replace(b'"cwd"', b'"cwd": "/v", "cwd"')
    given = [
        line("BeforeToolSelection", deep=deep, **model),
        line("BeforeModel", deep=deep, **model),
        twice,
    ]
    through = pipeline.Pipeline(Redactor("hash", pseudonym_key=bytes(16)), lambda: NOW)
    ignored, rejected, events = through.outcomes([(one, "source", 0) for one in given])
    assert ignored == "repeats the BeforeModel of the same request"
    assert rejected.reason == "too_deep"  # type: ignore[union-attr]
    assert events[0].event.native["marks"] == ["duplicate_key"]  # type: ignore[index,union-attr]
    assert through.tally.rejected == 1
