"""Log lines of the collector: what `hookstream status` shows of it, as it happens."""

from __future__ import annotations

import logging

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LOG = logging.getLogger("hookstream.collector")
# Problems that are counted apart; beyond them counting starts again.
KINDS = 1024


class Problems:
    """A problem that repeats is logged the 1st, 2nd, 4th, 8th ... time."""

    def __init__(self) -> None:
        self.counts: dict[tuple[Any, ...], int] = {}

    def say(self, entry: dict[str, Any]) -> None:
        """Log an entry of the file of errors: `problem`, and `vendor` and `event` if known."""
        known = {name: entry[name] for name in ("vendor", "event") if entry.get(name)}
        key = (entry["problem"], *known.values())
        if len(self.counts) >= KINDS:
            self.counts.clear()
        count = self.counts[key] = self.counts.get(key, 0) + 1
        if count & (count - 1) == 0:
            about = " ".join(known.values())
            said = f"{about}: {entry['problem']}" if about else entry["problem"]
            LOG.warning("%s", said, extra={**known, "count": count})
