"""What was denied: observed where an event says so, inferred where only silence does."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.queries.history import History, answers, at, only

CONTRACT = (
    "timestamp tool session_id call_id event_id action_name action_native command decided_by "
    "decision_reason decision_evidence certainty executed_afterwards"
).split()


def test_an_observed_deny_has_the_columns_scripts_rely_on(tmp_path: Path) -> None:
    h = History()
    h.prompt("t1")
    begun = h.before("c1", "rm -rf build")
    refused = h.blocked("c1", "rm -rf build", about=begun)
    (row,) = answers(tmp_path, "denies", h)
    assert list(row)[: len(CONTRACT)] == CONTRACT
    assert only(row, *CONTRACT) == (
        at(3), "claude-code", "s1", "c1", refused, "shell", "Bash", "rm -rf build", "hook", "no",
        "PostToolBatch", "observed", False,
    )  # fmt: skip
    assert row["about"] == begun


def test_one_action_refused_twice_over_is_one_row(tmp_path: Path) -> None:
    h = History()
    begun = h.before("c1")
    first = h.blocked("c1", about=begun, decision_reason="the hook said no")
    h.blocked("c1", about=begun, decision_reason="the batch says it again")
    h.blocked("c1", about=begun, duplicate_of=first)
    (row,) = answers(tmp_path, "denies", h)
    assert only(row, "event_id", "decision_reason") == (first, "the hook said no")


def test_the_same_call_id_in_another_turn_is_another_action(tmp_path: Path) -> None:
    h = History()
    for turn in ("t1", "t2"):
        h.prompt(turn)
        h.before("c1", f"echo {turn}")
        h.blocked("c1", f"echo {turn}")
    h.prompt("t3")
    h.ran("c1", "echo t3")
    rows = answers(tmp_path, "denies", h)
    assert [row["command"] for row in rows] == ["echo t1", "echo t2"]


def test_a_refusal_told_by_the_after_event_counts(tmp_path: Path) -> None:
    h = History("openclaw")
    h.before("c1")
    h.after("c1", outcome="denied", decided_by="hook")
    (row,) = answers(tmp_path, "denies", h)
    assert only(row, "certainty", "decided_by", "executed_afterwards") == (
        "observed",
        "hook",
        False,
    )


@pytest.mark.long
def test_a_refused_prompt_is_a_deny_and_no_action(tmp_path: Path) -> None:
    h = History()
    prompt = h.prompt()
    refused = h.add("Policy.Blocked", decision="deny", decided_by="hook", about=prompt)
    (row,) = answers(tmp_path, "denies", h)
    assert only(row, "event_id", "subject", "hook_point", "enforced", "about", "certainty") == (
        refused, "prompt", "PreUserInput", True, prompt, "observed",
    )  # fmt: skip
    assert (row["executed_afterwards"], row["evidence"]) == (None, [prompt, refused])
    (session,) = answers(tmp_path, "sessions", h)
    assert (session["denies"], session["actions"]) == (1, 0)
    assert answers(tmp_path, "calls", h) == []


def test_executed_afterwards_means_the_same_fingerprint_ran(tmp_path: Path) -> None:
    later: dict[str, tuple[str, dict[str, str | None], bool]] = {
        "ran": ("rm -rf build", {}, True),
        "failed": ("rm -rf build", {"outcome": "error"}, True),
        "it ran, how is not known": ("rm -rf build", {"outcome": None}, True),
        "another": ("ls", {}, False),
        "denied again": ("rm -rf build", {"outcome": "denied"}, False),
        "an invalid call in a batch never ran": (
            "rm -rf build", {"outcome": "error", "reported_by": "batch"}, False,
        ),
    }  # fmt: skip

    def history(session: str, command: str, facts: dict[str, str | None]) -> History:
        h = History(session=session)
        h.ran("c0", "rm -rf build")  # before the refusal: proves nothing
        h.before("c1", "rm -rf build")
        h.blocked("c1", "rm -rf build")
        h.ran("c2", command, **facts)
        return h

    side_by_side = (history(case, command, facts) for case, (command, facts, _) in later.items())
    rows = answers(tmp_path, "denies", *side_by_side)
    found = {
        row["session_id"]: row["executed_afterwards"] for row in rows if row["call_id"] == "c1"
    }
    assert found == {case: expected for case, (_, _, expected) in later.items()}


def test_another_session_that_runs_it_is_not_afterwards(tmp_path: Path) -> None:
    h, other = History(), History(session="s2", second=100)
    h.before("c1", "rm -rf build")
    h.blocked("c1", "rm -rf build")
    other.ran("c1", "rm -rf build")
    (row,) = answers(tmp_path, "denies", h, other)
    assert row["executed_afterwards"] is False


def test_without_a_fingerprint_nobody_knows_whether_it_ran(tmp_path: Path) -> None:
    h = History()
    h.before("c1", action_fingerprint=None)
    h.blocked("c1", action_fingerprint=None)
    (row,) = answers(tmp_path, "denies", h)
    assert row["executed_afterwards"] is None


def test_silence_after_a_before_event_is_an_inferred_deny(tmp_path: Path) -> None:
    begun = {}
    histories = [History(tool) for tool in ("copilot", "gemini-cli", "cline")]
    for h in histories:
        h.prompt("t1")
        h.ran("c1", "ls")
        begun[h.tool] = h.before("c2", "rm -rf build")
        h.answer()
    rows = answers(tmp_path, "denies", *histories)
    assert {row["tool"]: row["event_id"] for row in rows} == begun
    for row in rows:
        assert only(row, "certainty", "call_id") == ("inferred", "c2")
        assert only(row, "decided_by", "decision_reason") == (None, None)


def test_a_call_that_may_still_be_running_is_no_deny(tmp_path: Path) -> None:
    h = History("copilot")
    h.ran("c1", "ls")
    h.before("c2", "sleep 600")
    assert answers(tmp_path, "denies", h) == []


def test_a_sub_agent_goes_on_in_its_parent(tmp_path: Path) -> None:
    child = History("copilot", "child")
    child.ran("c1", "ls", parent_session_id="s1")
    child.before("c2", "rm -rf build", parent_session_id="s1")
    parent = History("copilot", "s1", second=100)
    parent.answer()
    (row,) = answers(tmp_path, "denies", child, parent)
    assert only(row, "session_id", "certainty") == ("child", "inferred")


def test_where_no_after_event_is_captured_silence_says_nothing(tmp_path: Path) -> None:
    h = History("copilot")
    h.before("c1", "ls")
    h.before("c2", "rm -rf build")
    h.answer()
    assert answers(tmp_path, "denies", h) == []


def test_clients_whose_silence_proves_nothing_have_no_inferred_deny(tmp_path: Path) -> None:
    tools = ("cursor", "windsurf", "opencode", "openclaw", "qwen-code")
    histories = [History(tool) for tool in tools]
    for h in histories:
        h.ran("c1", "ls")
        h.before("c2", "rm -rf build")
        h.answer()
    assert answers(tmp_path, "denies", *histories) == []


def test_claude_code_is_silent_after_a_dialog_and_without_a_batch(tmp_path: Path) -> None:
    def history(session: str, *, batch: bool, asked: bool) -> History:
        h = History(session=session)
        h.ran("c1", "ls")
        if batch:
            h.after("c1", "ls", reported_by="batch", duplicate_of=h.events[-1].facts["event_id"])
        h.before("c2", "rm -rf build")
        if asked:
            h.asked("c2", "rm -rf build")
        h.answer()
        return h

    rows = answers(
        tmp_path,
        "denies",
        history("no-batch", batch=False, asked=False),
        history("batch", batch=True, asked=False),  # the batch would have named a refusal
        history("batch-and-question", batch=True, asked=True),
    )
    assert {row["session_id"] for row in rows} == {"no-batch", "batch-and-question"}


def test_codex_is_silent_about_more_than_denies(tmp_path: Path) -> None:
    silent: dict[str, dict[str, str]] = {
        "denied": {},
        "fails silently": {"action_category": "file_edit", "action_native": "apply_patch"},
        "seen under its other name": {"command": "apply_patch <<'EOF'\n*** Begin Patch"},
        "a server's fails silently": {
            "action_category": "mcp_call", "action_native": "mcp__t__x",
        },
    }  # fmt: skip

    def history(session: str, facts: dict[str, str]) -> History:
        h = History("codex", session)
        h.prompt("t1")
        h.ran("c1", "ls", **{name: word for name, word in facts.items() if name != "command"})
        h.before("c2", **{"command": "rm -rf build", **facts})
        h.answer()
        return h

    rows = answers(tmp_path, "denies", *(history(case, facts) for case, facts in silent.items()))
    assert [row["session_id"] for row in rows] == ["denied"]


def test_an_interrupted_codex_turn_is_no_deny_unless_a_question_was_open(tmp_path: Path) -> None:
    def history(session: str, asked: bool) -> History:
        h = History("codex", session)
        h.prompt("t1")
        h.ran("c1", "ls")
        h.before("c2", "sleep 30")
        if asked:
            h.asked("c2", "sleep 30")
        h.prompt("t2")
        h.answer()
        return h

    rows = answers(tmp_path, "denies", history("s1", False), history("s2", True))
    assert [row["session_id"] for row in rows] == ["s2"]


def test_an_approved_call_is_never_an_inferred_deny(tmp_path: Path) -> None:
    h = History("copilot")
    h.ran("c1", "ls")
    h.before("c2", "sleep 9")
    h.action("Policy.Override", "c2", "sleep 9", decision="allow", decided_by="user")
    h.answer()
    assert answers(tmp_path, "denies", h) == []


def test_a_batch_names_what_was_refused_also_before_the_first_after_event(tmp_path: Path) -> None:
    h = History()
    h.before("c1", "rm -rf build")
    entry = h.after("c1", "rm -rf build", None, reported_by="batch", native_event="PostToolBatch")
    h.ran("c2", "ls")  # only now it is known that after events are captured
    (row,) = answers(tmp_path, "denies", h)
    assert only(row, "event_id", "certainty", "decided_by", "decision_evidence") == (
        entry, "observed", None, "PostToolBatch without an after event",
    )  # fmt: skip


def test_an_entry_of_a_batch_alone_is_no_refusal(tmp_path: Path) -> None:
    def history(
        session: str, *, before: bool, after: bool, entry: str | None = None, other: bool = True
    ) -> History:
        h = History(session=session)
        if before:
            h.before("c1", "make")
        if after:
            h.after("c1", "make")
        h.after("c1", "make", entry, reported_by="batch")
        if other:
            h.ran("c2", "ls")
        return h

    nobody_knows_whether_after_events_are_captured = history(
        "alone", before=True, after=False, other=False
    )
    side_by_side = (
        nobody_knows_whether_after_events_are_captured,
        history("it ran", before=True, after=True),
        history("an invalid call has no before event", before=False, after=False),
        history("an invalid call that says so", before=True, after=False, entry="error"),
    )
    assert answers(tmp_path, "denies", *side_by_side) == []


def test_a_codex_command_that_goes_to_the_background_is_no_deny(tmp_path: Path) -> None:
    """The client goes on after ten seconds and sends no after event for what still runs."""

    def history(waited_s: int) -> History:
        h = History("codex", f"waited {waited_s} s")
        h.prompt("t1")
        h.ran("c1", "ls")
        h.before("c2", "sleep 120")
        h.second += waited_s
        h.answer()
        return h

    rows = answers(tmp_path, "denies", history(1), history(11))
    assert [row["session_id"] for row in rows] == ["waited 1 s"]


@pytest.mark.parametrize(("outcome", "certainty"), [("ok", "inferred"), ("error", "observed")])
def test_a_bare_entry_of_a_batch_is_sure_only_where_failures_are_captured(
    tmp_path: Path, outcome: str, certainty: str
) -> None:
    """A failed call of another tool than the shell looks the same where they are not."""
    h = History()
    h.ran("c0", "ls")
    h.ran("c2", "make", outcome=outcome)
    h.before("c1", None, action_name="read_file")
    h.after("c1", None, None, action_name="read_file", reported_by="batch")
    (row,) = answers(tmp_path, "denies", h)
    assert only(row, "call_id", "certainty") == ("c1", certainty)


def test_a_call_in_which_the_program_ended_was_not_refused(tmp_path: Path) -> None:
    """After a refusal the turn goes on; a killed program starts anew, or says that it ended."""

    def history(end: str) -> History:
        h = History("gemini-cli", end)
        h.prompt("t1")
        h.ran("c0", "ls")
        h.answer()
        h.prompt("t2")
        h.before("c1", "sleep 60")
        if end == "answer":
            h.answer()
        elif end == "start":
            h.add("Session.Start", start_reason="resume")
        h.end()
        return h

    rows = answers(tmp_path, "denies", history("answer"), history("end"), history("start"))
    assert [row["session_id"] for row in rows] == ["answer"]


def test_an_entry_of_a_batch_says_nothing_where_no_success_is_ever_told(tmp_path: Path) -> None:
    h = History()
    h.ran("c0", "false", outcome="error")
    h.before("c1", "ls")
    h.after("c1", "ls", None, reported_by="batch")
    assert answers(tmp_path, "denies", h) == []
