"""An event id is of one machine, also where only the folder of a log says which."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.delivery.stage import NOW, deliver_once, delivery

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, ask_sql, open_stream
from hookstream.tables.update import update

RANDOM = "6af67298-2016-4a0c-81b9-0da3ab6a7a97"
# Calls with an id, events without one, a session that no record names.
CLAUDE = ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop")


def lines(session: str | None, output: str = "done") -> bytes:
    more: dict[str, dict[str, Any]] = {
        "UserPromptSubmit": {"prompt": "build it"},
        "PreToolUse": {"tool_name": "Bash", "tool_input": {"command": "make"}},
        "PostToolUse": {
            "tool_name": "Bash",
            "tool_input": {"command": "make"},
            "tool_response": {"stdout": output, "stderr": "", "interrupted": False},
        },
        "Stop": {"stop_hook_active": False},
    }
    made = []
    for name in CLAUDE:
        payload = {"hook_event_name": name, "cwd": "/srv", **more[name]}
        if session is not None:
            payload["session_id"] = session
        if "Tool" in name:
            payload["tool_use_id"] = "call-1"
        record = {"vendor": "claude-code", "received_at": NOW, "payload": payload}
        made.append(json.dumps(record).encode() + b"\n")
    return b"".join(made)


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Logs of two machines, equal to the byte but for what one call gave."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for machine, output in (("m1", "done"), ("m2", "failed")):
        folder = tmp_path / "fleet" / machine
        folder.mkdir(parents=True)
        (folder / "a.jsonl").write_bytes(lines("agent:main:h1"))
        (folder / "b.jsonl").write_bytes(lines("agent:main:h2", output) + lines(None))
    return tmp_path / "fleet"


def written(sources: list[Path], out: Path, **more: Any) -> list[dict[str, Any]]:
    key = out.parent / "pseudonym.key"
    execute(Job(list(map(str, sources)), [f"jsonl:{out}"], now=NOW, pseudonym_key_file=key, **more))
    return events(out)


def events(out: Path) -> list[dict[str, Any]]:
    found = [json.loads(one) for one in (out / "agent-hooks.jsonl").read_text().splitlines()]
    return sorted(found, key=lambda one: str(one["event_id"]))


def ids(found: list[dict[str, Any]]) -> list[str]:
    return [one["event_id"] for one in found]


def own(event: dict[str, Any]) -> dict[str, Any]:
    return dict(event["metadata"]["dev.hookstream"])


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.long
def test_two_machines_share_no_id(fleet: Path, tmp_path: Path, workers: int) -> None:
    found = written([fleet], tmp_path / "out", workers=workers)
    assert len(found) == 2 * 3 * len(CLAUDE)
    assert len(set(ids(found))) == len(found)
    assert not any("shares_id_with" in own(one) for one in found)
    # What the other machine shows changes nothing of an event, not even its id.
    (tmp_path / "alone").mkdir()
    shutil.copytree(fleet / "m2", tmp_path / "alone" / "m2")
    alone = written([tmp_path / "alone"], tmp_path / "second", workers=workers)
    assert [one for one in found if one["event_id"] in ids(alone)] == alone


def test_a_follower_gives_the_ids_of_a_run(fleet: Path, tmp_path: Path) -> None:
    found = written([fleet], tmp_path / "out")
    out = tmp_path / "out" / "agent-hooks.jsonl"
    out.rename(tmp_path / "run.jsonl")
    deliver_once(delivery(tmp_path, [str(fleet)]))
    assert ids(events(tmp_path / "out")) == ids(found)


@pytest.mark.long
def test_a_lake_and_its_tables_keep_both(fleet: Path, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    for _ in range(2):  # the same again adds nothing
        written([fleet], tmp_path / "out")
        execute(
            Job(
                [str(fleet)],
                [f"parquet:{lake}"],
                now=NOW,
                pseudonym_key_file=tmp_path / "pseudonym.key",
            )
        )
    update(lake)
    with open_stream(lake) as stream:
        rows = objects(ask_sql(stream, "select event_id, machine_id from events"))
        calls = objects(ask(stream, "calls"))
    assert len(rows) == len({row["event_id"] for row in rows}) == 2 * 3 * len(CLAUDE)
    assert len({row["machine_id"] for row in rows}) == 2
    evidence = [one for call in calls for one in call["evidence"]]
    assert len(calls) == 6
    assert len(evidence) == len(set(evidence)) == 12


def test_the_folder_of_a_machine_counts_as_its_name_does(fleet: Path, tmp_path: Path) -> None:
    found = written([fleet], tmp_path / "out")
    named = [
        one
        for name in ("m1", "m2")
        for one in written([fleet / name], tmp_path / name, machine=name)
    ]
    assert ids(found) == sorted(ids(named))
    # Named one by one, and after a move, they are the same machines.
    (tmp_path / "elsewhere").mkdir()
    moved = fleet.rename(tmp_path / "elsewhere" / "logs")
    assert ids(written([moved / "m1", moved / "m2"], tmp_path / "moved")) == ids(found)


def test_one_source_has_ids_without_a_machine(fleet: Path, tmp_path: Path) -> None:
    """Lakes and SIEMs hold these ids: they stay what they are from version to version."""
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes(lines("agent:main:h1") + lines(None))
    assert [one[:13] for one in ids(written([alone], tmp_path / "out"))] == [
        "2e8fc4b1-eb05",
        "4e601f74-9e82",
        "69a598ac-3ad6",
        "7064a921-536c",
        "7419b9a6-ef1e",
        "79a0ae9e-1f5a",
        "8336f950-ba46",
        "b7bd8ff6-df07",
    ]


def test_a_random_session_keeps_its_ids_where_it_goes_on(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.jsonl").write_bytes(lines(RANDOM))
    alone = written([tmp_path / "one"], tmp_path / "out")
    both = written([tmp_path / "one", tmp_path / "two"], tmp_path / "second")
    assert sorted(set(ids(both))) == ids(alone)
