"""Retry loops among calls that are over: `Attempts` over their beginnings and ends, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hookstream.detect.attempts import DEFAULT, Attempts, Thresholds, agents_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
