"""The end of a call by a client's own words, for all witnesses of that client alike."""

from __future__ import annotations


class Ending:
    """The end of a call: its outcome, who decided it and why, the exit code, the message of a
    failure."""

    __slots__ = ("decided_by", "exit_code", "message", "outcome", "reason")

    def __init__(
        self,
        outcome: str | None,
        decided_by: str | None = None,
        reason: str | None = None,
        exit_code: int | None = None,
        message: str | None = None,
    ) -> None:
        self.outcome = outcome
        self.decided_by = decided_by
        self.reason = reason
        self.exit_code = exit_code
        self.message = message
