"""CloudEvents 1.0, structured JSON: context attributes and extensions around the event.

Written without the SDK, which has no batch and checks little; the tests read back with it.
Extensions: partitioning, sequence, recorded time, distributed tracing, severity, correlation,
auth context, sampled rate. `sequence` is a durable counter of its source: without one it is left
out. An attribute without a value is left out, never empty.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from hookstream.identity import uuid_of
from hookstream.sinks.formats.severity import TEXT, severity
from hookstream.sinks.formats.trace import traceparent
from hookstream.sinks.grammar import flaw
from hookstream.standards.agent_hooks import SPEC_VERSION, actor_of
from hookstream.standards.hook_points import AARTS_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.event import Event
    from hookstream.sinks.base import Rendered
    from hookstream.sinks.formats.signature import Signer

AGENT_HOOKS_PREFIX = "dev.agent-hooks."
AARTS_PREFIX = "com.gendigital.aarts."
AGENT_HOOKS_TYPE = "application/vnd.agent-hooks.event+json"
AARTS_TYPE = "application/json"
AGENT_HOOKS_SCHEMA = f"urn:hookstream:schema:agent-hooks:{SPEC_VERSION}"
AARTS_SCHEMA = f"urn:hookstream:schema:aarts-wrapper:{AARTS_VERSION}"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)\Z")
# What a String attribute may not hold: controls, surrogates, noncharacters.
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


class CloudEvents:
    """The format with its settings: `installation` is the id made once for this installation,
    `now` the clock (RFC 3339), `standard` which renderings are sent, `signer` signs each event."""

    def __init__(
        self,
        standard: str,
        now: Callable[[], str],
        installation: str | None = None,
        agent_hooks_prefix: str = AGENT_HOOKS_PREFIX,
        aarts_prefix: str = AARTS_PREFIX,
        signer: Signer | None = None,
    ) -> None:
        self.standard = standard
        self.now = now
        self.installation = installation
        self.agent_hooks_prefix = agent_hooks_prefix
        self.aarts_prefix = aarts_prefix
        self.signer = signer

    def events(self, item: Rendered) -> list[tuple[dict[str, str | int], bytes]]:
        """(attributes, data) of each CloudEvent a record gives: one a standard, none to two."""
        made: list[tuple[dict[str, str | int], bytes]] = []
        common = self._common(item)
        if self.standard != "aarts":
            made.append((self._agent_hooks(item.event, common), item.agent_hooks))
        if self.standard != "agent-hooks" and item.aarts is not None:
            made.append((self._aarts(item.event, common), item.aarts))
        if self.signer is not None:
            for attributes, data in made:
                attributes["dssematerial"] = self.signer.cloudevent(attributes, data)
        return made

    def structured(self, item: Rendered) -> list[bytes]:
        """The same as ASCII JSON objects without newline; the data bytes stand in them as given.

        ValueError where the data breaks the grammar of a line: it would break what holds it.
        """
        lines = []
        for attributes, data in self.events(item):
            found = flaw(data)
            if found is not None:
                raise ValueError(found)
            head = json.dumps(attributes, separators=(",", ":"))
            lines.append(b'%s,"data":%s}' % (head[:-1].encode("ascii"), data))
        return lines

    def _agent_hooks(self, event: Event, common: dict[str, Any]) -> dict[str, str | int]:
        return {
            "specversion": "1.0",
            "id": event.facts["event_id"],
            "type": self.agent_hooks_prefix + text(event.type),
            "datacontenttype": AGENT_HOOKS_TYPE,
            "dataschema": AGENT_HOOKS_SCHEMA,
            **common,
        }

    def _aarts(self, event: Event, common: dict[str, Any]) -> dict[str, str | int]:
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
        made: dict[str, str | int | None] = {
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
        return {name: value for name, value in made.items() if value is not None and value != ""}


def text(value: str) -> str:
    """A value as a String attribute: characters the specification forbids percent-encoded."""
    return _FORBIDDEN.sub(lambda found: quote(found[0], errors="replace"), value)


def _urn(value: str) -> str:
    return quote(value, safe="", errors="replace")


def http_header(value: str) -> str:
    """An attribute as a header value: what is not printable ASCII, and space, quote and percent,
    percent-encoded (HTTP protocol binding, 3.1.3.2)."""
    return "".join(
        char if "!" <= char <= "~" and char not in '"%' else quote(char, safe="", errors="replace")
        for char in value
    )
