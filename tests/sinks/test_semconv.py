"""Both generations of the GenAI conventions: what is written, and what is read back."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.sinks import open_sink
from hookstream.sinks.formats import spans
from hookstream.sinks.formats.attributes import attributes
from hookstream.sinks.formats.semconv import OPT_IN, executable, generation, today

from .events import SESSION, rendered
from .ocsf_events import bare
from .receivers import Receiver, otlp_answer, otlp_records, serve
from .test_asim_udm import every_line

GONE = {"gen_ai.usage.cache_creation.input_tokens", "gen_ai.agent.version", "gen_ai.agent.id"}


def texts(span: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in span.attributes}


def test_no_event_of_the_samples_has_a_name_that_is_gone() -> None:
    for event in every_line():
        for is_agent in (False, True):
            made = today(attributes(event, aarts=True, arguments=True), event, is_agent=is_agent)
            assert not GONE & set(made)
            assert not (is_agent and "gen_ai.provider.name" in made)


def answer(**facts: Any) -> Event:
    tokens = {"input_tokens": 50, "cache_read_tokens": 17000, "cache_write_tokens": 1200}
    event = bare("Model.Responded", model_id="anthropic/m-1", **tokens, **facts)
    event.vendor = event.facts["tool"] = "claude-code"
    return event


def test_what_was_cached_is_input_where_the_client_counts_it_apart() -> None:
    event = answer()
    made = today(attributes(event, aarts=False, arguments=False), event, is_agent=False)
    assert made["gen_ai.usage.input_tokens"] == 18250
    assert made["gen_ai.usage.cache_write.input_tokens"] == 1200
    assert made["hookstream.synthesized"] == ["input_tokens"]
    event.vendor = "codex"
    made = today(attributes(event, aarts=False, arguments=False), event, is_agent=False)
    assert made["gen_ai.usage.input_tokens"] == 50


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("pytest -q tests", "pytest"),
        ("A=1 /usr/bin/curl http://example.org", "curl"),
        ("cd x && rm -r y", None),
        ("a | b", None),
        ("echo $(id)", None),
        ("", None),
    ],
)
def test_a_command_of_one_process_names_its_executable(command: str, program: str | None) -> None:
    assert executable(bare("Action.Before", action_category="shell", command=command)) == program


@pytest.mark.parametrize(
    ("chosen", "environment", "expected"),
    [
        (None, {}, "0.1"),
        (None, {OPT_IN: "http, gen_ai_latest_experimental"}, "0.1"),
        (None, {OPT_IN: "http"}, "1.41"),
        ("1.41", {}, "1.41"),
        ("0.1", {OPT_IN: "http"}, "0.1"),
    ],
)
def test_the_option_then_the_variable(
    chosen: str | None, environment: dict[str, str], expected: str
) -> None:
    assert generation(chosen, environment) == expected


def moment(kind: str, at: int, **facts: Any) -> Event:
    base = {
        "event_id": f"{kind}-{at}",
        "timestamp": f"2026-03-01T12:00:{at:02d}.000Z",
        "tool": "claude-code",
        "session_id": SESSION,
    }
    return Event(kind, None, {**base, **facts}, "claude-code")


def test_the_answers_of_a_model_are_spans_of_their_turn() -> None:
    pairs = spans.Pairs(semconv="0.1")
    events = [
        moment("Session.Start", 0),
        moment("Prompt.Submitted", 1, turn_id="t-1"),
        moment("Model.Requested", 2, turn_id="t-1", model_id="m-1"),
        moment("Model.Responded", 4, turn_id="t-1", model_id="m-1"),
        moment("Model.Requested", 5, turn_id="t-1", model_id="m-1"),
        moment("Model.Responded", 7, turn_id="t-1", model_id="m-1"),
        moment("Agent.Response", 8, turn_id="t-1", final=True),
    ]
    first, second, turn = [made for one in events if (made := pairs.see(one)) is not None]
    assert (first.name, first.kind) == ("chat m-1", 3)
    assert first.span_id != second.span_id
    assert first.parent_span_id == second.parent_span_id == turn.span_id
    assert [one.start_time_unix_nano // 10**9 % 60 for one in (first, second)] == [2, 5]


def test_an_answer_with_its_duration_needs_no_request() -> None:
    event = moment("Model.Responded", 9, model_id="m-1", duration_ms=2500.0)
    span = spans.Pairs().see(event)
    assert span.end_time_unix_nano - span.start_time_unix_nano == 2_500_000_000


@pytest.mark.parametrize("semconv", ["0.1", "1.41"])
def test_the_sink_writes_one_generation(semconv: str) -> None:
    with serve(Receiver(lambda _: otlp_answer())) as far:
        sink = open_sink(f"otlp:{far.url()}", semconv=semconv)
        sink.write(rendered([answer(tool_version="2.1.0")]))
        sink.close()
    (record,) = [one for request in far.requests for one in otlp_records(request)]
    names = set(texts(record))
    assert ("gen_ai.usage.cache_write.input_tokens" in names) == (semconv == "0.1")
    assert ("gen_ai.usage.cache_creation.input_tokens" in names) == (semconv == "1.41")
    assert ("gen_ai.agent.version" in names) == (semconv == "1.41")
