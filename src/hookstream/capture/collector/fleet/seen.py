"""What each machine has shipped: a small SQLite file beside the machines' logs, for all workers.

`next` is the place in the machine's spool behind the last line taken: what comes above it was not
sent (`skipped`: dropped by a full spool, rejected or filtered there). After a power loss of this
machine `next` may lag behind, and `skipped` be too high; a kill costs nothing.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from threading import Lock
from time import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "fleet.db"
BUSY_S = 10.0
COUNTS = ("requests", "lines", "bytes", "duplicates", "skipped", "foreign_lines")
SCHEMA = f"""
pragma journal_mode = wal;
create table if not exists streams (
    machine text, stream text, next integer, version text, first_seen real, last_seen real,
    {", ".join(f"{name} integer" for name in COUNTS)}, primary key (machine, stream));
create table if not exists identities (machine_id text primary key, machine text);
create table if not exists workers (slot integer primary key, at real, figures text);
"""


class Seen:
    """One process's way to the file. Safe for many threads."""

    def __init__(self, folder: str) -> None:
        self.path = f"{folder}/{NAME}"
        self.lock = Lock()
        self.db = sqlite3.connect(
            self.path, timeout=BUSY_S, check_same_thread=False, isolation_level=None
        )
        self.db.executescript(SCHEMA)
        self.db.execute("pragma synchronous = normal")
        self.owners: dict[str, str] = dict(
            self.db.execute("select machine_id, machine from identities")
        )

    def next_of(self, machine: str, stream: str) -> int | None:
        """The place behind the last line taken; None for a stream that is new."""
        with self.lock:
            row = self.db.execute(
                "select next from streams where machine = ? and stream = ?", (machine, stream)
            ).fetchone()
        return None if row is None else int(row[0])

    def add(self, machine: str, stream: str, behind: int, version: str, **counts: int) -> None:
        """Count one request. sqlite3.Error where the disk takes nothing."""
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

    def owner(self, machine_id: str, machine: str, is_bound: bool) -> str | None:
        """The machine whose credential first came with this id, None where none has. A bound
        sender becomes the owner of an id that has none."""
        found = self.owners.get(machine_id)
        if found is not None or not is_bound:
            return found
        with self.lock:
            self.db.execute("insert or ignore into identities values (?, ?)", (machine_id, machine))
            (name,) = self.db.execute(
                "select machine from identities where machine_id = ?", (machine_id,)
            ).fetchone()
        self.owners[machine_id] = name
        return str(name)

    def take_over(self, machine_id: str, machine: str) -> None:
        """The id's owner is no longer known or was revoked: the machine has it from now on."""
        with self.lock:
            self.db.execute(
                "update identities set machine = ? where machine_id = ?", (machine, machine_id)
            )
        self.owners[machine_id] = machine

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
    """One row a machine, by name: what it shipped, and when it was seen first and last (seconds
    since 1970). sqlite3.Error where there is no such file."""
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
