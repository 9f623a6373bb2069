"""Counters of a run: the `--report` object.

read = produced + sum(ignored) + rejected holds whatever came in.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hookstream.core.limits import REPORT_NAMES
from hookstream.core.records import Rejection

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookstream.core.event import Event
    from hookstream.core.jsons import JsonObject


def count(counts: dict[str, int], name: str, n: int = 1) -> None:
    """Add to a name, or to "(other)" once there are too many names."""
    if name not in counts and len(counts) >= REPORT_NAMES:
        name = "(other)"
    counts[name] = counts.get(name, 0) + n


class Tally:
    """Counts of one run or of one part of it; parts are added up with `add`."""

    def __init__(self) -> None:
        self.read = 0
        self.produced = 0
        self.events = 0
        self.duplicates = 0
        # events of calls that have their id with another call in common
        self.shared_ids = 0
        self.rejected = 0
        self.ignored: dict[str, int] = {}
        self.by_rejection: dict[str, int] = {}
        self.unknown_events: dict[str, dict[str, int]] = {}
        self.unmapped_fields: dict[str, dict[str, int]] = {}
        self.redactions: dict[str, int] = {}
        self.allowed: dict[str, int] = {}
        self.by_vendor: dict[str, int] = {}
        self.by_type: dict[str, int] = {}
        self.by_hook_point: dict[str, int] = {}
        # Hits of rules asked of every event; not part of the report.
        self.by_rule: dict[str, int] = {}
        # Sources that could not be read to their end: file, why. Not part of the report.
        self.broken_off: dict[str, str] = {}

    def record(self, made: object, n: int = 1) -> None:
        """Count the result of a record: a list (of Events), a Rejection, the reason of a non-event,
        or None for a blank line. `n` -1 takes it back."""
        if made is None:
            return
        self.read += n
        if isinstance(made, Rejection):
            self.reject(made.reason)
            if made.file is not None and len(self.broken_off) < REPORT_NAMES:
                self.broken_off[made.file] = made.reason
        elif isinstance(made, str):
            self.ignored[made] = self.ignored.get(made, 0) + n
            if not self.ignored[made]:
                del self.ignored[made]
        else:
            self.produced += n

    def batch(self, events: list[Event]) -> None:
        """Count the events of a batch, equal names at once."""
        self.events += len(events)
        points = (event.hook_point for event in events if event.hook_point is not None)
        for counts, names in (
            (self.by_vendor, [event.vendor for event in events]),
            (self.by_type, [event.type for event in events]),
            (self.by_hook_point, points),
        ):
            for name, n in Counter(names).items():
                count(counts, name, n)
        for event in events:
            facts = event.facts
            if "matched_rule_id" in facts and "derived" in facts:
                count(self.by_rule, facts["matched_rule_id"])
            if "shares_id_with" in facts:
                self.shared_ids += 1
            if event.redactions:
                for rule, n in event.redactions.items():
                    count(self.redactions, rule, n)
            if event.unmapped:
                fields = self.unmapped_fields.setdefault(event.vendor, {})
                for path in leaf_paths(event.unmapped):
                    count(fields, path)

    def allow(self, counts: dict[str, int]) -> None:
        """Count what an allow-list let stay, by rule; takes the counts over."""
        for rule, n in counts.items():
            count(self.allowed, rule, n)
        counts.clear()

    def unknown(self, vendor: str, name: str) -> None:
        count(self.unknown_events.setdefault(vendor, {}), name)

    def reject(self, reason: str) -> None:
        self.rejected += 1
        count(self.by_rejection, reason)

    def add(self, other: Tally) -> None:
        for name in COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in FLAT:
            mine = getattr(self, name)
            for key, n in getattr(other, name).items():
                count(mine, key, n)
        self.broken_off |= other.broken_off
        for name in ("unknown_events", "unmapped_fields"):
            for vendor, names in getattr(other, name).items():
                mine = getattr(self, name).setdefault(vendor, {})
                for key, n in names.items():
                    count(mine, key, n)

    def report(self, elapsed_s: float, sinks: dict[str, dict[str, int]]) -> JsonObject:
        out: JsonObject = {name: getattr(self, name) for name in COUNTS}
        for name in (*FLAT, "unknown_events", "unmapped_fields"):
            out[name] = _sorted(getattr(self, name))
        out["elapsed_s"] = round(elapsed_s, 3)
        out["sinks"] = sinks
        return out


COUNTS = ("read", "produced", "events", "rejected", "duplicates", "shared_ids")
FLAT = (
    "ignored",
    "by_rejection",
    "redactions",
    "allowed",
    "by_vendor",
    "by_type",
    "by_hook_point",
)


def _sorted(counts: JsonObject) -> JsonObject:
    return {name: _sorted(n) if isinstance(n, dict) else n for name, n in sorted(counts.items())}


def leaf_paths(tree: JsonObject, prefix: str = "", depth: int = 0) -> Iterable[str]:
    """Dotted paths of the leaves, four levels deep; list elements share one path."""
    for key, value in tree.items():
        path = f"{prefix}{key}"[:200]
        if isinstance(value, dict) and value and depth < 3:
            yield from leaf_paths(value, f"{path}.", depth + 1)
        else:
            yield path
