"""A session belongs to one machine, whatever its id is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.identity import is_random
from hookstream.core.records import read_record
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.pipeline.stages import Pipeline
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream
from hookstream.redaction import Redactor
from hookstream.redaction.digest import pseudonym

KEY = b"a key for tests, no secret at all"
NOW = "2026-11-21T12:00:00.000Z"
COMMON = {
    "session_id": "agent:main:main",
    "cwd": "/srv",
    "permission_mode": "default",
    "transcript_path": "/t",
}


def payload(event: str, **more: Any) -> dict[str, Any]:
    return {**COMMON, "hook_event_name": event, **more}


def call(event: str, number: int, command: str = "make", **more: Any) -> dict[str, Any]:
    return payload(
        event, tool_name="Bash", tool_input={"command": command}, tool_use_id=f"c{number}", **more
    )


def line(given: dict[str, Any], **more: Any) -> bytes:
    record = {"vendor": "claude-code", "native_event": given["hook_event_name"], "payload": given}
    return json.dumps({**record, "received_at": NOW, **more}).encode()


def taken(*lines: bytes, machine: str | None = None, mode: str = "hash") -> list[Event]:
    pipeline = Pipeline(Redactor(mode, pseudonym_key=KEY), lambda: NOW, machine=machine)
    records = [record for one in lines if (record := read_record(one)) is not None]
    return pipeline.take_all(records)[0]


def test_a_record_says_machine_and_user_and_both_are_written_as_pseudonyms() -> None:
    (event,) = taken(line(payload("SessionStart", source="startup"), machine="lap-1", user="ann"))
    assert event.facts["machine_id"] == pseudonym("machine", "lap-1", KEY)
    assert event.facts["user_id"] == pseudonym("user", "ann", KEY)
    assert "lap-1" not in repr(event.facts)


def test_full_privacy_keeps_the_names_and_the_identity() -> None:
    given = line(payload("SessionStart", source="startup"), machine="lap-1", user="ann")
    (plain,), (event,) = taken(given, mode="full"), taken(given)
    assert (plain.facts["machine_id"], plain.facts["user_id"]) == ("lap-1", "ann")
    assert plain.facts["event_id"] == event.facts["event_id"]


def test_two_machines_with_one_session_id_are_two_sessions() -> None:
    failed = {"error": "Exit code 1", "is_interrupt": False}
    records = [
        line(call(event, n, **(failed if event.endswith("Failure") else {})), machine=machine)
        for n in range(2)
        for machine in ("lap-1", "lap-2")
        for event in ("PreToolUse", "PostToolUseFailure")
    ]
    events = taken(*records)
    # Two failures on each machine: together they would be a loop of four.
    assert "Retry.Loop.Detected" not in {event.type for event in events}
    ids = [event.facts["event_id"] for event in events]
    assert len(set(ids)) == len(ids)
    assert not any("duplicate_of" in event.facts for event in events)
    numbers = [event.facts["sequence"] for event in events if "derived" not in event.facts]
    assert sorted(numbers) == [1, 1, 2, 2, 3, 3, 4, 4]


def test_the_machine_of_a_run_is_that_of_records_without_one() -> None:
    given = payload("SessionStart", source="startup")
    events = taken(line(given, machine="lap-1"), line(given), machine="lap-2")
    expected = [pseudonym("machine", name, KEY) for name in ("lap-1", "lap-2")]
    assert [event.facts["machine_id"] for event in events] == expected


@pytest.mark.parametrize(
    ("session", "expected"),
    [
        ("6af67298-2016-4a0c-81b9-0da3ab6a7a97", True),
        ("agent:main:subagent:31c83452-c1fe-4b7d-965c-5f9e2b9a8c16", True),
        ("ses_e04220f3cffe5FpZbtBnNzxNn9", True),
        ("agent:main:main", False),
        ("1795227257586_bwph9", False),
        ("12345678901234567890", False),
        ("aVeryLongWordThatSomebodyHasChosen", False),
        ("", False),
    ],
)
def test_which_ids_prove_a_session_by_themselves(session: str, expected: bool) -> None:
    assert is_random(session) is expected


def written(folder: Path, sources: list[Path], **options: Any) -> list[dict[str, Any]]:
    sink = f"jsonl:{folder / 'out'}"
    execute(Job([str(path) for path in sources], [sink], now=NOW, **options))
    text = (folder / "out" / "agent-hooks.jsonl").read_text()
    return [json.loads(one) for one in text.splitlines()]


def machine_of(event: dict[str, Any]) -> str | None:
    found = event["metadata"]["dev.hookstream"].get("machine_id")
    return None if found is None else str(found)


@pytest.mark.parametrize("workers", [1, 2])
def test_sources_without_a_machine_are_a_machine_each(tmp_path: Path, workers: int) -> None:
    for name in ("one", "two"):
        folder = tmp_path / "fleet" / name
        folder.mkdir(parents=True)
        for number in range(2):
            lines = [
                line(call("PreToolUse", number, name)),
                line(call("PostToolUse", number, name)),
            ]
            (folder / f"{number}.jsonl").write_bytes(b"\n".join(lines))
    events = written(tmp_path, [tmp_path / "fleet"], workers=workers)
    assert len(events) == 8
    of_folder: dict[str, set[str | None]] = {}
    for event in events:
        meta = event["metadata"]["dev.hookstream"]
        assert "machine_id" in meta["synthesized"]
        command = event["data"]["action"]["input"]["command"]
        of_folder.setdefault(command, set()).add(machine_of(event))
    assert all(len(machines) == 1 for machines in of_folder.values())
    assert of_folder["one"] != of_folder["two"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_random_session_id_goes_on_in_another_source(tmp_path: Path, workers: int) -> None:
    session = "6af67298-2016-4a0c-81b9-0da3ab6a7a97"
    sources = []
    for name in ("one", "two", "three"):
        given = {**call("PreToolUse", 1, name), "session_id": session}
        if name == "three":
            given["session_id"] = "bdf0d086-55da-4dfa-8d9c-508193442ebc"
        sources.append(tmp_path / f"{name}.jsonl")
        sources[-1].write_bytes(line(given))
    events = written(tmp_path, sources, workers=workers)
    machines = [machine_of(event) for event in events]
    assert machines[0] == machines[1] != machines[2]
    assert [event["metadata"]["dev.hookstream"]["sequence"] for event in events] == [1, 2, 1]


def test_a_folder_with_files_of_its_own_is_one_machine(tmp_path: Path) -> None:
    (tmp_path / "in" / "transcript").mkdir(parents=True)
    for number, place in enumerate((tmp_path / "in", tmp_path / "in" / "transcript")):
        (place / "a.jsonl").write_bytes(line(call("PreToolUse", number)))
    assert {machine_of(event) for event in written(tmp_path, [tmp_path / "in"])} == {None}


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("log_first", [True, False])
@pytest.mark.parametrize("session", ["7d3f0a52-9c41-4c55-9d0e-0f4a3f8f1b11", "1795871_ab12c"])
def test_session_files_join_the_machine_that_a_log_names(
    session: str, log_first: bool, workers: int, tmp_path: Path
) -> None:
    """Whichever source comes first: a random session id is one machine's, and next to a log all
    session files of one source are of its machine."""
    call = {"session_id": session, "tool_name": "Bash", "tool_use_id": "toolu_1"}
    call |= {"tool_input": {"command": "ls"}, "transcript_path": "/t", "cwd": "/w"}
    log = tmp_path / "log" / "hooks.jsonl"
    log.parent.mkdir()
    line = {"vendor": "claude-code", "machine": "box", "received_at": "2026-11-24T10:00:00Z"}
    log.write_text(json.dumps(line | {"payload": {"hook_event_name": "PreToolUse", **call}}) + "\n")
    use = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}
    record = {
        "type": "assistant",
        "uuid": "0b1c2d3e-1111-4222-8333-944455556666",
        "parentUuid": None,
        "isSidechain": False,
        "sessionId": session,
        "timestamp": "2026-11-24T10:00:00.000Z",
        "message": {"id": "msg_1", "role": "assistant", "content": [use]},
    }
    file = tmp_path / ".claude" / "projects" / "-w" / f"{session}.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(record) + "\n")
    sources = [str(log), str(tmp_path / ".claude")]
    lake = tmp_path / "lake"
    job = Job(
        sources if log_first else sources[::-1],
        [f"parquet:{lake}"],
        now="2026-11-24T12:00:00Z",
        workers=workers,
    )
    execute(job)
    with open_stream(lake) as stream:
        (row,) = objects(ask(stream, "calls"))
    assert row["witnesses"] == ["hook", "transcript"]


def test_session_files_of_two_homes_stay_apart_next_to_a_log(tmp_path: Path) -> None:
    log = tmp_path / "hooks.jsonl"
    log.write_bytes(line(call("PreToolUse", 1), machine="box"))
    record = {"type": "user", "sessionId": "agent:main:main", "uuid": "u-1", "isSidechain": False}
    record |= {"parentUuid": None, "timestamp": NOW, "message": {"role": "user", "content": "hi"}}
    homes = [tmp_path / "one", tmp_path / "two"]
    for home in homes:
        folder = home / ".claude" / "projects" / "-w"
        folder.mkdir(parents=True)
        (folder / "agent.jsonl").write_text(json.dumps(record) + "\n")
    (of_log, *of_files) = [machine_of(event) for event in written(tmp_path, [log, *homes])]
    assert of_log is not None and of_log not in of_files
