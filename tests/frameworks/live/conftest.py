"""A log of its own for each test, and what stands in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "none")
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
