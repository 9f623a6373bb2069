"""State of a session and of its calls, within bounds."""

from __future__ import annotations

from hookstream.core.changes import changed_paths
from hookstream.core.event import Event, short_reason
from hookstream.core.identity import uuid_of
from hookstream.core.jsons import loads
from hookstream.core.limits import make_room
from hookstream.core.times import micros

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.sessions.asks import Ask
    from hookstream.sessions.brackets import Brackets


BEGINNINGS = ("new", "restart")
ACTIONS = frozenset(("Action.Before", "Action.After"))
# Calls and refusals that are remembered, so that each counts once.
REMEMBERED = 512


class Totals:
    """Totals of a session, counted as its stream is read: for an end of the session that no payload
    sums up, and for prompts, of which each except the first is a follow-up. A session whose
    beginning is not in the stream has no totals."""

    __slots__ = ("actions", "calls", "denials", "denied", "prompts", "since", "started", "tokens",
                 "verdicts")  # fmt: skip

    def __init__(self) -> None:
        # how the stream of the session begins: "start", "prompt", or "cut" short
        self.since = ""
        self.started = ""
        self.prompts = self.actions = self.verdicts = self.denials = 0
        self.tokens: int | None = None
        self.calls: dict[str, None] = {}
        self.denied: dict[str, None] = {}

    def see(self, event: Event) -> None:
        """Count an Event; complete a prompt and the end of the session."""
        facts = event.facts
        kind = event.type
        if not self.since and not kind.startswith(("vendor.", "Agent.Notification")):
            self._begin(kind, facts)
        if "duplicate_of" in facts:
            return
        if kind in ACTIONS:
            self.actions += _is_new(self.calls, facts.get("call_id") or facts["event_id"])
        elif kind == "Prompt.Submitted":
            self._prompt(event)
        elif kind == "Model.Responded":
            counts = [facts.get("input_tokens"), facts.get("output_tokens")]
            if counts != [None, None]:
                self.tokens = (self.tokens or 0) + sum(n for n in counts if type(n) is int)
        elif kind == "Session.End" and self.since == "start":
            self._end(event)
        decision = facts.get("decision")
        if decision is not None:
            self.verdicts += 1
            if decision == "deny":
                self.denials += _is_new(self.denied, facts.get("call_id") or facts["event_id"])

    def _begin(self, kind: str, facts: dict[str, Any]) -> None:
        if kind == "Session.Start" and facts.get("start_reason") in BEGINNINGS:
            self.since, self.started = "start", facts["timestamp"]
        else:
            self.since = "prompt" if kind == "Prompt.Submitted" else "cut"

    def _prompt(self, event: Event) -> None:
        self.prompts += 1
        if "is_followup" not in event.facts and (self.prompts > 1 or self.since != "cut"):
            conclude(event, "is_followup", self.prompts > 1)

    def _end(self, event: Event) -> None:
        conclude(event, "total_actions", self.actions)
        conclude(event, "total_verdicts", self.verdicts)
        conclude(event, "total_denials", self.denials)
        if self.tokens is not None:
            conclude(event, "total_tokens", self.tokens)
        start, end = micros(self.started), micros(event.facts["timestamp"])
        if start is not None and end is not None and end >= start:
            conclude(event, "duration_ms", (end - start) / 1000)


def conclude(event: Event, fact: str, value: Any) -> None:
    """Add a fact that the emitter did not say, listed as concluded."""
    if fact not in event.facts:
        event.facts[fact] = value
        event.synthesized.append(fact)


def _is_new(seen: dict[str, None], name: str) -> bool:
    if name in seen:
        return False
    make_room(seen, REMEMBERED)
    seen[name] = None
    return True


CALL_LIMIT = 512
SEEN_LIMIT = 1024
POINT_LIMIT = 256
MOMENT_LIMIT = 16
# Witnesses that were read from records, in whatever order.
RECORDED = frozenset(("transcript", "telemetry"))
SERVER_LIMIT = 16
# An input up to this many bytes is kept while its call is open, to show a modification.
INPUT_LIMIT = 4096
# Entries of batches that wait for the first after event of their session.
UNDECIDED_LIMIT = 64


class Parked:
    """State of one source alone, kept while other sources have their turn."""

    __slots__ = ("asked", "captured", "children", "detectors", "seen", "sessions")

    def __init__(self) -> None:
        self.captured: set[tuple[str, str]] = set()
        self.asked: dict[Any, Any] = {}
        self.seen: dict[str, str] = {}
        self.sessions: dict[Any, Session] = {}
        self.children: dict[str, str] = {}
        # one dict a detector: session key -> its state
        self.detectors: list[dict[Any, Any]] = []


class Call:
    """One tool call of a session, as its payloads so far report it."""

    __slots__ = (
        "after",
        "asked",
        "before",
        "call_id",
        "decider",
        "denied",
        "digest",
        "envelope_at",
        "input",
        "judged",
        "key",
        "merged",
        "repeats",
        "rewritten",
        "specific",
        "target",
        "turn",
    )

    def __init__(self, call_id: str, key: tuple[str, str], digest: int, target: str | None) -> None:
        self.call_id = call_id
        self.key = key
        self.digest = digest
        # The command or path: a second report may leave out other arguments.
        self.target = target
        # Only a specific event has reported it: a generic one to be a duplicate of does not exist.
        self.specific = False
        self.before: str | None = None
        self.after: str | None = None
        self.denied: str | None = None
        # the question about it
        self.asked: str | None = None
        # How often its before event came again, to the byte: each may be a separate call.
        self.repeats = 0
        self.input: bytes | None = None
        # What a wrapped hook, or a specific event, showed that it became: digests and targets; and
        # the changes of several hooks put together in their order.
        self.rewritten: set[int | str] = set()
        self.merged: dict[str, Any] | None = None
        # the reason of a guardian that answered about it
        self.judged: str | None = None
        # who denied it, if the decision names it (`decider_of`)
        self.decider: tuple[Any, ...] = ()
        self.turn = ""
        # the time of its before event: AARTS knows an envelope by nothing else
        self.envelope_at = ""

    @property
    def is_open(self) -> bool:
        """Return whether it may still run: no result and no refusal has been seen."""
        return self.after is None and self.denied is None


class Session:
    """State of one session."""

    __slots__ = (
        "asks",
        "asks_model",
        "batch",
        "brackets",
        "calls",
        "delegated",
        "delegates",
        "ended",
        "is_agent",
        "last_told",
        "lone",
        "moments",
        "parent",
        "points",
        "prompts",
        "same",
        "sequence",
        "servers",
        "shared",
        "singly",
        "totals",
        "turn",
        "undecided",
        "wrapped",
    )

    def __init__(self) -> None:
        self.sequence = 0
        # times of records -> how many of each were read; those after the first begin with 1
        self.moments: dict[str, int] = {}
        self.prompts = 0
        self.turn = ""
        self.parent: str | None = None
        self.is_agent = False
        self.calls: dict[str, Call] = {}
        # call id of several calls -> the ids that the others have got here
        self.shared: dict[str, list[str]] = {}
        self.ended: str | None = None
        self.same: dict[str, str] = {}
        # Refusals, should it show that after events are captured: call id -> Policy.Blocked
        self.undecided: dict[str, Event] = {}
        # Events without a call id: the last of each type, and the time of the batch reported
        self.last_told: dict[str, str] = {}
        self.batch = ""
        # Types of such events that come once here: their hook is registered once.
        self.singly: set[str] = set()
        # The last of them that a wrap reported before any hook did.
        self.wrapped = ""
        # Running sub-agents without an id, the call that last reported one, and its native event
        self.brackets: Brackets | None = None
        self.delegated = ""
        self.delegates = ""
        # The call that began alone since another ended; None if several did, "" where none.
        self.lone: str | None = ""
        # Subjects of decisions other than calls: event id -> subject, hook point
        self.points: dict[str, tuple[str, str | None]] = {}
        # Questions that no person has answered yet, by event id
        self.asks: dict[str, Ask] = {}
        # MCP servers that connected, by name
        self.servers: dict[str, None] = {}
        # Requests to a model are captured here.
        self.asks_model = False
        self.totals = Totals()

    def number(self, facts: dict[str, Any], *, is_repeat: bool) -> int:
        """The position of an event as it was captured; of a record with its own time within that
        time, so that it is the same however files are cut and read, and a copy takes none. Only
        what begins a session has the position 1."""
        if facts.get("witness") not in RECORDED:
            self.sequence += not (is_repeat and self.sequence)
            return self.sequence
        moment = facts["timestamp"]
        if moment not in self.moments:
            is_first = not self.moments and not self.sequence
            make_room(self.moments, MOMENT_LIMIT)
            self.moments[moment] = 0 if is_first else 1
        self.moments[moment] += not is_repeat
        return max(1, self.moments[moment])


def target_of(facts: dict[str, Any]) -> str | None:
    target: str | None = facts.get("command") or facts.get("file_path")
    return target


CARRIED = (
    "timestamp received_at tool tool_version machine_id user_id session_id parent_session_id "
    "agent_id agent_type turn_id call_id sequence permission_mode agent_mode action_name "
    "action_category action_native native_event witness mcp_server cwd".split()
)
TARGETS = ("command", "file_path", "url", "query")
SAID = ("decided_by", "decision_evidence", "refusal")


def refusal(event: Event, call: Call) -> Event:
    """The meaning of a batch's entry without an after event, once after events prove to be
    captured.
    """
    wanted = (*CARRIED, *TARGETS, *SAID)
    facts = {name: event.facts[name] for name in wanted if name in event.facts}
    facts["event_id"] = uuid_of(f"refused\0{event.facts['event_id']}")
    text = event.facts.get("output")
    if type(text) is str and text.strip():
        facts.setdefault("refusal", short_reason(text))
    refused = Event("Policy.Blocked", None, facts, event.vendor)
    refused.synthesized = [name for name in event.synthesized if name in facts]
    refused.content_arguments = event.content_arguments
    refused.input = loads(call.input) if call.input else None
    return refused


def modification(
    event: Event, before: str, original: dict[str, Any], modified: dict[str, Any]
) -> Event:
    """AARTS PreToolInputModification: both sides of an input were seen and differ."""
    facts = {name: event.facts[name] for name in CARRIED if name in event.facts}
    facts["event_id"] = uuid_of(f"modified\0{event.facts['event_id']}")
    facts["about"] = before
    facts["modified"] = True
    facts["derived"] = True
    for name in ("guardian", "changed_paths"):
        if name in event.facts:
            facts[name] = event.facts[name]
    facts.setdefault("changed_paths", changed_paths(original, modified))
    kind = f"vendor.{facts['tool']}.ToolInputModified"
    change = Event(kind, "PreToolInputModification", facts, event.vendor)
    change.input = modified
    change.native = {"original_input": original}
    change.content_arguments = event.content_arguments
    change.synthesized = [name for name in event.synthesized if name in facts]
    # A line that is read again has its marks already: they hold for both sides.
    marked = [path for path in event.redacted if path.startswith("input.")]
    change.redacted = [*marked, *(f"native.original_{path}" for path in marked)]
    return change
