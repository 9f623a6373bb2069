"""Look up a format by name and render a record into size-limited messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.core.errors import SinkError
from hookstream.core.jsons import ascii_line, canonical
from hookstream.core.times import system_clock
from hookstream.sinks.formats.cloudevents import AARTS_TYPE, AGENT_HOOKS_TYPE, CloudEvents
from hookstream.sinks.kinds import FORMATS
from hookstream.standards.grammar import flaw

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.sinks.kinds import Opening
    from hookstream.standards.rendered import Rendered


class Message:
    """One message of a record: `kind` agent_hooks, aarts or the format's name; `data` one line
    without its newline; `content_type` of the data alone."""

    __slots__ = ("content_type", "data", "kind")

    def __init__(self, kind: str, data: bytes, content_type: str) -> None:
        self.kind = kind
        self.data = data
        self.content_type = content_type

    def __len__(self) -> int:
        return len(self.data)


def renderer(
    name: str,
    *,
    standard: str,
    now: Callable[[], str] = system_clock,
    installation: str | None = None,
    arguments: bool = False,
) -> Callable[[Rendered], list[Message]]:
    """The function that gives a record's messages; it raises ValueError with the reason if a record
    cannot be rendered. SinkError for an unknown format."""
    if name not in FORMATS:
        raise SinkError(f"{name!r}: no such format; one of {', '.join(FORMATS)}")
    form = CloudEvents(standard, now, installation)

    def native(item: Rendered) -> list[Message]:
        made = []
        if standard != "aarts":
            made.append(checked("agent_hooks", item.agent_hooks, AGENT_HOOKS_TYPE))
        if standard != "agent-hooks" and item.aarts is not None:
            made.append(checked("aarts", item.aarts, AARTS_TYPE))
        return made

    def cloudevents(item: Rendered) -> list[Message]:
        kind = "application/cloudevents+json"
        return [checked("cloudevents", line, kind) for line in form.structured(item)]

    def ecs(item: Rendered) -> list[Message]:
        from hookstream.sinks.formats.ecs import ecs

        document = ecs(item.event, now(), arguments=arguments)
        if item.sampled_rate is not None:
            document.setdefault("hookstream", {})["sampled_rate"] = item.sampled_rate
        return [as_json("ecs", document)]

    def ocsf(item: Rendered) -> list[Message]:
        from hookstream.sinks.formats.ocsf import ocsf

        document = ocsf(item.event, arguments=arguments)
        if item.sampled_rate is not None:
            document["unmapped"]["hookstream.sampled_rate"] = item.sampled_rate
        return [as_json("ocsf", document)]

    def cef(item: Rendered) -> list[Message]:
        from hookstream.sinks.formats.cef import cef

        line = cef(item.event, arguments=arguments)
        if item.sampled_rate is not None:
            line += f" flexNumber1={item.sampled_rate} flexNumber1Label=sampledRate"
        return [Message("cef", line.encode("utf-8"), "text/plain; charset=utf-8")]

    chosen: dict[str, Callable[[Rendered], list[Message]]] = {
        "native": native,
        "cloudevents": cloudevents,
        "ecs": ecs,
        "ocsf": ocsf,
        "cef": cef,
    }
    return chosen[name]


def renderer_at(
    at: Opening, name: str, *, arguments: bool = False
) -> Callable[[Rendered], list[Message]]:
    """`renderer` for a sink that is opened."""
    return renderer(
        name,
        standard=at.standard,
        now=at.now,
        installation=at.installation,
        arguments=arguments,
    )


def as_json(kind: str, document: dict[str, Any]) -> Message:
    """A document as one ASCII line. ValueError if it cannot be one (broken text, huge numbers)."""
    data = canonical(document)
    try:
        data = ascii_line(data)
    except UnicodeDecodeError:
        raise ValueError("holds what is not text") from None
    return checked(kind, data, "application/json")


def checked(kind: str, data: bytes, content_type: str) -> Message:
    found = flaw(data)
    if found is not None:
        raise ValueError(found)
    return Message(kind, data, content_type)
