"""Agent.Error from a failed action or a failed model call, so that failures count once
(design 5.4): the native event stays what it is, this one says the agent met an error."""

from __future__ import annotations

from hookstream.detect.derive import derive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.event import Event


def errors(event: Event) -> list[Event]:
    facts = event.facts
    if event.type == "Action.After" and facts.get("outcome") in ("error", "timeout"):
        wanted = {"error_type": "ToolFailed", "origin_event": "Action.After"}
        for name in ("error_message", "exit_code"):
            if name in facts:
                wanted[name] = facts[name]
        return [derive(event, "Agent.Error", wanted, action=True)]
    if event.type == "Model.Failed":
        wanted = {"error_type": "ModelError", "origin_event": "Model.Failed"}
        for name in ("error_message", "error_code", "model_id"):
            if name in facts:
                wanted[name] = facts[name]
        return [derive(event, "Agent.Error", wanted)]
    return []
