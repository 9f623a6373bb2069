"""What was used, what it cost, what went wrong, and everything in order."""

from __future__ import annotations

from pathlib import Path

from tests.queries.history import History, answers, at, only


def test_usage_by_day_client_and_model(tmp_path: Path) -> None:
    h = History()
    h.add("Model.Responded", model_id="m", input_tokens=10, output_tokens=2, cache_read_tokens=5)
    h.answer(model_id="m", input_tokens=1, output_tokens=1)
    h.after("c1", input_tokens=999)  # a sub-agent's own sum, told elsewhere too
    h.second += 24 * 3600
    h.add("Model.Responded", model_id="m", input_tokens=3)
    rows = answers(tmp_path, "usage", h)
    wanted = "date model_id answers input_tokens output_tokens cache_read_tokens".split()
    assert [only(row, *wanted) for row in rows] == [
        ("2026-11-21", "m", 2, 11, 3, 5),
        ("2026-11-22", "m", 1, 3, None, None),
    ]


def test_context_pressure_by_session_and_agent(tmp_path: Path) -> None:
    h = History()
    for share in (70.0, 85.0, 60.0):
        h.add("Context.UntilCompaction", percentage_used=share, tokens_used=1, tokens_limit=2)
    h.add("Context.UntilCompaction", tokens_used=50, tokens_limit=200, agent_id="a1")
    rows = answers(tmp_path, "context_pressure", h)
    wanted = "agent_id samples max_percentage last_percentage first_over_80 tokens_limit".split()
    assert [only(row, *wanted) for row in rows] == [
        (None, 3, 85.0, 60.0, at(2), 2),
        ("a1", 1, 25.0, 25.0, None, 200),
    ]


def test_the_timeline_follows_time_and_within_a_moment_the_sequence(tmp_path: Path) -> None:
    h = History()
    h.start()
    h.before("c1", "make", risk=(70, "high", ("X",)))
    h.after("c1", "make", "error", error_message="boom", sequence=1)  # of a file read before
    h.second -= 1
    h.add("Agent.Error", error_type="ToolFailed", sequence=2, derived=True, error_message="boom")
    h.add("Prompt.Submitted", duplicate_of="x")
    rows = answers(tmp_path, "timeline", h)
    wanted = "event_type what outcome risk_score".split()
    assert [only(row, *wanted) for row in rows] == [
        ("Session.Start", None, None, None),
        ("Action.Before", "make", None, 70),
        ("Action.After", "make", "error", None),
        ("Agent.Error", "boom", None, None),
    ]


def test_the_timeline_of_one_session(tmp_path: Path) -> None:
    h, other = History(), History(session="s2", second=60)
    h.start()
    other.start()
    assert len(answers(tmp_path, "timeline", h, other, session="s2")) == 1


def test_tools_by_outcome(tmp_path: Path) -> None:
    h = History()
    for outcome, duration in (("ok", 10.0), ("ok", 20.0), ("error", 60.0), ("cancelled", None)):
        h.ran(f"c{h.sequence}", outcome=outcome, duration_ms=duration)
    h.before("c8")
    h.blocked("c8")
    h.before("c9")
    h.ran("m1", None, action_native="mcp__x__y", action_name="mcp:y", mcp_server="x")
    rows = answers(tmp_path, "tools", h)
    wanted = "action_native calls ok failures denied cancelled unknown median_ms max_ms".split()
    assert [only(row, *wanted) for row in rows] == [
        ("mcp__x__y", 1, 1, 0, 0, 0, 0, None, None),
        ("Bash", 6, 2, 1, 1, 1, 1, 20.0, 60.0),
    ]


def test_errors_count_once(tmp_path: Path) -> None:
    h = History()
    h.ran("c1", "false", outcome="error", exit_code=1)
    h.add("Agent.Error", error_type="ToolFailed", call_id="c1", exit_code=1, derived=True)
    h.add("Model.Failed", error_code="429")
    h.add("Agent.Error", error_type="ModelError", error_code="429", error_message="slow down")
    rows = answers(tmp_path, "errors", h)
    assert [only(row, "error_type", "error_code", "exit_code", "call_id") for row in rows] == [
        ("ToolFailed", None, 1, "c1"),
        ("ModelError", "429", None, None),
    ]
