"""Telemetry alone: what the clients' session files prove, and nothing that they do not."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from exports_reading import Told, calls, pipeline, read
from hookstream.core.event import Event
from hookstream.normalizers.opencode.telemetry import READ, WRITTEN, input_tokens
from hookstream.normalizers.qwen_code.wording import ended

DATA = Path(__file__).parent / "data"
CASES = sorted(path.name.removesuffix(".otlp.jsonl") for path in DATA.glob("*.otlp.jsonl"))
# How these end is not in their telemetry: `success` is said of commands that failed, too.
SILENT = {"gemini-cli": {"run_shell_command"}}


def of_case(name: str) -> tuple[str, list[bytes], dict[str, Any]]:
    client = next(c for c in ("claude-code", "gemini-cli", "qwen-code", "") if name.startswith(c))
    truth = json.loads((DATA / f"{name}.truth.json").read_text())
    lines = (DATA / f"{name}.otlp.jsonl").read_bytes().splitlines()
    return client or name.partition("-")[0], lines, truth


def pair(truth: dict[str, Any], found: dict[str, Told]) -> list[tuple[dict[str, Any], Told | None]]:
    """Each true call with what was told of it: by id, else the next of its tool with a made id."""
    left = dict(found)
    pairs = [(call, left.pop(call["id"], None)) for call in truth["calls"]]
    for place, (call, told) in enumerate(pairs):
        if told is None:
            made = (i for i, t in left.items() if t.made_id and t.tool == call["tool"])
            pairs[place] = (call, left.pop(next(made, ""), None))
    assert not left, "calls that nobody made"
    return pairs


def real(events: Iterable[Event], kind: str) -> list[dict[str, Any]]:
    return [e.facts for e in events if e.type == kind and "duplicate_of" not in e.facts]


@pytest.mark.parametrize("name", CASES)
def test_says_what_is_proved_and_nothing_false(name: str) -> None:
    client, lines, truth = of_case(name)
    events = read(lines)
    assert events
    assert {event.facts["witness"] for event in events if "derived" not in event.facts} == {
        "telemetry"
    }
    for call, told in pair(truth, calls(events)):
        outcome = told.outcome if told else None
        assert outcome in (None, call["outcome"]), call
        if call["told"] and not (
            call["told"] != "denied" and call["tool"] in SILENT.get(client, ())
        ):
            assert outcome == call["told"], call
        if call["denied_by"]:
            assert told and told.by == {call["denied_by"]}, call


@pytest.mark.parametrize("name", CASES)
def test_counts_prompts_agents_compactions_and_tokens_once(name: str) -> None:
    client, lines, truth = of_case(name)
    events = read(lines)
    compactions = [
        [facts.get("tokens_before"), facts.get("tokens_after")]
        for facts in real(events, "Context.Compaction")
    ]
    if client == "opencode":
        return  # by default its spans hold neither prompts nor tokens
    assert len(real(events, "Prompt.Submitted")) == truth["prompts"]
    assert len(real(events, "Agent.Plan.Start")) == truth["agents"]
    assert len(compactions) == len(truth["compactions"])
    if client == "claude-code":
        assert compactions == truth["compactions"]
    told = real(events, "Model.Responded")
    assert sum(f["input_tokens"] for f in told) == truth["tokens"][0]
    assert sum(f["output_tokens"] for f in told) == truth["tokens"][1]


@pytest.mark.parametrize("name", [c for c in CASES if c[:6] not in ("cline-", "gemini")])
def test_the_order_of_exports_changes_no_outcome(name: str) -> None:
    _, lines, truth = of_case(name)
    shuffled = list(lines)
    random.Random(7).shuffle(shuffled)
    for order in (lines[::-1], shuffled, [*lines, *lines]):
        for call, told in pair(truth, calls(read(order))):
            assert (told.outcome if told else None) in (None, call["outcome"]), call


@pytest.mark.parametrize("name", [c for c in CASES if c.startswith("gemini")])
def test_a_log_record_and_its_span_are_one_call_in_either_order(name: str) -> None:
    _, lines, truth = of_case(name)
    for order in (lines, lines[::-1], [*lines, *lines]):
        assert len(calls(read(order))) == len(truth["calls"])


def test_witnesses_can_be_left_out() -> None:
    _, lines, _ = of_case("claude-code-deny")
    assert read(lines, pipeline(["hook"])) == []
    assert read(lines, pipeline(["telemetry"]))


def test_each_log_record_and_span_counts_as_read() -> None:
    _, lines, _ = of_case("claude-code-no-hooks")
    pipe = pipeline()
    read(lines, pipe)
    items = 0
    for line in lines:
        export = json.loads(line)
        for outer, middle, inner in (
            ("resourceLogs", "scopeLogs", "logRecords"),
            ("resourceSpans", "scopeSpans", "spans"),
        ):
            # A span is read at its start and at its end.
            items += sum(
                2 if inner == "spans" else 1
                for resource in export.get(outer, ())
                for scope in resource[middle]
                for one in scope[inner]
            )
    tally = pipe.tally
    assert tally.read == items
    assert tally.read == tally.produced + sum(tally.ignored.values())


def test_a_call_that_waits_is_no_success() -> None:
    """Claude Code's span of a refused call has no error, and no execution below it."""
    _, lines, _ = of_case("claude-code-no-hooks")
    spans = [line for line in lines if b"resourceSpans" in line]
    told = calls(read(spans))
    assert {call: t.outcome for call, t in told.items()} == {
        "toolu_0001d3d96c": "denied",
        "toolu_0003d3d9a4": "denied",
        "toolu_0005d3d9db": "error",
        "toolu_0007d3da01": "denied",
        "toolu_0009d3da1d": "denied",
        "toolu_0011d3da6f": "ok",
    }


def test_what_questions_read_of_a_hook_s_refusal_names_the_hook() -> None:
    """Log and span tell of it; the later one counts as told before."""
    _, lines, _ = of_case("qwen-code-deny")
    (refusal,) = real(read(lines), "Policy.Blocked")
    assert refusal["decided_by"] == "hook"
    assert refusal["decision_evidence"] == "tool_call, by exclusion"
    assert refusal["decision_reason"]


def test_a_refusal_without_words_names_nobody() -> None:
    _, lines, _ = of_case("qwen-code-deny")
    (known,) = real(read(lines), "Policy.Blocked")
    words = json.dumps(known["decision_reason"]).encode()
    log = [line.replace(words, b'""') for line in lines if b'"resourceLogs"' in line]
    (refusal,) = real(read(log), "Policy.Blocked")
    assert "decided_by" not in refusal


@pytest.mark.parametrize(
    ("error", "cancelled", "who"),
    [
        ("Stay in plan mode, please", True, "user"),
        ("No writes outside of plan mode", False, "hook"),
        ("Plan mode blocked a non-read-only tool call.", False, "mode"),
        ('Tool "todo_write" is disabled', False, "rule"),
        ("", False, None),
    ],
)
def test_words_of_a_person_or_a_hook_about_plan_mode_are_no_refusal_by_it(
    error: str, cancelled: bool, who: str | None
) -> None:
    status = "cancelled" if cancelled else "error"
    kind = None if cancelled else "execution_denied"
    end = ended("edit", status, error, error_type=kind, unrun=True)
    assert (end.outcome, end.decided_by) == ("denied", who)


@pytest.mark.parametrize(
    ("whole", "cached", "written", "fresh"),
    [(100, 60, 30, 10), (100, 60, None, 40), (100, None, None, 100), (10, 60, 30, 10)],
)
def test_the_input_of_opencode_is_without_both_sides_of_the_cache(
    whole: int, cached: int | None, written: int | None, fresh: int
) -> None:
    counts = {"ai_usage_inputTokens": whole, READ: cached, WRITTEN: written}
    assert input_tokens(counts) == fresh
