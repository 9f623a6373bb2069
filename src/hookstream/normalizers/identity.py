"""Identity, time and session of an Event."""

from __future__ import annotations

from hashlib import sha256

from hookstream.core.event import LIVE
from hookstream.core.identity import of_machine, session_of, uuid_of
from hookstream.core.jsons import canonical
from hookstream.core.times import to_iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event
    from hookstream.core.records import Record

AGENT_MODES = {"plan": "plan", "chat": "chat", "ask": "chat", "edit": "edit"}


def complete(event: Event, record: Record, ordinal: int, now: str) -> None:
    """Give an Event its time, its session and its identity."""
    facts = event.facts
    native_time = facts.get("timestamp")
    stamp = to_iso(native_time) if native_time is not None else None
    received = record.received_at
    if received is not None:
        facts["received_at"] = received
    if record.machine is not None:
        facts["machine_id"] = record.machine
    if record.user is not None:
        facts.setdefault("user_id", record.user)
    if stamp is None:
        stamp = received or now
        event.synthesized.append("timestamp")
    facts["timestamp"] = stamp
    if "session_id" not in facts:
        about = facts.get("transcript_path") or facts.get("cwd") or record.source
        facts["session_id"] = session_of(event.vendor, about)
        event.synthesized.append("session_id")
    mode = facts.get("permission_mode")
    if mode is not None and "agent_mode" not in facts:
        facts["agent_mode"] = AGENT_MODES.get(mode, "agent")
    share = facts.get("percentage_used")
    if share is not None and not 0 <= share <= 100:
        facts["percentage_used"] = min(100.0, max(0.0, share))
    conclude_outcome(event)
    facts["event_id"] = identity(event, record, ordinal, native_time is not None)


def conclude_outcome(event: Event) -> None:
    """Return how an action ended: its exit code has the last word, except for a failure that the
    client states as well."""
    facts = event.facts
    code = facts.get("exit_code")
    if code is not None and event.type == "Action.After" and facts.get("success") is not False:
        # A client may read a code itself: `grep` that finds nothing is a success of Qwen Code.
        facts["success"] = code == 0 if "outcome" not in facts else facts["outcome"] == "ok"
    if facts.get("success") is not None and "outcome" not in facts:
        facts["outcome"] = "ok" if facts["success"] else "error"


def is_random(record_id: str) -> bool:
    """Return whether no other record comes to this id by chance: it has the length of a UUID."""
    return len(record_id) in (32, 36) and record_id.replace("-", "").isalnum()


# Where a record is: what a copy of it may have otherwise.
PLACES = frozenset(
    "session_id session_alias parent_session_id timestamp cwd repo turn_id agent_id agent_type "
    "parent_agent_id parent_call_id message_id permission_mode tool_version".split()
)


# What there is one of, whatever record says it.
ONCE = {
    "Model.Responded": "Model.Responded",
    "Action.Before": "Action.Before",
    "Action.After": "Action.After",
    "Policy.Blocked": "Action.After",
}


def digest_of(value: Any) -> str:
    return "" if value is None else sha256(canonical(value)).hexdigest()


def copied(event: Event, record: Record, timed: bool) -> tuple[str, ...] | None:
    """The name of a record of a session file and of each copy of it: a fork, a resumed session or
    a sub-agent's file repeats the records of its parent, under their ids or under new ones. None
    for a record that names only its session."""
    facts = event.facts
    call = facts.get("call_id", "")
    native = facts["native_event"]
    record_id = facts.get("message_id")
    agent = facts.get("agent_id", "")
    if record.identity is not None:
        # A client may tell an answer's tokens, or the end of a call, in records of several kinds.
        return ONCE.get(event.type, native), *record.identity, call
    is_final = not record.is_rewritten or event.type == "Prompt.Submitted"
    if timed and is_final and not event.type.startswith("Session."):
        content = {name: v for name, v in record.payload.items() if name not in PLACES}
        if call:
            asked = event.input if event.type == "Action.Before" else None
            return native, facts["timestamp"], call, digest_of(asked)
        if content:
            agent = agent if event.type.startswith("Agent.") else ""
            return native, facts["timestamp"], agent, digest_of(content)
    if record_id and is_random(record_id):
        return native, record_id, call, agent
    return None


def identity(event: Event, record: Record, ordinal: int, timed: bool) -> str:
    """UUID from SHA-256 over vendor, session, native event, native key, ordinal and, if the record
    or its source names one, the machine."""
    facts = event.facts
    turn = facts.get("turn_id", "")
    agent = facts.get("agent_id", "")
    call = facts.get("call_id")
    record_id = facts.get("message_id")
    if facts.get("witness") == "transcript":
        names = copied(event, record, timed)
        if names is not None:
            text = "\0".join(("transcript", event.vendor, *names, str(ordinal)))
            return uuid_of(text if record_id in names else of_machine(text, event, record))
    if call:
        # Models and gateways choose call ids: two calls with one id differ in what they ask for.
        key = f"call\0{call}\0{turn}\0{agent}\0{digest_of(event.input)}"
    else:
        when = facts["timestamp"] if timed else record.received_at
        digest = sha256(canonical(record.payload)).hexdigest()
        if when is None:
            when = f"{record.source}@{record.offset}"
            event.synthesized.append("event_id")
        key = f"payload\0{turn}\0{agent}\0{when}\0{digest}"
    witness = facts.get("witness")
    if witness is not None and witness not in LIVE:
        # A hook and the wrap around it report one payload; a session file reports the call again.
        key = f"{witness}\0{key}"
    text = f"{event.vendor}\0{facts['session_id']}\0{facts['native_event']}\0{key}\0{ordinal}"
    return uuid_of(of_machine(text, event, record))
