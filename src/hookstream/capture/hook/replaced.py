"""The registered log's event for capture that the environment moved elsewhere, because the user's
configuration allows it (`environment: replace`): one per session."""

from __future__ import annotations

from hashlib import sha256

from hookstream.capture.log.place import VARIABLE
from hookstream.core.event import Event
from hookstream.core.identity import uuid_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.capture.log.place import LogTarget
    from hookstream.capture.settings import CaptureSettings
    from hookstream.core.records import Record
    from hookstream.redaction import Redactor

KIND = "CaptureReplaced"
CARRIED = tuple(
    "tool tool_version machine_id user_id session_id parent_session_id agent_id turn_id cwd repo "
    "permission_mode dialect native_event".split()
)


def replaced_event(record: Record, key: str, now: str, is_off: bool) -> Event | None:
    """`vendor.<tool>.CaptureReplaced`, None for a payload that is not an event."""
    fields = {VARIABLE: "off" if is_off else "another place"}
    return notice(record, key, now, KIND, f"capture replaced\0{is_off}", fields)


def notice(
    record: Record, key: str, now: str, kind: str, mark: str, said: dict[str, Any]
) -> Event | None:
    """An event of hookstream's own about the capture of a session: `vendor.<tool>.<kind>`, its id
    made of `mark` and the session. None for a payload that is not an event."""
    from hookstream.normalizers import compiled, normalize

    events = normalize(record, compiled(key), now)
    if isinstance(events, str) or not events:
        return None
    subject = events[0].facts
    facts = {name: subject[name] for name in CARRIED if name in subject}
    facts["timestamp"] = facts["received_at"] = now
    facts["event_id"] = uuid_of(f"{mark}\0{session_mark(subject)}")
    event = Event(f"vendor.{subject['tool']}.{kind}", None, facts, events[0].vendor)
    event.synthesized = ["timestamp"]
    event.native = said
    return event


def note_replaced(
    record: Record,
    key: str,
    now: str,
    redactor: Redactor,
    place: tuple[LogTarget, CaptureSettings],
    is_off: bool,
) -> str | None:
    """Append the event to the registered place; return the problem for `status`. None if this
    session's has been written."""
    from hookstream.capture.hook.failures import read_failures
    from hookstream.capture.hook.lines import finished_line
    from hookstream.capture.log.append import log_for
    from hookstream.core.folders import state_folder

    event = replaced_event(record, key, now, is_off)
    if event is None:
        return None
    what = "off" if is_off else "another place"
    note = f"{VARIABLE} says {what}: capture taken away, session {session_mark(event.facts)}"
    state = state_folder()
    if state is not None and any(
        failure.get("problem") == note for failure in read_failures(state)
    ):
        return None
    log_for(*place).append(finished_line(event, redactor))
    return note


def session_mark(facts: dict[str, object]) -> str:
    """A substitute for a session id that must not be written: the same for all the session's
    hooks."""
    words = f"{facts.get('tool')}\0{facts.get('session_id')}"
    return sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:12]
