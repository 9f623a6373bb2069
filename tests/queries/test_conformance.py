"""What each client's stream really reached of the standards, over lines, a lake and its tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.queries.history import History, answers

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.normalizers import VENDORS, compiled
from hookstream.normalizers.documented import documented, guardian_hooks
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, open_stream
from hookstream.tables.update import update

SAMPLES = Path(__file__).parent.parent.parent / "samples"
GIVEN = ("aos/joch", "aos/steps", "prisma-airs/v2.1.1-gateway", "claude-code/deny")


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("conformance")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        sources = [str(SAMPLES / f"{name}.jsonl") for name in GIVEN]
        sinks = [f"jsonl:{folder / 'lines'}", f"parquet:{folder / 'lake'}"]
        execute(Job(sources, sinks, now="2026-11-24T12:00:00Z"))
    found = {}
    for form in ("lines", "lake", "tables"):
        if form == "tables":
            update(folder / "lake")
        with open_stream(folder / ("lake" if form == "tables" else form)) as stream:
            found[form] = objects(ask(stream, "conformance", Filters(), limit=1000))
    return found


def row(forms: dict[str, list[dict[str, Any]]], tool: str) -> dict[str, Any]:
    (found,) = (one for one in forms["lake"] if one["tool"] == tool)
    return found


@pytest.mark.long
def test_lines_lake_and_tables_agree(forms: dict[str, list[dict[str, Any]]]) -> None:
    assert json.dumps(forms["lines"]) == json.dumps(forms["lake"]) == json.dumps(forms["tables"])


def test_a_client_is_compared_with_what_its_hooks_document(
    forms: dict[str, list[dict[str, Any]]],
) -> None:
    claude = row(forms, "claude-code")
    assert claude["tool_version"] == "2.1.329"
    assert {"SessionStart", "PreToolUse", "PostToolUse"} <= set(claude["hook_points"])
    assert "PreCompact" in claude["hook_points_silent"]
    assert "Agent.Plan.Start" in claude["event_types_silent"]
    assert not set(claude["event_types"]) & set(claude["event_types_silent"])
    assert (claude["aarts_level"], claude["aarts_level_of_hook_points"]) == (0, 1)
    assert "tool package_install" in claude["missing_for_next_level"]
    assert claude["aos_hooks_silent"] is None
    assert claude["prisma_hooks_silent"] is None


def test_the_silent_hooks_of_guardians(forms: dict[str, list[dict[str, Any]]]) -> None:
    triage = row(forms, "support-triage")
    heard = {"steps/toolCallRequest", "steps/toolCallResult", "A2A send", "A2A get task"}
    assert not heard & set(triage["aos_hooks_silent"])
    assert "steps/agentTrigger" in triage["aos_hooks_silent"]
    assert len({hook for vendor, _, hook, _, _ in guardian_hooks() if vendor == "aos"}) == 15
    plugin = row(forms, "openclaw")
    # The generation of four is at work; of the twelve only the audit that both log was heard.
    assert "response-guard" not in plugin["prisma_hooks_silent"]
    assert plugin["decisions"] == ["allow", "deny"] or "allow" in plugin["decisions"]


def test_a_stream_that_has_all_of_a_level_reaches_it(tmp_path: Path) -> None:
    history = History(session="s")
    history.add("Session.Start", hook_point="SessionStart")
    categories = "shell file_write file_edit web_request mcp_call package_install".split()
    for number, category in enumerate(categories):
        history.before(f"c{number}", action_category=category)
    for word in ("allow", "deny"):
        kind = "Policy.Blocked" if word == "deny" else "vendor.claude-code.HookDecision"
        history.add(kind, decision=word, call_id="c0", action_name="shell", decided_by="hook")
    (found,) = answers(tmp_path, "conformance", history)
    assert found["aarts_level"] == 1
    assert "hook point PostToolUse" in found["missing_for_next_level"]
    assert "provenance of a sub-agent" in found["missing_for_next_level"]


def test_every_vendor_documents_something() -> None:
    assert [key for key in VENDORS if not documented(compiled(key).vendor)] == []
