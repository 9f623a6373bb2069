"""What a row of the AOS table cannot say: which method, whose agent, arguments, verdicts.

Two envelopes carry the same steps: AOS 0.1.0 (params.context, a field named after the step) and its
successor ACS (params.metadata, params.payload, every argument as {"value": ...}). Source: the
published specifications and the public answers of Joch; no request was recorded.
"""

from __future__ import annotations

import re

from hookstream.normalizers.table import at, derived, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hookstream.records import Record

    Payload = dict[str, Any]

NOT_SLUG = re.compile(r"[^a-z0-9]+")
SLUG_LENGTH = 64
# The registry of ACS; other codes are JSON-RPC's own.
ERRORS = {
    -32000: "session_refused",
    -32001: "unsupported_version",
    -32002: "provenance_required",
    -32003: "capability_not_negotiated",
    -32004: "signature_invalid",
    -32005: "replay_detected",
    -32006: "timestamp_out_of_window",
    -32007: "chain_mismatch",
}


def first_text(p: Payload, *paths: str) -> str | None:
    for path in paths:
        value = at(p, path)
        if type(value) is str and value:
            return value
    return None


def joined_text(parts: Any) -> Any:
    """The text of AOS and ACS parts ({text} or {value}); anything else stays as it is."""
    if type(parts) is not list:
        return parts or None
    texts = []
    for part in parts:
        text = part.get("text", part.get("value")) if type(part) is dict else part
        if type(text) is not str:
            return parts or None
        texts.append(text)
    return "\n".join(texts) or None


# Methods.


@reads("method", "result", "error")
def native_event(p: Payload, r: Record) -> str | None:
    """The method, without the wrapped protocol's own; `result` or `error` for an answer."""
    method = p.get("method")
    if type(method) is str and method:
        if method.startswith(("protocols/MCP", "wrapped:mcp")):
            return "protocols/MCP"
        return "protocols/A2A" if method.startswith("protocols/A2A") else method
    if type(p.get("error")) is dict:
        return "error"
    return "result" if "result" in p else None


@reads("params.context.agent.name", "params.metadata.platform", "params.metadata.agent_id")
def tool(p: Payload, r: Record) -> str | None:
    """The agent's own name as a slug; an agent_id may end in `:<hash>`, which is no name."""
    name = first_text(p, "params.context.agent.name", "params.metadata.platform")
    if name is None:
        name = (first_text(p, "params.metadata.agent_id") or "").split(":", 1)[0]
    return NOT_SLUG.sub("-", name.lower()).strip("-")[:SLUG_LENGTH].strip("-") or None


@reads("params.context.agent.model", "params.payload.platform_context.model")
def model_id(p: Payload, r: Record) -> str | None:
    return first_text(
        p,
        "params.context.agent.model",
        "params.context.agent.model.id",
        "params.context.agent.model.name",
        "params.payload.platform_context.model",
    )


@reads("params.acs_version")
def is_acs(p: Payload, r: Record) -> bool:
    return at(p, "params.acs_version") is not None


def is_not_acs(p: Payload, r: Record) -> bool:
    return not is_acs(p, r)


# Messages.


@reads("params.message.content", "params.payload.content", "params.trigger.content")
def content(p: Payload, r: Record) -> Any:
    for path in ("params.message.content", "params.payload.content", "params.trigger.content"):
        text = joined_text(at(p, path))
        if text is not None:
            return text
    return None


@reads("params.message.content")
def one_line(p: Payload, r: Record) -> str | None:
    text = joined_text(at(p, "params.message.content"))
    return text if type(text) is str else None


# Tool calls.


@reads("params.toolCallRequest.inputs", "params.payload.arguments")
def arguments(p: Payload, r: Record) -> dict[str, Any] | None:
    """inputs[] by name (a repeated name keeps all its values), or ACS arguments unwrapped."""
    given = at(p, "params.payload.arguments")
    if type(given) is dict:
        return {name: unwrapped(value) for name, value in given.items()}
    inputs = at(p, "params.toolCallRequest.inputs")
    if type(inputs) is not list:
        return None
    found: dict[str, list[Any]] = {}
    for one in inputs:
        if type(one) is dict and type(one.get("name")) is str:
            found.setdefault(one["name"], []).append(one.get("value"))
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def unwrapped(value: Any) -> Any:
    return value["value"] if type(value) is dict and "value" in value else value


@reads("params.result.isError", "params.payload.exit_status")
def success(p: Payload, r: Record) -> bool | None:
    failed = at(p, "params.result.isError")
    if type(failed) is bool:
        return not failed
    status = at(p, "params.payload.exit_status")
    words = {"success": True, "failure": False, "timeout": False}
    return words.get(status) if type(status) is str else None


@reads("params.payload.exit_status")
def outcome(p: Payload, r: Record) -> str | None:
    return "timeout" if at(p, "params.payload.exit_status") == "timeout" else None


@reads("params.payload.exit_status")
def was_blocked(p: Payload, r: Record) -> bool:
    return bool(at(p, "params.payload.exit_status") == "blocked")


def was_not_blocked(p: Payload, r: Record) -> bool:
    return not was_blocked(p, r)


@reads("params.result.outputs", "params.payload.outputs")
def output(p: Payload, r: Record) -> Any:
    for path in ("params.result.outputs", "params.payload.outputs"):
        text = joined_text(at(p, path))
        if text is not None:
            return text
    return None


def mcp(name: str, p: Payload) -> tuple[str, str] | None:
    if not name.startswith("mcp__"):
        return None
    server, _, tool_name = name[5:].partition("__")
    return (server, tool_name) if tool_name else ("", server)


# Answers.


def decides(*words: str) -> Callable[[Payload, Record], bool]:
    """Predicate: the Guardian's word is one of these."""

    @reads("result.decision")
    def test(p: Payload, r: Record) -> bool:
        return (first_text(p, "result.decision") or "").lower() in words

    return test


def _first(p: Payload, path: str) -> Any:
    """The first element of a list, or the value where it is none."""
    value = at(p, path)
    if type(value) is list:
        return value[0] if value else None
    return value


@reads("result.policyId", "result.policy_references")
def policy_id(p: Payload, r: Record) -> Any:
    found = at(p, "result.policyId")
    return found or at(_first(p, "result.policy_references"), "policy_id")


@reads("result.policyVersion", "result.policy_references")
def policy_version(p: Payload, r: Record) -> Any:
    found = at(p, "result.policyVersion")
    return found or at(_first(p, "result.policy_references"), "policy_version")


@reads("result.reasonCode", "result.reason_codes", "result.policy_references")
def rule_id(p: Payload, r: Record) -> Any:
    """The rule that fired, else the first reason code."""
    rule = at(_first(p, "result.policy_references"), "rule_id")
    return rule or _first(p, "result.reason_codes") or _first(p, "result.reasonCode")


@reads("error.code")
def failure(p: Payload, r: Record) -> str:
    code = at(p, "error.code")
    return ERRORS.get(code, "guardian_error") if type(code) is int else "guardian_error"


# Sessions, sub-agents, compaction.

END_REASONS = {
    "completed": "completed",
    "error": "error",
    "timeout": "idle_timeout",
    "cancelled": "exit",
    "abandoned": "exit",
}


@reads("params.payload.reason", "params.payload.session_reason")
def end_reason(p: Payload, r: Record) -> str | None:
    word = first_text(p, "params.payload.session_reason", "params.payload.reason")
    return END_REASONS.get(word) if word else None


@reads("params.payload.summary")
def summary(p: Payload, r: Record) -> Any:
    value = at(p, "params.payload.summary")
    if type(value) is dict:
        value = value.get("content", value.get("value", value))
    return joined_text(value)


@derived
@reads()
def default_plan(p: Payload, r: Record) -> str:
    return "default"
