"""The adapters without their frameworks: nothing imports them, and recording never raises."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hookstream.integrations.recorder import Recorder, plain

FRAMEWORKS = ("agents", "langchain_core", "crewai", "claude_agent_sdk", "google.adk", "pydantic_ai")


def test_importing_hookstream_imports_no_adapter_and_no_framework() -> None:
    program = "import sys, hookstream, hookstream.cli.app; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.split()
    assert not [
        name for name in loaded if f"{name}.".startswith(tuple(f"{f}." for f in FRAMEWORKS))
    ]
    assert not [name for name in loaded if name.startswith("hookstream.integrations")]


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    return tmp_path / "events.jsonl"


def test_an_event_stands_in_the_log_as_a_callback(log: Path) -> None:
    recorder = Recorder("crewai", str(log))
    recorder.record("tool.end", "s-1", name="run_shell", call_id="c-1", outcome="ok", success=True)
    (line,) = log.read_text().splitlines()
    event = json.loads(line)
    assert event["event_type"] == "Action.After"
    assert event["source"]["tool"] == "crewai"
    assert '"callback"' in line


def test_rules_are_loaded_when_an_adapter_is_registered(log: Path) -> None:
    assert Recorder("crewai", str(log)).handler.privacy is not None
    assert not log.exists()


def test_an_adapter_for_each_request_loads_the_rules_once(log: Path) -> None:
    first, second = (Recorder("langchain", str(log)) for _ in range(2))
    assert first.handler.privacy is second.handler.privacy is not None


def test_an_adapter_that_records_nothing_loads_no_rules(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_HOOKS_LOG", "off")
    assert Recorder("crewai").handler.privacy is None


def test_a_folder_of_keys_that_cannot_be_made_never_reaches_the_program(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nope")
    Recorder("crewai", str(log)).record("tool.start", "s-1", name="run_shell", call_id="c-1")


def test_a_log_that_takes_nothing_never_reaches_the_program(log: Path) -> None:
    recorder = Recorder("crewai", "/proc/nope/log.jsonl")
    recorder.record("tool.start", "s-1", name="run_shell", call_id="c-1")


def test_what_is_no_json_becomes_text() -> None:
    class Odd:
        def __str__(self) -> str:
            return "odd"

    nested: list[object] = []
    nested.append(nested)
    assert plain({"a": (1, Odd())}) == {"a": [1, "odd"]}
    assert plain(nested)


def test_the_trace_of_a_run_is_that_of_its_spans() -> None:
    from opentelemetry.sdk.trace import TracerProvider

    from hookstream.integrations.traces import CrewTraces, exported_trace

    provider, traces = TracerProvider(), CrewTraces()
    provider.add_span_processor(traces)
    assert exported_trace() is None
    listener = provider.get_tracer("openinference.instrumentation.crewai._event_listener")
    run = listener.start_span("crew.kickoff", attributes={"crew_id": "crew-1"})
    trace = format(run.get_span_context().trace_id, "032x")
    assert traces.by_crew == {"crew-1": trace}
    # What CrewAI sends to its vendor is another trace, and a step names no crew.
    own = provider.get_tracer("crewai.telemetry")
    own.start_span("Crew Created", attributes={"crew_id": "crew-1"})
    listener.start_span("read_file.run", attributes={"tool.name": "read_file"})
    assert traces.by_crew == {"crew-1": trace}
    with listener.start_as_current_span("outer") as outer:
        assert exported_trace() == format(outer.get_span_context().trace_id, "032x")
