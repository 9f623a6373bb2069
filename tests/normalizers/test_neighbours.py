"""Payloads that several clients could have sent: the rest of their session says whose they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hookstream
from hookstream.core.records import Record
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.normalizers import detect, vendor_of

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
    other = {**GEMINI, "session_id": "s-2"}
    assert tools(tmp_path, EDGES[0], other) == ["gemini-cli"], "one rejected, one read"
    (tmp_path / "own").mkdir()
    assert tools(tmp_path / "own", EDGES[0], COPILOT) == ["copilot"] * 2


def test_two_clients_in_one_session_say_nothing(tmp_path: Path) -> None:
    assert tools(tmp_path, EDGES[0], GEMINI, COPILOT) == ["gemini-cli", "copilot"]


@pytest.mark.parametrize(
    ("payload", "client"),
    [
        (EDGES[0], None),
        (bare("SessionStart", source="resume"), None),
        (bare("SessionStart", source="clear"), None),
        (bare("SessionEnd", reason="other"), None),
        (bare("SessionStart", source="new"), "copilot"),
        (bare("SessionStart", source="startup", initial_prompt="hi"), "copilot"),
        (bare("SessionEnd", reason="user_exit"), "copilot"),
        (bare("Notification", notification_type="agent_idle"), "copilot"),
        (EDGES[1], "gemini-cli"),
        (EDGES[2], "gemini-cli"),
        ({**EDGES[0], "transcript_path": "/home/a/.gemini/tmp/x/chats/s.json"}, "gemini-cli"),
        ({**EDGES[0], "transcript_path": "C:\\Users\\a\\.qwen\\s.jsonl"}, "qwen-code"),
        ({**EDGES[0], "transcript_path": "/home/a/.copilot/session-state/s/e.jsonl"}, "copilot"),
        ({**EDGES[0], "transcript_path": "/home/a/.claude/projects/w/s.jsonl"}, None),
    ],
)
def test_an_edge_alone_is_of_the_client_that_it_proves(payload: Json, client: str | None) -> None:
    assert detect(payload) == client
    if client is None:
        assert vendor_of(Record(dict(payload), "gemini-cli")) == "gemini-cli"


def test_a_claude_hook_that_copilot_ran_is_copilots() -> None:
    for env in (None, {"COPILOT_CLI": "1"}):
        record = Record(dict(EDGES[0]), "claude-code", "SessionStart", env=env)
        assert vendor_of(record) == "copilot"
    assert vendor_of(Record(dict(EDGES[0]), None, env={"COPILOT_CLI": "1"})) == "copilot"
