"""Redaction that counts the secrets it replaces, by rule, for the collector's figures."""

from __future__ import annotations

from hookstream.redaction import Redactor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event


class CountingRedactor(Redactor):
    """A redactor that adds to `hits` (rule -> count), which outlives a change of settings."""

    def __init__(self, hits: dict[str, int], *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.hits = hits

    def redact_event(self, event: Event) -> None:
        before = dict(event.redactions or {})
        super().redact_event(event)
        for rule, count in (event.redactions or {}).items():
            if count > before.get(rule, 0):
                self.hits[rule] = self.hits.get(rule, 0) + count - before.get(rule, 0)
