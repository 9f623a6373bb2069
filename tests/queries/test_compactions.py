"""One row a compaction, joined in order; an announcement alone is none that came about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.queries.history import History, answers, at, only

CONTRACT = (
    "timestamp tool session_id trigger tokens_before tokens_after tokens_removed completed "
    "certainty denies_before"
).split()


def compact(h: History, phase: str | None, **facts: Any) -> str:
    return h.add("Context.Compaction", context_phase=phase, **facts)


def test_before_restart_and_after_are_one_compaction(tmp_path: Path) -> None:
    h = History()
    h.before("c1")
    h.blocked("c1")
    compact(h, "before", context_trigger="auto", tokens_before=900)
    compact(h, "restarted")
    compact(h, "after", context_trigger="auto", tokens_after=200)
    h.end()
    (row,) = answers(tmp_path, "compactions", h)
    assert list(row)[: len(CONTRACT)] == CONTRACT
    assert only(row, *CONTRACT) == (
        at(3), "claude-code", "s1", "auto", 900, 200, 700, True, "observed", 1,
    )  # fmt: skip


def test_byte_identical_compactions_stay_apart(tmp_path: Path) -> None:
    h = History()
    for _ in range(2):
        compact(h, "before", context_trigger="auto")
        compact(h, "after", context_trigger="auto")
    assert len(answers(tmp_path, "compactions", h)) == 2


def test_a_restart_after_the_post_event_belongs_to_the_same(tmp_path: Path) -> None:
    h = History()
    for _ in range(2):
        compact(h, "before", context_trigger="manual")
        compact(h, "after", context_trigger="manual")
        compact(h, "restarted")
    assert [row["completed"] for row in answers(tmp_path, "compactions", h)] == [True, True]


def test_an_announcement_alone_did_not_come_about_once_the_session_ended(tmp_path: Path) -> None:
    ended, still_open = History(), History(session="s2", second=50)
    for h in (ended, still_open):
        compact(h, "before", context_trigger="auto")
    ended.end()
    rows = answers(tmp_path, "compactions", ended, still_open)
    assert [only(row, "completed", "end", "certainty") for row in rows] == [
        (False, "not_completed", "inferred"),
        (None, "open", "inferred"),
    ]


def test_a_failed_attempt_and_the_one_that_worked_are_two(tmp_path: Path) -> None:
    h = History()
    compact(h, "before", context_trigger="auto")
    compact(h, "before", context_trigger="auto")
    compact(h, "after", context_trigger="auto")
    h.end()
    assert [row["completed"] for row in answers(tmp_path, "compactions", h)] == [False, True]


def test_clients_that_never_confirm_one_are_believed_when_a_user_asked(tmp_path: Path) -> None:
    h = History("copilot")
    compact(h, "before", context_trigger="auto")
    compact(h, "before", context_trigger="manual")
    h.end()
    rows = answers(tmp_path, "compactions", h)
    assert [only(row, "trigger", "completed", "end", "certainty") for row in rows] == [
        ("auto", None, "unconfirmed", "inferred"),
        ("manual", True, "unconfirmed", "observed"),
    ]


def test_a_drop_in_tokens_is_evidence_and_a_restart_alone_is_not(tmp_path: Path) -> None:
    h = History("gemini-cli")
    compact(h, "after", tokens_before=900, tokens_after=100, context_trigger="auto")
    other = History("claude-code", second=10)
    compact(other, "restarted")
    rows = answers(tmp_path, "compactions", h, other)
    assert [only(row, "tool", "certainty", "tokens_removed") for row in rows] == [
        ("gemini-cli", "observed", 800),
        ("claude-code", "inferred", None),
    ]


def test_an_event_without_phases_is_a_compaction(tmp_path: Path) -> None:
    h = History("opencode")
    compact(h, None, context_trigger="auto")
    compact(h, None, context_trigger="auto")
    rows = answers(tmp_path, "compactions", h)
    assert [only(row, "completed", "certainty") for row in rows] == [(True, "observed")] * 2


def test_sub_agents_compact_on_their_own(tmp_path: Path) -> None:
    h = History()
    compact(h, "before", context_trigger="auto", agent_id="a1")
    compact(h, "before", context_trigger="auto")
    compact(h, "after", context_trigger="auto", agent_id="a1")
    compact(h, "after", context_trigger="auto")
    rows = answers(tmp_path, "compactions", h)
    assert [only(row, "agent_id", "completed") for row in rows] == [("a1", True), (None, True)]
