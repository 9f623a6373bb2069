"""`base.events`: the events of Parquet parts as one view, each once.

Rows with an equal event id of one machine are one event, seen twice (the first is kept), unless
their content differs: models and gateways choose call ids, and another input is another action.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hookstream.lake.columns import COLUMNS, NO_PARTITION
from hookstream.tables.connection import run_step

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    import duckdb

# The tool of a part that has it in its path only.
TOOL_FOLDER = r"[/\\]tool=([^/\\]+)[/\\][^/\\]*$"
TOOL = (
    f"url_decode(nullif(nullif(regexp_extract(filename, '{TOOL_FOLDER}', 1), ''), "
    f"'{NO_PARTITION}'))"
)
# Keys of folders in a path; of a lake's parts they are these two.
KEYS = re.compile(r"[/\\]([^=/\\]+)=[^/\\]*(?=[/\\])")
HIVE = ["date", "tool"]
# Parts of one version need not be opened each time a view is bound; of several they must be.
SCAN = "read_parquet(getvariable('parts'), hive_partitioning = {hive}, union_by_name = {union}"
NEEDED = ("event_id", "event_type", "timestamp", "tool", "session_id")
# Facts that an event keeps, however often and in whichever way it is reported.
CONTENT = tuple(
    (
        "machine_id event_type call_id action_name action_fingerprint command file_path url "
        "prompt_hash"
    ).split()
)
TYPES = {
    "text": "VARCHAR",
    "int": "BIGINT",
    "float": "DOUBLE",
    "flag": "BOOLEAN",
    "time": "TIMESTAMP",
    "texts": "VARCHAR[]",
    "artifacts": 'STRUCT("type" VARCHAR, "value" VARCHAR, source_field VARCHAR)[]',
    "secrets": 'STRUCT("rule" VARCHAR, "path" VARCHAR, fingerprint VARCHAR)[]',
}


def are_alike(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether all files that are scanned have the same columns: each is opened."""
    row = run_step(connection, "column_versions").fetchone()
    return row is not None and row[0] == 1


class NoEvents(Exception):
    """Parquet files that hold no events; the text names a column they lack."""


class PartsScan:
    """The scan over some parts, with `filename` and `file_row_number`. `held` are their columns and
    types, `alike` says whether all have the same; who knows need not open them all to see."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        files: Iterable[str],
        alike: bool | None = None,
    ) -> None:
        self.connection = connection
        files = list(files)
        self.narrow(files)
        self.alike = are_alike(connection) if alike is None else alike
        union = "false" if self.alike else "true"
        scan = SCAN.format(hive="false", union=union)
        rows = connection.execute(f"describe from {scan})").fetchall()
        self.held: dict[str, str] = {row[0]: row[1] for row in rows}
        more = ", filename = true, file_row_number = true)"
        numbered = f"{scan}{more}"
        # Older parts have the column too; a lake may hold parts of both kinds.
        if "tool" not in self.held and all(re.search(TOOL_FOLDER, file) for file in files):
            self.held["tool"] = TYPES["text"]
            if all(KEYS.findall(file) == HIVE for file in files):
                # A filter on the tool then leaves out whole files.
                hive = SCAN.format(hive="true, hive_types_autocast = false", union=union)
                self.scan = f"{hive}{more}"
            else:
                self.scan = f"(select *, {TOOL} as tool from {numbered})"
        elif "tool" in self.held and not self.alike:
            known = f"select * replace (coalesce(tool, {TOOL}) as tool)"
            self.scan = f"({known} from {numbered})"
        else:
            self.scan = numbered
        for name in NEEDED:
            if name not in self.held:
                raise NoEvents(name)

    def narrow(self, files: Iterable[str]) -> None:
        """Scan these files from now on."""
        self.connection.execute("set variable parts = ?", [list(files)])

    def has_repeats(self) -> bool:
        """Return whether an event id occurs twice, by hashes: two ids of one hash cost a closer
        look.
        """
        found = f"select count(*) - count(distinct hash(event_id)) from {self.scan}"
        return bool(self._one(found))

    def find_repeats(self, key: str = "event_id", among: str | None = None) -> None:
        """The table `repeated`: file, row and `key` of rows that are reported a second time,
        `among` those of a table, else of all parts."""
        content = ", ".join(name for name in ("event_id", *CONTENT) if name in self.held)
        scan = among or self.scan
        # A copy of a part of a session file may not know what its result is of.
        orders = {"output_tokens": "desc nulls last", "action_native": "is null"}
        first = "".join(f"{name} {way}, " for name, way in orders.items() if name in self.held)
        run_step(
            self.connection, "repeated", scan=scan, key=key, content=content,
            first=f'{first}"timestamp", filename, file_row_number',
        )  # fmt: skip

    def events(
        self, *, repeats: bool, only: Collection[str] = COLUMNS, numbered: bool = False
    ) -> str:
        """SELECT of all columns; `repeats`: except the rows in the table `repeated`; `numbered`:
        with each row's file and place in it."""
        columns = ", ".join(_column(name, COLUMNS[name], self.held) for name in only)
        if numbered:
            columns += ", filename, file_row_number"
        if not repeats:
            return f"select {columns} from {self.scan}"
        return (
            f"select {columns} from (from {self.scan} "
            "anti join repeated using (filename, file_row_number))"
        )

    def _one(self, query: str) -> Any:
        row = self.connection.execute(query).fetchone()
        return row[0] if row else None


def _column(name: str, kind: str, held: dict[str, str]) -> str:
    want = TYPES[kind]
    if name not in held:
        return f'cast(null as {want}) as "{name}"'
    if held[name].replace('"', "") == want.replace('"', ""):
        return f'"{name}"'
    return f'try_cast("{name}" as {want}) as "{name}"'
