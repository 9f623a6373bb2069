"""Homes of clients for the tests: trimmed recordings, with databases made from their rows."""

from __future__ import annotations

import json
import shutil
import sqlite3
from functools import cache
from pathlib import Path
from typing import Any

from hookstream.core.event import Event
from hookstream.core.records import Rejection
from hookstream.core.sources import find
from hookstream.delivery.batch import unread
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.redaction.scanner import Scanner

DATA = Path(__file__).parent / "data"
SCENARIOS = sorted(str(p.parent.relative_to(DATA)) for p in DATA.glob("*/*/truth.json"))
NOW = "2026-12-01T00:00:00.000Z"
KEY = b"a key for tests, no secret at all"
TABLES = {
    "opencode.rows": (
        "opencode.db",
        "create table session (id text primary key, parent_id text, directory text, title text, "
        "version text, time_created integer, time_updated integer);"
        "create table message (id text primary key, session_id text, time_created integer, "
        "data text);"
        "create table part (id text primary key, message_id text, session_id text, "
        "time_created integer, data text);",
    ),
    # With SQLite 3.40 an index like this is unsafe to a connection that does not trust the schema.
    "kilo.rows": (
        "kilo.db",
        "create table session (id text primary key, parent_id text, directory text, title text, "
        "version text, time_created integer, time_updated integer, agent text, permission text);"
        "create table message (id text primary key, session_id text, time_created integer, "
        "data text);"
        "create table part (id text primary key, message_id text, session_id text, "
        "time_created integer, data text);"
        "create table kilo_board (id text primary key);"
        "create index role on message (id, json_extract(data, '$.role'));",
    ),
    "openclaw-agent.rows": (
        "openclaw-agent.sqlite",
        "create table session_windows (session_id text primary key, session_key text, "
        "created_at integer, updated_at integer);"
        "create table transcript_events (session_id text, seq integer, event_json text, "
        "created_at integer, event_zstd blob, event_utf8_bytes integer, "
        "check (event_utf8_bytes is null or octet_length(event_json) is null));"
        "create table auth_profiles (name text, token text);",
    ),
}


@cache
def scanner() -> Scanner:
    return Scanner()


def pipeline(**given: Any) -> Pipeline:
    redactor = Redactor("hash", pseudonym_key=KEY, scanner=scanner())
    return Pipeline(redactor, lambda: NOW, **given)


def home_of(scenario: str, folder: Path) -> Path:
    """The scenario's home below a folder, databases made."""
    home = folder / "home"
    shutil.copytree(DATA / scenario / "home", home)
    fill_all(home)
    return home


def fill_all(home: Path) -> None:
    """Make the databases of the rows below a folder."""
    for rows in home.rglob("*.rows"):
        name, schema = TABLES[rows.name]
        fill(rows.with_name(name), schema, rows)
        rows.unlink()


def fill(path: Path, schema: str, rows: Path) -> None:
    import pyarrow as pa

    database = sqlite3.connect(path)
    database.create_function("octet_length", 1, lambda x: None if x is None else len(x))
    database.executescript(schema)
    for line in rows.read_text("utf-8").splitlines():
        table, row = json.loads(line)
        text = row.get("event_json")
        if text is not None and len(text) > 800:  # as the client does with long ones
            packed = pa.Codec("zstd").compress(text.encode(), asbytes=True)
            size = len(text.encode())
            row |= {"event_json": None, "event_zstd": packed, "event_utf8_bytes": size}
        names = ", ".join(row)
        marks = ", ".join("?" * len(row))
        database.execute(f"insert into {table} ({names}) values ({marks})", list(row.values()))
    database.commit()
    database.close()


class Told:
    """What the session files of a home say."""

    def __init__(self, sources: list[Path], **given: Any) -> None:
        self.events: list[Event] = []
        self.rejections: list[Rejection] = []
        self.reasons: list[str] = []
        made = pipeline(**given)
        for path in find([str(source) for source in sources]):
            made.new_source()
            for one in made.outcomes(list(unread(path))):
                if isinstance(one, list):
                    self.events += [item.event for item in one]
                elif isinstance(one, Rejection):
                    self.rejections.append(one)
                elif isinstance(one, str):
                    self.reasons.append(one)
        self.tally = made.tally

    def once(self) -> list[Event]:
        """Each event id once, what was derived left out."""
        seen: dict[str, Event] = {}
        for event in self.events:
            if not event.facts.get("derived"):
                seen.setdefault(event.facts["event_id"], event)
        return list(seen.values())

    def of(self, kind: str) -> list[Event]:
        return [event for event in self.once() if event.type == kind]
