"""Session files that a client will delete soon, and the newest one."""

from __future__ import annotations

from datetime import UTC, datetime
from stat import S_ISREG
from typing import TYPE_CHECKING

from hookstream.transcripts.clients import files_of
from hookstream.transcripts.places import files_below, roots

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hookstream.normalizers.client import Client, ClientSettings

DAY_S = 86400
SOON_S = 7 * DAY_S  # how long before a deletion it is reported


def expiring(client: Client, machine: ClientSettings, now: float) -> str | None:
    """The sessions that a client deletes within SOON_S, and the command that keeps them."""
    if client.deletes is None:
        return None
    days = client.deletes.days_on(machine)
    ends = sorted((at + days * DAY_S, path) for at, path in _written(client, machine))
    ends = [end for end in ends if end[0] < now + SOON_S]
    if not ends:
        return None
    first, path = ends[0]
    count = "1 session file" if len(ends) == 1 else f"{len(ends)} session files"
    day = datetime.fromtimestamp(first, UTC).date().isoformat()
    return (
        f"{client.title} deletes {count} within 7 days ({client.deletes.key} {days:g}), the first "
        f"on {day}: {path}; hookstream backfill {client.key} --since all --to parquet:kept "
        "keeps what they say"
    )


def newest(client: Client, machine: ClientSettings) -> tuple[float, Path] | None:
    """When a client last wrote to a session file, and to which; None without one."""
    return max(_written(client, machine), default=None) if client.sessions else None


def _written(client: Client, machine: ClientSettings) -> Iterator[tuple[float, Path]]:
    """The last write of each session file of a client."""
    pattern = files_of(client.key).file
    for root, usual in roots(client.key, machine.home, machine.env).items():
        for path in files_below(root):
            if path != root and pattern.search(str(usual / path.relative_to(root))) is None:
                continue
            try:
                info = path.stat()
            except OSError:
                continue
            if S_ISREG(info.st_mode):
                yield info.st_mtime, path
