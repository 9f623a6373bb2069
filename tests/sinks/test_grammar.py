"""The strict line grammar: the quick answer and the whole parse agree."""

from __future__ import annotations

import contextlib
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from hookstream.jsons import ascii_line, canonical, line
from hookstream.sinks.grammar import MAX_BYTES, close_look, excess, flaw

leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters())
values = st.recursive(
    leaves, lambda below: st.lists(below) | st.dictionaries(st.text(), below), max_leaves=8
)


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


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.text(st.characters()), values, max_size=4))
def test_a_line_made_here_keeps_the_grammar_whatever_it_says(value: dict[str, object]) -> None:
    made = line(value)
    assert excess(made) is None
    assert flaw(made) is None
    assert close_look(made) is None


def test_what_is_too_long_or_too_deep_is_excess() -> None:
    assert excess(line({"a": "x" * MAX_BYTES})) is not None
    deep: object = 1
    for _ in range(65):
        deep = {"a": deep}
    assert excess(line(deep)) is not None
    assert excess(line({"a": "{" * 100})) is None


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
