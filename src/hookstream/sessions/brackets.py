"""Calls of sub-agents that have no id (Gemini CLI).

There a sub-agent is the bracket of the call that started it: its calls carry the parent's session
and nothing else. With one bracket open a call inside it is that sub-agent's, once its model was
asked: what comes before is of the parent's batch. With several nothing in a tool event
distinguishes them: such a call is attributed to one of N, `one-of-3-<id>`, and no more is concluded
from it than holds for any of them. The parent waits for all of them, so a model request that holds
none of their tasks is the parent's, and closes what was refused.
"""

from __future__ import annotations

from hookstream.sessions.pairing import made_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event
    from hookstream.sessions.state import Session

OWNER_LIMIT = 512
ONE_OF = "one-of-"
# What only the parent does, and only when its sub-agents have come back.
OVER = frozenset(
    ("Prompt.Submitted", "Agent.Response", "Session.Start", "Session.End", "Session.Abort")
)


class Brackets:
    """The sub-agents that were started side by side."""

    __slots__ = ("has_begun", "has_ended", "name", "open", "owners", "size", "tasks")

    def __init__(self, name: str) -> None:
        self.name = name
        self.size = 0
        self.has_ended = False
        # Has the model been asked for one of them? Unknown (true) where no such event was seen.
        self.has_begun = False
        # the call that started it -> agent id
        self.open: dict[str, str] = {}
        self.tasks: list[str] = []
        # call id -> agent id
        self.owners: dict[str, str] = {}

    def owner(self, call: str) -> str:
        """The agent whose call this is, if known when it is first seen; "" is the parent."""
        owner = self.owners.get(call)
        if owner is None and not self.has_begun:
            owner = self.owners[call] = ""
        if owner is None:
            alone = len(self.open) == 1
            owner = next(iter(self.open.values())) if alone else f"{ONE_OF}{self.size}-{self.name}"
            if len(self.owners) >= OWNER_LIMIT:
                del self.owners[next(iter(self.owners))]
            self.owners[call] = owner
        return owner


def starts(event: Event, session: Session) -> bool:
    """Return whether this Agent.Plan.Start is of a sub-agent that no id distinguishes from its
    parent, and for which the parent waits: the payload of the call that delegates is its start.
    """
    return (
        event.hook_point == "PreSubAgentSpawn"
        and event.facts["native_event"] == session.delegates
        and "agent_id" not in event.facts
        and "child_session_id" not in event.facts
    )


def begin(event: Event, session: Session) -> None:
    facts = event.facts
    name = made_name(event)
    brackets = session.brackets
    if brackets is None or brackets.has_ended:
        # One that is still open of an earlier round was refused: its parent continued.
        brackets = session.brackets = Brackets(name)
        brackets.has_begun = not session.asks_model
    brackets.size += 1
    _give(event, f"agent-{name}")
    brackets.open[session.delegated] = facts["agent_id"]
    task = facts.get("task")
    if type(task) is str and task:
        brackets.tasks.append(task)


def see(event: Event, session: Session, found: Brackets) -> None:
    """Give the agent to what happens while a bracket is open."""
    facts = event.facts
    kind = event.type
    if kind == "Agent.Plan.End":
        agent = found.open.pop(session.delegated, None)
        if agent is not None and "agent_id" not in facts:
            _give(event, agent)
        found.has_ended = True
        if not found.open:
            session.brackets = None
    elif kind in OVER:
        session.brackets = None
    elif kind == "Model.Requested":
        found.has_begun = True
        if is_parents(facts.get("request"), found.tasks):
            session.brackets = None
    elif "call_id" in facts and "agent_id" not in facts and not is_delegation(facts):
        owner = found.owner(facts["call_id"])
        if owner:
            _give(event, owner)


def is_delegation(facts: dict[str, Any]) -> bool:
    """The call that starts a sub-agent is its parent's."""
    return facts.get("action_category") == "delegate"


def is_parents(messages: object, tasks: list[str]) -> bool:
    """A request whose first message holds no sub-agent's task."""
    if type(messages) is not list or not messages or type(messages[0]) is not dict or not tasks:
        return False
    text = messages[0].get("content")
    return type(text) is str and not any(task in text for task in tasks)


def _give(event: Event, agent: str) -> None:
    event.facts["agent_id"] = agent
    event.synthesized.append("agent_id")
