"""The Trace profile of ACS: every step and all five decisions, and other spans of its prefix.

The export was written from the specification, not recorded.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exports_reading import read
from hookstream.core.event import Event
from hookstream.normalizers.aos.telemetry import SPANS, STEPS

SAMPLE = Path(__file__).parent / "data/acs/trace.jsonl"


def events() -> list[Event]:
    return read(SAMPLE.read_bytes().splitlines())


def of(kind: str) -> list[dict[str, Any]]:
    return [event.facts for event in events() if event.type == kind]


def test_every_span_of_the_mapping_has_a_row() -> None:
    assert all(SPANS.fullmatch(name) for name in STEPS)
    assert len(STEPS) == 20  # 21 methods, two of which share a span


def test_a_call_ends_as_its_status_says() -> None:
    told = [(f["action_native"], f.get("outcome")) for f in of("Action.After")]
    assert told == [("file_read", "ok"), ("Bash", "error"), ("file_write", "timeout")]
    first = of("Action.Before")[0]
    assert (first["action_name"], first["action_category"]) == ("read_file", "file_read")


def test_the_five_decisions() -> None:
    told = [(f.get("decision"), f.get("modified")) for f in of("vendor.aos.Decision")]
    assert told == [("allow", None), ("allow", None), ("allow", True), ("ask", None), (None, None)]
    (refused,) = of("Policy.Blocked")
    assert refused["action_native"] == "Bash"
    assert refused["decision_reason"] == "no pushes on a Friday"
    assert (refused["decided_by"], refused["certainty"]) == ("hook", "observed")


def test_one_session_a_sub_agent_and_a_compaction() -> None:
    (started,) = of("Agent.Plan.Start")
    assert started["parent_session_id"] != started["session_id"]
    others = {e.facts["session_id"] for e in events() if not e.type.startswith("Agent.Plan")}
    assert others == {started["parent_session_id"]}
    assert [f["context_phase"] for f in of("Context.Compaction")] == ["before", "after"]
    assert of("Context.Compaction")[0]["context_trigger"] == "auto"
    assert {event.facts["tool"] for event in events()} == {"release-helper"}


@pytest.mark.parametrize(
    ("name", "attributes"),
    [
        ("acs.evaluate pre_tool_call", {"acs.decision": "deny"}),
        ("gen_ai.tool.call", {"gen_ai.tool.name": "file_read"}),
    ],
)
def test_spans_of_others_are_not_read(name: str, attributes: dict[str, str]) -> None:
    """Another ACS uses the same prefix; a name alone says nothing."""
    export = json.loads(SAMPLE.read_text())
    (scope,) = export["resourceSpans"][0]["scopeSpans"]
    span = scope["spans"][3]
    span["name"] = name
    span["attributes"] = [
        {"key": key, "value": {"stringValue": value}} for key, value in attributes.items()
    ]
    scope["spans"] = [span]
    assert read([json.dumps(export).encode()]) == []
