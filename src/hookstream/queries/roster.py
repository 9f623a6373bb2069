"""The machines that have to report: table `roster` (name, machine_id), empty if none were named.
`gaps` says which of them do not, and who reports without being expected."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import HookstreamError

if TYPE_CHECKING:
    import duckdb

BYTES = 64 << 20
# (name as the roster has it, machine_id as the lake may have it)
Machines = list[tuple[str, str]]
_expected: Machines = []


def expect(machines: Machines) -> None:
    """Says for this process which machines have to report."""
    _expected[:] = machines


def expected() -> Machines:
    """The machines that have to report, for another process that asks."""
    return list(_expected)


def read(path: Path, key: bytes | None) -> Machines:
    """The first word of each line, with its pseudonym under the key. Raises HookstreamError."""
    from hookstream.redaction.digest import pseudonym

    try:
        with path.open("rb") as file:
            text = file.read(BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise HookstreamError(f"{path}: {error.strerror}") from None
    names = (re.split(r"[\s,;]", line.strip(), maxsplit=1)[0] for line in text.splitlines())
    kept = dict.fromkeys(name.strip("\"'") for name in names if name and name[0] != "#")
    return [(name, pseudonym("machine", name, key) if key else name) for name in kept if name]


def fill(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the table."""
    connection.execute("create table roster (name VARCHAR, machine_id VARCHAR)")
    if _expected:
        connection.executemany("insert into roster values (?, ?)", _expected)
