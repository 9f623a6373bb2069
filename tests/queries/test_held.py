"""What became of a guard's verdict: by the answer, the refusal and the input that ran."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.queries.history import History, answers, only

GUARD = {"guardian": "python3 guard.py", "decided_by": "hook", "decision_evidence": "hook answer"}


def verdict(h: History, call: str, decision: str, other: str | None = None, **facts: Any) -> None:
    """A call that a guard decided about, with another input or without."""
    command = f"touch {call}"
    begun = h.before(call, command)
    kind = "Policy.Blocked" if decision == "deny" else "vendor.x.HookDecision"
    changes = {"modified": True} if other else {}
    h.action(kind, call, command, about=begun, decision=decision, **changes, **GUARD, **facts)
    if other is not None:
        h.add(
            "vendor.x.ToolInputModified",
            call_id=call,
            about=begun,
            modified=True,
            guardian=GUARD["guardian"],
            action_fingerprint=sha256(other.encode()).hexdigest()[:16],
        )


def held(tmp_path: Path, h: History) -> dict[str, tuple[Any, ...]]:
    rows = answers(tmp_path, "decisions", h)
    return {row["call_id"]: only(row, "held", "held_certainty") for row in rows if row["guardian"]}


def test_a_deny_held_where_another_shows_the_refusal_and_is_ignored_where_it_ran(
    tmp_path: Path,
) -> None:
    h = History()
    verdict(h, "shown", "deny")
    h.blocked("shown", "touch shown")
    verdict(h, "alone", "deny")
    verdict(h, "ran", "deny")
    h.after("ran", "touch ran")
    verdict(h, "stopped", "deny")
    h.after("stopped", "touch stopped", "cancelled")
    assert held(tmp_path, h) == {
        "shown": ("held", "observed"),
        "alone": ("held", "inferred"),
        "ran": ("ignored", "observed"),
        "stopped": ("held", "inferred"),
    }
    (row,) = (row for row in answers(tmp_path, "denies", h) if row["executed_afterwards"])
    assert only(row, "call_id", "held") == ("ran", "ignored")


@pytest.mark.parametrize("by", ["user", "host", "rule", "mode", "client"])
def test_an_ask_is_approved_only_by_somebody(tmp_path: Path, by: str) -> None:
    h = History()
    verdict(h, "nobody", "ask")
    h.after("nobody", "touch nobody")
    verdict(h, "yes", "ask")
    h.action("Policy.Override", "yes", "touch yes", decision="allow", decided_by=by)
    h.after("yes", "touch yes")
    verdict(h, "no", "ask")
    h.blocked("no", "touch no", decided_by=by)
    rows = {row["call_id"]: row for row in answers(tmp_path, "asks", h)}
    assert {call: only(row, "resolution", "decided_by") for call, row in rows.items()} == {
        "nobody": ("unknown", None),
        "yes": ("approved", by),
        "no": ("denied", by),
    }
    assert only(rows["nobody"], "waited_ms", "decision_evidence", "certainty") == (None,) * 3
    assert rows["yes"]["certainty"] == "observed" and rows["yes"]["decision_evidence"]
    is_asked = by in ("user", "host", "rule")
    assert rows["yes"]["held"] == ("held" if is_asked else "asked_nobody")
    assert rows["no"]["held"] == ("held" if is_asked else "asked_nobody")
    assert rows["nobody"]["held"] == "unknown"


@pytest.mark.parametrize("decision", ["allow", "ask"])
def test_changed_input_is_compared_with_what_ran(tmp_path: Path, decision: str) -> None:
    h = History()
    for call, ran in (("used", "touch other"), ("dropped", "touch dropped")):
        verdict(h, call, decision, other="touch other")
        if decision == "ask":
            h.action("Policy.Override", call, f"touch {call}", decision="allow", decided_by="user")
        h.after(call, ran)
    verdict(h, "refused", decision, other="touch other")
    h.blocked("refused", "touch refused", decided_by="client")
    states = held(tmp_path, h)
    assert states["used"] == ("changed", "observed")
    assert states["dropped"] == ("ignored", "observed")
    assert states["refused"][0] == ("ignored" if decision == "allow" else "asked_nobody")
    calls = {row["call_id"]: row for row in answers(tmp_path, "calls", h)}
    assert {call: row["modified"] for call, row in calls.items()} == {
        "used": True,
        "dropped": False,
        "refused": False,
    }


def test_a_clients_refusal_in_the_words_of_an_ask_is_the_clients(tmp_path: Path) -> None:
    h = History("qwen-code")
    verdict(h, "asked", "ask", decision_reason="look at it")
    h.blocked("asked", "touch asked", decided_by="hook", decision_reason="look at it")
    verdict(h, "other", "ask", decision_reason="look at it")
    h.blocked("other", "touch other", decided_by="hook", decision_reason="another hook")
    rows = {row["call_id"]: row for row in answers(tmp_path, "asks", h)}
    assert only(rows["asked"], "resolution", "decided_by", "held") == (
        "denied",
        "client",
        "asked_nobody",
    )
    assert only(rows["other"], "resolution", "decided_by") == ("denied", "hook")


def test_no_waiting_is_below_zero(tmp_path: Path) -> None:
    h = History()
    h.before("c1")
    h.action("Policy.Override", "c1", "ls", decision="allow", decided_by="user")
    h.asked("c1")
    h.after("c1")
    (row,) = answers(tmp_path, "asks", h)
    assert only(row, "resolution", "decided_by", "waited_ms") == ("approved", "user", None)


@pytest.mark.long
def test_a_session_whose_client_ran_no_hook_at_its_calls_is_a_gap(tmp_path: Path) -> None:
    h = History("codex")
    h.start()
    h.ran("c1", witness="transcript")
    h.ran("c2", witness="transcript")
    h.answer()
    rows = {row["gap"]: row for row in answers(tmp_path, "gaps", h)}
    assert rows["hooks_not_run"]["count"] == 1
    h.ran("c3")
    assert "hooks_not_run" not in {row["gap"] for row in answers(tmp_path, "gaps", h)}


def unnamed(h: History) -> None:
    """Mark the last event's call id as made, as where a client's hook gives none."""
    h.events[-1].synthesized.append("call_id")


@pytest.mark.long
def test_a_verdict_and_its_call_have_one_id(tmp_path: Path) -> None:
    h = History("copilot")
    for n in (1, 2):
        h.before(f"real{n}", f"touch {n}", witness="transcript")
        begun = h.before(f"made{n}", f"touch {n}")
        unnamed(h)
        h.action(
            "vendor.copilot.HookDecision", f"made{n}", f"touch {n}", about=begun, decision="ask",
            **GUARD,
        )  # fmt: skip
        unnamed(h)
        h.after(f"real{n}", f"touch {n}", witness="transcript")
    assert [row["call_id"] for row in answers(tmp_path, "calls", h)] == ["real1", "real2"]
    assert [row["call_id"] for row in answers(tmp_path, "asks", h)] == ["real1", "real2"]
    rows = answers(tmp_path, "decisions", h)
    assert [row["call_id"] for row in rows if row["guardian"]] == ["real1", "real2"]


@pytest.mark.long
def test_a_question_is_of_the_call_that_was_open_when_it_was_put(tmp_path: Path) -> None:
    h = History()
    h.ran("c1", "touch 1")
    h.before("c1", "touch 1", witness="transcript")
    h.second += 60
    h.before("c2", "touch 2")
    h.before("c2", "touch 2", witness="transcript")
    h.asked("made", "touch another input")
    unnamed(h)
    h.after("c2", "touch 2", witness="transcript")
    (row,) = answers(tmp_path, "asks", h)
    assert row["call_id"] == "c2"
    h.second += 60
    h.asked("late", "touch late")
    unnamed(h)
    assert [row["call_id"] for row in answers(tmp_path, "asks", h)] == ["c2", "late"]


@pytest.mark.long
def test_a_run_without_its_begin_is_not_that_of_another_call(tmp_path: Path) -> None:
    """A hook's line before the call is lost, and its input was changed: its result is of the call
    that ran then, or of none, never of one that was refused."""
    h = History("copilot")
    h.before("refused", "touch 1", witness="transcript")
    h.blocked("refused", "touch 1", witness="transcript")
    h.before("first", "touch 2", witness="transcript")
    h.after("first", "touch 2", witness="transcript")
    h.before("second", "touch 3", witness="transcript")
    h.after("made", "touch changed")
    unnamed(h)
    h.after("second", "touch 3", witness="transcript")
    calls = {row["call_id"]: row for row in answers(tmp_path, "calls", h)}
    assert calls["refused"]["outcome"] == "denied"
    assert calls["first"]["command"] == "touch 2"
    assert calls["second"]["command"] == "touch changed"
    assert not any(row["executed_afterwards"] for row in answers(tmp_path, "denies", h))


@pytest.mark.long
def test_a_made_id_joins_no_run_to_a_refused_call(tmp_path: Path) -> None:
    """The hook before the second call is lost: the id made for the first was still open."""
    h = History("copilot")
    h.before("c1", "touch 1", witness="transcript")
    h.before("made", "touch 1")
    unnamed(h)
    h.blocked("c1", "touch 1", witness="transcript")
    h.before("c2", "touch 2", witness="transcript")
    h.after("made", "touch 2")
    unnamed(h)
    h.after("c2", "touch 2", witness="transcript")
    rows = answers(tmp_path, "calls", h)
    assert [only(row, "call_id", "outcome", "executed_afterwards") for row in rows] == [
        ("c1", "denied", False),
        ("c2", "ok", None),
    ]


@pytest.mark.long
def test_what_each_witness_lost_is_not_one_call(tmp_path: Path) -> None:
    """Each has a call of which the other has nothing, at other times."""
    h = History("copilot")
    h.ran("real", "touch 1", witness="transcript")
    h.before("made", "touch 2")
    unnamed(h)
    rows = {row["call_id"]: row["outcome"] for row in answers(tmp_path, "calls", h)}
    assert rows == {"real": "ok", "made": "unknown"}


@pytest.mark.long
def test_a_call_is_known_by_the_input_that_a_guardian_made(tmp_path: Path) -> None:
    """... where one witness holds what was asked, and the other what ran, of calls at once."""
    h = History("gemini-cli")
    for call in ("real1", "real2"):
        h.before(call, f"touch other {call}", witness="transcript")
    for made, call in (("made2", "real2"), ("made1", "real1")):
        verdict(h, made, "allow", f"touch other {call}")
        for event in h.events[-3:]:
            event.synthesized.append("call_id")
    for call in ("real1", "real2"):
        h.after(call, f"touch other {call}", witness="transcript")
    rows = answers(tmp_path, "decisions", h)
    ids = {row["about"]: row["call_id"] for row in rows if row["guardian"]}
    begun = {h.events[4].facts["about"]: "real2", h.events[7].facts["about"]: "real1"}
    assert ids == begun


def test_a_question_with_the_id_of_a_call_belongs_to_it(tmp_path: Path) -> None:
    h = History()
    for call in ("c1", "c2"):
        h.before(call, f"touch {call}", witness="transcript")
        h.before(call, f"touch {call}")
    h.asked("c2", "touch another input")
    unnamed(h)
    for call in ("c1", "c2"):
        h.after(call, f"touch {call}", witness="transcript")
    (row,) = answers(tmp_path, "asks", h)
    assert only(row, "call_id", "resolution") == ("c2", "unknown")


def test_an_ask_that_its_client_does_not_know_was_put_to_no_person(tmp_path: Path) -> None:
    h = History("codex")
    verdict(h, "ran", "ask", enforced=False)
    h.after("ran", "touch ran")
    assert held(tmp_path, h) == {"ran": ("asked_nobody", "observed")}
    (row,) = answers(tmp_path, "asks", h)
    assert only(row, "resolution", "decided_by") == ("asked_nobody", None)


def answered_in(
    tmp_path: Path, tool: str, marks: list[bool], by: str | None = "user"
) -> dict[str, Any]:
    """The ask of a session whose client says whether a person attends; answered or only run."""
    h = History(tool)
    for mark in marks:
        h.start(attended=mark)
    verdict(h, "c1", "ask")
    if by is None:
        h.asked("c1", "touch c1")
    else:
        h.action("Policy.Override", "c1", "touch c1", decision="allow", decided_by=by)
    h.after("c1", "touch c1")
    (row,) = answers(tmp_path, "asks", h)
    return row


@pytest.mark.parametrize(
    ("tool", "marks", "who"),
    [
        ("claude-code", [True], "user"),
        ("claude-code", [], "user"),
        ("claude-code", [True, False], "user"),
        ("claude-code", [False], "host"),
        ("mistral-vibe", [False], "client"),
    ],
)
def test_no_user_answers_where_none_attends(
    tmp_path: Path, tool: str, marks: list[bool], who: str
) -> None:
    row = answered_in(tmp_path, tool, marks)
    assert only(row, "resolution", "decided_by") == ("approved", who)
    assert row["held"] == ("asked_nobody" if who == "client" else "held")


def test_what_ran_after_a_question_was_answered_where_the_question_holds_it(
    tmp_path: Path,
) -> None:
    row = answered_in(tmp_path, "gemini-cli", [True], None)
    assert only(row, "resolution", "decided_by", "certainty", "waited_ms") == (
        "approved",
        "user",
        "inferred",
        None,
    )


@pytest.mark.parametrize(
    ("tool", "marks", "resolution"),
    [
        ("gemini-cli", [], "unknown"),
        ("gemini-cli", [False], "asked_nobody"),
        ("copilot", [True], "unknown"),
        ("copilot", [False], "asked_nobody"),
    ],
)
def test_an_ask_that_ran_is_nobodys_where_none_attends(
    tmp_path: Path, tool: str, marks: list[bool], resolution: str
) -> None:
    row = answered_in(tmp_path, tool, marks, None)
    assert only(row, "resolution", "decided_by") == (resolution, None)
    certainty = "inferred" if resolution == "asked_nobody" else None
    assert row["held_certainty"] == certainty


def test_a_session_says_whether_a_person_attends(tmp_path: Path) -> None:
    marks = {"yes": [True], "no": [False, False], "both": [True, False], "none": []}
    histories = []
    for name, attended in marks.items():
        h = History(session=name)
        for mark in attended:
            h.start(attended=mark)
        h.ran("c1")
        histories.append(h)
    for question in ("sessions", "assurance"):
        rows = answers(tmp_path, question, *histories)
        assert {row["session_id"]: row["attended"] for row in rows} == {
            "yes": True,
            "no": False,
            "both": None,
            "none": None,
        }
