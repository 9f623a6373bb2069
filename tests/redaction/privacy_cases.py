"""Scanners, stages and sample Events that the tests of privacy share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record, read_record
from hookstream.normalizers import compiled, normalize
from hookstream.redaction import Redactor
from hookstream.redaction.compile import Entry, entries
from hookstream.redaction.rules import FAMILIES, Rule
from hookstream.redaction.scanner import Scanner

SAMPLES = Path(__file__).parents[2] / "samples" / "claude-code"
KEY = bytes(range(32))
NOW = "2026-11-21T00:00:00Z"
MODES = ("hash", "redact", "full")


@cache
def scanner_of(engine: str) -> Scanner:
    if engine == "hyperscan":
        pytest.importorskip("hyperscan")
    if engine == "re2":
        pytest.importorskip("re2")
    return Scanner(engine, personal=("all",))


@cache
def _entries() -> dict[str, Entry]:
    return {entry.id: entry for family in FAMILIES for entry in entries(family)}


def entry(rule: Rule) -> Entry:
    """What the data says of a rule: its source, examples and counter-examples."""
    return _entries()[rule.id]


@cache
def stage(mode: str, engine: str = "auto") -> Redactor:
    return Redactor(mode, KEY, scanner=Scanner(engine))


def records() -> Iterator[Record]:
    """Every record of the shipped Claude Code samples."""
    for path in sorted(SAMPLES.glob("*.jsonl")):
        for number, line in enumerate(path.read_bytes().splitlines()):
            record = read_record(line, path.name, number)
            if isinstance(record, Record) and type(record.payload.get("hook_event_name")) is str:
                yield record


def events_of(record: Record) -> list[Event]:
    found = normalize(record, compiled("claude-code"), NOW)
    return [] if isinstance(found, str) else found


def shown(event: Event) -> dict[str, Any]:
    """All that a sink could write of an Event."""
    return {
        "type": event.type,
        "facts": event.facts,
        "input": event.input,
        "native": event.native,
        "unmapped": event.unmapped,
        "synthesized": event.synthesized,
        "redacted": event.redacted,
        "redactions": event.redactions,
        "secrets": event.secrets,
        "artifacts": event.artifacts,
    }


def an_event(facts: dict[str, Any] | None = None, **trees: Any) -> Event:
    event = Event("Action.Before", "PreToolUse", {"action_name": "shell", **(facts or {})}, "x")
    for name, value in trees.items():
        setattr(event, name, value)
    return event
