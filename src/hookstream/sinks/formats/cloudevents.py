"""CloudEvents 1.0, structured JSON: context attributes and extensions around the event.

Events are built and checked by the CloudEvents SDK, whose bindings make the binary modes. It has no
batch, and it would render the data again: structured events keep the bytes of theirs.
Extensions: partitioning, sequence, recorded time, distributed tracing, severity, correlation,
auth context, sampled rate. `sequence` is a durable counter of its source: without one it is left
out. An attribute without a value is left out, never empty.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote

import orjson
from cloudevents.core.exceptions import CloudEventValidationError
from cloudevents.core.v1.event import CloudEvent

from hookstream.core.identity import uuid_of
from hookstream.sinks.formats.trace import traceparent
from hookstream.sinks.formats.words import TEXT, severity
from hookstream.standards.agent_hooks import SPEC_VERSION, actor_of
from hookstream.standards.grammar import flaw

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.core.event import Event
    from hookstream.core.jsons import JsonObject
    from hookstream.sinks.formats.signature import Signer
    from hookstream.standards.rendered import Rendered

AGENT_HOOKS_PREFIX = "dev.agent-hooks."
AARTS_PREFIX = "com.gendigital.aarts."
AGENT_HOOKS_TYPE = "application/vnd.agent-hooks.event+json"
AARTS_TYPE = "application/json"
# ids of schemas in standards/schemas
AGENT_HOOKS_SCHEMA = f"urn:hookstream:schema:agent-hooks-event:{SPEC_VERSION}"
AARTS_SCHEMA = "urn:hookstream:schema:aarts-wrapper:1"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)\Z")
# What a String attribute may not hold: controls, surrogates, noncharacters.
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


@dataclass(eq=False)
class CloudEvents:
    """The format with its settings: `installation` is the id made once for this installation,
    `now` the clock (RFC 3339), `standard` which renderings are sent, `signer` signs each event."""

    standard: str
    now: Callable[[], str]
    installation: str | None = None
    agent_hooks_prefix: str = AGENT_HOOKS_PREFIX
    aarts_prefix: str = AARTS_PREFIX
    signer: Signer | None = None

    def events(self, item: Rendered) -> list[CloudEvent]:
        """The CloudEvents a record gives: one a standard, none to two. The data are bytes."""
        made: list[tuple[dict[str, str | int], bytes]] = []
        common = self._common(item)
        if self.standard != "aarts":
            made.append((self._agent_hooks(item.event, common), item.agent_hooks))
        if self.standard != "agent-hooks" and item.aarts is not None:
            made.append((self._aarts(item.event, common), item.aarts))
        if self.signer is not None:
            for attributes, data in made:
                attributes["dssematerial"] = self.signer.cloudevent(attributes, data)
        return [built(attributes, data) for attributes, data in made]

    def structured(self, item: Rendered) -> list[bytes]:
        """The same as ASCII JSON objects without newline; the data bytes are in them as given.

        ValueError if the data breaks the grammar of a line: it would break what holds it.
        """
        lines = []
        for event in self.events(item):
            data = data_of(event)
            found = flaw(data)
            if found is not None:
                raise ValueError(found)
            head = _head(event.get_attributes())
            lines.append(b'%s,"data":%s}' % (head[:-1], data))
        return lines

    def _agent_hooks(self, event: Event, common: JsonObject) -> dict[str, str | int]:
        return {
            "specversion": "1.0",
            "id": event.facts["event_id"],
            "type": self.agent_hooks_prefix + text(event.type),
            "datacontenttype": AGENT_HOOKS_TYPE,
            "dataschema": AGENT_HOOKS_SCHEMA,
            **common,
        }

    def _aarts(self, event: Event, common: JsonObject) -> dict[str, str | int]:
        return {
            "specversion": "1.0",
            "id": uuid_of(f"aarts\0{event.facts['event_id']}"),
            "type": self.aarts_prefix + text(event.hook_point or event.type),
            "datacontenttype": AARTS_TYPE,
            "dataschema": AARTS_SCHEMA,
            **common,
        }

    def _common(self, item: Rendered) -> dict[str, str | int]:
        event = item.event
        facts = event.facts
        place = self.installation or facts.get("machine_id") or "local"
        session = text(facts["session_id"])
        time = facts["timestamp"]
        grave = severity(event)
        actor = actor_of(event)
        fields: dict[str, str | int | None] = {
            "source": f"urn:hookstream:{_urn(place)}:{_urn(facts['tool'])}",
            "subject": session,
            "time": time if _TIME.match(time) else None,
            "partitionkey": session,
            "sequence": None if item.position is None else f"{item.position:020d}",
            "recordedtime": self.now(),
            "traceparent": traceparent(event),
            "severitynumber": grave,
            "severitytext": TEXT[grave],
            "correlationid": text(facts.get("turn_id") or facts["session_id"]),
            "causationid": text(facts.get("about", "")),
            "authtype": actor if actor in ("user", "system") else "unknown",
            "authid": text(facts.get("user_id", "")),
            "sampledrate": item.sampled_rate,
        }
        return {name: value for name, value in fields.items() if value is not None and value != ""}


class WrittenTime(datetime):
    """A time that is written as it was read, to the digit: the SDK takes no text."""

    written: str

    @classmethod
    def of(cls, text: str) -> WrittenTime:
        made = cls.fromisoformat(text)
        made.written = text
        return made

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:
        return self.written


def _head(attributes: JsonObject) -> bytes:
    """The attributes as an ASCII JSON object."""
    time = attributes.get("time")
    texts = attributes if time is None else {**attributes, "time": time.isoformat()}
    line = orjson.dumps(texts)
    return line if line.isascii() else json.dumps(texts, separators=(",", ":")).encode("ascii")


def data_of(event: CloudEvent) -> bytes:
    data = event.get_data()
    assert isinstance(data, bytes)
    return data


def built(attributes: dict[str, str | int], data: bytes) -> CloudEvent:
    """The CloudEvent, checked by the SDK: ValueError names what is wrong with it."""
    known: JsonObject = dict(attributes)
    time = known.get("time")
    if time is not None:
        known["time"] = WrittenTime.of(time)
    try:
        event = CloudEvent(known, data)
    except CloudEventValidationError as error:
        raise ValueError(f"cloudevents: {', '.join(sorted(error.errors))}") from None
    if time is None:
        del known["time"]  # the SDK's own clock
    return event


def text(value: str) -> str:
    """A value as a String attribute: characters the specification forbids percent-encoded."""
    return _FORBIDDEN.sub(lambda found: quote(found[0], errors="replace"), value)


@lru_cache(maxsize=4096)
def _urn(value: str) -> str:
    return quote(value, safe="", errors="replace")
