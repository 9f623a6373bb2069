"""The conformance kit over streams of any emitter: what it names, counts and claims."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from tests.same_process import hookstream
from tests.standards.test_lossless import LAW, envelopes, events, validator

from hookstream.core.cloud_events import STREAM
from hookstream.core.event import EVENT_TYPES, HOOK_POINTS
from hookstream.standards.kit import LEVELS, Kit, Remark

EVENT = {
    "spec_version": "0.1.0", "event_id": "0b8ab9d6-1b6a-4d5b-9a36-3a6b4a2f0c11",
    "event_type": "Prompt.Submitted", "timestamp": "2026-05-10T10:00:00Z",
    "source": {"tool": "other-tool"}, "session_id": "s1", "data": {"prompt_length": 4},
}  # fmt: skip
POINT = {
    "hook_point": "PreOutputDeliver", "session_id": "s1", "timestamp": "2026-05-10T10:00:00Z",
    "host_id": "other-host", "aarts_version": "0.1", "turn_id": "t1", "output_text": "done",
}  # fmt: skip


def remarks(standard: str, *lines: dict[str, Any]) -> tuple[Kit, list[Remark]]:
    kit = Kit(standard, validator())
    return kit, [remark for line in lines for remark in kit.remarks(json.dumps(line).encode())]


@LAW
@given(events())
def test_a_sound_event_gets_no_remark(line: dict[str, Any]) -> None:
    kit, told = remarks("agent-hooks", line)
    assert (told, kit.lossless, kit.breaches) == ([], 1, 0)
    assert kit.arrived["event type", line["event_type"]] == 1


@LAW
@given(envelopes())
def test_a_sound_envelope_gets_no_remark(line: dict[str, Any]) -> None:
    kit, told = remarks("aarts", line)
    assert (told, kit.lossless, kit.breaches) == ([], 1, 0)
    assert kit.arrived["hook point", line.get("aarts", line)["hook_point"]] == 1


def test_every_name_that_the_standard_lacks_is_named_with_the_nearest() -> None:
    kit, told = remarks("agent-hooks", {**EVENT, "event_type": "Prompt.Submited"})
    assert [t.text for t in told] == [
        'event type "Prompt.Submited" is not in the standard; did you mean Prompt.Submitted?'
    ]
    assert not told[0].is_breach and kit.unknown == {"Prompt.Submited": 1}
    kit, told = remarks("agent-hooks", {**EVENT, "event_type": "vendor.other-tool.Thought"})
    assert told == [] and kit.own == {"vendor.other-tool.Thought": 1}
    kit, told = remarks("aarts", {**POINT, "hook_point": "PreOutputDelivery"})
    assert "did you mean PreOutputDeliver?" in told[0].text


@pytest.mark.parametrize(
    ("standard", "line", "field"),
    [
        ("agent-hooks", {**EVENT, "mood": 1}, "mood"),
        ("agent-hooks", {**EVENT, "data": {"prompt_length": 4, "mood": 1}}, "mood"),
        ("aarts", {**POINT, "mood": 1}, "mood"),
    ],
)
def test_fields_that_the_standard_lacks_are_named(
    standard: str, line: dict[str, Any], field: str
) -> None:
    _, told = remarks(standard, line)
    assert len(told) == 1 and field in told[0].text and not told[0].is_breach


def test_a_breach_of_the_schema_is_one() -> None:
    kit, told = remarks("agent-hooks", {**EVENT, "timestamp": "yesterday"}, EVENT)
    assert [t.is_breach for t in told] == [True] and kit.breaches == 1
    assert kit.summary()[0] == (
        "Agent Hooks 0.1.0: 2 objects, 1 keep the schema; of 1 whose event type the standard has"
        " 1 come back with every field"
    )


def test_a_batch_counts_its_objects_and_a_verdict_is_read_no_further() -> None:
    lines = [json.dumps({**EVENT, "event_id": f"0b8ab9d6-1b6a-4d5b-9a36-3a6b4a2f0c1{n}"})
             for n in range(3)]  # fmt: skip
    batch = {
        "specversion": "1.0", "id": "b1", "source": "/other", "type": "batch", "data_base64":
        b64encode("\n".join(lines).encode()).decode(), "datacontenttype": STREAM,
    }  # fmt: skip
    kit, told = remarks("agent-hooks", batch, POINT)
    assert (told, kit.objects, kit.lossless, kit.others) == ([], 4, 3, 1)
    verdict = {"decision": "deny", "category": "persistence", "severity": "info",
               "source": "heuristic"}  # fmt: skip
    kit, told = remarks("aarts", verdict)
    assert (told, kit.objects, kit.lossless) == ([], 1, 0)
    assert kit.arrived["decision", "deny"] == 1


def test_a_level_needs_all_of_the_levels_below() -> None:
    kit = Kit("aarts", validator())
    assert kit.level()[0] == 0
    for number, wanted in enumerate(LEVELS, 1):
        for kind, names in wanted.items():
            for name in names:
                assert kit.level()[0] == number - 1
                kit.arrived[kind, name] += 1
        assert kit.level()[0] == number
    assert kit.level() == (3, [])


def test_levels_are_those_of_the_question() -> None:
    sql = (files("hookstream.queries") / "conformance.sql").read_text("utf-8")
    rows = set(re.findall(r"\((\d), '([a-z ]+)', '([^']+)'\)", sql))
    here = {
        (str(n), k, name) for n, w in enumerate(LEVELS, 1) for k, ns in w.items() for name in ns
    }
    assert rows == here
    points = {name for _, kind, name in here if kind == "hook point"}
    assert points == set(HOOK_POINTS) and len(EVENT_TYPES) == 23


def test_the_command_prints_what_arrived_and_fails_when_asked(tmp_path: Any) -> None:
    log = tmp_path / "theirs.jsonl"
    strange = {**EVENT, "event_type": "Thought.Had"}
    log.write_text("".join(json.dumps(line) + "\n" for line in (EVENT, POINT, strange)), "utf-8")
    done = hookstream("validate", log, "--standard", "agent-hooks")
    told = done.stdout.decode()
    assert done.returncode == 0
    assert f'{log}:3: event type "Thought.Had" is not in the standard' in told
    assert "event types: 1 of 23" in told and "not of this standard: 1 objects" in told
    assert hookstream("validate", log, "--standard", "agent-hooks", "--strict").returncode == 1
    piped = hookstream("validate", "-", "--standard", "agent-hooks", given=log.read_bytes())
    assert piped.stdout.decode() == told.replace(str(log), "-")
    told = hookstream("validate", log, "--standard", "aarts").stdout.decode()
    assert "level shown: 0 of 3; level 1 lacks hook point PreToolUse" in told
    log.write_text(json.dumps(EVENT) + "\n", "utf-8")
    done = hookstream("validate", log, "--standard", "aarts")
    assert done.returncode == 2 and b"no line is of aarts" in done.stderr
    assert hookstream("validate", log, "--strict").returncode == 2
