"""Lines shipped per machine: a small SQLite file next to the machines' logs, for all workers.

`next` is the place in the machine's spool after the last line taken: places passed over were not
sent (`skipped`: dropped by a full spool, rejected or filtered there). After a power loss of this
machine `next` may be too low, and `skipped` too high; a crash of the process costs nothing.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Lock
from time import time
from typing import Any

from hookstream.core.files import keep_private
from hookstream.core.owners import MARK

NAME = MARK
BUSY_S = 10.0
# Ids that lines of one machine may carry before no more are remembered; streams of one machine:
# the counts of older ones are added up in one row, which has no name.
CLAIMS, CLAIM_LENGTH = 64, 128
STREAMS = 256
COUNTS = ("requests", "lines", "bytes", "duplicates", "skipped", "foreign_lines")
SCHEMA = f"""
pragma journal_mode = wal;
create table if not exists streams (
    machine text, stream text, next integer, version text, first_seen real, last_seen real,
    {", ".join(f"{name} integer" for name in COUNTS)}, primary key (machine, stream));
create table if not exists claims (
    machine text, machine_id text, first_seen real, primary key (machine, machine_id));
create table if not exists workers (slot integer primary key, at real, figures text);
"""


class SeenFile:
    """One process's way to the file. Safe for many threads."""

    def __init__(self, folder: str) -> None:
        self.path = f"{folder}/{NAME}"
        self.lock = Lock()
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            os.chmod(self.path, 0o600)
        self.db = sqlite3.connect(
            keep_private(Path(self.path)),
            timeout=BUSY_S,
            check_same_thread=False,
            isolation_level=None,
        )
        self.db.executescript(SCHEMA)
        self.db.execute("pragma synchronous = normal")
        self.streams: set[tuple[str, str]] = set()
        self._move_identities()
        self.claims: dict[str, set[str]] = {}
        for machine, machine_id in self.db.execute("select machine, machine_id from claims"):
            self.claims.setdefault(machine, set()).add(machine_id)

    def _move_identities(self) -> None:
        """Turn the owners of ids in an earlier version's table into claims. Only one of several
        workers finds the table."""
        try:
            self.db.execute(
                "insert or ignore into claims select machine, machine_id, 0 from identities"
            )
            self.db.execute("drop table identities")
        except sqlite3.OperationalError as error:
            if "identities" not in str(error):
                raise

    def names(self) -> set[str]:
        """The machines that have sent."""
        with self.lock:
            return {name for (name,) in self.db.execute("select distinct machine from streams")}

    def next_of(self, machine: str, stream: str) -> int | None:
        """The place after the last line taken; None for a new stream."""
        with self.lock:
            row = self.db.execute(
                "select next from streams where machine = ? and stream = ?", (machine, stream)
            ).fetchone()
        return None if row is None else int(row[0])

    def add(self, machine: str, stream: str, behind: int, version: str, **counts: int) -> None:
        """Count one request. sqlite3.Error if the disk is not writable."""
        now = time()
        values = [counts.get(name, 0) for name in COUNTS]
        summed = ", ".join(f"{name} = {name} + excluded.{name}" for name in COUNTS)
        with self.lock:
            self.db.execute(
                f"insert into streams values ({', '.join('?' * (6 + len(COUNTS)))}) "  # noqa: S608
                "on conflict do update set next = max(next, excluded.next), "
                f"version = excluded.version, last_seen = excluded.last_seen, {summed}",
                (machine, stream, behind, version, now, now, *values),
            )
            if (machine, stream) not in self.streams:
                self.streams.add((machine, stream))
                self._fold(machine)

    def _fold(self, machine: str) -> None:
        """Add the counts of a machine's oldest streams to its row without a name."""
        old = self.db.execute(
            "select stream from streams where machine = ? and stream <> '' "
            "order by last_seen desc limit -1 offset ?",
            (machine, STREAMS),
        ).fetchall()
        summed = ", ".join(f"{name} = {name} + excluded.{name}" for name in COUNTS)
        columns = ", ".join(COUNTS)
        for (stream,) in old:
            self.streams.discard((machine, stream))
            self.db.execute(
                "insert into streams select machine, '', 0, version, first_seen, last_seen, "  # noqa: S608
                f"{columns} from streams where machine = ? and stream = ? "
                f"on conflict do update set {summed}",
                (machine, stream),
            )
            self.db.execute(
                "delete from streams where machine = ? and stream = ?", (machine, stream)
            )

    def claim(self, machine: str, machine_id: str) -> None:
        """Remember an id that a machine's lines carry and that is registered for none."""
        claims = self.claims.setdefault(machine, set())
        machine_id = machine_id[:CLAIM_LENGTH]
        if machine_id in claims or len(claims) >= CLAIMS:
            return
        claims.add(machine_id)
        with self.lock:
            row = (machine, machine_id, time())
            self.db.execute("insert or ignore into claims values (?, ?, ?)", row)

    def report(self, slot: int, figures: dict[str, Any]) -> None:
        """A worker's own figures, for whichever worker is asked for them."""
        with self.lock:
            self.db.execute(
                "insert or replace into workers values (?, ?, ?)",
                (slot, time(), json.dumps(figures)),
            )

    def workers(self) -> dict[int, dict[str, Any]]:
        with self.lock:
            rows = self.db.execute("select slot, figures from workers order by slot").fetchall()
        return {slot: json.loads(text) for slot, text in rows}

    def last_seen(self) -> dict[str, float]:
        """Machines with the time of their last request (seconds since 1970)."""
        with self.lock:
            rows = self.db.execute("select machine, max(last_seen) from streams group by machine")
            return dict(rows.fetchall())

    def close(self) -> None:
        with self.lock:
            self.db.close()


def machines(path: str) -> list[dict[str, Any]]:
    """One row per machine, by name: what it shipped, and when it was seen first and last (seconds
    since 1970). sqlite3.Error if the file does not exist."""
    sums = ", ".join(f"sum({name}) as {name}" for name in COUNTS)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=BUSY_S)) as db:
        db.row_factory = sqlite3.Row
        rows = db.execute(
            "select machine, count(*) as streams, min(first_seen) as first_seen, "  # noqa: S608
            f"max(last_seen) as last_seen, {sums}, "
            "max_by.version as version from streams join (select machine as m, version, "
            "row_number() over (partition by machine order by last_seen desc) as n from streams) "
            "max_by on max_by.m = machine and n = 1 group by machine order by machine"
        ).fetchall()
    return [dict(row) for row in rows]


def claims(path: str) -> list[tuple[str, str]]:
    """(machine, id) of the ids that lines carry and that were not registered when they came.
    sqlite3.Error if the file does not exist."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=BUSY_S)) as db:
        return db.execute("select machine, machine_id from claims order by 1, 2").fetchall()
