"""What was asked, how it ended and how long it took."""

from __future__ import annotations

from pathlib import Path

from tests.queries.history import History, answers, at, only

CONTRACT = "timestamp tool session_id call_id action_name resolution decided_by waited_ms".split()


def test_an_ask_is_approved_denied_or_unknown(tmp_path: Path) -> None:
    h = History()
    h.before("c1", "touch one")
    h.asked("c1", "touch one")
    h.second += 4
    h.after("c1", "touch one")
    h.before("c2", "touch two")
    h.asked("c2", "touch two")
    h.action("Policy.Override", "c2", "touch two", decision="allow", decided_by="user")
    h.after("c2", "touch two")
    h.before("c3", "touch three")
    h.asked("c3", "touch three")
    h.blocked("c3", "touch three", decided_by="user")
    h.before("c4", "touch four")
    h.asked("c4", "touch four")
    rows = answers(tmp_path, "asks", h)
    assert list(rows[0])[: len(CONTRACT)] == CONTRACT
    assert [only(row, "call_id", "resolution", "decided_by", "waited_ms") for row in rows] == [
        ("c1", "unknown", None, None),
        ("c2", "approved", "user", 1000),
        ("c3", "denied", "user", 1000),
        ("c4", "unknown", None, None),
    ]
    assert rows[0]["timestamp"] == at(2)


def test_a_notification_of_no_call_is_no_ask(tmp_path: Path) -> None:
    h = History()
    h.before("c1")
    h.asked("c1")
    h.add("Agent.Notification", notification_type="ToolPermission", message="needs you")
    h.add("Agent.Notification", notification_type="IdleTimeout")
    h.asked("c1", duplicate_of=h.events[1].facts["event_id"])
    assert len(answers(tmp_path, "asks", h)) == 1


def test_an_ask_that_came_before_the_before_event_is_of_that_call(tmp_path: Path) -> None:
    h = History()
    h.asked("c1")
    h.ran("c1")
    (row,) = answers(tmp_path, "asks", h)
    assert only(row, "resolution", "waited_ms") == ("unknown", None)


def test_a_question_about_no_call_is_an_ask_if_its_answer_names_it(tmp_path: Path) -> None:
    h = History("opencode")
    denied = h.add("Agent.Notification", notification_type="ToolPermission")
    h.second += 2
    h.add("Policy.Blocked", about=denied, decision="deny", decided_by="user")
    approved = h.add("Agent.Notification", notification_type="ToolPermission")
    h.add("Policy.Override", about=approved, decision="allow", decided_by="user")
    h.add("Agent.Notification", notification_type="ToolPermission")
    rows = answers(tmp_path, "asks", h)
    assert [only(row, "event_id", "resolution", "decided_by", "waited_ms") for row in rows] == [
        (denied, "denied", "user", 3000),
        (approved, "approved", "user", 1000),
    ]
    assert list(rows[0])[: len(CONTRACT)] == CONTRACT
    (row,) = answers(tmp_path, "denies", h)
    assert only(row, "subject", "call_id", "decided_by") == ("other", None, "user"), "no call was"


def test_a_session_waits_from_its_first_question_without_a_later_event(tmp_path: Path) -> None:
    h = History()
    h.before("c1", "touch one")
    h.asked("c1", "touch one")
    h.add("Agent.Notification", notification_type="ToolPermission", message="needs you")
    (row,) = answers(tmp_path, "waiting", h)
    assert only(row, "since", "what", "session_id") == (at(2), "touch one", row["session_id"])


def test_a_session_that_went_on_or_ended_does_not_wait(tmp_path: Path) -> None:
    h = History()
    h.before("c1", "touch one")
    h.asked("c1", "touch one")
    h.add("Session.End")
    assert answers(tmp_path, "waiting", h) == []
