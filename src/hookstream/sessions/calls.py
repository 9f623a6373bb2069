"""Calls: the events of one action, rewritten inputs, entries of a batch."""

from __future__ import annotations

from hookstream.core.decisions import ACTION, RESULT, STRANGE
from hookstream.core.event import place_of, short_reason
from hookstream.core.jsons import canonical, loads
from hookstream.sessions.decided import decider_of, is_another_decision
from hookstream.sessions.pairing import (
    SPECIFIC,
    digest_of,
    find,
    forget_question,
    made_id,
    of_envelope,
)
from hookstream.sessions.refusals import EXCLUDED, is_refusal
from hookstream.sessions.shared_ids import own_call_id, turn_of
from hookstream.sessions.state import (
    CALL_LIMIT,
    INPUT_LIMIT,
    UNDECIDED_LIMIT,
    Call,
    Session,
    modification,
    refusal,
    target_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event


def see_rewrite(event: Event, session: Session) -> None:
    """Remember the arguments of a modification with its call. The changes of several are merged
    in the order of their events."""
    call = call_of(event, session)
    if call is None:
        return
    if event.input is None:
        complete_input(event, call)
    if event.input is None:
        return
    call.rewritten.add(digest_of(canonical(event.input)))
    original = (event.native or {}).get("original_input")
    if type(original) is not dict:
        original = loads(call.input) if call.input else {}
    if call.merged is None:
        call.merged = dict(original)
    merge(call.merged, original, event.input)
    call.rewritten.add(digest_of(canonical(call.merged)))


def call_of(event: Event, session: Session) -> Call | None:
    """The call whose input a modification changed: by its id, by the event it is about, else the
    latest open one that had the original input. A host's own modification names nothing else."""
    facts = event.facts
    call_id, about = facts.get("call_id"), facts.get("about")
    if call_id in session.calls:
        return session.calls[call_id]
    original = (event.native or {}).get("original_input")
    before = digest_of(canonical(original)) if original and about is None else None
    text, _ = texts_of(event)
    for call in reversed(session.calls.values()):
        names = {call.digest, call.target, *call.rewritten} - {None}
        is_its = (
            call.before == about
            if about is not None
            else call.is_open and call.before is not None and not names.isdisjoint((before, text))
        )
        if is_its:
            facts.setdefault("call_id", call.call_id)
            facts.setdefault("about", call.before)
            event.synthesized += [name for name in ("call_id", "about") if facts.get(name) != about]
            return call
    return None


def texts_of(event: Event) -> tuple[str | None, str | None]:
    """Both sides of a modification that its host wrote as texts: the standard allows that."""
    emitted: dict[str, Any] = (event.emitter or {}).get("aarts", {})
    original, text = emitted.get("original_value"), emitted.get("modified_value")
    return (original, text) if type(original) is str and type(text) is str else (None, None)


def complete_input(event: Event, call: Call) -> None:
    """Put the text that a modification names in the place of the one argument that was that."""
    original, text = texts_of(event)
    whole = call.merged or (loads(call.input) if call.input else {})
    names = [name for name, value in whole.items() if value == original is not None]
    if len(names) == 1:
        event.input = {**whole, names[0]: text}
        event.synthesized.append("input")
        if text != original:
            event.facts["modified"] = True
        call.rewritten.add(str(text))


def merge(merged: dict[str, Any], original: dict[str, Any], rewritten: dict[str, Any]) -> None:
    """Carry the changes from `original` to `rewritten` over to `merged`."""
    for name, value in rewritten.items():
        if name not in original or original[name] != value:
            merged[name] = value
    for name in original:
        if name not in rewritten:
            merged.pop(name, None)


ACTIONS = frozenset(("Action.Before", "Action.After"))
# What an outcome proves of the hooks that are registered; the hook of successes may report a call
# that was interrupted, too.
SHOWS = {"ok": "ok", "error": "failed"}
DECISIONS = frozenset(("Policy.Blocked", "Policy.Override"))
# Facts that an entry of a batch holds of a refusal, should it be one.
REFUSAL_FACTS = "decision decided_by decision_reason decision_evidence certainty refusal".split()


def client_of(facts: dict[str, Any]) -> str:
    """The client on its machine: what its hooks show is known for each machine alone."""
    client, _ = place_of(facts)
    machine = facts.get("machine_id")
    return client if machine is None else f"{machine}\0{client}"


def is_strange(facts: dict[str, Any]) -> bool:
    """Return whether an entry has a text that is not the client's in the tag of invalid calls."""
    return facts.get("decision_evidence") == STRANGE and "output" in facts


def shows_mod(event: Event, call: Call, digest: int) -> bool:
    """Return whether an entry of a batch shows what a mod did to a call that ran: the model asked
    for another input than the hooks saw, or got something in the place of the result."""
    if not event.has_mods or call.denied is not None:
        return False
    if "told_output" in event.facts:
        return True
    if event.input is None or "input" in event.synthesized:
        return False
    # The client completes other arguments by itself: a path, a default.
    is_command = "command" in event.facts
    return is_command and digest != call.digest and digest not in call.rewritten


class CallPairing:
    """Pairs the events of a call and settles what a batch repeats."""

    def __init__(self) -> None:
        # (client, "before" | "ok" | "failed" | "before TOOL"): what this source has shown
        self.captured: set[tuple[str, str]] = set()

    def see(self, event: Event, session: Session, settled: bool = False) -> list[Event]:
        """Events derived from the pair that this one closes. `settled` says that this stage has
        seen the Event before, when it was first read: what it found then is kept."""
        facts = event.facts
        kind = event.type
        if event.hook_point == "PreToolInputModification":
            see_rewrite(event, session)
            return []
        if kind not in ACTIONS and not self._tells(event):
            return []
        if "call_id" not in facts and self._told(event, session):
            return []
        arguments = event.input
        body = canonical(arguments) if arguments is not None else b""
        # Two dialects of one client name a tool differently; its action is the same.
        name = facts.get("action_name", "other")
        native = facts.get("action_native", "")
        key = (facts.get("agent_id", ""), native if name == "other" else name)
        digest = digest_of(body)
        if "call_id" in facts and not settled:
            own_call_id(event, session, digest)
        if kind == "Action.Before":
            self._before(event, session, key, digest, body)
            return []
        asks = kind == "Agent.Notification"
        if kind == "Policy.Override":
            reopen(event, session, key, digest)
        call = find(event, session, key, digest, asks=asks)
        if facts.get("reported_by") == "batch" and kind == "Action.After":
            if not settled:
                return self._batch(event, session, call, digest)
            if call is not None and "outcome" in facts and "duplicate_of" not in facts:
                call.after = facts["event_id"]
            return []
        if call is not None and "guardian" in facts:
            call.judged = facts.get("decision_reason", "")
        if call is not None and "call_id" not in facts:
            facts["call_id"] = call.call_id
            event.synthesized.append("call_id")
            if asks:
                call.asked = facts["event_id"]
        if kind == "Action.After":
            return self._after(event, session, call, key, digest, body)
        if kind in DECISIONS and facts.get("subject") != RESULT:
            self._decision(event, session, call, key, digest)
        elif "call_id" not in facts and asks:
            # A question about a call that no payload showed before it.
            self._open(event, session, key, digest).asked = facts["event_id"]
        return []

    def _tells(self, event: Event) -> bool:
        """Return whether an event that is neither before nor after may belong to a call."""
        facts = event.facts
        if "action_native" in facts:
            return True
        if event.type not in DECISIONS:
            return False
        return facts.get("subject", ACTION) == ACTION or "action_name" in facts

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
            call_id = facts["call_id"] = made_id(event)
            event.synthesized.append("call_id")
        call = Call(call_id, key, digest, target_of(facts))
        call.turn = turn_of(event)
        session.calls.pop(call_id, None)
        if len(session.calls) >= CALL_LIMIT:
            del session.calls[next(iter(session.calls))]
        session.calls[call_id] = call
        return call

    def _before(
        self, event: Event, session: Session, key: tuple[str, str], digest: int, body: bytes
    ) -> None:
        facts = event.facts
        if "duplicate_of" in facts:
            return
        is_specific = facts.get("reported_by") == SPECIFIC
        if is_specific:
            generic = find(event, session, key, digest)
            if generic is not None and generic.before is not None:
                generic.rewritten.add(target_of(facts) or digest)
                facts["call_id"] = generic.call_id
                event.synthesized.append("call_id")
                facts["duplicate_of"] = generic.before
                return
        call_id = facts.get("call_id")
        known = session.calls.get(call_id or made_id(event))
        answered = of_envelope(event, session, key, digest) if call_id is None else None
        if answered is not None and answered is not known:
            facts["call_id"] = answered.call_id
            event.synthesized.append("call_id")
            self._carried(event, session, answered)
            return
        if known is not None and known.before == facts["event_id"]:
            if call_id is None:
                # Another report of it, or another such call next to it: what follows decides.
                facts["call_id"] = known.call_id
                event.synthesized.append("call_id")
                known.repeats += 1
            return
        if known is not None and known.before is None and known.after is None:
            # A question came first: it is the same call.
            call = known
        else:
            forget_question(session, key, digest)
            call = self._open(event, session, key, digest)
        call.before = facts["event_id"]
        call.specific = is_specific
        if len(body) <= INPUT_LIMIT:
            call.input = body
        call.envelope_at = facts["timestamp"]
        if not self._carried(event, session, call):
            session.lone = call.call_id if session.lone == "" else None
        self.captured.add((client_of(facts), "before"))
        if event.has_mods:
            self.captured.add((client_of(facts), f"before {key[1]}"))

    def _carried(self, event: Event, session: Session, call: Call) -> bool:
        """Close a call that its before event says was refused; whether it does."""
        facts = event.facts
        is_denied = facts.get("decision") == "deny" and facts.get("enforced") is not False
        if is_denied:
            self._deny(event, session, call)
        return is_denied

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
        session.lone = ""
        if facts.get("reported_by") == SPECIFIC and call.before is not None and not call.specific:
            # The generic event of the same call says more, and comes too.
            facts.setdefault("duplicate_of", call.before)
            return []
        if call.after is not None and call.after != facts["event_id"]:
            facts.setdefault("duplicate_of", call.after)
            return []
        if "duplicate_of" in facts:
            return []
        shown = SHOWS.get(facts.get("outcome", ""))
        if shown is not None:
            self.captured.add((client_of(facts), shown))
        call.after = facts["event_id"]
        original, call.input = call.input, None
        arguments = event.input
        if arguments is None or "input" in event.synthesized or call.specific:
            return []
        if digest == call.digest or digest in call.rewritten:
            return []
        if original and body and call.before is not None:
            return [modification(event, call.before, loads(original), arguments)]
        return []

    def _deny(self, event: Event, session: Session, call: Call) -> None:
        """The refusal closes the call."""
        call.denied = event.facts["event_id"]
        call.decider = decider_of(event)
        session.lone = ""

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
            # What a guard reports itself says most, and may come after the client's account of it.
            is_guards = "guardian" in facts and facts["guardian"] not in call.decider
            if is_guards or call.denied in (None, facts["event_id"]):
                self._deny(event, session, call)
            elif not is_another_decision(event, call):
                facts.setdefault("duplicate_of", call.denied)

    def _batch(self, event: Event, session: Session, call: Call | None, digest: int) -> list[Event]:
        """An entry of a batch repeats a call: executed (a duplicate), refused, or invalid."""
        facts = event.facts
        client = client_of(facts)
        ended = call.after or call.denied if call is not None else None
        if call is not None and ended is not None:
            if event.has_mods and ended == call.after and is_strange(facts):
                # A mod refused it after it had run.
                facts["told_output"] = facts.pop("output")
            drop(event, *REFUSAL_FACTS, "outcome", "success")
            if not shows_mod(event, call, digest):
                facts.setdefault("duplicate_of", ended)
        elif facts.get("outcome") == "denied":
            self._refused(event, call)
        elif facts.get("decision_evidence") == STRANGE:
            self._strange(event, call)
        elif event.has_mods and self._is_inside(event, call):
            # A mod answered the call before any hook was asked.
            facts["outcome"] = "answered"
            event.synthesized.append("outcome")
            drop(event, *REFUSAL_FACTS)
        elif facts.get("outcome") == "error" or (
            call is None
            and (client, "before") in self.captured
            and "outcome" not in facts
            and not event.has_mods
        ):
            facts["success"] = False
            facts["outcome"] = "error"
            drop(event, *REFUSAL_FACTS)
            if call is not None:
                call.after = facts["event_id"]
        elif "outcome" in facts:
            drop(event, *REFUSAL_FACTS)
            if call is not None:
                call.after = facts["event_id"]
        elif call is not None and call.before is not None and self._is_refusal(facts):
            self._refused(event, call)
        else:
            if call is not None and call.before is not None and call.input is not None:
                if len(session.undecided) >= UNDECIDED_LIMIT:
                    del session.undecided[next(iter(session.undecided))]
                session.undecided[call.call_id] = refusal(event, call)
            drop(event, *REFUSAL_FACTS)
        return []

    def _strange(self, event: Event, call: Call | None) -> None:
        """An invalid call with a text that is not the client's: a mod's refusal if no hook was
        asked before. Whether one would have been is not known yet at the beginning of a source."""
        facts = event.facts
        if call is not None and call.before is not None:
            facts["success"] = False
            facts["outcome"] = "error"
            drop(event, *REFUSAL_FACTS, "guardian")
            call.after = facts["event_id"]
        elif (client_of(facts), "before") in self.captured:
            self._refused(event, call)
            facts["certainty"] = "inferred"

    def _is_inside(self, event: Event, call: Call | None) -> bool:
        """Return whether an entry is of a call that came to no hook, while calls of its tool do."""
        facts = event.facts
        begun = call is not None and call.before is not None
        native = facts.get("action_native", "")
        name = facts.get("action_name", "other")
        tool = native if name == "other" else name
        shown = (client_of(facts), f"before {tool}") in self.captured
        return shown and not begun and "outcome" not in facts

    def _is_refusal(self, facts: dict[str, Any]) -> bool:
        """Return whether an entry is a refusal, whose call had a before event and no after event,
        by what this source has shown to be captured."""
        client = client_of(facts)
        return is_refusal(
            says_so=facts.get("certainty") == "observed",
            is_worded="decision_evidence" in facts,
            is_shell=facts.get("action_name") == "shell",
            shows_ok=(client, "ok") in self.captured,
            shows_failed=(client, "failed") in self.captured,
        )

    def late(self, client: str, session: Session) -> list[Event]:
        """Refusals that were none for certain before the session's source showed after events."""
        if (client, "ok") not in self.captured:
            return []
        out = []
        for call_id, event in list(session.undecided.items()):
            call = session.calls.get(call_id)
            if call is None or call.after is not None or call.denied is not None:
                del session.undecided[call_id]
            elif self._is_refusal(event.facts):
                del session.undecided[call_id]
                self._refused(event, call)
                out.append(event)
        return out

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
        facts.setdefault("decision_evidence", facts["native_event"] + EXCLUDED)
        text = facts.get("output")
        reason = facts.pop("refusal", None)
        if reason is None and type(text) is str:
            reason = short_reason(text)
        if reason:
            facts.setdefault("decision_reason", reason)
            # A guardian's ask may quote the words of a client for a person's no.
            if call is not None and call.judged and short_reason(call.judged) == reason:
                facts["decided_by"] = "hook"
        # A refused call has no output; a hook, without history, has made a digest of it.
        drop(event, "outcome", "success", "output", "output_hash", "output_length")
        if "output" in event.redacted:
            event.redacted.remove("output")
        facts.setdefault("subject", ACTION)
        facts.setdefault("decision_point", "PreToolUse")
        if call is not None:
            call.denied = facts["event_id"]
            if call.before is not None:
                facts.setdefault("about", call.before)


def reopen(event: Event, session: Session, key: tuple[str, str], digest: int) -> None:
    """A call that was denied and is approved after all may run."""
    facts = event.facts
    for call in reversed(session.calls.values()):
        if call.denied is None or call.after is not None or call.denied == facts["event_id"]:
            continue
        named = facts.get("call_id") == call.call_id or facts.get("about") in (
            call.before, call.denied,
        )  # fmt: skip
        if named or ("call_id" not in facts and call.key == key and call.digest == digest):
            call.denied = None
            return


def drop(event: Event, *names: str) -> None:
    """Take facts from an event that history has shown to say nothing."""
    for name in names:
        if event.facts.pop(name, None) is not None and name in event.synthesized:
            event.synthesized.remove(name)
