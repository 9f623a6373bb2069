"""Attempts at one action: the one place where a retry loop is decided (design 7).

`Attempts` counts them as they come, for the stream (`loops`) and for calls that are over
(`finished`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

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
    found = ONE_OF.match(agent)
    return int(found[1]) if found else 1


def at_least(count: int, agents: int) -> int:
    """Return how many attempts, each by one of N agents, prove `count` by one of them."""
    return (count - 1) * agents + 1
