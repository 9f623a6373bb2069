"""Errors in a rule file, each one line with file and line number."""

from __future__ import annotations

from hookstream.core.errors import HookstreamError


class RuleError(HookstreamError):
    """A rule, a rule file or the tuning file cannot be used; the text is `FILE:LINE: reason`."""


class RuleErrors(RuleError):
    """Several errors at once: the text is one line per error, at most MOST of them."""

    MOST = 20

    def __init__(self, errors: list[RuleError]) -> None:
        lines = [str(error) for error in errors[: self.MOST]]
        if len(errors) > self.MOST:
            lines.append(f"and {len(errors) - self.MOST} more")
        super().__init__("\n".join(lines))
        self.errors = errors
