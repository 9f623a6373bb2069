"""What commands do, as columns for rules: each distinct command is read once, as a shell reads it.

command_programs   base names of the programs it runs        git, bash
command_images     the same as `/git`, for rules that test the end of a path
command_effects    what it does (hookstream.shell.effects)    forced_push, data_sent
command_risks      those of them that are a risk
command_reads, command_writes, command_runs   files read, written, run as scripts
script_names       base names of the latter
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.shell.effects import RISKS, effects
from hookstream.shell.files import reads, runs, writes
from hookstream.shell.named import hosts, packages
from hookstream.shell.reading import read

if TYPE_CHECKING:
    from collections.abc import Iterable

    import duckdb

LISTS = (
    "command_programs", "command_images", "command_effects", "command_risks", "command_reads",
    "command_writes", "command_runs", "script_names", "command_hosts", "command_packages",
)  # fmt: skip
BATCH = 20_000


def facts(command: str) -> dict[str, str | list[str]]:
    """The columns of one command: `command_words` and LISTS."""
    reading = read(command)
    found = sorted(effects(reading))
    programs = _distinct(one.program for one in reading.commands)
    scripts = _distinct(file for one in reading.commands for file in runs(one))
    return {
        "command_words": reading.words,
        "command_programs": programs,
        "command_images": [f"/{name}" for name in programs],
        "command_effects": found,
        "command_risks": [name for name in found if name in RISKS],
        "command_reads": _distinct(file for one in reading.commands for file in reads(one)),
        "command_writes": _distinct(file for one in reading.commands for file in writes(one)),
        "command_runs": scripts,
        "script_names": _distinct(base(file) for file in scripts),
        "command_hosts": _distinct(host for one in reading.commands for host in hosts(one)),
        "command_packages": _distinct(name for one in reading.commands for name in packages(one)),
    }


def base(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _distinct(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(word for word in words if word))


def fill(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Makes the temporary table `command_facts` of the distinct commands in a table."""
    import pyarrow as pa

    names = ("command", "command_words")
    declared = ", ".join([*(f"{n} varchar" for n in names), *(f"{n} varchar[]" for n in LISTS)])
    connection.execute(f"create or replace temp table command_facts ({declared})")
    schema = pa.schema(
        [*((n, pa.string()) for n in names), *((n, pa.list_(pa.string())) for n in LISTS)]
    )
    # Distinct commands first: a second cursor would not see the connection's variables.
    connection.execute(
        "create or replace temp table command_texts as select command, "
        f"(row_number() over ()) // {BATCH} as part from "
        f"(select distinct command from {table} where command is not null)"
    )
    row = connection.execute("select max(part) from command_texts").fetchone()
    for part in range((row[0] if row and row[0] is not None else -1) + 1):
        rows = connection.execute(
            "select command from command_texts where part = ?", [part]
        ).fetchall()
        made = [{"command": text, **facts(text)} for (text,) in rows]
        connection.register("command_batch", pa.Table.from_pylist(made, schema=schema))
        connection.execute("insert into command_facts from command_batch")
        connection.unregister("command_batch")
    connection.execute("drop table command_texts")
