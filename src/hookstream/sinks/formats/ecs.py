"""Elastic Common Schema 9.4: one document per event.

`gen_ai.*` (beta since 9.1) where it has a field; the rest is under `agent_hooks` and
`hookstream`. `agent.*` in ECS is the collecting agent and never the AI. A kind of event that ECS
has a category for gets it, and only the types that category expects.
"""

from __future__ import annotations

from hookstream.core.event import Event
from hookstream.core.jsons import JsonObject
from hookstream.core.limits import SAFE_INTEGER
from hookstream.core.times import micros
from hookstream.sinks.formats.attributes import attributes, is_refusal
from hookstream.sinks.formats.trace import span_id, trace_id
from hookstream.sinks.formats.words import plain, sentence, severity, snake

VERSION = "9.4.0"
DATASET = "hookstream.agent_hooks"
GEN_AI = frozenset(
    "agent.id agent.name operation.name request.model response.model tool.call.id tool.name "
    "tool.type usage.input_tokens usage.output_tokens".split()
)
# AARTS category -> (ECS category, type before the action, type after it)
ACTIONS = {
    "shell": ("process", "start", "end"),
    "code_exec": ("process", "start", "end"),
    "package_install": ("package", "info", "installation"),
    "file_read": ("file", "info", "access"),
    "file_write": ("file", "info", "change"),
    "file_edit": ("file", "info", "change"),
    "file_delete": ("file", "info", "deletion"),
    "web_request": ("web", "info", "access"),
    "browser": ("web", "info", "access"),
    "database": ("database", "info", "access"),
}
OTHER = ("api", "info", "access")
SESSION = {"Session.Start": "start", "Session.End": "end", "Session.Abort": "end"}
DECIDED = {"allow": "allowed", "deny": "denied"}
LONGEST_MS = SAFE_INTEGER / 1_000_000  # a line's longest of nanoseconds, 104 days
OUTCOMES = {"ok": "success", "error": "failure", "denied": "failure", "timeout": "failure"}


def ecs(event: Event, ingested: str, *, arguments: bool = False) -> JsonObject:
    """The event as a nested document; `ingested` is the sink's clock (RFC 3339). ValueError if
    the event has no time that can be read."""
    return nested(flat(event, ingested, arguments=arguments))


def flat(event: Event, ingested: str, *, arguments: bool) -> JsonObject:
    facts = event.facts
    category, types = classes(event)
    fields: JsonObject = {
        "@timestamp": plain(facts["timestamp"]),
        "ecs.version": VERSION,
        "message": sentence(event),
        "event.id": facts["event_id"],
        "event.kind": "alert" if is_alert(event) else "event",
        "event.category": category,
        "event.type": types,
        "event.action": snake(event.type).replace(".", "-").replace("_", "-"),
        "event.outcome": outcome(event),
        "event.module": "hookstream",
        "event.dataset": DATASET,
        "event.ingested": ingested,
        "event.severity": severity(event),
        "event.reason": facts.get("decision_reason"),
        "event.sequence": facts.get("sequence"),
        "event.risk_score": event.risk[0] if event.risk else None,
        "rule.id": facts.get("matched_rule_id"),
        "rule.ruleset": facts.get("policy_id"),
        "trace.id": trace_id(event).hex(),
        "span.id": span_id(event).hex(),
        "user.id": facts.get("user_id"),
        "error.message": facts.get("error_message"),
    }
    if micros(facts.get("received_at")) is not None:
        fields["event.created"] = plain(facts["received_at"])
    if 0 <= facts.get("duration_ms", -1) < LONGEST_MS:
        fields["event.duration"] = int(facts["duration_ms"] * 1_000_000)
    for name, value in attributes(event, aarts=False, arguments=arguments).items():
        head, _, tail = name.partition(".")
        if head == "gen_ai":
            fields[name if tail in GEN_AI else f"agent_hooks.{name}"] = value
        elif head in ("agent_hooks", "hookstream"):
            fields[name] = value
        elif name in ("process.exit.code", "file.path", "url.full", "error.type"):
            fields["process.exit_code" if name == "process.exit.code" else name] = value
        elif name in ("process.command_line", "process.working_directory", "mcp.method.name"):
            fields[name if head == "process" else f"agent_hooks.{name}"] = value
    fields["agent_hooks.session_id"] = facts["session_id"]
    return {name: one for name, one in fields.items() if one is not None and one not in ("", [])}


def classes(event: Event) -> tuple[list[str], list[str]]:
    """ECS categories and types: each type is one that a category of the event expects."""
    facts = event.facts
    category, before, after = OTHER
    types = ["info"]
    if event.type in SESSION:
        category, types = "session", [SESSION[event.type]]
    elif "action_name" in facts:
        category, before, after = ACTIONS.get(facts.get("action_category", ""), OTHER)
        done = event.type == "Action.After" and facts.get("outcome") != "denied"
        types = [after if done else before if event.type == "Action.Before" else "info"]
    categories = [category]
    decided = DECIDED.get(facts.get("decision") or "")
    if decided and facts.get("enforced") is not False:
        types.append(decided)
        if category != "api":
            categories.append("api")  # the category that knows allowed and denied
    return categories, types


def is_alert(event: Event) -> bool:
    grave = event.risk is not None and event.risk[1] in ("high", "critical")
    return grave or event.type.startswith("Policy.")


def outcome(event: Event) -> str:
    """The outcome of the action; a denied one is a failure, an unreported one is unknown."""
    facts = event.facts
    if is_refusal(event):
        return "failure"
    value = OUTCOMES.get(facts.get("outcome") or "")
    if value is None and facts.get("success") is not None:
        value = "success" if facts["success"] else "failure"
    return value or "unknown"


def nested(given: JsonObject) -> JsonObject:
    """Dotted names to objects. A name that is both a leaf and a prefix keeps its dots."""
    fields: JsonObject = {}
    for name, value in given.items():
        node = fields
        *path, leaf = name.split(".")
        for key in path:
            below = node.setdefault(key, {})
            if not isinstance(below, dict):
                break
            node = below
        else:
            node[leaf] = value
            continue
        fields[name] = value
    return fields
