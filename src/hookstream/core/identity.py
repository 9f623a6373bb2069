"""Deterministic UUIDs (version 8): the same name always gives the same id."""

from __future__ import annotations

import re
from hashlib import sha256

from hookstream.core.limits import SESSIONS, make_room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.event import Event
    from hookstream.core.records import Record

# The first hexadecimal digit of the fourth group says the variant in its upper two bits.
VARIANT = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}
# A run of characters that no second machine comes to by chance; it holds letters and digits. Only
# fleets ask for it, so hooks do not compile it.
UUID = r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
RANDOM = UUID + r"|(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[0-9A-Za-z]{20,}"
# A part of an id that only one call or answer has: drawn at random, or a time in milliseconds.
# Gateways count (`functions.shell:0`, `chatcmpl-tool-000001`), and begin again in each session.
UNIQUE = (
    UUID + r"|(?<![0-9A-Za-z])(?:(?=[0-9A-Za-z]*[0-9][A-Za-z])[0-9A-Za-z]{9,}|[0-9]{13}(?![0-9]))"
)
# A session's id comes with each of its events.
_randoms: dict[str, bool] = {}


def uuid_of(text: str) -> str:
    """A UUID (version 8, RFC 9562) from the SHA-256 of the text."""
    h = sha256(text.encode("utf-8", "replace")).hexdigest()
    return f"{h[:8]}-{h[8:12]}-8{h[13:16]}-{VARIANT[h[16]]}{h[17:20]}-{h[20:32]}"


def is_unique(value: str) -> bool:
    """Return whether only one call or answer, of all sessions, has an id."""
    return re.search(UNIQUE, value) is not None


def of_machine(name: str, event: Event, record: Record) -> str:
    """The name from which the id of a record's event is made, with the machine: the one the record
    names, or the one its source represents, unless the session's id is on no other machine."""
    machine = record.machine
    if machine is None and record.source_machine is not None and not has_random_session(event):
        machine = record.source_machine
    return name if machine is None else f"{name}\0machine\0{machine}"


def has_random_session(event: Event) -> bool:
    """Return whether the session of an event cannot have its id on two machines."""
    return "session_id" not in event.synthesized and is_random(event.facts["session_id"])


def is_random(session_id: str) -> bool:
    """Return whether a session's id cannot be the same on two machines."""
    value = _randoms.get(session_id)
    if value is None:
        make_room(_randoms, SESSIONS)
        value = _randoms[session_id] = re.search(RANDOM, session_id) is not None
    return value


def session_of(vendor: str, about: str) -> str:
    """The id of a session that no payload names, from what else names it."""
    text = f"hookstream/session\0{vendor}\0{about}"
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
