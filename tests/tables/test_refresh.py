"""Tables are right whatever came when: a refresh gives what a build gives, and a question what
either does."""

from __future__ import annotations

import itertools
import random
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.queries.history import History, write

from hookstream.core.event import Event
from hookstream.core.identity import uuid_of
from hookstream.queries.catalog import queries
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, moment, open_stream
from hookstream.tables import manifest
from hookstream.tables.files import plan
from hookstream.tables.manifest import folder_of
from hookstream.tables.relations import TABLES
from hookstream.tables.stored import Merged
from hookstream.tables.update import update

pytestmark = pytest.mark.long

QUESTIONS = (
    "calls", "denies", "asks", "retry_loops", "compactions", "sessions", "prompts", "secrets",
    "egress", "mcp_servers", "packages",
)  # fmt: skip
# Those whose rows have no order of their own among equals.
OTHERS = sorted(set(queries()).difference(QUESTIONS))
COMMANDS = (
    "ls", "make", 'git commit -m "rm"', "curl https://a.example/x", "ssh b.example", "npm i pad",
)  # fmt: skip


def story(seed: int, *, several: bool = False) -> list[Event]:
    """Sessions of two machines over some days: failures, refusals, silence, questions."""
    rng = random.Random(seed)
    events: list[Event] = []
    for number in range(6):
        tool = rng.choice(("claude-code", "copilot", "codex"))
        h = History(tool, f"s{number % 4}", second=rng.randrange(0, 200_000))
        more = {"machine_id": f"m{rng.randrange(2)}", "user_id": rng.choice(("u1", "u2", None))}
        h.start(**more)
        for turn in range(rng.randrange(1, 3)):
            h.turn = f"t{turn}"
            h.add("Prompt.Submitted", prompt_length=3, **more)
            for _ in range(rng.randrange(1, 6)):
                call = rng.choice((f"c{h.sequence}", "c1"))
                command = rng.choice(COMMANDS)
                server = rng.choice((None, None, "db", "mail"))
                kept = [("aws-access-key", "command", rng.choice("fg"))] * (rng.random() < 0.2)
                h.before(call, command, mcp_server=server, secrets=kept, **more)
                match rng.randrange(5):
                    case 0:
                        h.blocked(call, command, **more)
                    case 1:
                        h.asked(call, command, **more)
                    case 2:
                        h.after(call, command, "error", **more)
                    case 3:
                        h.after(call, command, "ok", output_hash="sha256:1", **more)
            if rng.random() < 0.3:
                h.add("Context.Compaction", context_phase="before", **more)
            if rng.random() < 0.2:
                h.add("vendor.x.Connect", "PreMCPConnect", server_id="db", **more)
        h.answer(**more)
        events += h.events
        if several and rng.random() < 0.5:
            events += by_file(h, rng)
    return events


def by_file(h: History, rng: random.Random) -> list[Event]:
    """What the client's own file tells of some of it: within the session, or of a sub-agent whose
    hooks have a session of their own within its parent's."""
    parent = rng.choice((None, "s0", "s3"))
    told = []
    for event in h.events:
        if rng.random() < 0.7:
            facts = {**event.facts, "witness": "transcript"}
            facts["event_id"] = uuid_of(f"file {facts['event_id']}")
            if parent not in (None, h.session):
                facts |= {"session_id": parent, "agent_id": h.session}
            told.append(Event(event.type, event.hook_point, facts, h.tool))
    return told


def rows_of(folder: Path) -> dict[str, list[str]]:
    """Every row of every table, as text."""
    found = {}
    for table in (*TABLES, "evidence"):
        files = [str(path) for path in folder.glob(f"{table}/**/*.parquet")]
        made = duckdb.execute("from read_parquet(?, hive_partitioning = false)", [files])
        names = [column[0] for column in made.description or []]
        order = sorted(range(len(names)), key=lambda n: names[n])
        found[table] = sorted(str([(names[n], row[n]) for n in order]) for row in made.fetchall())
    return found


def answers(lake: Path, since: str | None = None) -> dict[str, list[dict[str, Any]]]:
    filters = Filters(since=moment(since) if since else None)
    with open_stream(lake) as stream:
        found = {name: objects(ask(stream, name, filters)) for name in QUESTIONS}
        for name in OTHERS:
            found[name] = sorted(objects(ask(stream, name, filters)), key=str)
        return found


def rebuilt(lake: Path, to: Path) -> dict[str, list[str]]:
    shutil.rmtree(to, ignore_errors=True)
    shutil.rmtree(folder_of(to), ignore_errors=True)
    shutil.copytree(lake, to)
    update(to)
    return rows_of(folder_of(to))


@pytest.mark.long
@settings(max_examples=1)
@example(seed=9765, cuts=[8, 0], several=True)
@example(seed=1, cuts=[0, 22, 53, 6], several=True)  # one command in two sessions, one refused
@example(seed=1, cuts=[0, 22, 53, 6], several=True)
@given(
    seed=st.integers(0, 10_000),
    cuts=st.lists(st.integers(0, 60), min_size=2, max_size=4),
    several=st.booleans(),
)
def test_refresh_gives_what_a_build_gives(
    tmp_path_factory: pytest.TempPathFactory, seed: int, cuts: list[int], several: bool
) -> None:
    folder = tmp_path_factory.mktemp("lake")
    rng = random.Random(seed)
    events = story(seed, several=several)
    bounds = sorted({0, len(events), *(cut % len(events) for cut in cuts)})
    pieces = [events[a:b] for a, b in itertools.pairwise(bounds)]
    pieces.append(events[: rng.randrange(1, len(events))])  # some of it a second time
    rng.shuffle(pieces)
    lake = folder / "lake"
    write(lake, pieces[0], "parquet")
    update(lake)
    for piece in pieces[1:]:
        write(lake, piece, "parquet", tables=False)
        merged = answers(lake)
        if rng.random() < 0.3:  # killed before the manifest was written
            before = (folder_of(lake) / manifest.NAME).read_bytes()
            update(lake)
            (folder_of(lake) / manifest.NAME).write_bytes(before)
        update(lake)
        assert merged == answers(lake)
    assert rows_of(folder_of(lake)) == rebuilt(lake, folder / "again")
    since = f"2026-11-2{rng.randrange(1, 4)}T{rng.randrange(24):02}:00Z"
    later = answers(lake, since)
    shutil.rmtree(folder_of(lake))
    assert answers(lake) == merged
    assert answers(lake, since) == later
    shutil.rmtree(folder)


@pytest.mark.long
@pytest.mark.parametrize("several", [False, True])
def test_how_much_is_derived_at_a_time_changes_nothing(
    tmp_path: Path, several: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = write(tmp_path / "lake", story(9, several=several), "parquet")
    update(lake)
    at_once = rows_of(folder_of(lake))
    assert at_once["calls"]
    monkeypatch.setattr("hookstream.tables.files.EVENTS", 12)
    assert update(lake, rebuild=True).dates > 1
    assert rows_of(folder_of(lake)) == at_once


def test_batches_hold_whole_dates_or_shares_of_one() -> None:
    dates = [("1", 5, "1"), ("2", 4, "9"), ("3", 3, "3"), ("4", 25, "5"), ("5", 1, "5")]
    made = [(b.first, b.last, b.over, b.share, b.shares) for b in plan(dates, 10)]
    assert made == [
        ("1", "2", "9", 0, 1),
        ("3", "3", "3", 0, 1),
        *(("4", "4", "5", n, 3) for n in range(3)),
        ("5", "5", "5", 0, 1),
    ]


@pytest.mark.parametrize("broken", [False, True])
def test_where_most_sessions_are_touched_all_are_derived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: bool
) -> None:
    events = story(5)
    lake = write(tmp_path / "lake", events[:4], "parquet")
    update(lake)
    write(lake, events[4:], "parquet", tables=False)
    if broken:  # in the middle of a refresh, as by a lack of memory

        def give_up(merged: Merged) -> None:
            merged.connection.execute("alter table base.known rename to known_of_lake")
            merged.connection.execute("from nowhere")

        monkeypatch.setattr(Merged, "_derive", give_up)
    else:
        monkeypatch.setattr("hookstream.tables.changed_sessions.FEW", 0)
    merged = answers(lake)
    assert merged["calls"]
    assert update(lake).how == "built"
    assert answers(lake) == merged
    assert rows_of(folder_of(lake)) == rebuilt(lake, tmp_path / "again")


def test_a_part_that_lacks_columns_is_read_beside_the_others(tmp_path: Path) -> None:
    events = story(3)
    lake = write(tmp_path / "lake", events[:-8], "parquet")
    update(lake)
    known = manifest.read(folder_of(lake))
    assert known is not None
    assert known.alike
    late = write(tmp_path / "late", events[-8:], "parquet")
    for part in late.rglob("*.parquet"):
        to = lake / part.relative_to(late).with_name(f"late-{part.name}")
        to.parent.mkdir(parents=True, exist_ok=True)
        older = "select * exclude (mcp_server, cwd)"
        read = "from read_parquet(?, hive_partitioning = false)"
        duckdb.execute(f"copy ({older} {read}) to '{to}' (format parquet)", [str(part)])
    merged = answers(lake)
    assert update(lake).how == "refreshed"
    assert merged == answers(lake)
    known = manifest.read(folder_of(lake))
    assert known is not None
    assert not known.alike
    assert rows_of(folder_of(lake)) == rebuilt(lake, tmp_path / "again")
