"""A recorded run of Copilot CLI 1.0.102 in autopilot, everything allowed: who was asked, what a
person typed, what was spent, by hooks, session file and store."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.same_process import hookstream

RUN = Path(__file__).parent / "runs" / "copilot-autopilot"
FOLDER = RUN / "home" / ".copilot"
SESSION = next((FOLDER / "session-state").iterdir())
SPENT = [(8, 13200, 320)]
STORE = """
    create table sessions (id text, cwd text);
    create table assistant_usage_events (
        id integer primary key, session_id text, agent_id text, model text, input_tokens integer,
        output_tokens integer, cache_read_tokens integer, cache_write_tokens integer,
        total_nano_aiu integer, duration_ms integer, time_to_first_token_ms real, created_at text
    );
"""


def rows(lake: Path, sql: str) -> list[tuple[Any, ...]]:
    done = hookstream("query", sql, lake, "--format", "json", "--limit", "1000")
    assert done.returncode == 0, done.stderr.decode()
    return [tuple(row.values()) for row in json.loads(done.stdout)]


def read(lake: Path, *sources: Path) -> Path:
    done = hookstream("run", *sources, "--to", f"parquet:{lake}")
    assert done.returncode == 0, done.stderr.decode()
    return lake


def records() -> list[dict[str, Any]]:
    lines = (SESSION / "events.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def store(path: Path, units: int | None = None) -> Path:
    """The requests of the session file, as the client keeps them in its database."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.executescript(STORE)
        database.execute("insert into sessions values (?, '/home/dev/project')", (SESSION.name,))
        for record in records():
            if record["type"] == "session.usage_record":
                usage = record["data"]["usage"]
                database.execute(
                    "insert into assistant_usage_events values "
                    "(null, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?)",
                    (
                        *(SESSION.name, record.get("agentId"), usage["model"]),
                        *(usage["inputTokens"], usage["outputTokens"], units, usage["duration"]),
                        *(usage["timeToFirstTokenMs"], record["timestamp"]),
                    ),
                )
        database.commit()
    return path


def spent(lake: Path) -> list[tuple[Any, ...]]:
    return rows(lake, "select sum(answers), sum(input_tokens), sum(output_tokens) from usage")


@pytest.mark.parametrize("witnesses", [("hooks",), ("home",), ("hooks", "home")])
def test_the_prompt_to_go_on_is_no_persons(witnesses: tuple[str, ...], tmp_path: Path) -> None:
    files = {"hooks": RUN / "hooks.jsonl", "home": SESSION}
    lake = read(tmp_path / "lake", *(files[name] for name in witnesses))
    assert rows(lake, "select count(*) from prompts") == [(1,)]


@pytest.mark.long
def test_nobody_is_asked_where_everything_is_allowed(tmp_path: Path) -> None:
    lake = read(tmp_path / "lake", RUN / "hooks.jsonl", SESSION)
    asks = "select command, resolution, decided_by from asks order by 1, 2"
    unasked = "select distinct certainty from asks where resolution = 'asked_nobody'"
    assert rows(lake, unasked) == [("inferred",)]
    assert rows(lake, asks) == [
        *[("echo same", "asked_nobody", None)] * 3,
        ("touch asked-for.txt", "denied", "client"),
    ]
    ran = "select count(*) from calls where command = 'echo same' and decision is null"
    assert rows(lake, ran) == [(3,)]


@pytest.mark.parametrize(
    ("answer", "kind", "who"),
    [
        ("human_response", "approved", "user"),
        ("host_policy", "approved", "rule"),
        ("assisted_approval", "approved", "classifier"),
        (None, "approved", None),
        (None, "denied-interactively-by-user", "user"),
        (None, "denied-by-permission-request-hook", "hook"),
        ("unattended_fallback", "denied-by-rules", "client"),
        (None, "cancelled", None),
    ],
)
def test_an_answer_is_whose_it_says(
    answer: str | None, kind: str, who: str | None, tmp_path: Path
) -> None:
    """A person's only where the record says so."""
    folder = tmp_path / "session-state" / SESSION.name
    folder.mkdir(parents=True)
    lines = []
    for record in records():
        if record["type"] == "permission.completed":
            record["data"] = {**record["data"], "result": {"kind": kind}}
            record["data"].pop("decisionSource")
            record["data"] |= {"decisionSource": answer} if answer else {}
        if record["type"] == "tool.execution_complete" and kind == "approved":
            record["data"] |= {"success": True, "result": {"content": "done"}}
            record["data"].pop("error", None)
        elif record["type"] == "tool.execution_complete" and "error" in record["data"]:
            record["data"]["error"]["message"] = "Denied"
        lines.append(json.dumps(record))
    (folder / "events.jsonl").write_text("\n".join(lines), "utf-8")
    lake = read(tmp_path / "lake", folder)
    asked = "select decided_by from asks where command = 'touch asked-for.txt'"
    assert rows(lake, asked) == [(who,)]


@pytest.mark.long
def test_the_store_has_what_a_lost_session_file_had(tmp_path: Path) -> None:
    lake = read(tmp_path / "lake", store(tmp_path / "session-store.db", units=10**9))
    assert spent(lake) == SPENT
    assert rows(lake, "select cost_usd, cost_from from usage") == [(0.08, "client")]
    assert rows(lake, "select session_id from sessions") == [(SESSION.name,)]


@pytest.mark.long
def test_store_and_session_file_are_counted_once_in_any_order(tmp_path: Path) -> None:
    database = store(tmp_path / "elsewhere" / "session-store.db")
    for number, sources in enumerate(([database, SESSION], [SESSION, database])):
        assert spent(read(tmp_path / f"lake{number}", *sources)) == SPENT
    home = tmp_path / "home"
    shutil.copytree(FOLDER, home / ".copilot")
    store(home / ".copilot" / "session-store.db")
    lake = tmp_path / "of-home"
    done = hookstream("backfill", "--home", home, "--since", "36500d", "--to", f"parquet:{lake}")
    assert done.returncode == 0, done.stderr.decode()
    assert spent(lake) == SPENT
    assert b"workspace.yaml" not in done.stdout


def test_a_store_without_its_log_is_no_fault(tmp_path: Path) -> None:
    """While the client runs its rows are in the write-ahead log alone."""
    path = tmp_path / "session-store.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("pragma journal_mode = wal")
        store(tmp_path / "other.db")
        database.execute("create table empty (a)")
        database.commit()
    lake = read(tmp_path / "lake", path, SESSION)
    assert spent(lake) == SPENT


def test_the_client_that_wrote_a_session_is_named(tmp_path: Path) -> None:
    """The app writes the same files as the CLI."""
    out = tmp_path / "out"
    done = hookstream("run", SESSION, "--to", f"jsonl:{out}")
    assert done.returncode == 0, done.stderr.decode()
    lines = (out / "agent-hooks.jsonl").read_text("utf-8").splitlines()
    started = [line for line in lines if '"Session.Start"' in line]
    assert ["github/cli" in line for line in started] == [True]
