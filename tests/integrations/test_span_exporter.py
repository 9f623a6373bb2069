"""The span exporter for programs with a tracer provider: the example, run with the real SDK."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult

from hookstream.integrations.spans import GenAiSpans

EXAMPLE = Path(__file__).parents[2] / "examples" / "otel-sdk" / "agent_spans.py"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    return tmp_path / "events.jsonl"


def test_the_example_records_its_agent(log: Path) -> None:
    runpy.run_path(str(EXAMPLE))["main"](str(log))
    events = [json.loads(line) for line in log.read_text().splitlines()]
    assert {event["session_id"] for event in events} == {"conversation-1"}
    actions = [event for event in events if event["event_type"].startswith("Action.")]
    assert [event["event_type"] for event in actions] == ["Action.Before", "Action.After"]
    for event in actions:
        assert event["data"]["action"]["name"] == "shell"
        assert event["metadata"]["dev.hookstream"]["command"] == "curl https://a.example"
        assert event["metadata"]["dev.hookstream"]["witness"] == "telemetry"


def test_a_span_of_nothing_else_is_left_out(log: Path) -> None:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(GenAiSpans(str(log))))
    with provider.get_tracer("x").start_as_current_span("GET /"):
        pass
    assert not log.exists()


def test_a_log_that_takes_nothing_is_a_failure_and_no_exception(log: Path) -> None:
    exporter = GenAiSpans("/proc/nope/log.jsonl")
    provider = TracerProvider()
    results = []

    class Watched(SimpleSpanProcessor):
        def on_end(self, span: object) -> None:
            results.append(exporter.export([span]))  # type: ignore[list-item]

    provider.add_span_processor(Watched(exporter))
    with provider.get_tracer("x").start_as_current_span("execute_tool shell") as span:
        span.set_attributes({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "shell"})
    assert results == [SpanExportResult.FAILURE]
