"""Tails set aside by a sealed writer: lines that no checkpoint covers, in `.seal/NAME/`.

Their records were delivered again, or were never of the stream; nothing that verifies reads them.
So what is due is removed from them, content like records, and no statement says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hookstream.core.files import write_atomic
from hookstream.retention.policy import DROP, KEEP, MICROS, Facts, Policy, aged
from hookstream.retention.records import facts_of, facts_of_wrapper
from hookstream.seal.sealed import LAKE, SEALS
from hookstream.sinks.jsonl import AARTS


def retain_tails(folder: Path, policy: Policy) -> None:
    """Apply a policy to everything that was set aside. OSError."""
    for path in sorted((folder / SEALS).glob("*/cut-*")):
        of = facts_of_wrapper if path.parent.name == AARTS else facts_of
        lines = path.read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if _stays(of(line)[1], path, policy)]
        if len(kept) < len(lines):
            _put(path, b"".join(kept))
    for path in sorted((folder / SEALS / LAKE / "cut").glob("*")):
        _part(path, policy)


def _stays(facts: Facts, path: Path, policy: Policy) -> bool:
    """A record without a time is as old as the tail; one without a user may be any user's."""
    if facts.at is None:
        facts = facts._replace(at=int(path.stat().st_mtime * MICROS))
    action, why = policy.decide(facts)
    if action == KEEP and why != "held" and policy.users and facts.user is None:
        action = DROP
    return action == KEEP


def _put(path: Path, data: bytes) -> None:
    if data:
        write_atomic(path, data)
    else:
        path.unlink()


def _part(path: Path, policy: Policy) -> None:
    """A Parquet part; one that cannot be read is as old as its file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            table = file.read()
        names = ("timestamp", "received_at", "session_id", "user_id", "machine_id")
        rows = table.select([name for name in names if name in table.column_names]).to_pylist()
        kept = [_stays(_facts(row), path, policy) for row in rows]
    except (pa.ArrowException, LookupError, ValueError, TypeError):
        if not _stays(Facts(None), path, policy):
            path.unlink()
        return
    if not any(kept):
        path.unlink()
    elif not all(kept):
        stream = pa.BufferOutputStream()
        pq.write_table(table.filter(pa.array(kept)), stream)
        _put(path, stream.getvalue().to_pybytes())


def _facts(row: dict[str, Any]) -> Facts:
    at = aged(_micros(row["timestamp"]), _micros(row.get("received_at")))
    return Facts(at, row["session_id"], row["user_id"], row["machine_id"])


def _micros(at: Any) -> int | None:
    from datetime import UTC

    if at is None:
        return None
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * MICROS)
