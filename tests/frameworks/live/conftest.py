"""A log of its own for each test, and what stands in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the compiled rules lie: they are made once for all tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def log(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    # Without a key the SDK does not try to send its traces to the vendor.
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    monkeypatch.setenv("CREWAI_DISABLE_TELEMETRY", "true")
    monkeypatch.delenv("AGENT_HOOKS_LOG", raising=False)
    return tmp_path / "events.jsonl"


@pytest.fixture
def told(log: Path) -> Callable[[], list[tuple[str, Any, Any]]]:
    """(event type, call id, what there is to say of it) of every event in the log."""

    def read() -> list[tuple[str, Any, Any]]:
        from hookstream.standards.agent_hooks_reader import read_agent_hooks

        found = []
        for line in log.read_text().splitlines() if log.exists() else ():
            facts = (event := read_agent_hooks(json.loads(line))).facts
            what = facts.get("outcome") or facts.get("decided_by") or facts.get("input_tokens")
            found.append((event.type, facts.get("call_id"), what))
        return found

    return read
