"""Select the events of a sink: filters, routes, and sampling of allowed events."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256

from hookstream.core.event import Event
from hookstream.core.jsons import ascii_line, canonical, loads
from hookstream.sinks.base import FILTERED, Receipt, Sink
from hookstream.standards.agent_hooks import METADATA_KEY
from hookstream.standards.rendered import Rendered

LEVELS = ("low", "medium", "high", "critical")
DECISIONS = ("allow", "deny", "ask", "none")


@dataclass(frozen=True)
class SelectRule:
    """Holds for an Event when every part that is given holds. Names are shell patterns; `risk` is
    the least level; the decision "none" is an Event without one."""

    event_type: tuple[str, ...] = ()
    tool: tuple[str, ...] = ()
    decision: tuple[str, ...] = ()
    risk: str | None = None

    def holds(self, event: Event) -> bool:
        facts = event.facts
        if self.event_type and not _matches(event.type, self.event_type):
            return False
        if self.tool and not _matches(facts["tool"], self.tool):
            return False
        if self.decision and facts.get("decision", "none") not in self.decision:
            return False
        if self.risk is not None:
            level = event.risk[1] if event.risk else None
            return level in LEVELS and LEVELS.index(str(level)) >= LEVELS.index(self.risk)
        return True


def _matches(text: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)


@dataclass(frozen=True)
class Selection:
    """`only` and `but` are one sink's filters, `routes` all routes in order, each with the names of
    its sinks; `allows` N keeps one of N allowed events."""

    name: str = ""
    only: SelectRule | None = None
    but: SelectRule | None = None
    routes: tuple[tuple[SelectRule, frozenset[str]], ...] = ()
    allows: int = 1

    @property
    def takes_all(self) -> bool:
        routed = any(self.name in names for _, names in self.routes)
        return self.only is None and self.but is None and not routed and self.allows == 1

    def rate(self, event: Event) -> int:
        """Return how many events this one counts for; 0: not for this sink."""
        if self.only is not None and not self.only.holds(event):
            return 0
        if self.but is not None and self.but.holds(event):
            return 0
        if not self._is_routed_here(event):
            return 0
        if self.allows > 1 and event.facts.get("decision") == "allow":
            mark = sha256(event.facts["event_id"].encode()).digest()
            return 0 if int.from_bytes(mark[:8], "big") % self.allows else self.allows
        return 1

    def _is_routed_here(self, event: Event) -> bool:
        """A sink that no route names has everything; else the first route that holds decides."""
        if not any(self.name in names for _, names in self.routes):
            return True
        for rule, names in self.routes:
            if rule.holds(event):
                return self.name in names
        return False


class Selected:
    """A sink that is offered every record and passes on those selected."""

    def __init__(self, inner: Sink, selection: Selection) -> None:
        self.inner = inner
        self.uri = inner.uri
        self.selection = selection

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        chosen: list[Rendered] = []
        places: list[int] = []
        for place, item in enumerate(batch):
            rate = self.selection.rate(item.event)
            if rate:
                chosen.append(item if rate == 1 else standing(item, rate))
                places.append(place)
        receipts = [FILTERED] * len(batch)
        if chosen:
            for place, receipt in zip(places, self.inner.write(chosen), strict=True):
                receipts[place] = receipt
        return receipts

    def reject(self, lines: list[bytes]) -> None:
        self.inner.reject(lines)

    def flush(self) -> None:
        self.inner.flush()

    def close(self) -> None:
        self.inner.close()


def standing(item: Rendered, rate: int) -> Rendered:
    """Return the record with its rate in both standards; other sinks' copies do not have it."""
    rendered = Rendered(item.event, item.position, rate)
    rendered._agent_hooks = with_rate(item.agent_hooks, rate)
    wrapper = item.aarts
    rendered._aarts = None if wrapper is None else with_rate(wrapper, rate)
    return rendered


def with_rate(line: bytes, rate: int) -> bytes:
    """Add `sampled_rate` to hookstream's own facts in a rendering."""
    document = loads(line)
    own = document["hookstream"] if "aarts" in document else document["metadata"][METADATA_KEY]
    own["sampled_rate"] = rate
    return ascii_line(canonical(document))
