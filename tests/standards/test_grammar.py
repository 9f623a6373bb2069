"""The strict line grammar: the quick answer and the whole parse agree."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookstream.core.jsons import ascii_line, canonical, line
from hookstream.core.limits import DEPTH
from hookstream.core.records import Record
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.redaction.redact import MODES
from hookstream.standards.grammar import MAX_BYTES, close_look, excess, flaw
from hookstream.standards.rendered import Rendered

leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters())
values = st.recursive(
    leaves, lambda below: st.lists(below) | st.dictionaries(st.text(), below), max_leaves=8
)


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text(), values, max_size=4))
def test_what_passes_quickly_passes_a_strict_parse(value: dict[str, object]) -> None:
    written = canonical(value)
    with contextlib.suppress(UnicodeDecodeError):
        written = ascii_line(written)
    if flaw(written) is None:
        assert close_look(written) is None
        read = json.loads(written)
        assert isinstance(read, dict)


@settings(max_examples=300, deadline=None)
@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_pass_exactly_when_every_reader_can_hold_them(number: float) -> None:
    line = json.dumps({"n": [number]}, separators=(",", ":")).encode()
    fits = isinstance(number, float) or abs(number) <= 2**53
    assert (flaw(line) is None) == fits


def test_the_limit_counts_the_newline() -> None:
    line = b'{"a":"' + b"x" * (MAX_BYTES - 9) + b'"}'
    assert len(line) + 1 == MAX_BYTES
    assert flaw(line) is None
    assert flaw(line[:-2] + b'x"}') is not None


def test_depth_64_passes_and_65_does_not() -> None:
    assert flaw(b'{"a":' * 64 + b"1" + b"}" * 64) is None
    assert flaw(b'{"a":' * 63 + b"[[1]]" + b"}" * 63) is not None
    assert flaw(b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}") is not None


def test_a_repeated_key_is_found_by_the_whole_parse() -> None:
    assert close_look(b'{"a":1,"a":2}') == "line repeats a key"
    assert close_look(b'{"a":{"b":1,"\\u0062":2}}') == "line repeats a key"


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.text(st.characters()), values, max_size=4))
def test_a_line_made_here_keeps_the_grammar_whatever_it_says(value: dict[str, object]) -> None:
    made = line(value)
    assert excess(made) is None
    assert flaw(made) is None
    assert close_look(made) is None


def test_what_is_too_long_is_excess() -> None:
    assert excess(line({"a": "x" * MAX_BYTES})) is not None
    assert excess(line({"a": "x" * (MAX_BYTES - 10)})) is None


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", [False, True], ids=["tree", "JSON in a text"])
def test_no_event_that_passed_privacy_nests_deeper_than_a_line_may(mode: str, text: bool) -> None:
    deep: Any = "x"
    for level in range(DEPTH - 8 if not text else 300):
        deep = {"a": deep} if level % 2 else [deep]
    payload = {
        "hook_event_name": "PostToolUse",
        "session_id": "s",
        "transcript_path": "/t",
        "cwd": "/w",
        "tool_name": "mcp__a__b",
        "tool_use_id": "t1",
        "tool_input": json.dumps({"deep": deep}) if text else {"deep": deep},
        "tool_response": deep,
        "unheard_of": {"deep": deep},
    }
    pipeline = Pipeline(Redactor(mode, b"k" * 16), lambda: "2026-11-21T00:00:00Z")
    events = pipeline.take(Record(payload, vendor="claude-code"))
    assert isinstance(events, list) and events
    for item in map(Rendered, events):
        assert flaw(item.agent_hooks) is None
        assert item.aarts is None or flaw(item.aarts) is None


def test_what_the_grammar_cannot_hold_is_mended() -> None:
    given = {
        "n": 2**53 + 1,
        "least": -(2**63),
        "nan": float("nan"),
        "\ud800": "a\udfff",
        "k": 2**53,
    }
    assert json.loads(line(given)) == {
        "n": "9007199254740993",
        "least": "-9223372036854775808",
        "nan": None,
        "\ufffd": "a\ufffd",
        "k": 2**53,
    }
