"""How far a session's record can be relied on, and what shows where hooks were switched off."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.queries.history import History, answers, only

from hookstream.queries import roster
from hookstream.redaction.digest import pseudonym

HERE = {"machine_id": "machine-1", "user_id": "user-1"}


def session(name: str, second: float, witness: str | None = None, scope: str | None = None):
    h = History(session=name, second=second)
    facts = {**HERE, "witness": witness, "capture_scope": scope}
    h.add("Session.Start", **facts)
    h.add("Prompt.Submitted", **facts)
    h.before(f"{name}-c1", **facts)
    h.after(f"{name}-c1", **facts)
    h.add("Session.End", **facts)
    return h


def asked(folder: Path, *histories: History) -> dict[str, tuple[str, list[str]]]:
    rows = answers(folder, "assurance", *histories)
    assert all(row["machine_id"] == "machine-1" and row["user_id"] == "user-1" for row in rows)
    return {row["session_id"]: (row["assurance"], row["reasons"]) for row in rows}


def test_each_way_of_capture_is_a_level(tmp_path: Path) -> None:
    found = asked(
        tmp_path,
        session("telemetry", 0, "telemetry"),
        session("files", 20, "transcript"),
        session("hand", 40),
        session("project", 60, scope="project"),
        session("user", 80, scope="user"),
        session("managed", 100, scope="managed"),
    )
    assert found == {
        "telemetry": ("telemetry", ["no_hooks"]),
        "files": ("files", ["no_hooks"]),
        "hand": ("hooks", ["registration_unknown"]),
        "project": ("project_hooks", []),
        "user": ("user_hooks", []),
        "managed": ("managed_hooks", []),
    }


@pytest.mark.long
def test_a_session_without_the_hooks_that_were_there_shows(tmp_path: Path) -> None:
    """The managed folder masked, a fork of the client, hooks switched off for one run."""
    histories = [
        session("before", 0, "transcript"),  # not installed yet: nothing to be said of it
        session("managed", 20, scope="managed"),
        session("masked", 40, "transcript"),
        session("own", 60, scope="user"),
    ]
    found = asked(tmp_path, *histories)
    assert found["before"] == ("files", ["no_hooks"])
    assert found["masked"] == (
        "files",
        ["no_hooks", "hooks_seen_before", "managed_hooks_seen_before"],
    )
    assert found["own"] == ("user_hooks", ["managed_hooks_seen_before"])
    gaps = [
        only(row, "gap", "machine_id", "user_id", "tool", "where", "count")
        for row in answers(tmp_path, "gaps", *histories)
        if row["gap"] == "sessions_without_hooks"
    ]
    assert gaps == [
        ("sessions_without_hooks", "machine-1", "user-1", "claude-code", "files", 1),
        ("sessions_without_hooks", "machine-1", "user-1", "claude-code", "user_hooks", 1),
    ]


@pytest.mark.long
def test_asked_of_one_session_what_others_show_of_it_stays(tmp_path: Path) -> None:
    histories = (session("managed", 0, scope="managed"), session("masked", 20, "transcript"))
    (row,) = answers(tmp_path, "assurance", *histories, session="masked")
    assert row["reasons"] == ["no_hooks", "hooks_seen_before", "managed_hooks_seen_before"]
    named = [row["gap"] for row in answers(tmp_path, "gaps", *histories, session="masked")]
    assert "sessions_without_hooks" in named


def test_a_start_that_hooks_did_not_see_is_a_reason(tmp_path: Path) -> None:
    """`--bare` of Claude Code leaves out SessionStart alone."""
    h = History(session="bare")
    h.before("c1", **HERE, capture_scope="managed")
    h.after("c1", **HERE, capture_scope="managed")
    h.sequence += 1
    h.add("Session.End", **HERE, capture_scope="managed")
    assert asked(tmp_path, h) == {"bare": ("managed_hooks", ["no_session_start", "missing_events"])}


def test_calls_that_hooks_do_not_know_are_a_reason(tmp_path: Path) -> None:
    seen = session("s", 0, scope="managed")
    files = session("s", 0.5, "transcript")
    files.before("more", **HERE, witness="transcript")
    files.after("more", **HERE, witness="transcript")
    assert asked(tmp_path, seen, files)["s"] == ("managed_hooks", ["calls_without_hooks"])


def test_witnesses_that_disagree_are_a_reason(tmp_path: Path) -> None:
    seen, files = History(session="s"), History(session="s", second=0.5)
    for h, facts in ((seen, {"capture_scope": "managed"}), (files, {"witness": "transcript"})):
        h.add("Session.Start", **HERE, **facts)
        h.before("c1", **HERE, **facts)
    seen.after("c1", **HERE, capture_scope="managed", success=True, outcome="ok")
    files.after("c1", **HERE, witness="transcript", success=False, outcome="error")
    assert asked(tmp_path, seen, files)["s"] == ("managed_hooks", ["witnesses_disagree"])


def test_refusals_and_replaced_capture_are_reasons(tmp_path: Path) -> None:
    h = session("s", 0, scope="user")
    h.add("vendor.claude-code.ConfigurationRefused", **HERE)
    h.add("vendor.claude-code.CaptureReplaced", **HERE)
    assert asked(tmp_path, h)["s"][1] == ["configuration_refused", "capture_replaced"]


def test_the_sessions_table_has_the_level(tmp_path: Path) -> None:
    (row,) = answers(tmp_path, "sessions", session("s", 0, scope="project"))
    assert (row["assurance"], row["assurance_reasons"]) == ("project_hooks", [])


@pytest.mark.long
def test_the_roster_makes_silent_machines_visible(tmp_path: Path) -> None:
    key = b"k" * 32
    names = tmp_path / "roster.txt"
    names.write_text("# the fleet\nlaptop-1 alice\nlaptop-2,bob\n\n")
    known = pseudonym("machine", "laptop-1", key)
    h = session("s", 0, scope="managed")
    other = session("t", 20, scope="managed")
    for event in h.events:
        event.facts["machine_id"] = known
    roster.expect(roster.read(names, key))
    try:
        rows = answers(tmp_path, "gaps", h, other)
    finally:
        roster.expect([])
    assert [only(row, "gap", "where", "machine_id", "user_id") for row in rows] == [
        ("missing_machine", "laptop-2", pseudonym("machine", "laptop-2", key), None),
        ("unexpected_machine", None, "machine-1", "user-1"),
    ]
    assert answers(tmp_path, "gaps", h) == []  # nobody is expected
