"""A payload to the lines of the log: normalised, redacted, rendered. No history is at hand here."""

from __future__ import annotations

import os

from hookstream.core.event import Event
from hookstream.normalizers import compiled, normalize
from hookstream.pipeline.bounds import DEGRADED, bound_text, line_of
from hookstream.standards.artifacts import of_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.records import Record
    from hookstream.redaction import Redactor


def lines_of(
    record: Record,
    key: str,
    now: str,
    privacy: Redactor,
    degraded: bool = False,
    reporter: str | None = None,
    log: str | None = None,
    scope: str | None = None,
) -> list[bytes] | str:
    """One line per event, each with its newline, or the reason why the payload is not an event.

    `degraded` leaves only short texts to be scanned. `reporter` is set on events whose vendor's
    table does not name one. `log` is the file the lines go to: what it shows of a call decides
    whether a batch's text may be the reason of a refusal. `scope` is the level of the settings that
    registered the hook.
    """
    if record.kind in ("agent-hooks", "aarts"):
        return _standard_line(record, now, privacy)
    table = compiled(key, record.witness)
    events = normalize(record, table, now)
    if isinstance(events, str):
        return events
    # What follows from other events is derived by the detectors when the log is read.
    events = [event for event in events if "derived" not in event.facts]
    if record.marks and events:
        first = events[0]
        first.native = {**(first.native or {}), "marks": list(record.marks)}
    if log is not None and any(event.facts.get("reported_by") == "batch" for event in events):
        from hookstream.capture.hook.reasons import keep_reasons

        keep_reasons(events, log)
    lines = []
    for event in events:
        if reporter:
            event.facts.setdefault("reported_by", reporter)
        if scope:
            event.facts["capture_scope"] = scope
        own = table.vendor.tool
        if degraded and event.facts["tool"] != own:
            # An agent's own name, respelt, is not judged while the name itself is not.
            event.facts["tool"] = own
            event.redacted.append("tool")
        lines.append(finished_line(event, privacy, degraded))
    return lines


def _standard_line(record: Record, now: str, privacy: Redactor) -> list[bytes] | str:
    """The line of another emitter's event; what a run derives is derived when the log is read."""
    from hookstream.pipeline.standard_lines import event_of

    event = event_of(record, lambda: now)
    return event if isinstance(event, str) else [finished_line(event, privacy)]


def finished_line(event: Event, redactor: Redactor, degraded: bool = False) -> bytes:
    """An event as it is written: whose machine and user it is, redacted, rendered."""
    for name, value in (("machine_id", machine_name()), ("user_id", user_name())):
        if value:
            event.facts.setdefault(name, value)
    bound_text(event, redactor.digest_key, *(DEGRADED if degraded else ()))
    redactor.redact_event(event)
    event.artifacts = of_fields(event)
    return line_of(event)


def origin(redactor: Redactor) -> dict[str, str]:
    """machine_id and user_id as a line of this hook has them."""
    event = Event("", None, {})
    for name, value in (("machine_id", machine_name()), ("user_id", user_name())):
        if value:
            event.facts[name] = value
    redactor.redact_event(event)
    return event.facts


# Names of users by number: the collector asks for each event, the system reads a file each time.
_users: dict[int, str] = {}


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
    if number not in _users:
        try:
            from pwd import getpwuid

            _users[number] = getpwuid(number).pw_name
        except (ImportError, KeyError):
            _users[number] = str(number)
    return _users[number]
