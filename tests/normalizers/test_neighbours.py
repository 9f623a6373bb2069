"""Payloads that several clients could have sent: the rest of their session says whose they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hookstream
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute

Json = dict[str, Any]


def bare(name: str, session: str = "s-1", **own: Any) -> Json:
    return {
        "session_id": session, "cwd": "/w", "timestamp": "2026-05-10T10:00:00Z",
        "hook_event_name": name, **own,
    }  # fmt: skip


EDGES = [
    bare("SessionStart", source="startup"),
    bare("Notification", notification_type="ToolPermission", message="Run ls?"),
    bare("SessionEnd", reason="exit"),
]
GEMINI = bare("BeforeTool", tool_name="run_shell_command", tool_input={"command": "ls"})
COPILOT = bare("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})


def tools(folder: Path, *payloads: Json, workers: int = 1) -> list[str]:
    source = folder / "in.jsonl"
    source.write_text("".join(json.dumps(one) + "\n" for one in payloads), "utf-8")
    execute(Job([str(source)], [f"jsonl:{folder / 'out'}"], workers=workers))
    lines = (folder / "out" / "agent-hooks.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line)["source"]["tool"] for line in lines]
    assert [event.facts["tool"] for event in hookstream.read(source)] == found
    return found


@pytest.mark.parametrize("workers", [1, 2])
def test_bare_edges_are_of_the_client_that_the_rest_of_the_session_is(
    workers: int, tmp_path: Path
) -> None:
    assert tools(tmp_path, *EDGES, GEMINI, workers=workers) == ["gemini-cli"] * 4


def test_bare_edges_of_another_session_are_not(tmp_path: Path) -> None:
    assert tools(tmp_path, *EDGES, {**GEMINI, "session_id": "s-2"})[0] == "copilot"
    (tmp_path / "own").mkdir()
    assert tools(tmp_path / "own", *EDGES, COPILOT)[0] == "copilot"


def test_two_clients_in_one_session_say_nothing(tmp_path: Path) -> None:
    assert tools(tmp_path, EDGES[0], GEMINI, COPILOT)[0] == "copilot"
