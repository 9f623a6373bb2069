"""Session files as earlier versions of a client wrote them, or as a client puts them aside."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest
from tests.same_process import hookstream
from tests.transcripts.homes import home_of

from hookstream.core.records import Record
from hookstream.transcripts.files import client_of, given
from hookstream.transcripts.places import find

HERE = Path(__file__).parents[1] / "cases" / "found"
OPENCLAW = HERE / "openclaw-reset-archive" / "input" / "home"
COPILOT = HERE / "copilot-shutdown-metrics" / "input" / "home"


def asked(home: Path, out: Path, sql: str) -> list[tuple[object, ...]]:
    done = hookstream("backfill", "--home", home, "--since", "36500d", "--to", f"parquet:{out}")
    assert done.returncode == 0, done.stderr.decode()
    done = hookstream("query", sql, out, "--format", "json", "--limit", "1000")
    return [tuple(row.values()) for row in json.loads(done.stdout)]


def storage_of(database: Path) -> None:
    """Write what a database holds as the files that OpenCode kept before."""
    storage = database.parent / "storage"
    with closing(sqlite3.connect(database)) as rows:
        names = "id, parent_id, directory, title, version, time_created, time_updated"
        for row in rows.execute(f"select {names} from session"):
            session, parent, folder, title, version, created, updated = row
            value = {"id": session, "projectID": "p1", "directory": folder, "title": title,
                     "version": version, "time": {"created": created, "updated": updated},
                     **({"parentID": parent} if parent else {})}  # fmt: skip
            write(storage / "session" / "p1" / f"{session}.json", json.dumps(value))
        for message, session, data in rows.execute("select id, session_id, data from message"):
            write(storage / "message" / session / f"{message}.json", data)
        for part, message, data in rows.execute("select id, message_id, data from part"):
            write(storage / "part" / message / f"{part}.json", data)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def said(path: Path) -> Counter[str]:
    records = (one for one in given(path, "opencode", "s") if isinstance(one, Record))
    return Counter(json.dumps([one.native_event, one.payload], sort_keys=True) for one in records)


@pytest.mark.parametrize("scenario", ["deny", "subagent", "compact", "refusals-rules"])
def test_opencode_files_say_what_the_database_says(scenario: str, tmp_path: Path) -> None:
    home = home_of(f"opencode/{scenario}", tmp_path)
    database = home / ".local/share/opencode/opencode.db"
    storage_of(database)
    files = [file.path for file in find(home, ("opencode",), env={})[0]]
    sessions = [path for path in files if path != database]
    assert database in files
    assert sessions
    assert all(client_of(path) == "opencode" for path in sessions)
    from_files = sum((said(path) for path in sessions), Counter())
    assert without_agent_names(from_files) == without_agent_names(said(database))


def without_agent_names(rows: Counter[str]) -> Counter[str]:
    """The files have no column for the name of a session's agent: its title has it."""
    plain: Counter[str] = Counter()
    for row, count in rows.items():
        name, payload = json.loads(row)
        payload = {k: v for k, v in payload.items() if k not in ("agent_type", "plan_type")}
        plain[json.dumps([name, payload], sort_keys=True)] += count
    return plain


@pytest.mark.long
def test_opencode_files_beside_the_database_count_once(tmp_path: Path) -> None:
    home = home_of("opencode/deny", tmp_path)
    count = (
        "select (select count(*) from calls), (select count(*) from prompts), "
        "(select sum(output_tokens) from usage)"
    )
    alone = asked(home, tmp_path / "one", count)
    storage_of(home / ".local/share/opencode/opencode.db")
    assert asked(home, tmp_path / "two", count) == alone
    (home / ".local/share/opencode/opencode.db").unlink()
    assert asked(home, tmp_path / "three", count) == alone


def test_a_broken_part_of_opencode_costs_itself(tmp_path: Path) -> None:
    home = home_of("opencode/deny", tmp_path)
    storage_of(home / ".local/share/opencode/opencode.db")
    storage = home / ".local/share/opencode/storage"
    session = next(storage.glob("session/*/*.json"))
    whole = said(session)
    part = next(p for p in sorted(storage.glob("part/*/*.json")) if '"callID"' in p.read_text())
    part.write_text(part.read_text()[:-9])
    outcomes = list(given(session, "opencode", "s"))
    reasons = [str(getattr(one, "reason", "")) for one in outcomes]
    assert any(part.name in reason for reason in reasons)
    assert len(whole - said(session)) <= 2


@pytest.mark.long
def test_openclaw_reads_what_it_deleted_and_no_copy(tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(OPENCLAW, home)
    folder = home / ".openclaw/agents/main/sessions"
    (archive,) = folder.glob("*.reset.*")
    data = archive.read_bytes()
    packed = pa.Codec("zstd").compress(data, asbytes=True)
    archive.unlink()
    name = archive.name.partition(".reset")[0]
    (folder / f"{name}.deleted.2026-11-20T08-00-00.000Z.zst").write_bytes(packed)
    (folder / f"{name}.bak").write_bytes(data)
    (folder / "x.trajectory.jsonl").write_bytes(data)
    names = [file.path.name for file in find(home, ("openclaw",), env={})[0]]
    assert len(names) == 2
    assert asked(home, tmp_path / "out", "select call_id from calls order by 1") == [
        ("tc1",),
        ("tc2",),
    ]
    rows = asked(home, tmp_path / "again", "select sum(output_tokens) from usage")
    assert rows == [(30,)]


def test_a_run_reads_them_too(tmp_path: Path) -> None:
    for home in (OPENCLAW, HERE / "opencode-json-storage" / "input" / "home"):
        done = hookstream("run", home, "--to", f"jsonl:{tmp_path / home.parts[-3]}")
        assert done.returncode == 0, done.stderr.decode()
        done = hookstream("query", "select call_id from calls", tmp_path / home.parts[-3])
        assert b"c" in done.stdout
    lines = (tmp_path / "openclaw-reset-archive" / "agent-hooks.jsonl").read_text("utf-8")
    assert '"tc2"' in lines


def copilot(lines: list[dict[str, object]], home: Path, name: str) -> Path:
    path = home / ".copilot" / "session-state" / name
    write(path, "".join(json.dumps(line) + "\n" for line in lines))
    return home


def recorded() -> list[dict[str, object]]:
    (path,) = COPILOT.glob(".copilot/session-state/*/events.jsonl")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


USAGE = "select model_id, input_tokens, output_tokens, cache_read_tokens from usage"


@pytest.mark.long
def test_copilot_files_without_a_folder(tmp_path: Path) -> None:
    lines = recorded()
    session = lines[0]["data"]["sessionId"]  # type: ignore[index]
    del lines[0]["data"]["sessionId"]  # type: ignore[index,attr-defined]
    home = copilot(lines, tmp_path / "home", f"{session}.jsonl")
    rows = asked(home, tmp_path / "out", "select session_id, tool, command from calls")
    assert rows == [(session, "copilot", "ls")]
    assert asked(home, tmp_path / "again", USAGE) == [("claude-sonnet-4.5", 1000, 50, 600)]


@pytest.mark.long
def test_copilot_totals_of_each_resume_add_up(tmp_path: Path) -> None:
    """They count from zero after a resume; a second one of the same run has the first in it."""
    lines = recorded()
    end = json.dumps(lines[-1])
    again = json.loads(end.replace("1000", "1500").replace("09:00:06", "09:00:07"))
    resumed = {**lines[0], "type": "session.resume", "timestamp": "2026-11-20T10:00:00.000Z"}
    last = json.loads(end.replace("1000", "70").replace("09:00:06", "10:00:01"))
    home = copilot([*lines, again, resumed, last], tmp_path / "home", "c1/events.jsonl")
    (row,) = asked(home, tmp_path / "out", USAGE)
    assert row == ("claude-sonnet-4.5", 1570, 100, 1200)


@pytest.mark.long
def test_copilot_totals_repeat_records_of_usage(tmp_path: Path) -> None:
    lines = recorded()
    usage = {"model": "claude-sonnet-4.5", "inputTokens": 900, "outputTokens": 40}
    record = {"type": "session.usage_record", "data": {"usage": usage}, "id": "e8",
              "timestamp": "2026-11-20T09:00:05.500Z", "parentId": None}  # fmt: skip
    home = copilot([*lines[:-1], record, lines[-1]], tmp_path / "home", "c1/events.jsonl")
    ((_, tokens, *_),) = asked(home, tmp_path / "out", USAGE)
    assert tokens == 900
