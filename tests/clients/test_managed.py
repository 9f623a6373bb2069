"""Hooks of the machine in real clients: what a user's switches do to them, and what shows where
something does take them away. The table in docs/fleet.md says what is seen here."""

import functools
from typing import Any

import pytest

from clients import installs
from clients.managed import BARE, EVASIONS, SWITCHES, Machine, cannot_cover

pytestmark = pytest.mark.clients


@pytest.fixture(params=list(SWITCHES))
def managed(request: pytest.FixtureRequest) -> str:
    reason = cannot_cover() or installs.missing(request.param)
    if reason is not None:
        pytest.skip(reason)
    name: str = request.param
    return name


@functools.cache
def story(client: str) -> dict[str, Any]:
    """A run with the user's own switches, and one with what takes the hooks away."""
    machine = Machine(client)
    first = machine.run(SWITCHES[client])
    captured = machine.lines()
    second = machine.run(EVASIONS[client])
    return {
        "machine": machine,
        "results": (first, second),
        "captured": captured,
        "after": machine.lines(),
    }


def test_a_users_switches_do_not_stop_the_machines_hooks(managed: str) -> None:
    told = story(managed)
    first, _ = told["results"]
    assert first["status"] == 0 and first["turns_left"] == 0, first
    lines = told["captured"]
    assert {line.get("capture_scope") for line in lines} == {"managed"}
    events = [line["native_event"] for line in lines]
    assert told["machine"].agent.pre_tool in events, events


def test_what_takes_them_away_shows(managed: str) -> None:
    told = story(managed)
    _, second = told["results"]
    assert second["status"] == 0, second
    assert told["after"] == told["captured"], "the evasion is none any more: say so in the table"
    machine = told["machine"]
    gaps = {row["gap"]: row for row in machine.ask("gaps")}
    assert gaps["sessions_without_hooks"]["count"] == 1, gaps
    levels = {row["session_id"]: row for row in machine.ask("assurance")}
    (hidden,) = [row for row in levels.values() if row["assurance"] == "files"]
    assert {"no_hooks", "hooks_seen_before"} <= set(hidden["reasons"])
    assert "managed_hooks" in {row["assurance"] for row in levels.values()}


def test_bare_of_claude_code_leaves_out_the_start_alone() -> None:
    reason = cannot_cover() or installs.missing("claude-code")
    if reason is not None:
        pytest.skip(reason)
    machine = story("claude-code")["machine"]
    before = len(machine.lines())
    result = machine.run(BARE)
    assert result["status"] == 0
    events = [line["native_event"] for line in machine.lines()[before:]]
    assert "PreToolUse" in events and "SessionStart" not in events
