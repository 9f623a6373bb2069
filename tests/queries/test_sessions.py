"""One row a session, and its turns."""

from __future__ import annotations

from pathlib import Path

from tests.queries.history import History, answers, at, only

CONTRACT = (
    "tool session_id parent_session_id started_at ended_at duration_ms ended_how prompts actions "
    "failures denies compactions input_tokens output_tokens max_risk"
).split()


def test_a_session_from_start_to_end(tmp_path: Path) -> None:
    h = History()
    h.start()
    h.prompt("t1")
    h.ran("c1", risk=(5, "low", ()))
    h.ran("c2", "false", outcome="error", risk=(85, "high", ("DESTRUCTIVE_OP",)))
    h.add("Agent.Error", error_type="ToolFailed", call_id="c2", derived=True)
    h.before("c3")
    h.blocked("c3")
    h.add("Model.Responded", input_tokens=100, output_tokens=10)
    h.add("Context.Compaction", context_phase="before", context_trigger="manual")
    h.add("Context.Compaction", context_phase="after", context_trigger="manual")
    h.answer(input_tokens=50, output_tokens=5)
    h.end("exit")
    (row,) = answers(tmp_path, "sessions", h)
    assert list(row)[: len(CONTRACT)] == CONTRACT
    assert only(row, *CONTRACT) == (
        "claude-code", "s1", None, at(1), at(14), 13000, "exit", 1, 3, 1, 1, 1, 150, 15, 85,
    )  # fmt: skip


def test_a_session_that_goes_on_has_no_end(tmp_path: Path) -> None:
    resumed, cut_off = History(session="resumed"), History(session="cut", second=50)
    resumed.start()
    resumed.end()
    resumed.start(start_reason="resume")
    resumed.prompt()
    cut_off.start()
    cut_off.add("Session.Abort", abort_reason="started_again_without_end")
    rows = answers(tmp_path, "sessions", resumed, cut_off)
    assert [only(row, "session_id", "ended_at", "ended_how", "duration_ms") for row in rows] == [
        ("resumed", None, None, 3000),
        ("cut", at(52), "started_again_without_end", 1000),
    ]


def test_children_name_their_parents_and_tools_may_share_an_id(tmp_path: Path) -> None:
    child, other = History("copilot", "kid"), History("codex", "kid", second=9)
    child.ran("c1", parent_session_id="mother")
    other.prompt()
    rows = answers(tmp_path, "sessions", child, other)
    assert [only(row, "tool", "parent_session_id", "actions", "prompts") for row in rows] == [
        ("copilot", "mother", 1, 0),
        ("codex", None, 0, 1),
    ]
    assert only(rows[1], "input_tokens", "max_risk") == (None, None)


def test_second_reports_and_repeated_ids_count_once(tmp_path: Path) -> None:
    h = History()
    h.prompt()
    h.add("Prompt.Submitted", duplicate_of=h.events[0].facts["event_id"])
    h.ran("c1")
    h.events += h.events
    (row,) = answers(tmp_path, "sessions", h)
    assert only(row, "prompts", "actions", "events") == (1, 1, 3)


def test_without_call_ids_a_before_and_its_after_are_one_action(tmp_path: Path) -> None:
    h = History("gemini-cli")
    h.ran(None, "ls")
    h.ran(None, "ls", outcome="error")
    h.ran(None, "make")
    (row,) = answers(tmp_path, "sessions", h)
    assert only(row, "actions", "failures") == (3, 1)


def test_turns_hold_what_one_prompt_set_off(tmp_path: Path) -> None:
    h = History()
    h.prompt("t1")
    h.ran("c1", outcome="error")
    h.before("c2")
    h.blocked("c2")
    h.prompt("t2")
    h.add("Agent.Plan.Start", plan_type="explore")
    h.add("Model.Failed", error_code="429")
    h.answer(input_tokens=7, output_tokens=1)
    rows = answers(tmp_path, "turns", h)
    wanted = "turn_id prompts actions failures denies agents model_failures input_tokens".split()
    assert [only(row, *wanted) for row in rows] == [
        ("t1", 1, 2, 1, 1, 0, 0, None),
        ("t2", 1, 0, 0, 0, 1, 1, 7),
    ]


def talk(tool: str, session: str, *turns: tuple[str, str | None, bool | None]) -> History:
    """Prompts and answers: the prompt's digest, the one its answer names, whether it goes on."""
    h = History(tool, session)
    for prompt, own, again in turns:
        h.add("Prompt.Submitted", prompt_hash=f"sha256:{prompt * 64}")
        named = {} if own is None else {"prompt_hash": f"sha256:{own * 64}"}
        h.answer(**named, **({} if again is None else {"is_followup": again}))
    return h


def test_the_reason_of_a_hook_that_rejects_an_answer_is_no_prompt(tmp_path: Path) -> None:
    talks = (
        talk("gemini-cli", "rejected", ("a", "a", None), ("b", "a", None)),
        talk("gemini-cli", "two", ("a", "a", None), ("b", "b", None)),
        talk("gemini-cli", "the same twice", ("a", "a", None), ("a", "a", None)),
        talk("copilot", "blocked", ("a", None, False), ("b", None, True)),
        talk("copilot", "silent", ("a", None, None), ("b", None, None)),
        talk("claude-code", "another tool", ("a", "a", None), ("b", "a", True)),
    )
    rows = answers(tmp_path, "sessions", *talks)
    assert {row["session_id"]: row["prompts"] for row in rows} == {
        "rejected": 1, "two": 2, "the same twice": 2, "blocked": 1, "silent": 2, "another tool": 2,
    }  # fmt: skip
