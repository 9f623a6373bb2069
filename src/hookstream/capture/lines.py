"""A payload to the lines of the log: normalised, redacted, rendered. No history is at hand here."""

from __future__ import annotations

import os

from hookstream.jsons import ascii_line, canonical
from hookstream.limits import DEPTH, OUTPUT_LINE_BYTES
from hookstream.normalizers import VENDORS, compiled, detect, normalize
from hookstream.standards.agent_hooks import agent_hooks
from hookstream.standards.artifacts import extract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.event import Event
    from hookstream.privacy import Privacy
    from hookstream.records import Record

# What `hookstream run` knows of an event and the hook cannot, because it takes the events before:
# facts, and the risk and the derived events that detectors add.
HISTORY_FACTS = frozenset(
    "sequence turn_id call_id parent_session_id duplicate_of about decision decision_reason "
    "decided_by decision_evidence certainty outcome success category severity risk "
    "policy_id matched_rule_id".split()
)
# What the hook knows and a recording does not.
CAPTURE_FACTS = ("machine_id", "user_id")
LONG = 4096


def vendor_of(record: Record) -> str | None:
    """Whose payload it is: the registration's word, unless the shape says another vendor."""
    named = record.vendor
    if named is not None and named in VENDORS:
        if compiled(named).vendor.claims(record.payload):
            return named
        return detect(record.payload, record.native_event) or named
    return detect(record.payload, record.native_event)


def lines_of(record: Record, key: str, now: str, privacy: Privacy) -> list[bytes] | str:
    """One line an event, each with its newline, or the reason why the payload is no event."""
    events = normalize(record, compiled(key), now)
    if isinstance(events, str):
        return events
    if record.marks:
        first = events[0]
        first.native = {**(first.native or {}), "marks": list(record.marks)}
    machine, user = machine_name(), user_name()
    lines = []
    for event in events:
        if machine:
            event.facts.setdefault("machine_id", machine)
        if user:
            event.facts.setdefault("user_id", user)
        privacy.apply(event)
        event.artifacts = extract(event)
        lines.append(line_of(event))
    return lines


def line_of(event: Event) -> bytes:
    """The event's line; where it would be too long or too deep, without what no table knows, then
    with its arguments cut, and marked."""
    line = ascii_line(canonical(agent_hooks(event)))
    if _fits(line):
        return line + b"\n"
    event.native = {"cut": f"a line of {len(line)} bytes"}
    event.unmapped = None
    line = ascii_line(canonical(agent_hooks(event)))
    if not _fits(line):
        if event.input is not None:
            event.input = {key[:128]: _cut(value) for key, value in list(event.input.items())[:64]}
        event.facts = {name: _cut(value) for name, value in event.facts.items()}
        event.artifacts = []
        line = ascii_line(canonical(agent_hooks(event)))
    if not _fits(line):
        event.input = None
        line = ascii_line(canonical(agent_hooks(event)))
    if not _fits(line):
        raise ValueError("an event that cannot be written as a line")
    return line + b"\n"


def _fits(line: bytes) -> bool:
    if len(line) >= OUTPUT_LINE_BYTES or not line.startswith(b'{"'):
        return False
    opened = line.count(b"{") + line.count(b"[")
    return opened <= DEPTH or _depth(line) <= DEPTH


def _depth(line: bytes) -> int:
    from hookstream.jsons import loads

    level: list[Any] = [loads(line)]
    depth = 0
    while level:
        below: list[Any] = []
        for one in level:
            if type(one) is dict:
                below += one.values()
            elif type(one) is list:
                below += one
        depth += any(type(one) is dict or type(one) is list for one in level)
        level = [one for one in below if type(one) is dict or type(one) is list]
    return depth


def _cut(value: Any) -> Any:
    if type(value) is str and len(value) > LONG:
        return f"{value[:LONG]}[cut: {len(value)} characters]"
    if type(value) is dict or type(value) is list:
        text = canonical(value).decode("utf-8", "replace")
        return value if len(text) <= LONG and text.count("{") + text.count("[") < 16 else "[cut]"
    return value


def machine_name() -> str | None:
    """The host's name, which privacy turns into a pseudonym."""
    if hasattr(os, "uname"):
        return os.uname().nodename or None
    return os.environ.get("COMPUTERNAME")


def user_name() -> str | None:
    """The name of the user the hook runs as, else the number."""
    if os.name == "nt":
        return os.environ.get("USERNAME")
    number = os.geteuid()
    try:
        from pwd import getpwuid

        return getpwuid(number).pw_name
    except (ImportError, KeyError):
        return str(number)
