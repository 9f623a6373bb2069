"""Effects of commands as columns for rules: each distinct command is read once, as a shell reads
it.

command_programs   base names of the programs it runs        git, bash
command_images     every spelling of them: as typed, with folder, with and without `.exe`
command_processes  images, names, lines and parents of each process (hookstream.shell.processes)
command_effects    what it does (hookstream.shell.effects)    forced_push, data_sent
command_risks      those of them that are a risk
command_reads, command_writes, command_runs   files read, written, run as scripts, every spelling
command_creates, command_deletes, command_moves, command_moved_to   files that get content, are
                   deleted, old and new names of those moved
script_names       base names of the latter
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.shell.effects import RISKS
from hookstream.shell.facts import facts_of
from hookstream.shell.processes import Process, processes_of
from hookstream.shell.spelling import every_spelling, one_spelling

if TYPE_CHECKING:
    from collections.abc import Iterable

    import duckdb
    import pyarrow as pa

    from hookstream.rules.stored import StoredCommandFacts

LISTS = tuple(
    (
        "command_programs command_images command_effects command_risks command_reads "
        "command_writes command_creates command_deletes command_moves command_moved_to "
        "command_runs script_names command_hosts command_packages"
    ).split()
)
FILES = ("reads", "writes", "creates", "deletes", "runs")
PROCESSES = "command_processes"
BATCH = 20_000


def facts(command: str) -> dict[str, Any]:
    """The columns of one command: `command_words`, LISTS and PROCESSES."""
    known = facts_of(command)
    processes = processes_of(command)
    images = (image for process in processes for image in process.images)
    effects = sorted(known.effects)
    return {
        "command_words": known.words,
        "command_programs": list(known.programs),
        "command_images": list(dict.fromkeys(images)),
        PROCESSES: [process._asdict() for process in processes],
        "command_effects": effects,
        "command_risks": [name for name in effects if name in RISKS],
        **{f"command_{name}": spelled(getattr(known, name)) for name in FILES},
        "command_moves": spelled(old for old, _ in known.moves),
        "command_moved_to": spelled(new for _, new in known.moves),
        "script_names": [name for name in dict.fromkeys(map(base, known.runs)) if name],
        "command_hosts": list(dict.fromkeys(host for host, _ in known.hosts)),
        "command_packages": list(
            dict.fromkeys(f"{package.manager}:{package.name}" for package in known.packages)
        ),
    }


def spelled(paths: Iterable[str]) -> list[str]:
    """Every spelling of files, of each as typed first."""
    return list(dict.fromkeys(text for path in paths for text in every_spelling(path)))


def base(path: str) -> str:
    return one_spelling(path).rpartition("/")[2]


def fill(
    connection: duckdb.DuckDBPyConnection, table: str, stored: StoredCommandFacts | None = None
) -> None:
    """Make the temporary table `command_facts` of the distinct commands in a table. What is
    `stored` is not read again; what is newly read is added to it."""
    import pyarrow as pa

    connection.execute(
        f"create or replace temp table command_texts as "
        f"select distinct command from {table} where command is not null"
    )
    data = stored.read() if stored else None
    connection.register("command_known", schema().empty_table() if data is None else data)
    connection.execute(
        "create or replace temp table command_facts as "
        "select distinct on (command) * from command_known semi join command_texts using (command)"
    )
    connection.unregister("command_known")
    # All texts first: a second cursor would not see the connection's variables.
    rows = connection.execute(
        "select command from command_texts anti join command_facts using (command) order by 1"
    ).fetchall()
    batches = []
    for start in range(0, len(rows), BATCH):
        made = [{"command": text, **facts(text)} for (text,) in rows[start : start + BATCH]]
        batches.append(pa.Table.from_pylist(made, schema=schema()))
        connection.register("command_batch", batches[-1])
        connection.execute("insert into command_facts by name from command_batch")
        connection.unregister("command_batch")
    if stored and batches:
        stored.add(pa.concat_tables(batches))
    connection.execute("drop table command_texts")


def schema() -> pa.Schema:
    """The columns of `command_facts`."""
    import pyarrow as pa

    texts = [(name, pa.string()) for name in ("command", "command_words")]
    lists = [(name, pa.list_(pa.string())) for name in LISTS]
    return pa.schema([*texts, *lists, (PROCESSES, processes_type())])


def processes_type() -> pa.DataType:
    """The type of PROCESSES."""
    import pyarrow as pa

    return pa.list_(pa.struct([(name, pa.list_(pa.string())) for name in Process._fields]))
