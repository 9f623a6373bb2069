"""The sessions stage: what must be known of a session to complete an Event.

Turn ids, sequence, pairing of calls without ids, two reports of one action, parentage.
State is one bounded table; what falls out is the session unused longest.
"""

from __future__ import annotations

import re
from hashlib import sha256

from hookstream.core import decisions
from hookstream.core.changes import digest_of
from hookstream.core.event import LIVE, place_of
from hookstream.core.identity import uuid_of
from hookstream.core.jsons import canonical
from hookstream.core.limits import SESSIONS, make_room
from hookstream.core.times import to_ms
from hookstream.sessions.answers import Answers, see_server
from hookstream.sessions.asks import join_resolution, join_verdict, remember
from hookstream.sessions.brackets import begin, starts
from hookstream.sessions.brackets import see as see_inside
from hookstream.sessions.calls import CallPairing, client_of
from hookstream.sessions.decided import see as see_decided
from hookstream.sessions.shared_ids import own_event_id, result_of
from hookstream.sessions.state import CALL_LIMIT, SEEN_LIMIT, Parked, Session, modification

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event
    from hookstream.core.owners import Owner

# A session made for a record that names none (normalizers/identity.py).
MADE = re.compile(r"[0-9a-f]{32}")

# What only comes when the calls before it are over.
ROUNDS = frozenset(("Prompt.Submitted", "Model.Requested", "Agent.Response", "Session.Start"))

# Events that lines of ours told; those of the other standard may come as much later.
TOLD_LIMIT = 1 << 17

# Nobody enters one prompt twice within this time.
SAME_PROMPT_MS = 1000

OF_A_CALL = frozenset(decisions.OF_A_CALL)

__all__ = ["CALL_LIMIT", "Sessions"]


# Events that Copilot reports of a call, each by a separate hook.
TOLD = frozenset(("Action.Before", "Action.After", "Agent.Notification"))


def marked(event: Event) -> str:
    """The event's id with its machine: an equal id of another machine is another event."""
    machine = event.facts.get("machine_id")
    event_id: str = event.facts["event_id"]
    return event_id if machine is None else f"{machine}\0{event_id}"


def tell_apart(event: Event, session: Session, seen: dict[str, str]) -> None:
    """Give the event of one more equal call a separate id, if it is known to be one: it is of the
    batch that is being reported, and the same hook reported another call just once.

    Copilot gives all calls of one batch the same time and no id. Two equal payloads then are either
    two calls or one that two registered hooks reported; but a hook registered twice reports every
    call twice. What a wrap reports next to the hooks is never one more.
    """
    facts = event.facts
    event_id = facts["event_id"]
    kind = event.type
    if facts.get("reported_by") == "wrap":
        # A hook reported the same call before, or does so next: a wrap looks, and may be too early.
        if marked(event) not in seen:
            session.wrapped = event_id
        return
    if marked(event) not in seen or event_id == session.wrapped:
        session.wrapped = ""
        # The last is empty after a repetition.
        if session.last_told.get(kind):
            session.singly.add(kind)
        session.last_told[kind] = event_id
        session.batch = facts["timestamp"]
    elif kind not in session.singly or facts["timestamp"] != session.batch:
        session.last_told[kind] = session.batch = ""
    else:
        number = 2
        while True:
            facts["event_id"] = uuid_of(f"equal\0{event_id}\0{number}")
            if marked(event) not in seen:
                break
            number += 1
        if "same_as" in facts:
            facts["same_as"] += f"#{number}"


class Sessions:
    """Completes Events in the order they are read; `duplicates` counts equal event ids."""

    def __init__(self, limit: int = SESSIONS) -> None:
        self.limit = limit
        self.table: dict[tuple[str, str], Session] = {}
        self.seen: dict[str, str] = {}
        # if a caller asks: every session and message that state was kept or looked up for
        self.named: set[str] | None = None
        # sub-agents that an event has named: they matter where one of them is a session too
        self.named_children: set[str] = set()
        self.duplicates = 0
        # sessions that no record names, by (tool, session)
        self.passing: dict[tuple[str, str], None] = {}
        # their event ids; `seen` has those of sessions with a name
        self.seen_here: dict[str, str] = {}
        # event ids of lines of ours that are read again -> the standard that told it first
        self.told: dict[bytes, str] = {}
        # session of a sub-agent, as in `place_of` -> the session that named it
        self.children: dict[str, str] = {}
        # the source that is read now, and what belongs to others alone until their turn comes
        self.source = ""
        self.parked: dict[str, Parked] = {}
        self.calls = CallPairing()
        self.answers = Answers()

    def new_source(self) -> list[tuple[str, str]]:
        """Another file begins: what it captures is not yet known, and the sessions made for
        records that name none are over. Returns (tool, session) of these."""
        self.calls.captured.clear()
        self.answers.new_source()
        passing = list(self.passing)
        self.passing.clear()
        self.seen_here.clear()
        for place in passing:
            self.table.pop(place, None)
        over = {session.rpartition("\0")[2] for _, session in passing}
        for child in [child for child, session in self.children.items() if session in over]:
            del self.children[child]
        return passing

    def park(self) -> Parked:
        """Another source has its turn: what belongs to this one alone waits for `unpark`."""
        parked = Parked()
        parked.captured, self.calls.captured = self.calls.captured, set()
        parked.asked = self.answers.park()
        parked.seen = dict(self.seen_here)
        self.seen_here.clear()
        for place in list(self.passing):
            if place in self.table:
                parked.sessions[place] = self.table.pop(place)
        self.passing.clear()
        over = {session for _, session in parked.sessions}
        for child in [child for child, session in dict.items(self.children) if session in over]:
            parked.children[child] = self.children.pop(child)
        make_room(self.parked, self.limit)
        self.parked[self.source] = parked
        return parked

    def unpark(self, source: str) -> Parked | None:
        """Continue the source where it was parked; None if it is new."""
        self.source = source
        parked = self.parked.pop(source, None)
        if parked is None:
            return None
        self.calls.captured = parked.captured
        tables: list[tuple[dict[Any, Any], dict[Any, Any]]] = [
            (parked.asked, self.answers.asked),
            (parked.seen, self.seen_here),
            (parked.sessions, self.table),
            (dict.fromkeys(parked.sessions), self.passing),
            (parked.children, self.children),
        ]
        for entries, table in tables:
            for key, value in entries.items():
                table[key] = value
        return parked

    def complete(self, event: Event) -> list[Event]:
        """The Event with what history knows, after refusals that only now are certain and before
        Events derived from the pair it closes."""
        facts = event.facts
        is_changed = self.answers.see(event, self.named)
        place = place_of(facts)
        session = self._session(place)
        seen = self.seen
        if "session_id" in event.synthesized and MADE.fullmatch(facts["session_id"]):
            seen = self._passes(place)
        elif self.named is not None:
            self.named.add(place[1])
        if "action_native" in facts and "call_id" not in facts and event.type in TOLD:
            tell_apart(event, session, seen)
        else:
            session.batch = ""
        repeats = self.duplicates
        self._identity(event, seen)
        settled = "sequence" in facts
        if not settled:
            facts["sequence"] = session.number(facts, is_repeat=self.duplicates > repeats)
        else:
            session.sequence = max(session.sequence, facts["sequence"])
        self._parent(event, session, place[1])
        self._same(event, session)
        if event.type == "Prompt.Submitted" and "turn_id" in facts:
            self._prompt(event, session)
        self._end(event, session)
        self._turn(event, session)
        see_server(event, session.servers)
        if event.read_back and event.hook_point == "PostAskResolution":
            join_resolution(event, session)
        elif event.read_back and event.hook_point is None and "decision" in facts:
            join_verdict(event, session)
        see_decided(event, session)
        more: list[Event] = []
        if event.hook_point == "PreToolInputModification" or not facts.keys().isdisjoint(OF_A_CALL):
            more = self.calls.see(event, session, settled)
            if facts.get("action_category") == "delegate":
                session.delegated = facts.get("call_id", "")
                session.delegates = facts["native_event"]
        if facts.get("decision") == "ask":
            remember(event, session)
        session.totals.see(event)
        if is_changed:
            more.append(modified_input(event))
        if session.brackets is not None:
            see_inside(event, session, session.brackets)
        if event.type in ROUNDS:
            session.lone = ""
        if event.type == "Model.Requested":
            session.asks_model = True
        elif event.type == "Agent.Plan.Start" and starts(event, session):
            begin(event, session)
        if session.undecided:
            # They come from before this Event, and what is found of it may rest on them.
            return [*self.calls.late(client_of(facts), session), event, *more]
        return [event, *more]

    def is_told(self, event: Event, standard: str, owner: Owner | None) -> bool:
        """Return whether a line of ours is of an event that the other standard has told. What one
        machine of a fleet sends hides no other's."""
        facts = event.facts
        name = [owner and owner.name, facts.get("session_id"), facts["event_id"]]
        key = sha256(canonical(name)).digest()[:8]
        first = self.told.get(key)
        if first is None:
            make_room(self.told, TOLD_LIMIT)
            self.told[key] = standard
        return first not in (None, standard)

    def _identity(self, event: Event, seen: dict[str, str]) -> None:
        """Count equal event ids; unlike events of one id both stay, under separate ids."""
        result = result_of(event)
        key = marked(event)
        earlier = seen.get(key)
        if earlier is not None and own_event_id(event, earlier, result):
            key = marked(event)
            earlier = seen.get(key)
        if earlier is None:
            make_room(seen, 4 * SEEN_LIMIT)
            seen[key] = result
        else:
            self.duplicates += 1

    def _session(self, place: tuple[str, str]) -> Session:
        session = self.table.pop(place, None)
        if session is None:
            session = Session()
            make_room(self.table, self.limit)
        self.table[place] = session
        return session

    def _passes(self, place: tuple[str, str]) -> dict[str, str]:
        make_room(self.passing, self.limit)
        self.passing[place] = None
        return self.seen_here

    def _parent(self, event: Event, session: Session, key: str) -> None:
        facts = event.facts
        parent = facts.get("parent_session_id")
        if parent is not None:
            if parent == facts["session_id"]:
                del facts["parent_session_id"]
            else:
                session.parent = parent
            session.is_agent = session.is_agent or event.type == "Agent.Plan.Start"
        elif session.parent is None and key in self.children:
            session.parent = self.children[key]
            session.is_agent = True
        if session.is_agent and event.type == "Prompt.Submitted":
            # What is put to a sub-agent no person has typed.
            event.type = f"vendor.{facts['tool']}.DelegatedPrompt"
            event.hook_point = None
        if parent is None and session.parent is not None:
            facts["parent_session_id"] = session.parent
            synthesize(event, "parent_session_id")
        for name in ("child_session_id", "agent_id"):
            child = facts.get(name)
            if child is None or child == facts["session_id"]:
                continue
            child = key.removesuffix(facts["session_id"]) + child
            if child not in self.children:
                make_room(self.children, SEEN_LIMIT)
                self.children[child] = facts["session_id"]
                if self.named is not None:
                    self.named_children.add(child)

    def _same(self, event: Event, session: Session) -> None:
        facts = event.facts
        text = facts.get("same_as")
        if text is None or "duplicate_of" in facts:
            return
        first = session.same.get(text)
        if first is None:
            make_room(session.same, SEEN_LIMIT)
            session.same[text] = facts["event_id"]
        elif first != facts["event_id"]:
            facts["duplicate_of"] = first

    def _prompt(self, event: Event, session: Session) -> None:
        """A prompt without a time of its own, which two registrations of a hook report."""
        facts = event.facts
        if "duplicate_of" in facts or facts.get("witness", "hook") not in LIVE:
            return
        text = facts.get("prompt_hash") or digest_of(facts.get("prompt"))
        key = f"prompt\0{facts['turn_id']}\0{facts.get('agent_id', '')}\0{text}"
        scope = facts.get("capture_scope", "")
        first, moment, first_scope = session.same.get(key, "\0\0").split("\0")
        if first and first != facts["event_id"]:
            is_other_hook = "" not in (scope, first_scope) and scope != first_scope
            passed_ms = (to_ms(facts["timestamp"]) or 0.0) - (to_ms(moment) or 0.0)
            if is_other_hook or abs(passed_ms) < SAME_PROMPT_MS:
                facts["duplicate_of"] = first
                return
        make_room(session.same, SEEN_LIMIT)
        session.same[key] = f"{facts['event_id']}\0{facts['timestamp']}\0{scope}"

    def _end(self, event: Event, session: Session) -> None:
        """Some clients say several times that a session is over."""
        if event.type != "Session.End":
            session.ended = None
        elif session.ended is None:
            session.ended = event.facts["event_id"]
        elif session.ended != event.facts["event_id"]:
            event.facts.setdefault("duplicate_of", session.ended)

    def _turn(self, event: Event, session: Session) -> None:
        facts = event.facts
        native = facts.get("turn_id")
        prompt = event.type == "Prompt.Submitted" and "duplicate_of" not in facts
        if native is not None:
            session.turn = native
            if prompt:
                session.prompts += 1
            return
        if prompt:
            session.prompts += 1
            session.turn = f"turn-{session.prompts}"
        elif not session.turn:
            session.turn = "turn-0"
        if not event.type.startswith("Session."):
            facts["turn_id"] = session.turn
            synthesize(event, "turn_id")


def modified_input(event: Event) -> Event:
    """The modification that a decision holds both sides of: what it was asked about, and what it
    wants, with what other guardians changed before. A separate event, as of a wrapped hook."""
    native = event.native or {}
    wanted = native.get("merged_input", native["modified_input"])
    change = modification(event, event.facts["about"], event.input or {}, wanted)
    del change.facts["derived"]
    change.redacted = [
        f"native.original_{path}" for path in event.redacted if path.startswith("input.")
    ]
    change.redacted += [
        path.removeprefix("native.modified_")
        for path in event.redacted
        if path.startswith("native.modified_input.")
    ]
    return change


def synthesize(event: Event, name: str) -> None:
    """List a fact as concluded here; one that was read back may be listed already."""
    if name not in event.synthesized:
        event.synthesized.append(name)
