"""Loops counted from history: what they say must be what the detector says while it happens."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.queries.history import History, Row, answers, at, only

from hookstream.detect.detectors import Detectors

CONTRACT = (
    "tool session_id agent_id action_name fingerprint kind attempts failures first_at last_at "
    "elapsed_ms aborted"
).split()


def tries(h: History, outcomes: str, command: str = "pytest", **facts: str | None) -> None:
    """One call a letter: e error, t timeout, d denied, c cancelled, o ok, u nothing after it."""
    words = {"e": "error", "t": "timeout", "c": "cancelled", "o": "ok"}
    for letter in outcomes:
        call = f"c{h.sequence}"
        h.before(call, command, **facts)
        if letter == "d":
            h.blocked(call, command, **facts)
        elif letter != "u":
            h.after(call, command, words[letter], **facts)


def test_three_failed_attempts_are_a_loop(tmp_path: Path) -> None:
    h = History()
    h.prompt("t1")
    tries(h, "eee", agent_id="a1")
    h.end()
    (row,) = answers(tmp_path, "retry_loops", h)
    assert list(row)[: len(CONTRACT)] == CONTRACT
    assert only(row, *CONTRACT[:4]) == ("claude-code", "s1", "a1", "shell")
    assert only(row, *CONTRACT[5:]) == ("failing", 3, 3, at(2), at(7), 5000, True)


COUNTED = [
    ("ee", []),
    ("eeo", []),
    ("eoeoe", []),  # each success closes
    ("eeeeee", [("failing", 6, 6, True)]),
    ("ettc", [("failing", 4, 3, True)]),  # a cancelled attempt is one, but no failure
    ("eeeo", [("failing", 4, 3, False)]),  # the success that ends it is an attempt
    ("ddd", [("denied", 3, 3, True)]),
    ("dde", [("denied", 3, 3, True)]),
    ("dee", [("failing", 3, 3, True)]),
    ("eue", []),  # what nobody saw the end of is no failure
    ("eeue", [("failing", 4, 3, True)]),
    ("ooooooo", []),
    ("oooooooo", [("unchanged", 8, 0, True)]),
    ("eeeoeee", [("failing", 4, 3, False), ("failing", 3, 3, True)]),
]


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """The loops of all these, each in a session that is called like it."""
    histories = []
    for outcomes, _ in COUNTED:
        h = History(session=outcomes)
        h.prompt("t1")
        tries(h, outcomes, output_hash="sha256:same")
        h.end()
        histories.append(h)
    return answers(tmp_path_factory.mktemp("counted"), "retry_loops", *histories)


@pytest.mark.parametrize(("outcomes", "expected"), COUNTED)
def test_what_counts_and_what_closes(
    counted: list[Row], outcomes: str, expected: list[tuple[str, int, int, bool]]
) -> None:
    rows = [row for row in counted if row["session_id"] == outcomes]
    assert [only(row, "kind", "attempts", "failures", "aborted") for row in rows] == expected


def test_eight_successes_with_new_outputs_are_progress(tmp_path: Path) -> None:
    h = History()
    h.prompt("t1")
    for number in range(9):
        tries(h, "o", output_hash=f"sha256:{number}")
    assert answers(tmp_path, "retry_loops", h) == []


def test_a_prompt_begins_anew_and_leaves_the_loop_unaborted(tmp_path: Path) -> None:
    h = History()
    h.prompt("t1")
    tries(h, "eee")
    h.prompt("t2")
    tries(h, "ee")
    h.end()
    (row,) = answers(tmp_path, "retry_loops", h)
    assert only(row, "attempts", "aborted", "turn_id") == (3, False, "t1")


def test_three_sub_agents_that_each_fail_at_ls_are_no_loop(tmp_path: Path) -> None:
    h = History()
    h.prompt("t1")
    for agent in ("a1", "a2", "a3"):
        tries(h, "e", "ls", agent_id=agent)
    assert answers(tmp_path, "retry_loops", h) == []


def test_other_commands_sessions_and_reports_of_the_same_call_do_not_add_up(
    tmp_path: Path,
) -> None:
    h, other = History(), History(session="s2", second=60)
    for one in (h, other):
        one.prompt("t1")
        tries(one, "ee")
    tries(h, "ee", "make")
    first = h.events[2].facts
    h.after(first["call_id"], "pytest", "error", duplicate_of=first["event_id"])
    assert answers(tmp_path, "retry_loops", h, other) == []


def test_an_inferred_deny_is_an_attempt_but_no_failure(tmp_path: Path) -> None:
    h = History("copilot")
    h.prompt("t1")
    tries(h, "uuuu")
    h.answer()
    assert answers(tmp_path, "retry_loops", h) == []


def test_history_and_detector_agree(tmp_path: Path) -> None:
    cases = ("eee", "eeee", "dddddd", "eedd", "eeeo", "ococeee", "o" * 9, "eeeoeee", "ettue")
    histories = [History(session=outcomes) for outcomes in cases]
    for h in histories:
        h.prompt("t1")
        tries(h, h.session, output_hash="sha256:same")
        tries(h, "ee", "make")
        h.end()
    found = answers(tmp_path, "retry_loops", *histories)
    for h in histories:
        detectors = Detectors()
        seen = [made for event in h.events for made in detectors.see(event)]
        detected = [event for event in seen if event.type == "Retry.Loop.Detected"]
        aborted = [event for event in seen if event.type == "Retry.Loop.Aborted"]
        rows = [row for row in found if row["session_id"] == h.session]
        assert {row["fingerprint"] for row in rows} == {
            event.facts["action_fingerprint"] for event in detected
        }, h.session
        assert sum(row["aborted"] for row in rows) == len(aborted), h.session
        assert {row["kind"] for row in rows} >= {event.facts["retry_kind"] for event in aborted}


def test_of_one_of_several_agents_is_said_what_holds_for_one(tmp_path: Path) -> None:
    expected: dict[str, list[tuple[str, int, int]]] = {
        "eee": [],
        "eeeeee": [],  # three agents, two failures each
        "eeeeeee": [("failing", 3, 3)],
        "o" * 21: [],
        "o" * 22: [("unchanged", 8, 0)],
    }
    histories = [History("gemini-cli", outcomes) for outcomes in expected]
    for h in histories:
        h.prompt("t1")
        tries(h, h.session, agent_id="one-of-3-ab", output_hash="sha256:same")
        h.end()
    found = answers(tmp_path, "retry_loops", *histories)
    for outcomes, loops in expected.items():
        rows = [row for row in found if row["session_id"] == outcomes]
        assert [only(row, "kind", "attempts", "failures") for row in rows] == loops, outcomes
