"""An item as a flat native payload: its attributes under their names, dots as underscores (a table
walks paths by dots), and what OTLP itself says under `otlp`."""

from __future__ import annotations

from hookstream.otlp.values import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.otlp.items import OtlpItem

# The attributes of a span's call, tool and agent; a child gets them as `otlp.parent`.
ABOUT = {
    "call_id": ("gen_ai.tool.call.id", "tool_use_id", "tool.call_id", "call_id", "tool.id"),
    "tool": ("gen_ai.tool.name", "tool_name", "tool.name"),
    "agent": ("gen_ai.agent.name", "agent.name"),
    "operation": ("gen_ai.operation.name", "span.type"),
}


def flat(item: OtlpItem, *, phase: str = "end") -> dict[str, Any]:
    """The payload of an item. `phase` start is a span at its beginning, end at its end."""
    payload: dict[str, Any] = {}
    for name, value in item.attributes.items():
        plain = name.replace(".", "_")
        if payload.setdefault(plain, value) != value:
            payload[name] = value
    source = item.source
    about: dict[str, Any] = {
        "signal": item.signal,
        "name": item.name,
        "scope": source.scope,
        "service": source.service,
        "time": iso(item.start) if phase == "start" else item.time,
    }
    version = source.resource.get("service.version")
    session = source.resource.get("session.id")
    for name, value in (("version", version), ("session", session), ("trace", item.trace)):
        if type(value) is str and value:
            about[name] = value
    if item.span:
        about["span"] = item.span
    if item.signal == "span":
        about.update(phase=phase, status=item.status)
        if item.duration_ms is not None and phase == "end":
            about["duration_ms"] = item.duration_ms
        if item.status_message:
            about["status_message"] = item.status_message
        if item.events:
            about["events"] = [
                {"name": name, **{key.replace(".", "_"): one for key, one in held.items()}}
                for name, held in item.events
            ]
    payload["otlp"] = about
    return payload


def about(item: OtlpItem) -> dict[str, str]:
    """The attributes that children of a span inherit."""
    told = {"name": item.name}
    for word, names in ABOUT.items():
        for name in names:
            value = item.attributes.get(name)
            if type(value) is str and value:
                told[word] = value
                break
    return told
