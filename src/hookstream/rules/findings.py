"""A finding of a rule, and its three shapes: a row, a Policy event of Agent Hooks, OCSF."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hookstream.core.event import Event
from hookstream.core.identity import uuid_of

COLUMNS = tuple(
    (
        "rule_id title level timestamp machine_id user_id tool session_id event_id shown events "
        "tags atlas owasp rule finding_id"
    ).split()
)
ENGINE = "hookstream-rules"
# Level of a rule -> score and level of Agent Hooks' risk object
RISK = {
    "informational": (5, "low"),
    "low": (30, "low"),
    "medium": (55, "medium"),
    "high": (80, "high"),
    "critical": (95, "critical"),
}


@dataclass(frozen=True)
class Finding:
    """One hit of a rule: `event_id` is the event that completed it, `events` all that show it,
    `shown` the command, file or address it is about; `timestamp` is naive UTC."""

    rule_id: str
    title: str
    level: str
    timestamp: datetime | None
    machine_id: str | None
    user_id: str | None
    tool: str | None
    session_id: str | None
    event_id: str | None
    shown: str | None
    events: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    atlas: tuple[str, ...] = ()
    owasp: tuple[str, ...] = ()
    rule: str = ""

    @property
    def finding_id(self) -> str:
        """The same for the same hit of the same rule, whenever it is asked."""
        who = (self.machine_id, self.tool, self.session_id, self.event_id, self.timestamp)
        return uuid_of("finding\0" + "\0".join(map(str, (self.rule_id, *who))))

    def row(self) -> tuple[Any, ...]:
        """The values of COLUMNS."""
        values = {name: getattr(self, name) for name in COLUMNS}
        for name in ("events", "tags", "atlas", "owasp"):
            values[name] = list(values[name])
        return tuple(values[name] for name in COLUMNS)

    def event(self) -> Event:
        """The finding as a Policy.Violation, derived, about the event that completed it."""
        when = self.timestamp or datetime(1970, 1, 1)
        facts: dict[str, Any] = {
            "event_id": self.finding_id,
            "timestamp": when.isoformat(timespec="milliseconds") + "Z",
            "tool": self.tool or "unknown",
            "session_id": self.session_id or "unknown",
            "native_event": "Finding",
            "policy_engine": ENGINE,
            "policy_id": self.rule or self.rule_id,
            "matched_rule_id": self.rule_id,
            "severity": self.level if self.level != "informational" else "low",
            "message": self.title,
            "derived": True,
        }
        for name in ("machine_id", "user_id"):
            if getattr(self, name):
                facts[name] = getattr(self, name)
        if self.event_id:
            facts["about"] = self.event_id
        event = Event("Policy.Violation", None, facts, self.tool or "unknown")
        event.synthesized = ["severity"]
        event.native = {"tags": [*self.tags, *self.atlas, *self.owasp], "events": list(self.events)}
        event.risk = (*RISK[self.level], ("RULE",))
        return event

    def agent_hooks(self) -> dict[str, Any]:
        from hookstream.standards.agent_hooks import agent_hooks

        return agent_hooks(self.event())

    def ocsf(self) -> dict[str, Any]:
        """An OCSF Detection Finding (2004) with the rule as its analytic and ATT&CK techniques."""
        from hookstream.sinks.formats.ocsf import ocsf

        made = ocsf(self.event())
        info = made["finding_info"]
        info["title"] = self.title
        info["analytic"] = {"uid": self.rule_id, "name": self.title, "type_id": 1, "type": "Rule"}
        info["related_events"] = [
            {"uid": event} for event in self.events or filter(None, [self.event_id])
        ]
        techniques = [
            tag.removeprefix("attack.").upper() for tag in self.tags if _is_technique(tag)
        ]
        if techniques:
            info["attacks"] = [{"technique": {"uid": uid}} for uid in techniques]
        if self.shown:
            info["desc"] = self.shown
        return made


def _is_technique(tag: str) -> bool:
    return tag.startswith("attack.t") and tag[8:9].isdigit()
