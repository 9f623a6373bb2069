"""Telemetry of clients and frameworks through the pipeline, and what it says of calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hookstream.core.event import Event
from hookstream.core.records import Rejection
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.standards.rendered import Rendered

NOW = "2026-11-23T00:00:00Z"


def pipeline(witnesses: Sequence[str] = ()) -> Pipeline:
    return Pipeline(Redactor("full", pseudonym_key=b"k" * 32), lambda: NOW, witnesses=witnesses)


def read(lines: Iterable[bytes], pipe: Pipeline | None = None) -> list[Event]:
    """The events of the lines, each line a batch of its own. No line may be rejected."""
    pipe = pipe or pipeline()
    events = []
    for number, line in enumerate(lines):
        for one in pipe.outcomes([(line, "test", number)]):
            assert not isinstance(one, Rejection), one.reason
            if isinstance(one, list):
                events += [item.event for item in one if isinstance(item, Rendered)]
    return events


class Told:
    """What all events say of one call."""

    def __init__(self) -> None:
        self.tool: str | None = None
        self.outcome: str | None = None
        self.by: set[str] = set()
        self.made_id = False
        self.facts: dict[str, Any] = {}


def calls(events: Iterable[Event]) -> dict[str, Told]:
    """Call id -> what was told of it; a refusal beats what a later span says."""
    found: dict[str, Told] = {}
    for event in events:
        facts = event.facts
        if not event.type.startswith(("Action.", "Policy.")):
            continue
        told = found.setdefault(facts["call_id"], Told())
        told.tool = facts.get("action_native") or told.tool
        told.made_id |= "call_id" in event.synthesized
        told.facts.update(facts)
        if event.type == "Policy.Blocked":
            told.outcome = "denied"
            told.by |= {facts["decided_by"]} if "decided_by" in facts else set()
        elif event.type == "Action.After" and told.outcome != "denied" and "outcome" in facts:
            told.outcome = facts["outcome"]
    return found
