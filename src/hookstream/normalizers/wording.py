"""The end of a call by a client's own words, for all witnesses of that client alike.

Each client's `wording.py` holds its sentences once: `ended(tool, status, error, output, decision)`
is what its hooks, session files and telemetry ask. A sentence counts where a text begins with it.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    Refusals = tuple[tuple[re.Pattern[str], str], ...]

PLANS = {"plan": "plan", "explore": "explore", "explorer": "explore"}


class Ending:
    """The end of a call: its outcome, who decided it, why, by which rule or by which hook's command
    (`engine`), the exit code, the message of a failure."""

    __slots__ = ("decided_by", "engine", "exit_code", "message", "outcome", "reason", "rule")

    def __init__(
        self,
        outcome: str | None,
        decided_by: str | None = None,
        reason: str | None = None,
        exit_code: int | None = None,
        message: str | None = None,
        rule: str | None = None,
        engine: str | None = None,
    ) -> None:
        self.outcome = outcome
        self.decided_by = decided_by
        self.reason = reason
        self.exit_code = exit_code
        self.message = message
        self.rule = rule
        self.engine = engine


def refusals(**sentences: str | tuple[str, ...]) -> Refusals:
    """The sentences of each one who refuses, as patterns: a rule's, a hook's, a person's. The group
    `reason` is what that one said, `rule` the rule that matched."""
    return tuple(
        (re.compile(pattern, re.DOTALL), who)
        for who, patterns in sentences.items()
        for pattern in (patterns if isinstance(patterns, tuple) else (patterns,))
    )


def refused(sentences: Refusals, text: str) -> Ending | None:
    """The refusal that a text begins with; its reason is the whole text where none is in it."""
    for pattern, who in sentences:
        match = pattern.match(text)
        if match:
            groups = match.groupdict()
            reason = (groups.get("reason") or "").strip() or text
            return denied(who, reason, groups.get("rule"))
    return None


def denied(
    who: str | None, reason: str = "", rule: str | None = None, engine: str | None = None
) -> Ending:
    reason = reason.strip()[:2000]
    return Ending("denied", who, reason or None, rule=rule and rule[:500], engine=engine)


def failed(outcome: str | None, message: str = "", exit_code: int | None = None) -> Ending:
    return Ending(outcome, exit_code=exit_code, message=first_line(message) or None)


def first_line(text: str) -> str:
    """The first line of a message that is not empty."""
    return text.strip().split("\n", 1)[0][:500]


def plan_type(kind: object) -> str:
    """The plan type of a sub-agent by its native type: plan, explore, else default."""
    return PLANS.get(str(kind).lower(), "default")
