"""Pi: what an extension sees, and whose a session file is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.normalizers import claimants, compiled, normalize
from hookstream.normalizers.pi.transcript import PiReader
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream
from hookstream.transcripts.files import client_of

SAMPLES = Path(__file__).parents[2] / "samples/pi"
FILES = Path(__file__).parents[1] / "transcripts/data/pi"
NOW = "2026-11-24T17:00:00.000Z"
ID = "01a20e63-e975-70c5-968b-0aa94217d83f"
FILE = f"/h/.pi/agent/sessions/--p--/2026-11-24T16-29-18-582Z_{ID}.jsonl"


def payload(name: str, **own: Any) -> dict[str, Any]:
    return {"hook": name, "event": {"type": name, **own}, "session": FILE, "cwd": "/p"}


def events(given: dict[str, Any]) -> list[Event]:
    found = normalize(Record(given, "pi", received_at=NOW), compiled("pi"), NOW)
    assert isinstance(found, list)
    return found


def ended(tool: str, text: str, name: str = "tool_result") -> Event:
    content = [{"type": "text", "text": text}]
    own = {"content": content} if name == "tool_result" else {"result": {"content": content}}
    return events(payload(name, toolName=tool, toolCallId="c1", isError=True, **own))[0]


def test_it_is_told_from_openclaw_whose_plugin_gives_a_context() -> None:
    given = payload("session_start", reason="startup")
    assert claimants(given) == ["pi"]
    assert "pi" not in claimants({**given, "ctx": {}})


def test_the_session_is_the_id_in_its_files_name_or_what_the_extension_adds() -> None:
    given = payload("agent_end", messages=[])
    assert events(given)[0].facts["session_id"] == ID
    assert events({**given, "session": None, "session_id": "s"})[0].facts["session_id"] == "s"


@pytest.mark.parametrize(
    ("reason", "resumed", "word"),
    [("startup", True, "resume"), ("startup", False, "new"), ("startup", None, None),
     ("fork", None, "new")],
)  # fmt: skip
def test_a_start_is_new_only_where_something_says_so(
    reason: str, resumed: bool | None, word: str | None
) -> None:
    given = {**payload("session_start", reason=reason), "is_resumed": resumed}
    assert events(given)[0].facts.get("start_reason") == word


@pytest.mark.parametrize(
    ("tool", "text", "outcome", "code"),
    [
        ("bash", "left\n\n\nCommand exited with code 3", "error", 3),
        ("bash", "Command exited with code 3\nand more", "error", None),
        ("bash", "x\n\nCommand timed out after 5 seconds", "timeout", None),
        ("bash", "Command aborted", "cancelled", None),
        ("read", "Command exited with code 3", "error", None),
    ],
)
def test_how_a_call_failed_is_in_its_last_line(
    tool: str, text: str, outcome: str, code: int | None
) -> None:
    facts = ended(tool, text).facts
    assert (facts["outcome"], facts.get("exit_code")) == (outcome, code)


def test_a_call_without_a_result_was_blocked_unless_it_was_invalid() -> None:
    blocked = ended("write", "not this one", "tool_execution_end")
    assert (blocked.facts["reported_by"], blocked.facts["refusal"]) == ("batch", "not this one")
    for text in ("Tool write not found", 'Validation failed for tool "write":\n  - path'):
        facts = ended("write", text, "tool_execution_end").facts
        assert (facts["outcome"], facts.get("refusal")) == ("error", None)


def test_a_first_call_that_was_blocked_is_an_observed_deny(tmp_path: Path) -> None:
    """Nothing before it has shown what else is captured."""
    lines = (SAMPLES / "bypass.jsonl").read_text("utf-8").splitlines()
    mine = [line for line in lines if "call_000163a4ee" in line and "turn_end" not in line]
    (tmp_path / "one.jsonl").write_text("\n".join(mine), "utf-8")
    execute(Job([str(tmp_path / "one.jsonl")], [f"parquet:{tmp_path / 'lake'}"], now=NOW))
    with open_stream(tmp_path / "lake") as lake:
        (row,) = objects(ask(lake, "denies"))
    assert (row["decided_by"], row["certainty"]) == ("hook", "observed")
    assert row["decision_reason"] == "refused by the fixture policy"


def test_a_session_file_is_pis_by_its_name_and_openclaws_by_any_other(tmp_path: Path) -> None:
    path = next((FILES / "bypass").rglob("*_*.jsonl"))
    named = tmp_path / path.name
    other = tmp_path / f"{ID}.jsonl"
    for copy in (named, other):
        shutil.copy(path, copy)
    assert (client_of(path), client_of(named), client_of(other)) == ("pi", "pi", "openclaw")


def test_a_fork_repeats_its_parent_and_adds_what_is_its_own() -> None:
    reader = PiReader(FILE)
    rows = [
        {"type": "session", "version": 3, "id": "b", "timestamp": "2026-11-24T17:00:00.000Z",
         "cwd": "/p", "parentSession": FILE},
        {"type": "message", "id": "1", "timestamp": "2026-11-24T16:00:00.000Z",
         "message": {"role": "user", "content": "before"}},
        {"type": "message", "id": "2", "timestamp": "2026-11-24T17:00:01.000Z",
         "message": {"role": "user", "content": "after"}},
    ]  # fmt: skip
    steps = [step for row in rows for step in reader.read(json.loads(json.dumps(row)))]
    said = [given.get("prompt") for _, given in steps if given is not None]
    assert said == [None, "after"]


@pytest.mark.parametrize("name", ["tool_result", "tool_execution_end"])
def test_an_end_that_does_not_say_whether_it_failed_proves_nothing(name: str) -> None:
    content = [{"type": "text", "text": "done"}]
    own = {"content": content} if name == "tool_result" else {"result": {"content": content}}
    for event in events(payload(name, toolName="bash", toolCallId="c1", **own)):
        known = {"success", "outcome", "exit_code", "decision", "decided_by"} & event.facts.keys()
        assert known == set()


def test_a_result_in_a_file_that_does_not_say_whether_it_failed_proves_nothing() -> None:
    message = {"role": "toolResult", "toolCallId": "c1", "toolName": "bash", "content": []}
    line = {"type": "message", "id": "m", "timestamp": NOW, "message": message}
    ((_, known),) = list(PiReader(FILE).read(line))
    assert {"success", "outcome", "exit_code"} & known.keys() == set()
