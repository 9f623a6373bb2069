"""The client of a payload that does not say it, from its neighbours: the other lines of its session
in the same source.

Several clients call the edges of a session alike. Without a session file's place such a payload is
of the client whose the rest of the session is, if that is one client's.
"""

from __future__ import annotations

from hookstream.core.records import Record, records_of
from hookstream.normalizers import compiled, is_bare, vendor_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


class Neighbours:
    """The clients of a source's sessions, by its first lines; these are read when first needed."""

    def __init__(self, head: Callable[[], Iterable[bytes]] | None = None) -> None:
        self.head = head
        self.clients: dict[str, set[str]] | None = None

    def client_of(self, payload: dict[str, Any]) -> str | None:
        """The one client of the payload's session that has such an event."""
        session = payload.get("session_id")
        if self.head is None or type(session) is not str:
            return None
        if self.clients is None:
            self.clients = clients_of(self.head())
        found = self.clients.get(session, set())
        name = payload["hook_event_name"]
        keys = [key for key in found if name in compiled(key).vendor.events]
        return keys[0] if len(keys) == len(found) == 1 else None


def clients_of(lines: Iterable[bytes]) -> dict[str, set[str]]:
    """session -> the clients of those of its payloads that say whose they are."""
    found: dict[str, set[str]] = {}
    for record in (record for line in lines for record in records_of(line, check=False)):
        if not isinstance(record, Record) or record.kind != "payload":
            continue
        session = record.payload.get("session_id")
        if type(session) is not str or (record.vendor is None and is_bare(record.payload)):
            continue
        key = vendor_of(record)
        if key is not None:
            found.setdefault(session, set()).add(key)
    return found
