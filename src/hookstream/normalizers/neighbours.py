"""The client of a payload that does not say it, from its neighbours: the other lines of its session
in the same source.

Several clients call the edges of a session alike. Without a session file's place such a payload is
of the client whose the rest of the session is, if that is one client's. What a fork and its parent
send alike is the fork's where another payload of the session has its mark.
"""

from __future__ import annotations

from hookstream.core.clients import FORKS
from hookstream.core.records import Record, records_of
from hookstream.normalizers import compiled, is_bare, vendor_of
from hookstream.normalizers.table import ask

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
        found = self._of(payload.get("session_id"))
        name = payload["hook_event_name"]
        keys = [key for key in found if name in compiled(key).vendor.events]
        return keys[0] if len(keys) == len(found) == 1 else None

    def fork_of(self, key: str, record: Record) -> str:
        """The fork of a client whose the payload's session is, else that client."""
        keys = self._of(session_of(key, record)).intersection(FORKS[key])
        return next(iter(keys)) if len(keys) == 1 else key

    def _of(self, session: object) -> set[str]:
        if self.head is None or type(session) is not str:
            return set()
        if self.clients is None:
            self.clients = clients_of(self.head())
        return self.clients.get(session, set())


def session_of(key: str, record: Record) -> object:
    """The session that a payload names, wherever its client does."""
    source = compiled(key).vendor.common.get("session_id")
    payload = record.payload
    return ask(source, payload, record) if callable(source) else payload.get("session_id")


def clients_of(lines: Iterable[bytes]) -> dict[str, set[str]]:
    """session -> the clients of those of its payloads that say whose they are."""
    found: dict[str, set[str]] = {}
    for record in (record for line in lines for record in records_of(line, check=False)):
        if not isinstance(record, Record) or record.kind != "payload":
            continue
        if record.vendor is None and is_bare(record.payload):
            continue
        key = vendor_of(record)
        session = None if key is None else session_of(key, record)
        if key is not None and type(session) is str:
            found.setdefault(session, set()).add(key)
    return found
