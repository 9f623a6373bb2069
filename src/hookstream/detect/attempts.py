"""Attempts at one action: the one place where a retry loop is decided.

`Attempts` counts them as they come, for the stream (`loops`); `Finished` in the order of beginnings
and ends, for calls that are over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

# sessions/brackets.py
ONE_OF = re.compile(r"one-of-([1-9]\d{0,2})-")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From how many attempts on a loop is one: failed or denied, and equal successes."""

    failures: int = 3
    unchanged: int = 8


DEFAULT = Thresholds()


class Attempts:
    """The attempts under one key (session, agent, turn, fingerprint) since a success with a new
    output. Times are as they were given."""

    __slots__ = (
        "agents", "attempts", "denied", "failures", "first_at", "output", "same_output", "since",
        "since_at",
    )  # fmt: skip

    def __init__(self, first_at: str, agents: int) -> None:
        # of how many agents one made them
        self.agents = agents
        self.attempts = 0
        self.failures = 0
        self.denied = 0
        self.same_output = 0
        self.output: str | None = None
        self.first_at = first_at
        # attempts since the last success, and when the first of them was
        self.since = 0
        self.since_at = first_at

    def begin(self, at: str) -> None:
        """One more attempt."""
        self.attempts += 1
        self.since += 1
        if self.since == 1:
            self.since_at = at

    def fail(self, *, denied: bool) -> None:
        """An attempt failed, or was denied."""
        self.failures += 1
        self.denied += denied

    def is_closed_by(self, output: str | None) -> bool:
        """Return whether a success with this output ends these attempts."""
        return bool(self.failures) or output is None or output != self.output

    def succeed(self, output: str | None) -> None:
        """An attempt gave the output of those before it, or is the first."""
        self.output = output
        self.same_output += 1
        self.since = 0

    def is_loop(self, thresholds: Thresholds) -> bool:
        """Return whether they are a retry loop."""
        if self.failures:
            return self.failures >= at_least(thresholds.failures, self.agents)
        return self.same_output >= at_least(thresholds.unchanged, self.agents)

    @property
    def kind(self) -> str:
        """failing, denied or unchanged."""
        if not self.failures:
            return "unchanged"
        return "denied" if self.denied * 2 > self.failures else "failing"

    @property
    def count(self) -> int:
        """The attempts of the loop, of one agent at least: equal successes before a failure are
        none of them."""
        return -(-(self.since if self.failures else self.attempts) // self.agents)

    @property
    def began_at(self) -> str:
        """When the first of them was."""
        return self.since_at if self.failures else self.first_at


def agents_of(agent: str) -> int:
    """N of the agent id `one-of-N-...`, else 1."""
    match = ONE_OF.match(agent)
    return int(match[1]) if match else 1


def at_least(count: int, agents: int) -> int:
    """Return how many attempts, each by one of N agents, prove `count` by one of them."""
    return (count - 1) * agents + 1


FAILED = ("error", "timeout", "denied")


class SessionStep(NamedTuple):
    """An event at a place of a session: a call `begin`s or `end`s with an outcome, or there is a
    `prompt`, or the session is `over`. `call` numbers the calls."""

    place: int
    what: str
    call: int = -1
    agent: str = ""
    turn: str = ""
    fingerprint: str = ""
    outcome: str | None = None
    output: str | None = None


class Loop(NamedTuple):
    """A retry loop: the numbers of its calls in order, and how it ended."""

    agent: str
    turn: str
    fingerprint: str
    kind: str
    attempts: int
    failures: int
    calls: list[int]
    aborted: bool


class _Run(Attempts):
    __slots__ = ("calls", "since_calls")

    def __init__(self, agents: int) -> None:
        super().__init__("", agents)
        self.calls: list[int] = []
        self.since_calls: list[int] = []

    def add(self, call: int) -> None:
        self.begin("")
        self.calls.append(call)
        self.since_calls.append(call)


class Finished:
    """The loops of one session."""

    def __init__(self, thresholds: Thresholds = DEFAULT) -> None:
        self.thresholds = thresholds
        self.runs: dict[tuple[str, str, str], _Run] = {}

    def loops(self, steps: Iterable[SessionStep]) -> Iterator[Loop]:
        """The loops in the order in which they ended; `steps` are in order."""
        for step in steps:
            if step.what in ("prompt", "over"):
                yield from self._all(aborted=step.what == "over")
                continue
            key = (step.agent, step.turn, step.fingerprint)
            run = self.runs.get(key)
            if run is None:
                run = self.runs[key] = _Run(agents_of(step.agent))
            if step.what == "begin":
                run.add(step.call)
            elif step.outcome in FAILED:
                if not run.failures:
                    yield from self._one(key, run)
                run.fail(denied=step.outcome == "denied")
            elif step.outcome == "ok":
                yield from self._succeeded(key, run, step)
        yield from self._all()

    def _succeeded(self, key: tuple[str, str, str], run: _Run, step: SessionStep) -> Iterator[Loop]:
        if run.is_closed_by(step.output):
            yield from self._one(key, run)
            run = self.runs[key] = _Run(run.agents)
            run.add(step.call)
        run.succeed(step.output)
        run.since_calls = []

    def _all(self, *, aborted: bool = False) -> Iterator[Loop]:
        for key, run in self.runs.items():
            yield from self._one(key, run, aborted=aborted)
        self.runs.clear()

    def _one(
        self, key: tuple[str, str, str], run: _Run, *, aborted: bool = False
    ) -> Iterator[Loop]:
        """The loop, if it is one: failures with the success that ends them, or equal successes."""
        if not run.is_loop(self.thresholds):
            return
        since = run.since_calls
        calls = since if run.failures else run.calls[: len(run.calls) - len(since)]
        attempts, failures = (-(-n // run.agents) for n in (len(calls), run.failures))
        yield Loop(*key, run.kind, attempts, failures, calls, aborted)
