"""Whatever an emitter calls its actions, tools and servers, each line that is written is valid."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.standards.test_lossless import LAW, finished, written

from hookstream.core.event import EVENT_TYPES, HOOK_POINTS

Json = dict[str, Any]
NAMES = st.one_of(
    st.sampled_from(
        [
            "", " ", "|", "a | b", "shell | read_file", "shell | read_file\n", "shell|read_file",
            "mcp:", "mcp:a | b", "mcp: | ", "mcp__", "mcp____", "mcp__a__", "mcp__a | b__c | d",
            "a/b", "/", "other", "é | ü", "x" * 300, "\u0000", "vendor.a.B", "allow | deny | ask",
        ]
    ),
    st.text(max_size=12),
    st.lists(st.sampled_from(["shell", "a", "_", "mcp:x"]), min_size=1, max_size=4).map(" | ".join),
)  # fmt: skip
VALUES = st.one_of(NAMES, st.none(), st.integers(-1, 1), st.lists(NAMES, max_size=2))


@st.composite
def events(draw: Any) -> Json:
    """Agent Hooks of any emitter."""
    kinds = st.one_of(st.sampled_from(EVENT_TYPES), st.just("Action.Never"), NAMES.filter(bool))
    data: Json = {
        "action": {"name": draw(VALUES), "input": draw(st.dictionaries(NAMES, VALUES, max_size=2))},
        "decision": {"outcome": draw(VALUES), "reason": draw(VALUES)},
    }
    metadata = st.dictionaries(st.sampled_from(["action_native", "mcp_server", "call_id"]), VALUES)
    return {
        "spec_version": "0.1.0", "event_id": "00000000-0000-7000-8000-000000000001",
        "event_type": draw(kinds), "timestamp": "2026-05-10T10:00:00Z",
        "source": {"tool": draw(NAMES.filter(bool))}, "session_id": "s1", "data": data,
        "metadata": {"dev.hookstream": draw(metadata), "acme": {"tool": draw(VALUES)}},
    }  # fmt: skip


@st.composite
def objects(draw: Any) -> Json:
    """AARTS of any host."""
    return {
        "hook_point": draw(st.sampled_from(HOOK_POINTS)), "session_id": "s1",
        "timestamp": "2026-05-10T10:00:00Z", "host_id": draw(NAMES.filter(bool)),
        "aarts_version": "0.1", "turn_id": "t1", "tool_name": draw(VALUES),
        "tool_name_native": draw(VALUES),
        "tool_input": draw(st.dictionaries(NAMES, VALUES, max_size=2)),
        "artifacts": [], "server_name": draw(VALUES), "server_id": draw(VALUES),
        "skill_name": draw(VALUES), "resolution": draw(NAMES.filter(bool)),
    }  # fmt: skip


@LAW
@given(st.one_of(events(), objects()), st.sampled_from(["hash", "full"]))
@pytest.mark.long
def test_every_line_of_hostile_names_is_valid(line: Json, mode: str) -> None:
    written(finished(json.loads(json.dumps(line)), mode))


@pytest.mark.parametrize("name", ["shell | read_file", "a | b | c"])
def test_an_enum_in_place_of_a_name_names_nothing(name: str) -> None:
    line: Json = {
        "spec_version": "0.1.0", "event_id": "00000000-0000-7000-8000-000000000001",
        "event_type": "Action.Before", "timestamp": "2026-05-10T10:00:00Z",
        "source": {"tool": "otherhost"}, "session_id": "s1",
        "data": {"action": {"name": name, "input": {"command": "ls"}}},
    }  # fmt: skip
    event = finished(line)
    written(event)
    assert event.facts["action_name"] == "other"
    assert event.unmapped == {"action_name": name}
