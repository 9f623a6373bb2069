"""The rules of a hook: what every payload is tested with is in its snapshot, the rest is loaded
with the family of a rule that may match. All of them would take a fifth of its time.
"""

from __future__ import annotations

import os
import sys
from hashlib import sha256

from hookstream.redaction.rules import FAMILIES, Rule, of_family, rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    # Of each rule: its family, its place there, id, extractor, confidence.
    Row = tuple[str, int, str, str, str]


class LazyRule(Rule):
    """A rule of which id, extractor and confidence are at hand. `stamp` is that of the index
    it comes from: the same for the same sources."""

    __slots__ = ("at", "family", "stamp")

    def __init__(self, row: Row, stamp: int) -> None:
        self.family, self.at, self.id, self.extract, self.confidence = row
        self.stamp = stamp

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(of_family(self.family)[self.at], name)
        setattr(self, name, value)
        return value


def lazy_rules() -> tuple[Rule, ...]:
    """The rules in force: from the snapshot's index, else all of them, loaded."""
    light = sys.modules.get("hookstream.capture.startup.lazy_stdlib")
    snapshot: Any = getattr(light, "snapshot", None)
    if snapshot is None:
        return rules()
    try:
        stamp = _stamp()
    except OSError:  # no sources next to the bytecode
        return rules()
    key = ("rules", stamp)
    rows: tuple[Row, ...] | None = snapshot.recall(key)
    if rows is None:
        rows = tuple(
            (family, at, rule.id, rule.extract, rule.confidence)
            for family in FAMILIES
            for at, rule in enumerate(of_family(family))
        )
        snapshot.keep(key, rows)
    return tuple([LazyRule(row, stamp) for row in rows])


def _stamp() -> int:
    """A fingerprint (number) of the rules' sources as they are now."""
    folder = os.path.dirname(sys.modules["hookstream.redaction.rules"].__file__ or "")
    seen = []
    for name in FAMILIES:
        info = os.stat(os.path.join(folder, "compiled", f"{name}.py"))
        seen.append(f"{name} {info.st_mtime_ns} {info.st_size}")
    return int.from_bytes(sha256("\n".join(seen).encode()).digest()[:8], "big")
