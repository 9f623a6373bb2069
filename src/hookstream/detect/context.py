"""Context pressure: Context.UntilCompaction where an Event has the numbers, and compactions that
only a drop in tokens and messages shows (`compactions` decides it)."""

from __future__ import annotations

from hookstream.core.limits import SESSIONS, make_room
from hookstream.detect.compactions import TYPE, WATCHED, Window
from hookstream.detect.derive import derive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.event import Event


class ContextPressure:
    def __init__(self) -> None:
        self.sessions: dict[tuple[str, str], Window] = {}

    def see(self, event: Event, place: tuple[str, str]) -> list[Event]:
        facts = event.facts
        out = []
        limit, used = facts.get("tokens_limit"), facts.get("tokens_used")
        if limit and used is not None and not event.type.startswith("Context."):
            share = min(100.0, max(0.0, round(100.0 * used / limit, 2)))
            wanted = {"tokens_used": used, "tokens_limit": limit, "percentage_used": share}
            wanted["tokens_remaining"] = max(0, limit - used)
            out.append(derive(event, "Context.UntilCompaction", wanted))
        if "context_trigger" in facts or event.type in WATCHED:
            out += self._watch(event, place)
        return out

    def _watch(self, event: Event, place: tuple[str, str]) -> list[Event]:
        facts = event.facts
        window = self.sessions.pop(place, None)
        if window is None:
            make_room(self.sessions, SESSIONS)
            window = Window()
        self.sessions[place] = window  # the session unused longest falls out first
        shrunk = window.see(
            event.type,
            facts.get("context_trigger"),
            facts.get("message_count"),
            facts.get("input_tokens"),
        )
        if shrunk is None:
            return []
        before, after = shrunk
        wanted = {
            "context_phase": "after",
            "context_trigger": "auto",
            "tokens_before": before,
            "tokens_after": after,
            "tokens_removed": before - after,
            "certainty": "observed",
        }
        return [derive(event, TYPE, wanted)]
