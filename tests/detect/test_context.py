"""Context pressure: only where numbers exist, and a compaction only where both numbers shrink."""

from __future__ import annotations

from typing import Any

from hookstream.core.event import Event, place_of
from hookstream.detect.detectors import ContextPressure

count = iter(range(10**6))


def event(kind: str, **facts: Any) -> Event:
    base = {
        "event_id": f"{next(count):08}-0000",
        "tool": "gemini-cli",
        "session_id": "s",
        "timestamp": "x",
    }
    return Event(kind, None, {**base, **facts}, "gemini-cli")


def call(messages: int, tokens: int) -> list[Event]:
    return [
        event("Model.Requested", message_count=messages),
        event("Model.Responded", input_tokens=tokens),
    ]


def check() -> Event:
    return event("vendor.gemini-cli.PreCompress", context_trigger="auto")


def run(*events: Event) -> list[Event]:
    pressure = ContextPressure()
    return [derived for one in events for derived in pressure.see(one, place_of(one.facts))]


def test_pressure_is_derived_where_used_and_limit_are_known() -> None:
    (found,) = run(event("Agent.Response", tokens_used=150, tokens_limit=200))
    assert found.type == "Context.UntilCompaction"
    assert (found.facts["percentage_used"], found.facts["tokens_remaining"]) == (75.0, 50)


def test_pressure_is_clamped_and_never_divides_by_zero() -> None:
    (found,) = run(event("Agent.Response", tokens_used=900, tokens_limit=200))
    assert (found.facts["percentage_used"], found.facts["tokens_remaining"]) == (100.0, 0)
    assert run(event("Agent.Response", tokens_used=9, tokens_limit=0)) == []
    assert run(event("Agent.Response", tokens_used=9)) == []


def test_an_announced_compaction_without_a_drop_is_none() -> None:
    assert run(check(), *call(3, 100), check(), *call(5, 150), check(), *call(5, 160)) == []


def test_a_drop_in_messages_and_tokens_after_an_announcement_is_observed() -> None:
    (found,) = run(check(), *call(9, 1000), check(), *call(3, 200))
    assert found.type == "Context.Compaction"
    facts = found.facts
    assert (facts["tokens_before"], facts["tokens_after"], facts["tokens_removed"]) == (
        1000,
        200,
        800,
    )
    assert (facts["certainty"], facts["context_phase"], facts["context_trigger"]) == (
        "observed",
        "after",
        "auto",
    )


def test_a_drop_in_only_one_of_them_or_without_announcement_is_none() -> None:
    assert run(check(), *call(9, 1000), check(), *call(3, 1200)) == []
    assert run(check(), *call(9, 1000), check(), *call(9, 200)) == []
    assert run(check(), *call(9, 1000), *call(3, 200)) == []


def test_a_sub_agent_that_never_ended_hides_no_compaction_of_a_later_turn() -> None:
    refused = [event("Agent.Plan.Start"), check(), *call(9, 1000)]
    assert run(*refused, check(), *call(3, 200)) == []
    turn = [event("Prompt.Submitted"), check(), *call(9, 1000), check(), *call(3, 200)]
    assert [made.type for made in run(*refused, *turn)] == ["Context.Compaction"]


def test_a_sub_agents_small_context_is_no_compaction() -> None:
    inside = [event("Agent.Plan.Start"), check(), *call(1, 50), event("Agent.Plan.End")]
    assert run(check(), *call(9, 1000), *inside, check(), *call(11, 1100)) == []
