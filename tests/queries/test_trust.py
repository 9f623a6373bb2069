"""Why an empty answer may not be trusted, what no table maps, what was captured."""

from __future__ import annotations

from pathlib import Path

from tests.queries.history import History, answers, both, only

from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream


def test_a_complete_stream_has_no_gaps(tmp_path: Path) -> None:
    h = History()
    h.start()
    h.prompt()
    h.ran("c1")
    h.before("c2")
    h.blocked("c2")
    h.end()
    assert answers(tmp_path, "gaps", h) == []


def test_what_was_not_captured_is_named(tmp_path: Path) -> None:
    h = History()
    h.prompt()
    h.before("c1")
    h.add("vendor.claude-code.News", unmapped={"a": 1})
    h.sequence += 2  # two events never arrived
    h.add("vendor.x.Verdict", failure="timeout")
    rows = answers(tmp_path, "gaps", h)
    assert [only(row, "gap", "tool", "where", "count") for row in rows] == [
        ("guard_failures", "claude-code", None, 1),
        ("missing_events", "claude-code", None, 2),
        ("no_after_events", "claude-code", None, 1),
        ("no_session_end", "claude-code", None, 1),
        ("no_session_start", "claude-code", None, 1),
        ("unknown_events", "claude-code", "vendor.claude-code.News", 1),
        ("unpaired_before", "claude-code", None, 1),
    ]


def test_calls_that_share_an_id_are_named(tmp_path: Path) -> None:
    h = History()
    h.start()
    h.ran("c1")
    h.add("Action.Before", call_id="c1#2", shares_id_with="another")
    h.ran("c1#2")
    h.end()
    rows = answers(tmp_path, "gaps", h)
    assert [only(row, "gap", "tool", "where", "count") for row in rows] == [
        ("shared_ids", "claude-code", "c1#2", 1)
    ]


def test_broken_lines_and_rejections_are_gaps(tmp_path: Path) -> None:
    h = History()
    h.start()
    h.end()
    lines, _ = both(tmp_path, h)
    with (lines / "agent-hooks.jsonl").open("ab") as file:
        file.write(b'{"torn": ')
    (lines / "rejected.jsonl").write_text('{"reason":"too_long"}\n{"reason":"too_long"}\n')
    with open_stream(lines) as stream:
        rows = objects(ask(stream, "gaps"))
    assert [only(row, "gap", "where", "count") for row in rows] == [
        ("broken_lines", "agent-hooks.jsonl:3", 1),
        ("rejected_records", "rejected.jsonl", 2),
    ]
    assert rows[0]["detail"].startswith("torn")
    assert rows[1]["detail"] == "too_long"


def test_unmapped_paths_by_event(tmp_path: Path) -> None:
    h = History()
    h.add("Session.Start", unmapped={"new_field": 1, "deep.one": 2}, tool_version="2.0")
    h.add("Session.Start", unmapped={"new_field": 3})
    rows = answers(tmp_path, "unmapped", h)
    assert [only(row, "native_event", "path", "events", "tool_version") for row in rows] == [
        ("native.Session.Start", "new_field", 2, "2.0"),
        ("native.Session.Start", "deep.one", 1, "2.0"),
    ]


def test_coverage_counts_every_event_also_second_reports(tmp_path: Path) -> None:
    h = History()
    h.start()
    h.before("c1")
    h.before("c1", duplicate_of=h.events[1].facts["event_id"])
    rows = answers(tmp_path, "coverage", h)
    wanted = "vendor event_type hook_point events duplicates sessions".split()
    assert [only(row, *wanted) for row in rows] == [
        ("claude-code", "Action.Before", "PreToolUse", 2, 1, 1),
        ("claude-code", "Session.Start", "SessionStart", 1, 0, 1),
    ]


def test_a_deaf_machine_has_a_gap_and_no_denies_whatever_its_neighbours_show(
    tmp_path: Path,
) -> None:
    deaf, whole = History("copilot", "deaf"), History("copilot", "whole", second=100)
    for h, machine in ((deaf, "m1"), (whole, "m2")):
        h.prompt("t1")
        for number in range(3):
            h.before(f"c{number}", f"ls {number}", machine_id=machine)
            if h is whole:
                h.after(f"c{number}", f"ls {number}", machine_id=machine)
        h.answer(machine_id=machine)
        for event in h.events:
            event.facts["machine_id"] = machine
    assert answers(tmp_path, "denies", deaf, whole) == []
    rows = answers(tmp_path, "gaps", deaf, whole)
    assert "m1" in {row["machine_id"] for row in rows if row["gap"] == "no_after_events"}


def test_a_machine_that_fell_silent_is_named(tmp_path: Path) -> None:
    silent, other = History(session="s1"), History(session="s2", second=3 * 86_400)
    for h, machine in ((silent, "m1"), (other, "m2")):
        h.ran("c1", machine_id=machine)
    rows = answers(tmp_path, "gaps", silent, other)
    (gap,) = [row for row in rows if row["gap"] == "silent_machine"]
    assert gap["machine_id"] == "m1"
    last = max(event.facts["timestamp"] for event in silent.events)
    assert str(gap["first_seen"]).replace(" ", "T")[:19] == last[:19]


def test_machines_that_run_an_older_hookstream_are_named(tmp_path: Path) -> None:
    """By the version of their newest events: an upgraded machine has no gap for its past."""
    histories = []
    for machine, *versions in (
        ("m1", "0.9.0"),
        ("m2", "0.9.0", "0.10.0"),
        ("m3", "0.10.0"),
        ("m4", None),
    ):
        h = History(session=machine)
        for number, version in enumerate(versions):
            h.ran(f"c{number}", machine_id=machine)
            for event in h.events[-2:]:
                event.facts["hookstream_version"] = version
        for event in h.events:
            event.facts["machine_id"] = machine
            if event.facts.get("hookstream_version") is None:
                event.facts["hookstream_version"] = "0.10.0"
        histories.append(h)
    rows = [row for row in answers(tmp_path, "gaps", *histories) if row["gap"] == "version_skew"]
    assert [only(row, "machine_id", "where", "count") for row in rows] == [("m1", "0.9.0", 2)]
    assert rows[0]["detail"].endswith("another runs 0.10.0")
    others = answers(tmp_path, "gaps", *histories[1:])
    assert "version_skew" not in {row["gap"] for row in others}
