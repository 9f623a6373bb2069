"""An event as OpenTelemetry attributes: GenAI and general conventions where they have a name
(v1.41, which `semconv` turns into the names of today), else our own.

Flat, typed, low in number (under 128), without content. Arguments (command line, paths) only if
asked for; privacy has seen them by then. A convention for denies, asks and compactions does not
exist: their names are here and nowhere else, to be swapped when it does.
"""

from __future__ import annotations

from typing import Any

from hookstream.core.event import Event
from hookstream.sinks.formats.words import snake
from hookstream.standards.agent_hooks import SPEC_VERSION, actor_of

# attribute -> fact, copied if the fact is known
PLAIN = {
    "log.record.uid": "event_id",
    "session.id": "session_id",
    "gen_ai.conversation.id": "session_id",
    "gen_ai.agent.name": "tool",
    "gen_ai.agent.version": "tool_version",
    "gen_ai.agent.id": "agent_id",
    "gen_ai.usage.input_tokens": "input_tokens",
    "gen_ai.usage.output_tokens": "output_tokens",
    "gen_ai.usage.cache_read.input_tokens": "cache_read_tokens",
    "gen_ai.usage.cache_creation.input_tokens": "cache_write_tokens",
    "gen_ai.tool.name": "action_native",
    "gen_ai.tool.call.id": "call_id",
    "process.exit.code": "exit_code",
    "user.id": "user_id",
    "agent_hooks.turn_id": "turn_id",
    "agent_hooks.agent_mode": "agent_mode",
    "hookstream.agent_type": "agent_type",
    "agent_hooks.parent_session_id": "parent_session_id",
    "agent_hooks.action.name": "action_name",
    "agent_hooks.decision.outcome": "decision",
    "agent_hooks.decision.reason": "decision_reason",
    "agent_hooks.result.success": "success",
    "agent_hooks.context.tokens_used": "tokens_used",
    "agent_hooks.context.tokens_limit": "tokens_limit",
    "agent_hooks.context.percentage_used": "percentage_used",
    "agent_hooks.context.tokens_before": "tokens_before",
    "agent_hooks.context.tokens_after": "tokens_after",
    "agent_hooks.context.trigger": "context_trigger",
    "agent_hooks.context.strategy": "strategy",
    "agent_hooks.retry.iteration_count": "retry_iteration",
    "agent_hooks.retry.tokens_consumed": "tokens_consumed",
    "agent_hooks.retry.elapsed_ms": "elapsed_ms",
    "agent_hooks.prompt.hash": "prompt_hash",
    "agent_hooks.prompt.length": "prompt_length",
    "agent_hooks.response.hash": "response_hash",
    "agent_hooks.response.length": "response_length",
    "hookstream.native_event": "native_event",
    "hookstream.sequence": "sequence",
    "hookstream.about": "about",
    "hookstream.subject": "subject",
    "hookstream.decision_point": "decision_point",
    "hookstream.enforced": "enforced",
    "hookstream.decided_by": "decided_by",
    "hookstream.decision_evidence": "decision_evidence",
    "hookstream.certainty": "certainty",
    "hookstream.failure": "failure",
    "hookstream.action_fingerprint": "action_fingerprint",
    "hookstream.mcp_server": "mcp_server",
    "hookstream.duplicate_of": "duplicate_of",
    "hookstream.derived": "derived",
    "hookstream.permission_mode": "permission_mode",
    "hookstream.matched_rule_id": "matched_rule_id",
    "hookstream.duration_ms": "duration_ms",
}
ARGUMENTS = {
    "process.command_line": "command",
    "process.working_directory": "cwd",
    "file.path": "file_path",
    "url.full": "url",
}
OPERATIONS = {
    "Action": "execute_tool",
    "Session": "invoke_agent",
    "Prompt": "invoke_agent",
    "Model": "chat",
}
# What a vendor calls the provider in front of a model's name -> the conventions' word
PROVIDERS = {
    "anthropic": "anthropic",
    "openai": "openai",
    "google": "gcp.gemini",
    "gemini": "gcp.gemini",
    "bedrock": "aws.bedrock",
    "amazon-bedrock": "aws.bedrock",
    "azure": "azure.ai.openai",
    "deepseek": "deepseek",
    "mistral": "mistral_ai",
    "xai": "x_ai",
    "groq": "groq",
    "cohere": "cohere",
    "perplexity": "perplexity",
}
CLIENT_SIDE = ("shell", "file_write", "file_edit", "file_read", "file_delete", "package_install")
MOST = 64  # words of a list


def attributes(event: Event, *, aarts: bool, arguments: bool) -> dict[str, Any]:
    """name -> text, number, truth value or list of texts; never None, never empty text."""
    facts = event.facts
    fields: dict[str, Any] = {"agent_hooks.event_type": event.type}
    fields["agent_hooks.spec_version"] = SPEC_VERSION
    fields["agent_hooks.actor.type"] = actor_of(event)
    for name, fact in PLAIN.items():
        fields[name] = facts.get(fact)
    if arguments:
        for name, fact in ARGUMENTS.items():
            fields[name] = facts.get(fact)
    fields["gen_ai.operation.name"] = operation(event)
    fields["error.type"] = error_type(event)
    fields.update(model(event))
    if event.type.startswith("Action."):
        if facts.get("mcp_server"):
            fields["mcp.method.name"] = "tools/call"
        elif facts.get("action_category") in CLIENT_SIDE:
            fields["gen_ai.tool.type"] = "function"
    if event.risk is not None:
        fields["agent_hooks.risk.score"] = event.risk[0]
        fields["agent_hooks.risk.level"] = event.risk[1]
        fields["agent_hooks.risk.factors"] = list(event.risk[2])[:MOST]
    if aarts:
        fields["aarts.hook_point"] = event.hook_point or facts.get("decision_point")
        fields["aarts.turn_id"] = facts.get("turn_id")
        fields["aarts.tool_name"] = facts.get("action_category")
        fields["aarts.verdict.decision"] = facts.get("decision")
        fields["aarts.verdict.category"] = facts.get("category")
        fields["aarts.verdict.severity"] = facts.get("severity")
    fields["hookstream.vendor"] = event.vendor
    fields["hookstream.synthesized"] = event.synthesized[:MOST]
    fields["hookstream.redacted"] = event.redacted[:MOST]
    return {name: one for name, one in fields.items() if one is not None and one not in ("", [])}


def operation(event: Event) -> str | None:
    """The GenAI operation an event belongs to, None if it belongs to none."""
    if event.type == "Agent.Response":
        return "invoke_agent"
    return OPERATIONS.get(event.type.partition(".")[0])


def is_refusal(event: Event) -> bool:
    """Return whether something was refused, and that was carried out."""
    return event.facts.get("decision") == "deny" and event.facts.get("enforced") is not False


def error_type(event: Event) -> str | None:
    """A low-cardinality class of what went wrong, None if nothing did."""
    facts = event.facts
    outcome = facts.get("outcome")
    if is_refusal(event) or outcome == "denied":
        return "denied"
    if outcome in ("timeout", "cancelled"):
        return str(outcome)
    if event.type in ("Agent.Error", "Model.Failed"):
        word = facts.get("error_type")
        return snake(word) if word and len(word) <= 64 else "_OTHER"
    return "tool_failed" if facts.get("success") is False else None


def model(event: Event) -> dict[str, str]:
    """The model's name and, if the id itself says it, its provider. Nothing is guessed."""
    model_id = event.facts.get("model_id")
    if not model_id:
        return {}
    head, slash, tail = model_id.partition("/")
    provider = PROVIDERS.get(head.lower()) if slash else None
    side = "response" if event.type == "Model.Responded" else "request"
    fields = {f"gen_ai.{side}.model": tail if provider else model_id}
    if provider:
        fields["gen_ai.provider.name"] = provider
    return fields
