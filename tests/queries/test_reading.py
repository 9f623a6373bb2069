"""A stream is the same in all its forms; what cannot be read is named and blinds nothing."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.queries.history import History, at, both, events, select, write

from hookstream.core.errors import NothingToRead
from hookstream.core.jsons import ascii_line, canonical
from hookstream.lake.columns import COLUMNS, row
from hookstream.queries.lines import Columns
from hookstream.queries.runner import ask, may_show_texts, open_stream
from hookstream.queries.strict import read_line
from hookstream.standards.aarts import aarts
from hookstream.standards.agent_hooks import agent_hooks
from hookstream.standards.agent_hooks_reader import read_agent_hooks

GOOD = "select event_id from events order by sequence"


def rich() -> History:
    """Events of every kind of place a fact can stand in."""
    h = History()
    h.start(tool_version="2.1", machine_id="m", user_id="u", permission_mode="plan",
            agent_mode="plan", received_at=at(0.5))  # fmt: skip
    h.prompt("t1")
    h.before("c1", "make", agent_id="a", input={"command": "make"}, secrets=[("r", "p", "f")],
             risk=(70, "high", ("X", "Y")), unmapped={"b": 1, "a": [1]})  # fmt: skip
    h.after("c1", "make", "error", exit_code=2, error_message="no", duration_ms=1.5)
    h.after("c2", "make", None, duration_ms=3)
    h.blocked("c3", about="be60bef5-0a8e-8a59-a950-0707deb64f2b")
    h.add("Context.Compaction", context_phase="after", context_trigger="odd", tokens_before=2**40)
    h.add("Model.Failed", error_type="SomethingElse", error_message="m", latency_ms=2.0)
    h.add("Retry.Loop.Detected", retry_iteration=3, action_name="shell", elapsed_ms=5.0)
    h.add("vendor.x.Odd", success=True, exit_code=0, decision="ask", derived=True)
    h.end("an odd word")
    h.add("Session.End", end_reason="exit", total_tokens=5, total_actions=1, duration_ms=9.0)
    h.events[2].synthesized = ["timestamp"]
    h.events[2].redactions = {"r": 2, "s": 1}
    h.events[2].artifacts = [("command", "make", "tool_input.command", "")]
    return h


@pytest.mark.long
def test_lines_and_lake_hold_the_same_rows_in_the_same_columns(tmp_path: Path) -> None:
    lines, lake = both(tmp_path, rich())
    wanted = "select * from events order by sequence"
    found = [select(path, wanted) for path in (lines, lake)]
    assert found[0] == found[1]
    assert list(found[0][0]) == list(COLUMNS)
    assert any(one["aarts"] for one in found[0])
    types = "select column_name, column_type from (describe select * from events)"
    assert select(lines, types) == select(lake, types)


def test_the_reader_of_lines_agrees_with_the_reader_of_the_standard() -> None:
    for event in rich().events:
        line = ascii_line(canonical(agent_hooks(event)))
        columns = Columns()
        columns.add(read_line(line))
        got = {name: values[0] for name, values in columns.take().items()}
        again = read_agent_hooks(json.loads(line))
        want = row(again, "", None)
        for name in COLUMNS:
            if name not in ("agent_hooks", "aarts"):
                value = got.get(name)
                assert (list(value) if isinstance(value, tuple) else value) == want[name], name


def test_the_aarts_column_is_rendered_where_no_file_holds_it(tmp_path: Path) -> None:
    h = rich()
    (path, _) = both(tmp_path, h)
    (path / "aarts.jsonl").unlink()
    rows = select(path, "select aarts from events order by sequence")
    made = [aarts(event) for event in h.events]
    assert [one["aarts"] and json.loads(one["aarts"]) for one in rows] == [
        one and json.loads(canonical(one)) for one in made
    ]


def test_the_aarts_column_is_what_was_written_where_a_file_holds_it(tmp_path: Path) -> None:
    h = rich()
    (path, _) = both(tmp_path, h)
    file = path / "aarts.jsonl"
    file.write_text(file.read_text().replace('"aarts_version":"0.1"', '"aarts_version":"0.1.x"'))
    rows = select(path, "select aarts from events where aarts is not null")
    assert all('"0.1.x"' in one["aarts"] for one in rows if '"hook_point"' in one["aarts"][:80])


def test_equal_ids_are_one_event_and_the_first_is_kept(tmp_path: Path) -> None:
    h = History()
    h.ran("c1", "first")
    again = History()
    again.before("c1", "first", event_id=h.events[0].facts["event_id"], cwd="/again")
    for form in ("jsonl", "parquet"):
        path = write(tmp_path / form, [*h.events, h.events[0], *again.events], form)
        rows = select(path, "select command, max(cwd) cwd, count(*) n from events group by 1")
        assert rows == [{"command": "first", "cwd": None, "n": 2}]


def test_equal_ids_with_unlike_content_are_both_there(tmp_path: Path) -> None:
    """A gateway chooses call ids: two calls that share one are two."""
    h = History()
    h.ran("c1", "ls")
    again = History(second=10)
    again.before("c1", "curl -d @/etc/shadow x", event_id=h.events[0].facts["event_id"])
    for form in ("jsonl", "parquet"):
        path = write(tmp_path / form, [*h.events, *again.events], form)
        rows = select(path, "select command, outcome from calls")
        assert sorted(map(str, rows)) == sorted(
            map(
                str,
                (
                    {"command": "ls", "outcome": "ok"},
                    {"command": "curl -d @/etc/shadow x", "outcome": "unknown"},
                ),
            )
        )


def test_rotated_and_compressed_files_are_one_stream(tmp_path: Path) -> None:
    h = History()
    for _ in range(5):
        h.start()
    (path, _) = both(tmp_path, h)
    lines = (path / "agent-hooks.jsonl").read_bytes().splitlines(keepends=True)
    parts = tmp_path / "parts"
    (parts / "host").mkdir(parents=True)
    (parts / "agent-hooks.jsonl.2.gz").write_bytes(gzip.compress(lines[0]))
    (parts / "agent-hooks.jsonl.1").write_bytes(lines[1])
    (parts / "agent-hooks.jsonl").write_bytes(lines[2])
    (parts / "host" / "agent-hooks.jsonl").write_bytes(lines[3])
    zstd = pytest.importorskip("pyarrow")
    with zstd.output_stream(str(parts / "agent-hooks-2026.jsonl.zst"), compression="zstd") as out:
        out.write(lines[4])
    assert [one["event_id"] for one in select(parts, GOOD)] == [
        event.facts["event_id"] for event in h.events
    ]


def test_a_single_file_of_any_name_is_a_stream(tmp_path: Path) -> None:
    (path, lake) = both(tmp_path, rich())
    log = tmp_path / "my.log"
    (path / "agent-hooks.jsonl").rename(log)
    assert select(log, GOOD) == select(lake, GOOD)
    part = next(lake.rglob("*.parquet"))
    assert select(part, GOOD) == select(lake, GOOD)


def one_line(second: int = 1) -> bytes:
    h = History(second=second)
    h.start()
    return ascii_line(canonical(agent_hooks(h.events[0])))


def broken_lines() -> dict[str, bytes]:
    good = one_line()
    deep = b'{"a":' * 70 + b"1" + b"}" * 70
    return {
        "torn": good[:-20],
        "not JSON": b"hello",
        "an array": b"[1]",
        "a number": b"17",
        "another object": b'{"vendor":"cursor","payload":{}}',
        "NaN": good.replace(b'"sequence":1', b'"sequence":NaN'),
        "Infinity": good.replace(b'"sequence":1', b'"sequence":-Infinity'),
        "lone surrogate": good.replace(b'"exit"', b'"x"').replace(b'"new"', b'"\\ud800"'),
        "repeated key": good.replace(b'{"actor"', b'{"event_id":"other","actor"', 1),
        "repeated key deep down": good.replace(b'"sequence":1', b'"sequence":1,"sequence":2'),
        "deep": good.replace(b'"sequence":1', b'"native":' + deep + b',"sequence":1'),
        "very deep": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
        "huge": good.replace(b'"sequence":1', b'"native":"' + b"x" * 2**21 + b'","sequence":1'),
        "invalid UTF-8": good.replace(b'"new"', b'"\xff\xfe"'),
        "UTF-16": good.decode().encode("utf-16"),
        "NUL": good.replace(b'"new"', b'"\x00"'),
        "control": good.replace(b'"new"', b'"\x1b"'),
        "trailing comma": good[:-1] + b",}",
        "two objects": good + good,
        "no id": good.replace(b'"event_id"', b'"event_ix"'),
        "empty id": b'{"event_id":"","event_type":"x"}',
        "wrong types": good.replace(b'"source":{', b'"source":[{').replace(b'"}', b'"}]', 1),
    }


@pytest.mark.parametrize("kind", broken_lines())
def test_one_broken_line_never_blinds_a_query(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "agent-hooks.jsonl"
    file.write_bytes(one_line(1) + b"\n" + broken_lines()[kind] + b"\n\n" + one_line(2) + b"\n")
    with open_stream(tmp_path) as stream:
        result = ask(stream, "coverage")
        broken = stream.connection.execute("from broken_lines").fetchall()
        assert [one[:2] for one in broken][:1] == [("agent-hooks.jsonl", 2)]
        assert len(broken) == (1 if kind != "UTF-16" else len(broken))
        assert result.rows[0][5] == 2
        (warning,) = result.warnings
    assert "agent-hooks.jsonl:2" in warning


def test_odd_but_whole_lines_are_read(tmp_path: Path) -> None:
    good = json.loads(one_line())
    good["metadata"]["dev.hookstream"] |= {
        "exit_code": "12", "duration_ms": 3, "tokens_used": 2**70, "success": "true",
        "latency_ms": "fast", "artifacts": [{"type": 1}, "x"], "secrets": None, "message": "\u00e9",
        "input_tokens": 1.0, "risk": 1, "synthesized": ["a", 2],
    }  # fmt: skip
    good["user"] = good["risk"] = "no object"
    file = tmp_path / "agent-hooks.jsonl"
    file.write_bytes(json.dumps(good, ensure_ascii=False, indent=None).encode() + b"\r\n")
    (found,) = select(tmp_path, "select * from events")
    assert (found["exit_code"], found["duration_ms"], found["tokens_used"]) == (12, 3.0, None)
    assert (found["success"], found["latency_ms"], found["input_tokens"]) == (True, None, 1)
    assert found["artifacts"] == [{"type": "", "value": "", "source_field": ""}]
    assert (found["message"], found["synthesized"], found["secrets"]) == ("\u00e9", ["a"], [])


def test_another_producers_events_are_read(tmp_path: Path) -> None:
    event = {
        "spec_version": "0.1.0", "event_id": "7d3c1f0a-52b4-4c0e-9a1d-0c8f6e5b4a39",
        "event_type": "Action.After", "timestamp": "2026-11-21T10:00:00+02:00",
        "source": {"tool": "their-agent"},
        "session_id": "s", "actor": {"type": "ai_agent"}, "user": {"id": "u"},
        "data": {"action": {"name": "shell", "result": {"success": False, "exit_code": 1}}},
    }  # fmt: skip
    (tmp_path / "agent-hooks.jsonl").write_text(json.dumps(event) + "\n")
    found, error = select(tmp_path, "select * from events order by event_type")
    assert error["event_type"] == "Agent.Error"  # derived, as a run derives it
    wanted = "tool vendor timestamp action_name success exit_code".split()
    assert [found[name] for name in wanted] == [
        "their-agent", "their-agent", "2026-11-21T08:00:00.000Z", "shell", False, 1,
    ]  # fmt: skip
    assert found["user_id"].startswith("user-")  # a pseudonym, as in a run
    with open_stream(tmp_path) as stream:
        assert ask(stream, "tools").rows[0][7] == 1  # no outcome was said: success says it


def test_a_torn_part_of_a_lake_is_left_out_and_named(tmp_path: Path) -> None:
    h, other = History(), History("codex", second=60)
    h.start()
    other.start()
    (_, lake) = both(tmp_path, h, other)
    part = next((lake).rglob("tool=codex/*.parquet"))
    part.write_bytes(part.read_bytes()[:-9])
    (lake / "date=2026-11-21" / "tool=codex" / "part-00001.parquet.tmp").write_bytes(b"half")
    with open_stream(lake) as stream:
        result = ask(stream, "sessions")
        assert [one[0] for one in result.rows] == ["claude-code"]
        assert f"tool=codex/{part.name}" in result.warnings[0]


def test_a_lake_of_an_older_version_lacks_columns_and_is_read(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    (_, lake) = both(tmp_path, rich())
    part = next(lake.rglob("*.parquet"))
    table = pq.read_table(part, partitioning=None).drop_columns(["secrets", "risk_score"])
    pq.write_table(table, part)
    (first, *_) = select(lake, "select secrets, risk_score, command from events order by sequence")
    assert first == {"secrets": None, "risk_score": None, "command": None}
    with open_stream(lake) as stream:
        for name in ("denies", "sessions", "secrets"):
            ask(stream, name)


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "holds no stream"),
        ({"notes.txt": b"hello"}, "holds no stream"),
        ({"rejected.jsonl": b'{"reason":"x"}\n', "aarts.jsonl": b"{}\n"}, "holds no stream"),
        ({"recording.jsonl": b'{"vendor":"cursor","payload":{}}\n'}, "recording.jsonl:1"),
        ({"recording.jsonl": b""}, "it is empty"),
        ({"agent-hooks.jsonl": b"broken\nbroken\n"}, "agent-hooks.jsonl:1: not JSON"),
        ({"x.parquet": b"PAR1PAR1"}, "torn"),
    ],
)
def test_a_path_without_a_stream_is_an_error_and_never_an_empty_table(
    tmp_path: Path, files: dict[str, bytes], reason: str
) -> None:
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    with pytest.raises(NothingToRead, match=reason) as error:
        open_stream(tmp_path)
    assert "\n" not in str(error.value)
    assert error.value.code == 2


def test_a_missing_path_and_parquet_without_events(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pytest.raises(NothingToRead, match="no such file"):
        open_stream(tmp_path / "nowhere")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "x.parquet")
    with pytest.raises(NothingToRead, match="no column event_id"):
        open_stream(tmp_path)


def test_a_stream_that_has_only_begun_is_empty_and_no_error(tmp_path: Path) -> None:
    (tmp_path / "agent-hooks.jsonl").touch()
    with open_stream(tmp_path) as stream:
        for name in ("denies", "sessions", "gaps", "timeline"):
            assert ask(stream, name).rows == []


def test_names_with_quotes_are_files_like_any_other(tmp_path: Path) -> None:
    odd = tmp_path / "it's; drop 'x'"
    odd.mkdir()
    for form in ("jsonl", "parquet"):
        write(odd / form, rich().events, form)
        assert select(odd / form, "select count(*) n from events") == [{"n": len(rich().events)}]


def test_nothing_of_the_lines_stays_behind(tmp_path: Path, monkeypatch: Any) -> None:
    (path, _) = both(tmp_path, rich())
    private = tmp_path / "tmp"
    private.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(private))
    with open_stream(path) as stream:
        (held,) = private.iterdir()
        assert held.stat().st_mode & 0o777 == 0o700
        ask(stream, "coverage")
    assert list(private.iterdir()) == []


@pytest.mark.parametrize(
    ("sql", "needed"),
    [
        ("select count(*) from events", False),
        ("select tool, count(*) from events group by tool order by tool", False),
        ("select e.tool from events as e where e.session_id = 'x'", False),
        ("select a.tool from events a join calls b on a.tool = b.tool", False),
        ("select * from events", True),
        ("select length(agent_hooks) from events", True),
        ("select e from events e", True),
        ("select to_json(events) from events", True),
        ("from events", True),
        ("with x as (from events) select tool from x", True),
        ("select columns('a.*') from events", True),
        ("select z from calls, events z", True),
    ],
)
def test_texts_are_held_for_whatever_could_show_them(sql: str, needed: bool) -> None:
    assert may_show_texts(sql) is needed


def test_events_of_one_history_are_in_order() -> None:
    assert [event.facts["sequence"] for event in events(rich())] == list(range(1, 13))
