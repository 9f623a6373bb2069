"""The sessions stage: what must be known of a session to complete an Event.

Turn ids, sequence, pairing of calls without ids, two reports of one action, parentage
(design 5.6, 5.13). State is one bounded table; what falls out is the session unused longest.
"""

from __future__ import annotations

from hookstream.event import Event
from hookstream.identity import uuid_of
from hookstream.jsons import canonical, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SESSION_LIMIT = 16384
CALL_LIMIT = 512
SEEN_LIMIT = 1024
# An input up to this many bytes is kept while its call is open, to show a modification.
INPUT_LIMIT = 4096
ACTIONS = frozenset(("Action.Before", "Action.After"))
DECISIONS = frozenset(("Policy.Blocked", "Policy.Override"))


class Call:
    """One tool call of a session, as far as payloads have told of it."""

    __slots__ = (
        "after",
        "before",
        "call_id",
        "denied",
        "digest",
        "input",
        "key",
        "specific",
        "target",
    )

    def __init__(self, call_id: str, key: tuple[str, str], digest: int, target: str | None) -> None:
        self.call_id = call_id
        self.key = key
        self.digest = digest
        # The command or path: a second report may leave out other arguments.
        self.target = target
        # Only a specific event has told of it: there is no generic one to be a duplicate of.
        self.specific = False
        self.before: str | None = None
        self.after: str | None = None
        self.denied: str | None = None
        self.input: bytes | None = None


class Session:
    """What is remembered of one session."""

    __slots__ = ("calls", "ended", "parent", "prompts", "same", "sequence", "turn")

    def __init__(self) -> None:
        self.sequence = 0
        self.prompts = 0
        self.turn = ""
        self.parent: str | None = None
        self.calls: dict[str, Call] = {}
        self.ended: str | None = None
        self.same: dict[str, str] = {}


class Sessions:
    """Completes Events in the order they are read; `duplicates` counts equal event ids."""

    def __init__(self, limit: int = SESSION_LIMIT) -> None:
        self.limit = limit
        self.table: dict[tuple[str, str], Session] = {}
        self.seen: dict[str, None] = {}
        self.duplicates = 0
        # session of a sub-agent -> the session that named it
        self.children: dict[str, str] = {}
        # (tool, "before" | "after") of which this source has shown events
        self.captured: set[tuple[str, str]] = set()

    def new_source(self) -> None:
        """Another file or stream begins: what it captures is not yet known."""
        self.captured.clear()

    def complete(self, event: Event) -> list[Event]:
        """The Event with what history knows, followed by Events derived from the pair it closes."""
        facts = event.facts
        session = self._session(facts["tool"], facts["session_id"])
        if not self._first_time(facts["event_id"]):
            self.duplicates += 1
        if "sequence" not in facts:
            session.sequence += 1
            facts["sequence"] = session.sequence
        else:
            session.sequence = max(session.sequence, facts["sequence"])
        self._parent(event, session)
        self._same(event, session)
        self._end(event, session)
        self._turn(event, session)
        if "action_native" in facts or "call_id" in facts or "action_name" in facts:
            return [event, *self._call(event, session)]
        return [event]

    def _session(self, tool: str, session_id: str) -> Session:
        key = (tool, session_id)
        session = self.table.pop(key, None)
        if session is None:
            session = Session()
            if len(self.table) >= self.limit:
                del self.table[next(iter(self.table))]
        self.table[key] = session
        return session

    def _first_time(self, event_id: str) -> bool:
        if event_id in self.seen:
            return False
        if len(self.seen) >= 4 * SEEN_LIMIT:
            del self.seen[next(iter(self.seen))]
        self.seen[event_id] = None
        return True

    def _parent(self, event: Event, session: Session) -> None:
        facts = event.facts
        given = facts.get("parent_session_id")
        if given is not None:
            if given == facts["session_id"]:
                del facts["parent_session_id"]
            else:
                session.parent = given
        elif session.parent is None and facts["session_id"] in self.children:
            session.parent = self.children[facts["session_id"]]
        if given is None and session.parent is not None:
            facts["parent_session_id"] = session.parent
            event.synthesized.append("parent_session_id")
        for name in ("child_session_id", "agent_id"):
            child = facts.get(name)
            if child is not None and child != facts["session_id"] and child not in self.children:
                if len(self.children) >= SEEN_LIMIT:
                    del self.children[next(iter(self.children))]
                self.children[child] = facts["session_id"]

    def _same(self, event: Event, session: Session) -> None:
        facts = event.facts
        text = facts.get("same_as")
        if text is None or "duplicate_of" in facts:
            return
        first = session.same.get(text)
        if first is None:
            if len(session.same) >= SEEN_LIMIT:
                del session.same[next(iter(session.same))]
            session.same[text] = facts["event_id"]
        elif first != facts["event_id"]:
            facts["duplicate_of"] = first

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
            event.synthesized.append("turn_id")

    # Calls

    def _call(self, event: Event, session: Session) -> list[Event]:
        facts = event.facts
        kind = event.type
        if kind not in ACTIONS and kind not in DECISIONS and "action_native" not in facts:
            return []
        if "call_id" not in facts and self._told(event, session):
            return []
        given = event.input
        body = canonical(given) if given is not None else b""
        # Two dialects of one client name a tool differently; its action is the same.
        name = facts.get("action_name", "other")
        native = facts.get("action_native", "")
        key = (facts.get("agent_id", ""), native if name == "other" else name)
        digest = hash(body)
        if kind == "Action.Before":
            self._before(event, session, key, digest, body)
            return []
        call = self._find(event, session, key, digest)
        if facts.get("reported_by") == "batch":
            return self._batch(event, session, call)
        if call is not None and "call_id" not in facts:
            facts["call_id"] = call.call_id
            event.synthesized.append("call_id")
        if kind == "Action.After":
            return self._after(event, session, call, key, digest, body)
        if kind in DECISIONS:
            self._decision(event, session, call, key, digest)
        elif "call_id" not in facts:
            # A question about a call that no payload showed before it.
            self._open(event, session, key, digest)
        return []

    def _told(self, event: Event, session: Session) -> bool:
        """A second report belongs to the call of the event it repeats."""
        facts = event.facts
        first = facts.get("duplicate_of")
        if first is None:
            return False
        for call in reversed(session.calls.values()):
            if first in (call.before, call.after, call.denied):
                facts["call_id"] = call.call_id
                event.synthesized.append("call_id")
                return True
        return False

    def _open(self, event: Event, session: Session, key: tuple[str, str], digest: int) -> Call:
        facts = event.facts
        call_id = facts.get("call_id")
        if call_id is None:
            call_id = facts["call_id"] = f"call-{facts['event_id'].replace('-', '')[:16]}"
            event.synthesized.append("call_id")
        call = Call(call_id, key, digest, target_of(facts))
        session.calls.pop(call_id, None)
        if len(session.calls) >= CALL_LIMIT:
            del session.calls[next(iter(session.calls))]
        session.calls[call_id] = call
        return call

    def _before(
        self, event: Event, session: Session, key: tuple[str, str], digest: int, body: bytes
    ) -> None:
        facts = event.facts
        if facts.get("reported_by") == "specific":
            generic = self._find(event, session, key, digest)
            if generic is not None and generic.before is not None:
                facts["call_id"] = generic.call_id
                event.synthesized.append("call_id")
                facts["duplicate_of"] = generic.before
                return
        call_id = facts.get("call_id")
        known = session.calls.get(call_id) if call_id is not None else None
        if known is not None and known.before == facts["event_id"]:
            return
        if known is not None and known.before is None and known.after is None:
            # A question came first: it is the same call.
            call = known
        else:
            call = self._open(event, session, key, digest)
        call.before = facts["event_id"]
        call.specific = facts.get("reported_by") == "specific"
        if len(body) <= INPUT_LIMIT:
            call.input = body
        self.captured.add((facts["tool"], "before"))

    def _find(
        self, event: Event, session: Session, key: tuple[str, str], digest: int
    ) -> Call | None:
        """The call an event belongs to: by id, else the latest open one of the same agent and
        action, with the same input, else the same target, else any (a rewritten input)."""
        call_id = event.facts.get("call_id")
        if call_id is not None:
            return session.calls.get(call_id)
        same_target = same_tool = None
        target = target_of(event.facts)
        for call in reversed(session.calls.values()):
            if call.key == key and call.after is None and call.denied is None:
                if call.digest == digest:
                    return call
                if target is not None and call.target == target:
                    same_target = same_target or call
                same_tool = same_tool or call
        return same_target or same_tool

    def _after(
        self,
        event: Event,
        session: Session,
        call: Call | None,
        key: tuple[str, str],
        digest: int,
        body: bytes,
    ) -> list[Event]:
        facts = event.facts
        if call is None:
            call = self._open(event, session, key, digest)
        if facts.get("reported_by") == "specific" and call.before is not None and not call.specific:
            # The generic event of the same call says more, and comes too.
            facts.setdefault("duplicate_of", call.before)
            return []
        if call.after is not None and call.after != facts["event_id"]:
            facts.setdefault("duplicate_of", call.after)
            return []
        if "duplicate_of" in facts:
            return []
        self.captured.add((facts["tool"], "after"))
        call.after = facts["event_id"]
        original, call.input = call.input, None
        if original and body and digest != call.digest and call.before is not None:
            return [modification(event, call.before, original)]
        return []

    def _decision(
        self,
        event: Event,
        session: Session,
        call: Call | None,
        key: tuple[str, str],
        digest: int,
    ) -> None:
        facts = event.facts
        if call is None:
            call = self._open(event, session, key, digest)
        if call.before is not None:
            facts.setdefault("about", call.before)
        if event.type == "Policy.Blocked":
            if call.denied is not None and call.denied != facts["event_id"]:
                facts.setdefault("duplicate_of", call.denied)
            else:
                call.denied = facts["event_id"]

    def _batch(self, event: Event, session: Session, call: Call | None) -> list[Event]:
        """An entry of a batch repeats a call: executed (a duplicate), refused, or invalid."""
        facts = event.facts
        tool = facts["tool"]
        known = call.after or call.denied if call is not None else None
        if known is not None:
            facts.setdefault("duplicate_of", known)
            for fact in DECISION_FACTS:
                facts.pop(fact, None)
        elif facts.get("outcome") == "denied":
            self._refused(event, call)
        elif facts.get("outcome") == "error" or (
            call is None and (tool, "before") in self.captured and "outcome" not in facts
        ):
            facts["success"] = False
            facts["outcome"] = "error"
            facts.pop("decided_by", None)
            if call is not None:
                call.after = facts["event_id"]
        elif "outcome" in facts:
            if call is not None:
                call.after = facts["event_id"]
        elif (
            call is not None
            and call.before is not None
            and ((tool, "after") in self.captured or facts.get("decided_by") in ("hook", "rule"))
        ):
            self._refused(event, call)
        else:
            facts.pop("decided_by", None)
        return []

    def _refused(self, event: Event, call: Call | None) -> None:
        facts = event.facts
        event.type = "Policy.Blocked"
        event.hook_point = None
        facts["decision"] = "deny"
        if "decided_by" not in facts:
            # A rule refuses before any hook is asked, so that no before event is seen.
            facts["decided_by"] = "hook" if call is not None and call.before else "rule"
            event.synthesized.append("decided_by")
        facts["certainty"] = "observed"
        facts.setdefault("decision_evidence", f"{facts['native_event']} without an after event")
        text = facts.pop("output", None)
        if type(text) is str and text.strip():
            facts.setdefault("decision_reason", text.strip())
        for fact in ("outcome", "success"):
            facts.pop(fact, None)
        if call is not None:
            call.denied = facts["event_id"]
            if call.before is not None:
                facts.setdefault("about", call.before)


DECISION_FACTS = (
    "decision decided_by decision_reason decision_evidence certainty outcome success".split()
)


def target_of(facts: dict[str, Any]) -> str | None:
    target: str | None = facts.get("command") or facts.get("file_path")
    return target


CARRIED = (
    "timestamp received_at tool tool_version session_id parent_session_id agent_id agent_type "
    "turn_id call_id sequence permission_mode agent_mode action_name action_category "
    "action_native native_event mcp_server cwd".split()
)


def modification(event: Event, before: str, original: bytes) -> Event:
    """AARTS PreToolInputModification: both sides of an input were seen and differ."""
    facts = {name: event.facts[name] for name in CARRIED if name in event.facts}
    facts["event_id"] = uuid_of(f"modified\0{event.facts['event_id']}")
    facts["about"] = before
    facts["modified"] = True
    facts["derived"] = True
    kind = f"vendor.{facts['tool']}.ToolInputModified"
    change = Event(kind, "PreToolInputModification", facts, event.vendor)
    change.input = event.input
    given: Any = loads(original)
    change.native = {"original_input": given}
    change.content_arguments = event.content_arguments
    change.synthesized = list(event.synthesized)
    return change
