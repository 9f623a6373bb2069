"""Laws of the whole house: total, conserving, idempotent, indifferent to the order of keys."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hookstream.core.records import Rejection, read_record
from hookstream.pipeline.stages import Pipeline
from hookstream.standards.rendered import Rendered
from test_golden import PAYLOADS, pipeline

LINES = [
    line
    for path in PAYLOADS
    for line in path.read_bytes().split(b"\n")
    if line and len(line) < 20_000
]


def through(line: Pipeline, data: bytes, offset: int = 0) -> list[Rendered] | None:
    """What a line gives, or None for a blank or rejected one."""
    record = read_record(data, "s", offset)
    if record is None:
        return None
    taken = line.take(record)
    return None if isinstance(taken, Rejection) else [Rendered(event) for event in taken]


def shuffled(value: Any, dice: random.Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        dice.shuffle(keys)
        return {key: shuffled(value[key], dice) for key in keys}
    return [shuffled(one, dice) for one in value] if isinstance(value, list) else value


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(LINES), st.randoms(use_true_random=False))
def test_the_order_of_keys_is_irrelevant(line: bytes, dice: random.Random) -> None:
    other = json.dumps(shuffled(json.loads(line), dice)).encode()
    one, two = through(pipeline(), line), through(pipeline(), other)
    assert one is not None
    assert two is not None
    assert [r.agent_hooks for r in one] == [r.agent_hooks for r in two]
    assert [r.aarts for r in one] == [r.aarts for r in two]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(LINES), st.binary(max_size=60)), max_size=12))
def test_every_record_is_produced_ignored_or_rejected(lines: list[bytes]) -> None:
    line = pipeline()
    for offset, data in enumerate(lines):
        for part in data.split(b"\n"):
            through(line, part, offset)
    tally = line.tally
    assert tally.read == tally.produced + sum(tally.ignored.values()) + tally.rejected


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(LINES), st.data())
def test_any_damage_to_a_line_gives_events_or_a_rejection(line: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(line) - 1))
    damaged = line[:at] + data.draw(st.binary(max_size=3)) + line[at + 1 :]
    for part in damaged.split(b"\n"):
        for one in through(pipeline(), part) or ():
            assert one.agent_hooks.isascii()
            json.loads(one.agent_hooks)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(LINES), st.sampled_from(["hash", "redact", "full"]))
def test_privacy_is_idempotent(line: bytes, mode: str) -> None:
    again = pipeline(mode).privacy
    for one in through(pipeline(mode), line) or ():
        before = one.agent_hooks
        again.redact_event(one.event)
        assert Rendered(one.event).agent_hooks == before


def test_a_stream_read_again_is_the_same_stream() -> None:
    """Derived events are dropped and derived again; everything else is what it was."""
    for path in PAYLOADS:
        first = pipeline()
        made = [
            one.agent_hooks
            for data in path.read_bytes().split(b"\n")
            for one in through(first, data) or ()
        ]
        second = pipeline()
        again = [one.agent_hooks for data in made for one in through(second, data) or ()]
        assert again == made, path
