"""Compactions of a context: the one place where they are decided, for the stream while
they happen (`context`) and for sessions in a lake (`found`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hookstream.detect.derive import derived_id

TYPE = "Context.Compaction"
ENDS = frozenset(("Session.End", "Session.Abort"))
TURNS = frozenset(("Prompt.Submitted", "Session.Start"))
WATCHED = TURNS | {"Agent.Plan.Start", "Agent.Plan.End", "Model.Requested", "Model.Responded"}
ANNOUNCED, RESTARTED = "before", "restarted"


def announces(type: str, trigger: str | None) -> bool:
    """Return whether an event says that a compaction may come, of a client whose word is not
    enough.
    """
    return trigger is not None and type.startswith("vendor.")


class Window:
    """The last model call of a session's main agent, and whether a compaction was announced.

    A client that announces compactions which mostly do not happen is believed only when both the
    messages sent and the tokens counted shrink in the next call.
    """

    __slots__ = ("agents", "announced", "before_tokens", "messages", "tokens")

    def __init__(self) -> None:
        self.tokens = 0
        self.messages = 0
        self.announced = False
        self.before_tokens = 0
        self.agents = 0

    def see(
        self, type: str, trigger: str | None, messages: int | None, tokens: int | None
    ) -> tuple[int, int] | None:
        """The tokens before and after, if this event shows that the context has shrunk; `messages`
        are those of a request, `tokens` the input of a response."""
        if type in TURNS:
            self.agents = 0  # a sub-agent that was refused or cut off never says its end
        elif type == "Agent.Plan.Start":
            self.agents += 1
        elif type == "Agent.Plan.End":
            self.agents = max(0, self.agents - 1)
        elif self.agents:
            return None
        elif announces(type, trigger):
            self.announced = True
        elif type == "Model.Requested" and messages is not None:
            if self.announced and 0 < messages < self.messages and not self.before_tokens:
                self.before_tokens = self.tokens
            self.messages = messages
        elif type == "Model.Responded" and tokens is not None:
            before, self.before_tokens = self.before_tokens, 0
            self.tokens = tokens
            self.announced = False
            if 0 < tokens < before:
                return before, tokens
        return None


class CompactionStep(NamedTuple):
    """An event of a session that matters here; `number` names it."""

    number: int
    event_id: str
    type: str
    agent: str = ""
    phase: str | None = None
    trigger: str | None = None
    tokens_before: int | None = None
    tokens_after: int | None = None
    tokens_removed: int | None = None
    is_observed: bool = False
    messages: int | None = None
    tokens: int | None = None


class Compaction:
    """One compaction: what announced it, the session's start after it and what closed it."""

    __slots__ = ("is_over", "steps")

    def __init__(self) -> None:
        self.steps: list[CompactionStep] = []
        # whether the session has ended since
        self.is_over = False

    def most(self, name: str) -> int | None:
        """The largest number of that name, None if no step has one."""
        return max(
            (n for step in self.steps if (n := getattr(step, name)) is not None), default=None
        )

    @property
    def trigger(self) -> str | None:
        return next((step.trigger for step in self.steps if step.trigger is not None), None)

    @property
    def removed(self) -> int | None:
        """Return how many tokens went."""
        removed, before, after = map(self.most, ("tokens_removed", "tokens_before", "tokens_after"))
        if removed is None and before is not None and after is not None:
            return before - after
        return removed

    def end(self, confirms: bool) -> str:
        """completed, not_completed (the session ended without it), unconfirmed (the client sends
        nothing after any: not `confirms`) or open."""
        if any(step.phase != ANNOUNCED for step in self.steps):
            return "completed"
        if not confirms:
            return "unconfirmed"
        return "not_completed" if self.is_over else "open"

    def is_completed(self, confirms: bool) -> bool | None:
        """None while nothing shows it."""
        completed = {"completed": True, "not_completed": False}.get(self.end(confirms))
        return (
            True if completed is None and not confirms and self.trigger == "manual" else completed
        )

    def is_observed(self, confirms: bool) -> bool:
        """Return whether more than an announcement or a restart shows it."""
        before, after = self.most("tokens_before"), self.most("tokens_after")
        return (
            any(s.phase not in (ANNOUNCED, RESTARTED) or s.is_observed for s in self.steps)
            or (before is not None and after is not None and after < before)
            or (self.trigger == "manual" and self.end(confirms) != "not_completed")
        )


def found(steps: Sequence[CompactionStep]) -> list[Compaction]:
    """The compactions of a session, whose steps are in order.

    What a stream has derived of the numbers of model calls is derived again where these are there.
    """
    again = {derived_id(TYPE, s.event_id) for s in steps if s.type == "Model.Responded"}
    compactions: list[Compaction] = []
    # agent -> those since its last announcement; of one phase the n-th belongs to the n-th
    opened: dict[str, list[Compaction]] = {}
    for step in _native(steps, again):
        if step.type in ENDS:
            for compaction in compactions:
                compaction.is_over = True
            continue
        if step.phase == ANNOUNCED:
            opened[step.agent] = []
        mine = opened.setdefault(step.agent, [])
        compaction = next(
            (c for c in mine if all(s.phase != step.phase for s in c.steps)), Compaction()
        )
        if not compaction.steps:
            mine.append(compaction)
            compactions.append(compaction)
        compaction.steps.append(step)
        compaction.is_over = False
    return compactions


def _native(steps: Iterable[CompactionStep], again: set[str]) -> Iterator[CompactionStep]:
    """The steps of compactions and the ends of the session, a shrunk context being one of them."""
    window = Window()
    for step in steps:
        if step.type in ENDS or (step.type == TYPE and step.event_id not in again):
            yield step
        elif step.type != TYPE:
            shrunk = window.see(step.type, step.trigger, step.messages, step.tokens)
            if shrunk is not None:
                yield step._replace(
                    event_id=derived_id(TYPE, step.event_id),
                    type=TYPE,
                    phase="after",
                    trigger="auto",
                    tokens_before=shrunk[0],
                    tokens_after=shrunk[1],
                    tokens_removed=shrunk[0] - shrunk[1],
                    is_observed=True,
                )
