"""Kimi Code: what its words prove, and what they leave open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.normalizers import claimants, compiled, normalize
from hookstream.normalizers.kimi_code.transcript import KimiReader
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream

SAMPLES = Path(__file__).parents[2] / "samples/kimi-code"
NOW = "2026-11-24T17:00:00.000Z"
BASE = {"session_id": "session_1", "cwd": "/p", "client_type": "kimi_code_cli"}


def events(name: str, **own: Any) -> list[Event]:
    record = Record({**BASE, "hook_event_name": name, **own}, "kimi-code", received_at=NOW)
    found = normalize(record, compiled("kimi-code"), NOW)
    assert isinstance(found, list)
    return found


def failed(tool: str, message: str, **arguments: str) -> Event:
    error = {"code": "internal", "message": message, "retryable": False}
    return events(
        "PostToolUseFailure", tool_name=tool, tool_call_id="c1", tool_input=arguments, error=error
    )[0]


def test_its_name_for_itself_tells_it_from_claude_code() -> None:
    payload = {**BASE, "hook_event_name": "PreToolUse", "transcript_path": "/t.jsonl"}
    assert claimants({**payload, "tool_name": "Bash"}) == ["kimi-code"]
    assert claimants({**payload, "client_type": "another"}) == ["claude-code"]


@pytest.mark.parametrize(
    ("tool", "message", "who"),
    [
        (
            "Bash",
            'Tool "Bash" was not run because the user rejected the approval request. Reason: no',
            "user",
        ),
        ("Bash", 'Tool "Bash" was denied by permission rule. Reason: no', "rule"),
        ("TaskStop", "TaskStop is not available in plan mode. Call ExitPlanMode first.", "mode"),
    ],
)
def test_the_clients_own_words_name_the_one_who_refused(tool: str, message: str, who: str) -> None:
    event = failed(tool, message)
    assert event.type == "Policy.Blocked"
    assert (event.facts["decided_by"], event.facts["certainty"]) == (who, "observed")
    assert failed("Read", message).type == ("Policy.Blocked" if who == "mode" else "Action.After")


@pytest.mark.parametrize(
    ("tool", "message", "arguments"),
    [
        ("Bash", "not on a Friday", {"command": "git push"}),
        ("Bash", "no\n\n<system-reminder>\nagain\n</system-reminder>", {"command": "git push"}),
        ("Write", "not this one", {"path": "/p/a.py"}),
    ],
)
def test_words_that_no_tool_writes_are_a_hooks_by_exclusion(
    tool: str, message: str, arguments: dict[str, str]
) -> None:
    event = failed(tool, message, **arguments)
    assert event.type == "Policy.Blocked"
    assert (event.facts["decided_by"], event.facts["certainty"]) == ("hook", "inferred")
    assert "decided_by" in event.synthesized


@pytest.mark.parametrize(
    ("tool", "message", "outcome", "code"),
    [
        ("Bash", "two\nCommand failed with exit code: 9.", "error", 9),
        (
            "Bash",
            "Command failed with exit code: 1.\nCommand failed with exit code: 7.",
            "error",
            7,
        ),
        ("Bash", "Command killed by timeout (60s)", "timeout", None),
        ("Bash", "x\nInterrupted by user", "cancelled", None),
        ("Bash", 'Tool "Bash" not found', "error", None),
        ("Write", "EACCES: permission denied, open '/p/a.py'", "error", None),
        ("Read", '"/p/a.py" does not exist.', "error", None),
        ("mcp__demo__fail", "demo failure", "error", None),
        ("mcp__demo__fail", "Command failed with exit code: 3.", "error", None),
    ],
)
def test_other_words_are_how_it_ended(
    tool: str, message: str, outcome: str, code: int | None
) -> None:
    event = failed(tool, message, path="/p/a.py")
    assert event.type == "Action.After"
    assert (event.facts["outcome"], event.facts.get("exit_code")) == (outcome, code)


def test_agents_without_ids_are_counted_and_given_no_calls(tmp_path: Path) -> None:
    execute(Job([str(SAMPLES / "nested.jsonl")], [f"parquet:{tmp_path}"], now=NOW))
    with open_stream(tmp_path) as lake:
        agents, calls = (objects(ask(lake, name)) for name in ("agents", "calls"))
    assert [one["agent_type"] for one in agents] == ["coder", "coder"]
    assert {one["agent_id"] for one in calls} == {None}


def loop_event(kind: str, **own: Any) -> dict[str, Any]:
    event = {"type": kind, "toolCallId": "c1", **own}
    return {"type": "context.append_loop_event", "event": event, "time": 1795537558951}


@pytest.mark.parametrize(
    ("duration", "known", "outcome"),
    [(0, True, "denied"), (0, False, "error"), (2, True, "error")],
)
def test_words_that_refused_a_command_refuse_another_call_that_took_no_time(
    duration: int, known: bool, outcome: str
) -> None:
    reader = KimiReader("/h/session_1/agents/main/wire.jsonl")
    words = {"output": "not on a Friday", "isError": True}
    if known:
        list(reader.read(loop_event("tool.call", name="Bash", args={"command": "ls"})))
        list(reader.read(loop_event("tool.result", result={**words, "durationMs": 0})))
    list(reader.read(loop_event("tool.call", name="mcp__demo__echo", args={})))
    ((_, said),) = reader.read(loop_event("tool.result", result={**words, "durationMs": duration}))
    assert said is not None
    assert said["outcome"] == outcome


@pytest.mark.parametrize(("result", "word"), [({"output": "x"}, "ok"), (None, None), ("cut", None)])
def test_a_call_without_a_result_did_not_succeed(result: Any, word: str | None) -> None:
    reader = KimiReader("/h/.kimi-code/sessions/wd_p/session_1/agents/main/wire.jsonl")
    event = {"type": "tool.result", "toolCallId": "c1", "result": result}
    line = {"type": "context.append_loop_event", "time": 1795000000000, "event": event}
    ends = [known for name, known in reader.read(line) if name == "tool.result"]
    assert [known.get("outcome") for known in ends] == [word]
