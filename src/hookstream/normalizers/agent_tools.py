"""Tools of agents by id: a request of AOS names its tool by an id that an earlier one explained.

An agent's list of tools travels with some of its requests only. It is remembered for the agent's
session, and for the agent within one source: another file may be read elsewhere.
"""

from __future__ import annotations

from hookstream.core.limits import make_room
from hookstream.normalizers.actions import resolve_action

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.event import Event

AGENTS = 1024
CALLS = ("steps/toolCallRequest",)
# What follows from the name of a tool.
FOLLOWS = "action_name action_category action_fingerprint command file_path url query mcp_server"


class AgentTools:
    """Tool ids to names, by agent and session and by agent and source; bounded."""

    def __init__(self) -> None:
        self.source = ""
        self.known: dict[tuple[str, ...], dict[str, str]] = {}

    def new_source(self) -> None:
        """Another file begins: agents without a session in common are others."""
        for key in [key for key in self.known if key[0] == "source"]:
            del self.known[key]

    def see(self, event: Event) -> None:
        """Remember the tools that an event lists, and forget them in it; name the tool it calls."""
        facts, native = event.facts, event.native
        if native is None or "session_id" not in facts:
            return
        listed = native.pop("tools", None)
        agent = native.get("params.context.agent.id") or native.get("params.context.agent.name")
        who = str(agent or "")
        machine = facts.get("machine_id", "")
        places: list[tuple[str, ...]] = [("session", machine, facts["session_id"], who)]
        if who:
            places.append(("source", self.source, machine, who))
        if type(listed) is dict:
            for place in places:
                make_room(self.known, AGENTS)
                self.known.pop(place, None)
                self.known[place] = {key: name for key, name in listed.items() if type(name) is str}
        if facts.get("native_event") in CALLS and "tool_id" not in native:
            self._name(event, places)

    def _name(self, event: Event, places: list[tuple[str, ...]]) -> None:
        called = event.facts.get("action_native", "")
        for place in places:
            name = self.known.get(place, {}).get(called)
            if name is not None:
                rename(event, called, name)
                return


def rename(event: Event, called: str, name: str) -> None:
    """The event of a call under the name of its tool."""
    from hookstream.normalizers import compiled

    for fact in FOLLOWS.split():
        event.facts.pop(fact, None)
    event.facts["action_native"] = name
    event.native = {**(event.native or {}), "tool_id": called}
    resolve_action(event, compiled(event.vendor), {})
