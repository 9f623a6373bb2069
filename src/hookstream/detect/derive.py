"""An Event derived from another: the same place and time, a separate type, marked derived."""

from __future__ import annotations

from typing import Any

from hookstream.core.event import Event
from hookstream.core.identity import uuid_of

PLACE = (
    "timestamp received_at tool tool_version machine_id user_id session_id parent_session_id "
    "agent_id agent_type turn_id sequence native_event witness cwd permission_mode "
    "agent_mode".split()
)
ACTION = (
    "call_id action_name action_category action_native action_fingerprint command file_path url "
    "mcp_server".split()
)


def derived_id(type: str, origin: str) -> str:
    return uuid_of(f"derived\0{type}\0{origin}")


def derive(origin: Event, type: str, facts: dict[str, Any], *, action: bool = False) -> Event:
    """An Event of `type` at the origin's place; `action` carries the origin's action along.

    Its id follows from the origin's id and the type, so deriving twice gives the same Event.
    """
    origin_facts = origin.facts
    derived_facts = {name: origin_facts[name] for name in PLACE if name in origin_facts}
    if action:
        derived_facts |= {name: origin_facts[name] for name in ACTION if name in origin_facts}
    derived_facts |= facts
    derived_facts["event_id"] = derived_id(type, origin_facts["event_id"])
    derived_facts["derived"] = True
    event = Event(type, None, derived_facts, origin.vendor)
    event.synthesized = [name for name in origin.synthesized if name in derived_facts]
    return event
