"""A draft of what a vendor's table lacks: names of events and fields, never their values."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hookstream.cli.app import app
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.normalizers.table import Row
from hookstream.pipeline.coverage import events_named
from hookstream.queries.draft import draft, fact_of, path_of

SESSION = "7d3f0a52-9c41-4c55-9d0e-0f4a3f8f1b11"
NAMED = events_named("claude-code")
COMMON = {"session_id": SESSION, "transcript_path": "/t", "cwd": "/w"}


def line(event: str, **more: Any) -> str:
    payload = {**COMMON, "hook_event_name": event, **more}
    record = {
        "vendor": "claude-code",
        "native_event": event,
        "client_version": "9.9.9",
        "received_at": "2026-11-24T10:00:00Z",
        "payload": payload,
    }
    return json.dumps(record) + "\n"


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    log = tmp_path / "log.jsonl"
    log.write_text(
        line("BrandNew", durationMs=12, colour="cornflower", files={"/home/kim/plan.txt": 1})
        + line("SessionEnd", reason="exit", weather="drizzle", perUser={"kim@example.org": "x"})
    )
    execute(Job([str(log)], [f"parquet:{tmp_path / 'lake'}"]))
    return tmp_path / "lake"


def test_a_draft_names_events_and_fields_and_no_values(lake: Path) -> None:
    text = draft(lake, "claude-code", NAMED)
    assert "BrandNew" in text
    assert "| `SessionEnd` | `weather` |" in text
    assert "9.9.9" in text
    for value in ("cornflower", "drizzle", "kim", "plan.txt", "example.org", "/w", SESSION):
        assert value not in text, value


def test_the_proposed_row_is_a_row_of_a_table(lake: Path) -> None:
    text = draft(lake, "claude-code", NAMED)
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    rows = eval(f"{{{code}}}", {"Row": Row})  # noqa: S307
    row = rows["BrandNew"]
    assert row.type == "vendor.claude-code.BrandNew"
    assert row.facts == {"duration_ms": "durationMs"}
    assert "colour" in row.keep


def test_nothing_is_proposed_where_the_table_maps_everything(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(line("SessionEnd", reason="exit"))
    execute(Job([str(log)], [f"parquet:{tmp_path / 'lake'}"]))
    assert draft(tmp_path / "lake", "claude-code", NAMED) == ""
    result = CliRunner().invoke(
        app, ["vendors", "claude-code", "--draft-from", str(tmp_path / "lake")]
    )
    assert result.exit_code == 0
    assert "maps every event" in result.stdout


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("usage.input_tokens", "usage.input_tokens"),
        ("files./home/kim/a.txt", "files.*"),
        ("by_id.7d3f0a52", "by_id.*"),
        ("users.kim@example.org", "users.*"),
        ("n.20261124", "n.*"),
    ],
)
def test_parts_of_a_path_that_may_be_values_are_hidden(path: str, shown: str) -> None:
    assert path_of(path) == shown


def test_a_fact_is_found_by_its_name_in_any_spelling() -> None:
    assert fact_of("durationMs") == fact_of("result.duration_ms") == "duration_ms"
    assert fact_of("colour") is None


@pytest.mark.parametrize(
    ("version", "state"), [("99.0.0", "newer"), ("0.0.1", "older"), (None, "recorded")]
)
def test_installed_versions_are_shown_next_to_those_recorded(
    version: str | None, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hookstream.normalizers.client import client_of

    known = client_of("codex").recorded
    package = tmp_path / "lib" / "codex"
    package.mkdir(parents=True)
    (package / "package.json").write_text(json.dumps({"version": version or known}))
    program = package / "codex"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(package))
    monkeypatch.setenv("HOME", str(tmp_path))
    result = CliRunner().invoke(app, ["vendors", "codex", "--installed", "--format", "json"])
    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.stdout)
    assert (row["installed"], row["recorded"], row["state"]) == (version or known, known, state)
