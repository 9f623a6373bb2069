"""Session files that are cut, being written, forked, packed, of another version, or a loop."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from homes import DATA, SCENARIOS, TABLES, Told, fill, home_of

from hookstream.core.records import Record, Rejection
from hookstream.core.sources import find
from hookstream.delivery.batch import unread
from hookstream.transcripts.database import connect
from hookstream.transcripts.files import client_of, given


def only(folder: Path, ending: str) -> Path:
    return next(path for path in sorted(folder.rglob(f"*{ending}")))


@pytest.mark.parametrize("scenario", ["codex/rules", "gemini-cli/rules"])
def test_a_file_cut_anywhere_says_less_and_nothing_else(scenario: str, tmp_path: Path) -> None:
    whole = only(DATA / scenario / "home", ".jsonl")
    data = whole.read_bytes()
    ids = {event.facts["event_id"] for event in Told([whole]).once()}
    path = tmp_path / whole.name
    for end in range(0, len(data), 997):
        path.write_bytes(data[:end])
        given = [one for one in unread(path) if not isinstance(one, str | tuple)]
        assert all(type(one).__name__ in ("Record", "Rejection") for one in given)
    path.write_bytes(data[: len(data) // 2])
    cut = Told([path])
    assert {event.facts["event_id"] for event in cut.once()} < ids
    assert len(cut.rejections) <= 1


def test_a_fork_repeats_its_parent_and_counts_once(tmp_path: Path) -> None:
    parent = only(DATA / "claude-code/refusals-dontask/home", ".jsonl")
    folder = tmp_path / ".claude" / "projects" / "-p"
    folder.mkdir(parents=True)
    shutil.copy(parent, folder / parent.name)
    session = parent.name.removesuffix(".jsonl")
    fork = "11111111-2222-4333-8444-555555555555"
    text = parent.read_text("utf-8").replace(session, fork)
    (folder / f"{fork}.jsonl").write_text(text, "utf-8")
    alone, both = Told([parent]), Told([tmp_path])
    kinds = ("Action.Before", "Action.After", "Policy.Blocked", "Prompt.Submitted")
    for kind in (*kinds, "Model.Responded"):
        assert len(both.of(kind)) == len(alone.of(kind)), kind


def test_what_a_fork_repeats_is_of_the_session_that_was_begun_first(tmp_path: Path) -> None:
    parent = only(DATA / "claude-code/refusals-dontask/home", ".jsonl")
    folder = tmp_path / ".claude" / "projects" / "-p"
    folder.mkdir(parents=True)
    session = parent.name.removesuffix(".jsonl")
    fork = "00000000-2222-4333-8444-555555555555"
    text = parent.read_text("utf-8")
    shutil.copy(parent, folder / parent.name)
    first = {"type": "queue-operation", "operation": "enqueue", "sessionId": fork}
    first["timestamp"] = "2026-11-23T00:00:00.000Z"
    lines = [json.dumps(first, separators=(",", ":")), text.replace(session, fork)]
    (folder / f"{fork}.jsonl").write_text("\n".join(lines), "utf-8")
    kept = {e.facts["session_id"] for e in Told([tmp_path]).of("Action.After")}
    assert kept == {session}


def test_a_file_read_twice_says_the_same(tmp_path: Path) -> None:
    home = home_of("qwen-code/approval-tui", tmp_path)
    once, twice = Told([home]), Told([home, home])
    assert len(twice.once()) == len(once.once())


def test_packed_files_are_read(tmp_path: Path) -> None:
    import pyarrow as pa

    plain = only(DATA / "codex/rules/home", ".jsonl")
    said = [event.facts["event_id"] for event in Told([plain]).once()]
    packed = tmp_path / f"{plain.name}.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert [event.facts["event_id"] for event in Told([packed]).once()] == said
    packed = tmp_path / f"{plain.name}.zst"
    with pa.output_stream(str(packed), compression="zstd") as stream:
        stream.write(plain.read_bytes())
    assert [event.facts["event_id"] for event in Told([packed]).once()] == said


def test_a_database_that_is_being_written_is_read_with_its_log_and_not_locked(
    tmp_path: Path,
) -> None:
    rows = only(DATA / "opencode/refusals-rules/home", ".rows")
    path = tmp_path / "opencode.db"
    _, schema = TABLES[rows.name]
    fill(path, f"pragma journal_mode = wal; {schema}", rows)
    writer = sqlite3.connect(path)
    writer.execute("pragma journal_mode = wal")
    writer.execute("pragma wal_autocheckpoint = 0")
    part = {"type": "tool", "tool": "bash", "callID": "call_new", "state": {"status": "running"}}
    found = "select message_id, session_id from part where data like '%callID%'"
    message, session = writer.execute(found).fetchone()
    writer.execute(
        "insert into part values ('prt_z', ?, ?, 1, ?)", (message, session, json.dumps(part))
    )
    writer.commit()
    assert (tmp_path / "opencode.db-wal").stat().st_size
    before = sorted(os.listdir(tmp_path))
    told = Told([path])
    assert "call_new" in {event.facts.get("call_id") for event in told.events}
    writer.execute("begin immediate")
    writer.execute("delete from part where id = 'prt_z'")
    assert Told([path]).events
    writer.commit()
    writer.close()
    assert set(os.listdir(tmp_path)) <= set(before)


def test_a_log_that_its_client_left_is_read_without_a_file_next_to_it(tmp_path: Path) -> None:
    rows = only(DATA / "opencode/refusals-rules/home", ".rows")
    path = tmp_path / "live" / "opencode.db"
    path.parent.mkdir()
    _, schema = TABLES[rows.name]
    fill(path, f"pragma journal_mode = wal; {schema}", rows)
    writer = sqlite3.connect(path)
    writer.execute("pragma wal_autocheckpoint = 0")
    writer.execute("update session set title = 'another'")
    writer.commit()
    left = tmp_path / "left" / "opencode.db"
    left.parent.mkdir()
    for name in ("opencode.db", "opencode.db-wal"):  # as a crash leaves them
        shutil.copyfile(path.parent / name, left.parent / name)
    writer.close()
    stamps = {file.name: file.stat().st_mtime_ns for file in left.parent.iterdir()}
    assert Told([left]).events
    with closing(connect(left)) as database:
        assert database.execute("select distinct title from session").fetchall() == [("another",)]
    assert {file.name: file.stat().st_mtime_ns for file in left.parent.iterdir()} == stamps


def read_of(path: Path) -> tuple[list[Any], list[Rejection]]:
    found = list(given(path, client_of(path) or "", "source"))
    return (
        [one for one in found if isinstance(one, Record)],
        [one for one in found if isinstance(one, Rejection)],
    )


def test_rows_that_cannot_be_read_are_mended_or_counted(tmp_path: Path) -> None:
    """OpenCode: a lone surrogate is mended; what is no JSON object or no text is a rejection."""
    rows = only(DATA / "opencode/refusals-rules/home", ".rows")
    path = tmp_path / "opencode.db"
    _, schema = TABLES[rows.name]
    fill(path, schema, rows)
    whole, none = read_of(path)
    assert not none
    with closing(sqlite3.connect(path)) as database, database:
        found = "select id, data from part where data like '%\"command\"%'"
        first, text = database.execute(found).fetchone()
        others = "select id from part where id <> ? order by id limit 2"
        (second,), (third,) = database.execute(others, (first,)).fetchall()
        change = "update part set data = ? where id = ?"
        mended = re.sub(r'("command": *")', r"\1half \\ud83d ", text)
        assert mended != text
        database.execute(change, (mended, first))
        database.execute(change, (text[: len(text) // 2], second))
        database.execute("update part set data = cast(? as text) where id = ?", (b"\xff{", third))
    records, rejections = read_of(path)
    assert sorted(one.reason for one in rejections) == ["part: not_json"] * 2
    assert all(one.digest and one.length for one in rejections)
    texts = [json.dumps(record.payload) for record in records]
    assert any("half \\ufffd " in text for text in texts)
    assert len(records) >= len(whole) - 2 * 2


def test_events_of_openclaw_that_cannot_be_read_are_mended_or_counted(tmp_path: Path) -> None:
    home = home_of("openclaw/refusals-unattended", tmp_path)
    path = only(home, ".sqlite")
    whole, none = read_of(path)
    assert not none
    with closing(sqlite3.connect(path)) as database, database:
        database.create_function("octet_length", 1, lambda value: None if value is None else 1)
        found = "select seq, event_json from transcript_events where event_json like '%toolCall%'"
        seq, text = database.execute(found).fetchone()
        mended = re.sub(r'("arguments": *\{)', r'\1"x":"\\udc00",', text)
        assert mended != text
        change = "update transcript_events set event_json = ? where seq = ?"
        database.execute(change, (mended, seq))
        change = change.replace("set", "set event_zstd = null, event_utf8_bytes = null,")
        database.execute(change, ("{", seq + 1))
    records, rejections = read_of(path)
    assert [one.reason for one in rejections] == ["transcript_events: not_json"]
    assert len(records) >= len(whole) - 2
    assert any("\\ufffd" in json.dumps(record.payload) for record in records)


def test_a_database_at_rest_gets_no_files_beside_it(tmp_path: Path) -> None:
    home = home_of("openclaw/refusals-unattended", tmp_path)
    path = only(home, ".sqlite")
    before = path.stat()
    assert Told([home]).events
    assert os.listdir(path.parent) == [path.name]
    assert path.stat().st_mtime_ns == before.st_mtime_ns


def test_what_the_database_holds_beside_sessions_is_not_read(tmp_path: Path) -> None:
    home = home_of("openclaw/subagent", tmp_path)
    path = only(home, ".sqlite")
    database = sqlite3.connect(path)
    database.create_function("octet_length", 1, lambda x: None)
    database.execute("insert into auth_profiles values ('p', 'kept-to-itself')")
    database.commit()
    database.close()
    told = Told([home])
    assert told.events
    assert "kept-to-itself" not in repr([event.facts for event in told.events])


def test_a_damaged_database_is_named(tmp_path: Path) -> None:
    home = home_of("opencode/refusals-rules", tmp_path)
    path = only(home, ".db")
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    told = Told([home])
    assert [one.reason for one in told.rejections] == ["unreadable: DatabaseError"]


def test_an_unknown_record_is_counted_under_its_kind() -> None:
    path = only(DATA / "codex/rules/home", ".jsonl")
    lines = path.read_text("utf-8").splitlines()
    assert client_of(path) == "codex"
    given = Told([path])
    assert "session file: turn_context" in given.reasons
    assert len(given.reasons) < len(lines)


def test_a_newer_version_is_read_as_far_as_it_is_known_and_says_so(tmp_path: Path) -> None:
    path = only(DATA / "codex/rules/home", ".jsonl")
    newer = tmp_path / path.name
    newer.write_text(path.read_text("utf-8").replace('"0.169.0"', '"3.1.0"'), "utf-8")
    told = Told([newer])
    assert len(told.once()) == len(Told([path]).once())
    said = [reason for reason in told.reasons if "newer than" in reason]
    assert said == ["session file: codex 3.1.0 is newer than 0.171, read as far as known"]


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    home = home_of("codex/rules", tmp_path)
    (home / ".codex" / "again").symlink_to(home, target_is_directory=True)
    assert len(find([str(home)])) == 1


def test_hooks_beside_files_are_still_hooks(tmp_path: Path) -> None:
    home = home_of("codex/rules", tmp_path)
    hooks = tmp_path / "hooks.jsonl"
    shutil.copy(DATA / "codex/rules/hooks.jsonl", hooks)
    told = Told([tmp_path])
    witnesses = {event.facts.get("witness", "hook") for event in told.events}
    assert witnesses == {"hook", "transcript"}
    assert client_of(hooks) is None
    assert home.exists()


def test_an_mcp_tool_of_gemini_is_named_as_its_hooks_name_it(tmp_path: Path) -> None:
    path = only(DATA / "gemini-cli/rules/home", ".jsonl")
    text = path.read_text("utf-8").replace('"run_shell_command"', '"mcp_demo_fail_twice"')
    copy = tmp_path / path.name
    for shown, wanted in (
        ("fail_twice (demo MCP Server)", ("mcp:fail_twice", "demo")),
        ("twice (demo_fail MCP Server)", ("mcp:twice", "demo_fail")),
        ("fail (other MCP Server)", ("mcp:demo_fail_twice", None)),
    ):
        copy.write_text(text.replace('"displayName":"Shell"', f'"displayName":"{shown}"'), "utf-8")
        told = Told([copy]).of("Action.Before")
        assert told
        found = {(e.facts["action_name"], e.facts.get("mcp_server")) for e in told}
        assert wanted in found


def calls(sources: list[Path]) -> set[str]:
    events = Told(sources).once()
    return {event.facts["call_id"] for event in events if "call_id" in event.facts}


FIRST_OF_CLIENTS = {
    scenario.partition("/")[0]: scenario
    for scenario in reversed(SCENARIOS)
    if any((DATA / scenario / "home").rglob("*.jsonl"))
}


@pytest.mark.long
@pytest.mark.parametrize("scenario", FIRST_OF_CLIENTS.values())
def test_a_lost_first_record_costs_itself(scenario: str, tmp_path: Path) -> None:
    """A client's header says whose file it is; without it the path does."""
    home = home_of(scenario, tmp_path)
    before = calls([home])
    files = {path: path.read_bytes().split(b"\n") for path in home.rglob("*.jsonl")}
    heads = b"".join(lines[0] for lines in files.values())
    for damaged in (b"", b"12", b"\xff\xfe%%%%", b'{"a": \r'):
        for path, (_, *lines) in files.items():
            path.write_bytes(b"\n".join((damaged, *lines)))
        assert not [call for call in before - calls([home]) if call.encode() not in heads]
