"""Context pressure: Context.UntilCompaction where an Event has the numbers, and compactions that
only a drop in tokens and messages shows (design 5.8)."""

from __future__ import annotations

from hookstream.detect.derive import derive
from hookstream.event import place_of
from hookstream.limits import SESSIONS, make_room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.event import Event


class Window:
    """The last model call of a session's main agent, and whether a compaction was announced."""

    __slots__ = ("agents", "announced", "before_messages", "before_tokens", "messages", "tokens")

    def __init__(self) -> None:
        self.tokens = 0
        self.messages = 0
        self.announced = False
        self.before_tokens = 0
        self.before_messages = 0
        self.agents = 0


class ContextPressure:
    def __init__(self) -> None:
        self.sessions: dict[tuple[str, str], Window] = {}

    def see(self, event: Event) -> list[Event]:
        facts = event.facts
        out = []
        limit, used = facts.get("tokens_limit"), facts.get("tokens_used")
        if limit and used is not None and not event.type.startswith("Context."):
            share = min(100.0, max(0.0, round(100.0 * used / limit, 2)))
            wanted = {"tokens_used": used, "tokens_limit": limit, "percentage_used": share}
            wanted["tokens_remaining"] = max(0, limit - used)
            out.append(derive(event, "Context.UntilCompaction", wanted))
        if "context_trigger" in facts or event.type in WATCHED:
            out += self._watch(event)
        return out

    def _watch(self, event: Event) -> list[Event]:
        """A vendor that announces compactions which mostly do not happen is believed only when
        both the messages sent and the tokens counted shrink in the next call."""
        facts = event.facts
        place = place_of(facts)
        window = self.sessions.pop(place, None)
        if window is None:
            make_room(self.sessions, SESSIONS)
            window = Window()
        self.sessions[place] = window  # the session unused longest falls out first
        if event.type in TURNS:
            window.agents = 0  # a sub-agent that was refused or cut off never says its end
        elif event.type == "Agent.Plan.Start":
            window.agents += 1
        elif event.type == "Agent.Plan.End":
            window.agents = max(0, window.agents - 1)
        elif window.agents:
            return []
        elif event.type.startswith("vendor.") and "context_trigger" in facts:
            window.announced = True
        elif event.type == "Model.Requested" and "message_count" in facts:
            count = facts["message_count"]
            if window.announced and 0 < count < window.messages and not window.before_tokens:
                window.before_tokens, window.before_messages = window.tokens, window.messages
            window.messages = count
        elif event.type == "Model.Responded" and "input_tokens" in facts:
            return self._responded(event, window)
        return []

    def _responded(self, event: Event, window: Window) -> list[Event]:
        tokens = event.facts["input_tokens"]
        before, window.before_tokens = window.before_tokens, 0
        window.tokens = tokens
        window.announced = False
        if not 0 < tokens < before:
            return []
        wanted = {
            "context_phase": "after",
            "context_trigger": "auto",
            "tokens_before": before,
            "tokens_after": tokens,
            "tokens_removed": before - tokens,
            "certainty": "observed",
        }
        return [derive(event, "Context.Compaction", wanted)]


TURNS = frozenset(("Prompt.Submitted", "Session.Start"))
WATCHED = TURNS | {"Agent.Plan.Start", "Agent.Plan.End", "Model.Requested", "Model.Responded"}
