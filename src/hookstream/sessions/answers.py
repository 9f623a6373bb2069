"""Answers that name only what they answer: a permission reply, a JSON-RPC response, a result.

OpenCode's `permission.replied` has the request's id and an AOS answer the JSON-RPC id, nothing
else; the result of a call has the call's id and not its tool. What they are about is carried over
from the question and listed in `synthesized`.
"""

from __future__ import annotations

from datetime import datetime

from hookstream.core.changes import (
    MEMORY,
    REWRITTEN,
    arguments_of,
    differing,
    digest_of,
    entries_of,
    leaves_of,
    merged,
    named,
)
from hookstream.core.decisions import AT_ONCE_MS
from hookstream.core.identity import is_unique
from hookstream.core.limits import make_room
from hookstream.sessions.state import SERVER_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from hookstream.core.event import Event

ASKED_LIMIT = 4096
ANSWERS = frozenset(
    ("Policy.Blocked", "Policy.Override", "vendor.aos.Decision", "vendor.aos.GuardianError")
)
TARGETS = ("command", "file_path", "url", "query")
ACTION = (
    "call_id action_name action_category action_native command file_path url query mcp_server"
).split()
JOINED = ["session_id", "parent_session_id", "tool", "turn_id", "agent_id", *ACTION]
CARRIED = [*ACTION, "task_id", "agent_type", "server_id", "transport"]
# What a guardian is asked about other than the input of a tool.
TEXTS = "prompt response message memory output task query".split()
ENDED = {"completed": True, "failed": False, "rejected": False}


class Question:
    """A request, digests of it as it came (privacy changes the Event), and its input with the
    changes of guardians so far. `text` names the text that it is about, if it is about one."""

    __slots__ = ("arguments", "event", "input", "leaves", "text", "text_digest")

    def __init__(self, event: Event) -> None:
        self.event = event
        self.input: dict[str, Any] | None = None
        self.leaves: dict[str, str] = {}
        self.arguments: dict[str, str] = {}
        self.text: str | None = None
        self.text_digest: str | None = None
        if event.vendor != "aos":
            return
        if event.input is not None:
            self.leaves = leaves_of(event.input)
            self.arguments = arguments_of(event.input)
            return
        for name in TEXTS:
            self.text_digest = text_digest(event.facts, name)
            if self.text_digest is not None:
                self.text = name
                if name == MEMORY:
                    self.leaves = entries_of(event.facts, event.native, name)
                return


class Answers:
    """Questions by (vendor, message id, machine), and which of them are about a call; bounded."""

    def __init__(self) -> None:
        self.asked: dict[tuple[str, str, str], Question] = {}
        # the same by (vendor, machine, session, id of a call or of a carried message)
        self.calls: dict[tuple[str, str, str, str], Question] = {}
        # those that are read with their answers, and after them
        self.coming: dict[tuple[str, str, str], Question] = {}

    def foresee(self, events: Iterable[Event]) -> None:
        """Look for questions whose answers come first, among events that are read at once. An id
        may be used again: its answer is the one that follows, if there is one."""
        foreseen: dict[tuple[str, str, str], Event] = {}
        seen: set[tuple[str, str, str]] = set()
        early: set[tuple[str, str, str]] = set()
        for event in events:
            if event.vendor != "aos" or "message_id" not in event.facts:
                continue
            key = key_of(event)
            if not is_answer(event):
                if key in early and not is_result(event):
                    foreseen.setdefault(key, event)
                seen.add(key)
            elif key in seen:
                early.discard(key)
            elif key not in self.asked:
                early.add(key)
        self.coming = {key: Question(foreseen[key]) for key in early if key in foreseen}

    def new_source(self) -> None:
        """Ids that count, as those of a JSON-RPC connection, start again in the next file."""
        self.park()

    def park(self) -> dict[tuple[str, str, str], Question]:
        """The questions that only their own source can answer, taken out."""
        counted = [key for key in self.asked if not is_unique(key[1])]
        return {key: self.asked.pop(key) for key in counted}

    def see(self, event: Event, named: set[str] | None = None) -> bool:
        """Remember a question; gives an answer the facts of the question it belongs to. True where
        a decision is seen for the first time to have changed the input of a tool.

        `named` gets the ids that mean the same message in every file.
        """
        facts = event.facts
        message = facts.get("message_id")
        if message is None:
            return False
        key = key_of(event)
        answers = is_answer(event)
        asks = event.vendor == "aos" or facts.get("notification_type") == "ToolPermission"
        if named is not None and (answers or asks) and is_unique(message):
            named.add(message)
        if answers:
            question = self.asked.get(key) or self.coming.get(key)
            return question is not None and self._join(event, question)
        if asks and event.type not in ANSWERS:
            question = self.coming.pop(key, None) or Question(event)
            if is_result(event) and event.vendor == "aos":
                if facts["native_event"] == "result":
                    # what a carried request gave, outside an envelope
                    complete(event, self.asked.get(key))
                    return False
                complete(event, self._asked_by(event))
            elif event.vendor == "aos":
                for place in places_of(event):
                    make_room(self.calls, ASKED_LIMIT)
                    self.calls[place] = question
            if len(self.asked) >= ASKED_LIMIT:
                del self.asked[next(iter(self.asked))]
            self.asked[key] = question
        return False

    def _join(self, event: Event, question: Question) -> bool:
        facts, question_facts = event.facts, question.event.facts
        for name in JOINED:
            own = name in facts and name not in event.synthesized
            if name not in question_facts or (
                own and not (name == "tool" and facts[name] == event.vendor)
            ):
                continue
            take(event, name, question_facts[name])
        if facts.get("decided_by") == "user" and is_at_once(event, question.event):
            take(event, "decided_by", "client")
        if question.event.hook_point is not None:
            facts.setdefault("decision_point", question.event.hook_point)
        if question.event.type != "Agent.Notification" or "call_id" not in question_facts:
            # A question about no call (OpenCode: continue in a loop?) is itself what is answered.
            facts.setdefault("about", question_facts["event_id"])
        if event.input is None:
            take_input(event, question.event.input, question.event)
        if event.vendor == "aos":
            take_time(event, question.event)
            if facts.get("modified") is True:
                is_changed = change(event, question)
                for place in places_of(question.event):
                    if place in self.calls:
                        self.calls[place].input = question.input
                return is_changed
        return False

    def _asked_by(self, event: Event) -> Question | None:
        """The request that a result belongs to."""
        questions = (self.calls.get(place) for place in places_of(event))
        return next((question for question in questions if question is not None), None)


def is_at_once(event: Event, question: Event) -> bool:
    """Return whether an answer came sooner than any person gives one: the client's own, as in an
    unattended run."""
    asked, answered = question.facts.get("received_at"), event.facts.get("received_at")
    if asked is None or answered is None:
        return False
    begun, ended = (datetime.fromisoformat(moment) for moment in (asked, answered))
    return 0 <= (ended - begun).total_seconds() * 1000 < AT_ONCE_MS


def key_of(event: Event) -> tuple[str, str, str]:
    """The key under which a message is remembered."""
    return event.vendor, event.facts["message_id"], event.facts.get("machine_id", "")


def is_answer(event: Event) -> bool:
    """Return whether an event is a decision that names only the message it answers."""
    return event.type in ANSWERS and "action_native" not in event.facts


def places_of(event: Event) -> list[tuple[str, str, str, str]]:
    """The key under which a call or a carried request is remembered."""
    facts = event.facts
    ids = [facts[name] for name in ("call_id", "wrapped_id") if name in facts]
    return [
        (event.vendor, facts.get("machine_id", ""), facts["session_id"], call_id) for call_id in ids
    ]


def is_result(event: Event) -> bool:
    """Return whether an event reports the result of a call or a carried request."""
    kind = event.type
    return kind in ("Action.After", "Model.Responded") or (
        kind.startswith("vendor.aos.") and kind.endswith("Result")
    )


def take(event: Event, name: str, value: Any) -> None:
    """A fact of the question."""
    event.facts[name] = value
    if name not in event.synthesized:
        event.synthesized.append(name)


def see_server(event: Event, servers: dict[str, None]) -> None:
    """Give a call of a server's tool that names none the one server that connected in its session:
    a message of MCP is known by its connection."""
    facts = event.facts
    if "server_id" in facts and (event.hook_point == "PreMCPConnect" or "mcp_server" in facts):
        make_room(servers, SERVER_LIMIT)
        servers[facts["server_id"]] = None
    elif len(servers) == 1 and "mcp_server" not in facts and is_mcp(facts):
        take(event, "mcp_server", next(iter(servers)))


def is_mcp(facts: dict[str, Any]) -> bool:
    return facts.get("action_category") == "mcp_call"


def take_input(event: Event, given: dict[str, Any] | None, question: Event) -> None:
    """The input of a question, and what privacy has taken from it if it was there before."""
    event.input = given
    event.content_arguments = question.content_arguments
    gone = [path for path in question.redacted if path.startswith("input.")]
    event.redacted += [path for path in gone if path not in event.redacted]


def take_targets(event: Event, original: dict[str, Any], changed: dict[str, Any]) -> None:
    """The targets of an action whose input a guardian changed: each is the argument that it was in
    the input that was asked for."""
    facts = event.facts
    for name in TARGETS:
        if name not in event.synthesized or name not in facts:
            continue
        places = [key for key, value in original.items() if as_text(value) == facts[name]]
        text = as_text(changed.get(places[0])) if len(places) == 1 else ""
        if text:
            facts[name] = text
        elif places and not any(changed.get(key) == original[key] for key in places):
            del facts[name]


def as_text(value: Any) -> str:
    """An argument as a fact has it: a text, or the words of a list."""
    if type(value) is list:
        return " ".join(part for part in value if type(part) is str)
    return value if type(value) is str else ""


def take_time(event: Event, question: Event) -> None:
    """An answer without a time counts as given at the time of its question; when it was received is
    another fact."""
    if "timestamp" not in event.synthesized or "timestamp" not in question.facts:
        return
    if "timestamp" not in question.synthesized or "received_at" not in event.facts:
        event.facts["timestamp"] = question.facts["timestamp"]


def complete(event: Event, question: Question | None) -> None:
    """Give a result what its request says and it does not: the tool, its input, the task."""
    if question is None or is_result(question.event):
        return
    facts, question_facts = event.facts, question.event.facts
    if not settle(event, question.event):
        return
    for name in CARRIED:
        # A line that is read back has the targets that a guardian's change left.
        is_kept = event.read_back and name in TARGETS
        if name in question_facts and (
            name not in facts or (name in event.synthesized and not is_kept)
        ):
            take(event, name, question_facts[name])
    if event.type == "Action.After" and event.input is None and question.event.input is not None:
        # What ran according to a guardian's answer: the host need not have obeyed.
        take_input(event, question.input or question.event.input, question.event)
        if "input" not in event.synthesized:
            event.synthesized.append("input")
        if question.input is not None:
            take_targets(event, question.event.input, question.input)
    take_time(event, question.event)


def settle(event: Event, question: Event) -> bool:
    """The type of a result that only its request shows: a task that was delegated, or the failure
    of a request that was not a call. False if the two do not belong together."""
    facts = event.facts
    if question.type == "Action.Before":
        if event.type == "vendor.aos.A2AResult":
            event.type, event.hook_point = "Action.After", "PostSubAgentResult"
            # An answer without a task's state (a message, a task that was made) ends nothing.
            success = ENDED.get(facts.get("task_state", ""))
            if success is not None and "error_message" not in facts:
                facts["success"] = success
                facts["outcome"] = "ok" if success else "error"
        return event.type in ("Action.After", "vendor.aos.MCPResult")
    if event.type == "Action.After":
        if facts.get("success") is not False or "call_id" in facts:
            return False
        failed = question.type == "Model.Requested"
        event.type = "Model.Failed" if failed else f"{question.type}Result"
        event.hook_point = None
        for name in ("action_name", "action_category"):
            if facts.pop(name, None) is not None and name in event.synthesized:
                event.synthesized.remove(name)
    return question.type.startswith(("vendor.aos.", "Model."))


def text_digest(facts: dict[str, Any], name: str) -> str | None:
    """A digest of a text that the facts hold, or the digest that is left of it."""
    if name in facts:
        return digest_of(facts[name])
    digest: str | None = facts.get(f"{name}_hash")
    return digest


def differ(one: str | None, other: str | None) -> bool:
    """Return whether two digests are of unlike texts. Those of different kinds do not say it."""
    if one is None or other is None or one.rpartition(":")[0] != other.rpartition(":")[0]:
        return False
    return one != other


def with_parts(event: Event, question: Event) -> dict[str, Any]:
    """The kept part of an answer; changes of some arguments are laid over the others of the input
    that it is about."""
    native, original = event.native or {}, question.input
    parts = native.get("modified_parts")
    if type(parts) is not dict or original is None or "modified_input" in native:
        return native
    known_parts = {name: value for name, value in parts.items() if name in original}
    if not known_parts:
        return native
    rest = {name: value for name, value in native.items() if name != "modified_parts"}
    event.native = {**rest, "modified_input": {**original, **known_parts}}
    # What privacy has taken from it already, if the question was there before.
    gone = [path for path in question.redacted if path.startswith("input.")]
    event.redacted += [
        f"native.modified_{path}"
        for path in gone
        if name_of(path[len("input.") :]) not in known_parts
    ]
    return event.native


def name_of(path: str) -> str:
    """The argument that a path of leaves begins with."""
    return path.partition(".")[0].partition("[")[0]


def change(event: Event, question: Question) -> bool:
    """The changes of a guardian, by path, and the input as all guardians so far want it; whether it
    is an input that changed, and not a line that is read back."""
    facts = event.facts
    original = question.event.input
    native = with_parts(event, question.event)
    wanted = native.get("modified_input")
    is_input = type(wanted) is dict and original is not None
    if type(wanted) is dict and original is not None:
        unchanged = {name for name in wanted if wanted[name] is original.get(name)}
        leaves = leaves_of({name: wanted[name] for name in wanted if name not in unchanged})
        unchanged_leaves = {
            path: leaf for path, leaf in question.leaves.items() if name_of(path) in unchanged
        }
        paths = differing(question.leaves, {**unchanged_leaves, **leaves})
        before = question.input or original
        question.input = merged(before, question.arguments, wanted)
        if before is not original:
            event.native = {**native, "merged_input": question.input}
    elif question.text is not None:
        # A hook's line holds digests alone: a text is named as a whole everywhere.
        paths = []
        if differ(question.text_digest, text_digest(facts, REWRITTEN)):
            entries = entries_of(facts, native, REWRITTEN)
            has_both = question.leaves and entries
            paths = differing(question.leaves, entries) if has_both else [question.text]
    else:
        return False
    if not paths or "changed_paths" in facts:
        return False
    facts["changed_paths"] = named(paths)
    return is_input
