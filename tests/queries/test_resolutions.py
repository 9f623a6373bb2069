"""What a person answered to a question of a guardian, as any emitter of AARTS says it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.queries.history import oldest_first, only

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream
from hookstream.standards.validate import Validator

pytestmark = pytest.mark.long

Json = dict[str, Any]
VERDICT = {
    "decision": "ask", "category": "tool_execution", "severity": "warning", "source": "engine",
}  # fmt: skip


def line(session: str, point: str, second: int, **fields: Any) -> Json:
    return {
        "hook_point": point, "session_id": session, "timestamp": f"2026-05-10T10:00:{second:02}Z",
        "host_id": "otherhost", "aarts_version": "0.1", "turn_id": "t1", **fields,
    }  # fmt: skip


def shell(command: str) -> Json:
    return {
        "tool_name": "shell", "tool_name_native": "Run", "tool_input": {"command": command},
        "artifacts": [{"type": "command", "value": command}],
    }  # fmt: skip


def asked(session: str, second: int, point: str = "PreToolUse", **fields: Any) -> Json:
    return {"aarts": line(session, point, second, **fields), "verdict": VERDICT, "hookstream": {}}


def resolved(
    session: str, second: int, word: str, point: str = "PreToolUse", **fields: Any
) -> Json:
    return line(
        session, "PostAskResolution", second,
        original_hook_point=point, original_verdict=VERDICT, resolution=word, **fields,
    )  # fmt: skip


def answers(folder: Path, lines: list[Json], name: str) -> list[Json]:
    """The answer over lines and over a lake, which are the same; every written line is valid."""
    source = folder / "in.jsonl"
    source.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    sinks = [f"jsonl:{folder / 'lines'}", f"parquet:{folder / 'lake'}"]
    outcome = execute(Job([str(source)], sinks, now="2026-05-10T12:00:00Z"))
    assert outcome.report(0.0)["rejected"] == 0
    validator = Validator()
    for path in (folder / "lines").glob("*.jsonl"):
        for text in path.read_bytes().splitlines():
            assert validator.problems(text) == []
    rows = []
    for form in ("lines", "lake"):
        with open_stream(folder / form) as stream:
            rows.append(oldest_first(name, objects(ask(stream, name))))
    assert rows[0] == rows[1]
    return rows[0]


@pytest.mark.parametrize(
    ("word", "resolution", "by"),
    [
        ("approved", "approved", "user"), ("allow_always", "approved", "user"),
        ("denied", "denied", "user"), ("deny_similar", "denied", "user"),
        ("postponed until Monday", "unknown", None),
    ],
)  # fmt: skip
def test_a_resolution_answers_the_one_open_question(
    tmp_path: Path, word: str, resolution: str, by: str | None
) -> None:
    story = [asked("s1", 1, **shell("ls -la")), resolved("s1", 3, word)]
    (row,) = answers(tmp_path, story, "asks")
    assert only(row, "resolution", "decided_by", "command") == (resolution, by, "ls -la")
    assert row["waited_ms"] == (None if by is None else 2000)


def test_of_two_questions_the_one_about_the_same_input_is_answered(tmp_path: Path) -> None:
    story = [
        asked("s1", 1, **shell("ls")), asked("s1", 2, **shell("rm x")),
        resolved("s1", 3, "denied", **shell("rm x")), resolved("s1", 4, "approved"),
    ]  # fmt: skip
    rows = answers(tmp_path, story, "asks")
    assert [only(row, "command", "resolution") for row in rows] == [
        ("ls", "approved"), ("rm x", "denied"),
    ]  # fmt: skip


def test_an_answer_that_fits_several_questions_is_a_row_alone(tmp_path: Path) -> None:
    story = [
        asked("s1", 1, **shell("ls")), asked("s1", 2, **shell("rm x")),
        resolved("s1", 3, "denied"),
    ]  # fmt: skip
    rows = answers(tmp_path, story, "asks")
    assert [only(row, "command", "resolution", "decided_by") for row in rows] == [
        ("ls", "unknown", None), ("rm x", "unknown", None), (None, "denied", "user"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "fields", [{"session": "s2"}, {"turn_id": "t2"}, {"point": "PreUserInput"}]
)
def test_an_answer_of_another_place_answers_nothing_here(tmp_path: Path, fields: Json) -> None:
    session = fields.pop("session", "s1")
    story = [asked("s1", 1, **shell("ls")), resolved(session, 3, "approved", **fields)]
    rows = answers(tmp_path, story, "asks")
    assert [row["resolution"] for row in rows] == ["unknown", "approved"]


def test_a_question_about_a_prompt_is_answered(tmp_path: Path) -> None:
    prompt = {"prompt_text": "do it", "input_source": "keyboard"}
    story = [
        asked("s1", 1, "PreUserInput", **prompt), resolved("s1", 4, "denied", "PreUserInput"),
    ]  # fmt: skip
    (row,) = answers(tmp_path, story, "asks")
    assert only(row, "resolution", "decided_by", "waited_ms") == ("denied", "user", 3000)


def test_a_verdict_of_its_log_and_a_later_resolution_are_one_row(tmp_path: Path) -> None:
    entry = {
        **VERDICT, "hook_point": "PreToolUse", "session_id": "s1", "host_id": "otherhost",
        "timestamp": "2026-05-10T10:00:01Z", "turn_id": "t1",
    }  # fmt: skip
    (row,) = answers(tmp_path, [entry, resolved("s1", 3, "approved")], "asks")
    assert only(row, "resolution", "decided_by", "waited_ms") == ("approved", "user", 2000)


def test_a_resolution_without_its_question_is_a_row(tmp_path: Path) -> None:
    words = ("approved", "denied", "later")
    story = [resolved(f"s-{word}", 3, word) for word in words]
    rows = answers(tmp_path, story, "asks")
    assert sorted(only(row, "resolution", "waited_ms") for row in rows) == [
        ("approved", None), ("denied", None), ("unknown", None),
    ]  # fmt: skip


def test_a_denied_resolution_is_the_deny_of_its_call(tmp_path: Path) -> None:
    story = [asked("s1", 1, **shell("rm x")), resolved("s1", 3, "denied")]
    (row,) = answers(tmp_path, story, "denies")
    assert only(row, "command", "decided_by", "subject") == ("rm x", "user", "action")


def test_several_engines_that_answer_one_envelope_decide_about_one_call(tmp_path: Path) -> None:
    body = line("s-1", "PreToolUse", 1, **shell("ls"))
    lines = [
        {"aarts": body, "verdict": {**VERDICT, "decision": word, "source": f"engine-{word}"}}
        for word in ("allow", "deny", "ask")
    ]
    other = {**line("s-1", "PreToolUse", 2, **shell("ls")), "turn_id": "t2"}
    lines.append({"aarts": other, "verdict": {**VERDICT, "decision": "allow"}})
    first, second = answers(tmp_path, lines, "calls")
    assert (first["decision"], first["outcome"], second["decision"]) == ("deny", "denied", "allow")
    rows = answers(tmp_path, lines, "decisions")
    decisions = [row for row in rows if row["call_id"] == first["call_id"]]
    assert [one["policy_engine"] for one in decisions] == [
        "engine-allow", "engine-deny", "engine-ask",
    ]  # fmt: skip
