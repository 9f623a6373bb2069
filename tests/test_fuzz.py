"""Whatever comes: no fault of ours, every record accounted for, every line valid and read back as
it was written, every question answered. `make fuzz` does so with 200,000 payloads."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import pytest
from tests.mutations import mutated

from hookstream.core.records import Rejection
from hookstream.pipeline.stages import Pipeline
from hookstream.queries.catalog import queries
from hookstream.queries.runner import ask, open_stream
from hookstream.redaction import Redactor
from hookstream.redaction.scanner import Scanner
from hookstream.standards.aarts import aarts
from hookstream.standards.aarts_reader import read_aarts
from hookstream.standards.agent_hooks import agent_hooks
from hookstream.standards.agent_hooks_reader import read_agent_hooks
from hookstream.standards.validate import Validator

NOW = "2026-11-21T12:00:00.000Z"
KEY = b"a key for tests, no secret at all"
MODES = ("hash", "redact", "full")
BATCH = 250
# What once went wrong.
SEEDS = (
    1,
    102,
    166,
    343,
    565,
    703,
    709,
    1194,
    1367,
    1506,
    1666,
    1811,
    2359,
    2371,
    2665,
    1000230,
    2000089,
)
COUNT = int(os.environ.get("FUZZ", "200000"))
FIRST = int(os.environ.get("FUZZ_FIRST", "0"))


@cache
def scanner() -> Scanner:
    return Scanner()


def taken(seeds: list[int], mode: str, validator: Validator) -> list[bytes]:
    """The Agent Hooks lines of the payloads; what is wrong with any is an AssertionError."""
    line = Pipeline(Redactor(mode, pseudonym_key=KEY, scanner=scanner()), lambda: NOW)
    outcomes = line.outcomes([(mutated(seed), "fuzz", seed) for seed in seeds], "both")
    written = []
    for seed, made in zip(seeds, outcomes, strict=True):
        assert not isinstance(made, Rejection) or not made.reason.startswith("internal"), (
            seed,
            made.reason,
        )
        for one in made if isinstance(made, list) else ():
            lines = [one.agent_hooks, *([one.aarts] if one.aarts is not None else [])]
            for text in lines:
                assert (seed, mode, validator.problems(text)) == (seed, mode, [])
            again = read_agent_hooks(json.loads(one.agent_hooks))
            assert agent_hooks(again) == agent_hooks(one.event), (seed, mode)
            assert aarts(again) == aarts(one.event), (seed, mode)
            written.append(one.agent_hooks)
    tally = line.tally
    assert tally.read == tally.produced + sum(tally.ignored.values()) + tally.rejected
    assert tally.read == len(seeds)
    return written


def answered(written: list[bytes], folder: Path) -> None:
    folder.mkdir()
    (folder / "agent-hooks.jsonl").write_bytes(b"".join(line + b"\n" for line in written))
    with open_stream(folder) as stream:
        for name in queries():
            ask(stream, name, limit=100)


@pytest.mark.parametrize("mode", MODES)
def test_some_mutated_payloads_do_no_harm(mode: str, tmp_path: Path) -> None:
    first = 1_000_000 * MODES.index(mode)
    written = taken([*SEEDS, *range(first, first + BATCH)], mode, Validator())
    if mode == "hash":
        answered(written, tmp_path / "stream")


def test_a_wrapper_that_is_read_again_keeps_what_it_says_of_itself() -> None:
    """Of a rewritten input, too: which paths privacy changed, and each concluded fact once."""
    call = {"session_id": "s", "cwd": "/w", "tool_name": "Write", "tool_use_id": "t"}
    given = []
    for name, text in (("PreToolUse", "one"), ("PostToolUse", "two")):
        payload = {**call, "hook_event_name": name, "tool_input": {"content": text}}
        record = {"vendor": "claude-code", "received_at": NOW, "payload": payload}
        given.append((json.dumps(record).encode(), "fuzz", len(given)))
    redactor = Redactor("hash", pseudonym_key=KEY, scanner=scanner())
    told = [
        json.loads(one.aarts)
        for made in Pipeline(redactor, lambda: NOW).outcomes(given, "both")
        for one in made or ()
        if not isinstance(one, str) and one.aarts is not None
    ]
    points = [wrapper["aarts"]["hook_point"] for wrapper in told]
    assert points == ["PreToolUse", "PostToolUse", "PreToolInputModification"]
    for wrapper in told:
        again = aarts(read_aarts(wrapper))
        assert again is not None
        assert again["hookstream"]["redacted"] == wrapper["hookstream"]["redacted"] != []
        assert again["hookstream"]["synthesized"] == wrapper["hookstream"]["synthesized"]


@pytest.mark.slow
def test_many_mutated_payloads_do_no_harm(tmp_path: Path) -> None:
    validator = Validator()
    faults = []
    for number, first in enumerate(range(FIRST, FIRST + COUNT, BATCH)):
        mode = MODES[number % 3]
        try:
            written = taken(list(range(first, first + BATCH)), mode, validator)
            if number % 40 == 0:
                answered(written, tmp_path / f"stream-{first}")
        except Exception as error:
            faults.append((first, mode, type(error).__name__, str(error)[:500]))
    assert not faults, "\n".join(map(str, faults))
