"""Facts that a row of the AOS table cannot give: method, agent, tool, verdicts.

Two envelopes carry the same steps: AOS 0.1.0 (params.context, a field named after the step) and its
successor ACS (params.metadata, params.payload, every argument as {"value": ...}). Source: the
published specifications and the public answers of Joch; no request was recorded.
"""

from __future__ import annotations

import re

from hookstream.core.jsons import objects
from hookstream.normalizers.aos import parts
from hookstream.normalizers.table import at, derived, model_name, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hookstream.core.records import Payload

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


# Methods.


@reads("method result error")
def native_event(p: Payload) -> str | None:
    """The method, without the wrapped protocol's own; `result` or `error` for an answer."""
    method = p.get("method")
    if type(method) is str and method:
        if method.startswith(("protocols/MCP", "wrapped:mcp")):
            return "protocols/MCP"
        return "protocols/A2A" if method.startswith("protocols/A2A") else method
    if type(p.get("error")) is dict:
        return "error"
    return "result" if "result" in p else None


@reads("params.context.agent.name params.metadata.platform params.metadata.agent_id")
def tool(p: Payload) -> str | None:
    """The agent's own name as a slug; an agent_id may end in `:<hash>`, which is not a name."""
    name = first_text(p, "params.context.agent.name", "params.metadata.platform")
    if name is None:
        name = (first_text(p, "params.metadata.agent_id") or "").split(":", 1)[0]
    return slug(name)


def slug(name: str) -> str | None:
    """A name as lower-case words joined by hyphens, of bounded length."""
    return NOT_SLUG.sub("-", name.lower()).strip("-")[:SLUG_LENGTH].strip("-") or None


AGENT_MODEL = "params.context.agent.model"


@reads(f"{AGENT_MODEL} params.payload.platform_context.model")
def model_id(p: Payload) -> str | None:
    provider = first_text(p, f"{AGENT_MODEL}.provider.name", f"{AGENT_MODEL}.provider.id")
    provider = provider or first_text(p, f"{AGENT_MODEL}.provider")
    return model_name(
        slug(provider) if provider else None,
        first_text(
            p,
            AGENT_MODEL,
            f"{AGENT_MODEL}.id",
            f"{AGENT_MODEL}.name",
            "params.payload.platform_context.model",
        ),
    )


# What a person or a trigger does is not the agent's.
NOT_THE_AGENTS = frozenset(
    ("steps/userMessage", "steps/agentTrigger", "steps/sessionStart", "steps/sessionEnd")
)


def is_agents(p: Payload) -> bool:
    """Return whether the step is one that the agent takes."""
    role = at(p, "params.message.role")
    return p.get("method") not in NOT_THE_AGENTS and role not in ("user", "system")


def _acting(p: Payload) -> list[Any]:
    """The agent that acts: the observed one, of a message between agents its sender."""
    if not is_agents(p):
        return []
    return [at(p, "params.context.agent"), at(p, "params.context.from.agent"),
            at(p, "params.context.from")]  # fmt: skip


@reads("params.context.agent.id params.context.from params.metadata.agent_id")
def actor_id(p: Payload) -> str | None:
    ids = (first_text(agent, "id") for agent in _acting(p))
    return next(filter(None, ids), None) or (
        first_text(p, "params.metadata.agent_id") if is_agents(p) else None
    )


@reads("params.context.agent.name params.context.from")
def actor_name(p: Payload) -> str | None:
    names = (first_text(agent, "name") for agent in _acting(p))
    return next(filter(None, names), None)


@reads("params.context.agent.id params.context.from params.metadata.agent_id")
def actor_type(p: Payload) -> str | None:
    return "ai_agent" if actor_id(p) or actor_name(p) else None


@reads("params.acs_version")
def is_acs(p: Payload) -> bool:
    return at(p, "params.acs_version") is not None


def is_not_acs(p: Payload) -> bool:
    return not is_acs(p)


# Messages.

MESSAGES = ("params.message.content", "params.payload.content", "params.trigger.content")


@reads(*MESSAGES)
def content(p: Payload) -> Any:
    """The text parts of a message; what else it has is under `attached_files`."""
    for path in MESSAGES:
        text = parts.message_text(at(p, path))
        if text is not None:
            return text
    return None


@reads("params.message.content")
def one_line(p: Payload) -> str | None:
    text = parts.message_text(at(p, "params.message.content"))
    return text if type(text) is str else None


@reads(*MESSAGES)
def attached_files(p: Payload) -> list[str] | None:
    """The addresses of the files in a message, else their names."""
    files = [file.get("uri") or file.get("name") for file in attached(p)]
    return [file for file in files if type(file) is str] or None


@reads(*MESSAGES)
def attached(p: Payload) -> list[Payload]:
    return [file for path in MESSAGES for file in parts.files_of(at(p, path))]


CITED = ("params.citation", "params.citations", "params.payload.citations")


@reads(*CITED, "params.payload.sources")
def citation_hosts(p: Payload) -> list[str]:
    return parts.cited_hosts(p, *CITED, "params.payload.sources")


@reads(*CITED, "params.payload.sources")
def citation_files(p: Payload) -> list[str]:
    return parts.cited_files(p, *CITED, "params.payload.sources")


ORGANIZATIONS = (
    "params.context.organization",
    "params.context.user.organization",
    "params.context.agent.organization",
)


@reads(*ORGANIZATIONS)
def organization(p: Payload) -> str | None:
    """The organization's id, else its name."""
    for path in ORGANIZATIONS:
        found = first_text(p, path, f"{path}.id", f"{path}.name")
        if found:
            return found
    return None


# Tool calls.

CALLED = "params.toolCallRequest"


@reads(f"{CALLED}.toolId {CALLED}.toolName {CALLED}.name {CALLED}.tool")
def tool_id(p: Payload) -> str | None:
    """The id of the tool that is called: a text, a number or an object with one."""
    for key in ("toolId", "tool"):
        found = at(p, f"{CALLED}.{key}")
        if type(found) is dict:
            found = found.get("id")
        if type(found) in (str, int) and found != "":
            return str(found)
    return None


@reads(f"{CALLED}.toolId params.context.agent.tools params.context.agent.mcpServers")
def tool_name(p: Payload) -> str | None:
    """The name of the tool that is called: from the call, from the agent's list of tools by its id,
    else the id itself."""
    named = first_text(
        p,
        f"{CALLED}.toolName",
        f"{CALLED}.name",
        f"{CALLED}.toolId.name",
        f"{CALLED}.tool.name",
        "params.payload.tool.name",
    )
    if named is not None:
        return named
    called = tool_id(p)
    if called is None:
        return first_text(p, "params.payload.tool.id")
    return tools_of(p).get(called, called)


@reads(f"{CALLED}.toolId")
def resolved_id(p: Payload) -> str | None:
    """The id of a tool that goes by its name."""
    called = tool_id(p)
    return called if called != tool_name(p) else None


TOOLS_LIMIT = 512
NAME_LIMIT = 256


def tools_of(p: Payload) -> dict[str, str]:
    """tool id -> name, of the tools that the agent of a request lists, if the two differ."""
    found: dict[str, str] = {}
    _add_tools(found, at(p, "params.context.agent.tools"), "")
    servers = at(p, "params.context.agent.mcpServers")
    for server in servers[:TOOLS_LIMIT] if type(servers) is list else ():
        if type(server) is dict and type(server.get("name")) is str:
            _add_tools(found, server.get("tools"), f"mcp__{server['name']}__")
    return found


def _add_tools(found: dict[str, str], tools: Any, prefix: str) -> None:
    if type(tools) is dict:
        tools = [
            {"id": key, **(tool if type(tool) is dict else {"name": tool})}
            for key, tool in tools.items()
        ]
    for tool in tools[:TOOLS_LIMIT] if type(tools) is list else ():
        if type(tool) is not dict:
            continue  # a bare name is its own id
        key, name = tool.get("id", tool.get("toolId")), tool.get("name")
        if type(key) not in (str, int) or type(name) is not str or not name:
            continue
        if len(found) < TOOLS_LIMIT and len(name) <= NAME_LIMIT and len(str(key)) <= NAME_LIMIT:
            found.setdefault(str(key), prefix + name)


@reads("params.context.agent.tools params.context.agent.mcpServers")
def tools(p: Payload) -> dict[str, str]:
    return {key: name for key, name in tools_of(p).items() if key != name}


@reads(f"{CALLED}.inputs params.payload.arguments")
def arguments(p: Payload) -> Payload | None:
    """inputs[] by name (a repeated name keeps all its values), or ACS arguments unwrapped."""
    found = at(p, "params.payload.arguments")
    if type(found) is dict:
        return {name: unwrapped(value) for name, value in found.items()}
    return by_name(at(p, f"{CALLED}.inputs"))


def by_name(inputs: Any) -> Payload | None:
    """[{name, value}] as an object; a repeated name keeps all its values."""
    if type(inputs) is dict:
        return inputs
    if type(inputs) is not list:
        return None
    found: dict[str, list[Any]] = {}
    for item in inputs:
        if type(item) is dict:
            name = item.get("name", item.get("id"))
            if type(name) is str:
                found.setdefault(name, []).append(item.get("value"))
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def unwrapped(value: Any) -> Any:
    return value["value"] if type(value) is dict and "value" in value else value


# The prose of AOS has a result in params, its examples under the method's own name.
RESULTS = ("params.result", "params.toolCallResult.result", "params.toolCallResult")


@reads(*(f"{path}.isError" for path in RESULTS), "params.payload.exit_status")
def success(p: Payload) -> bool | None:
    for path in RESULTS:
        failed = at(p, f"{path}.isError")
        if type(failed) is bool:
            return not failed
    status = at(p, "params.payload.exit_status")
    words = {"success": True, "failure": False, "timeout": False}
    return words.get(status) if type(status) is str else None


@reads("params.payload.exit_status")
def outcome(p: Payload) -> str | None:
    return "timeout" if at(p, "params.payload.exit_status") == "timeout" else None


@reads("params.payload.exit_status")
def was_blocked(p: Payload) -> bool:
    return bool(at(p, "params.payload.exit_status") == "blocked")


def was_not_blocked(p: Payload) -> bool:
    return not was_blocked(p)


@reads(*(f"{path}.outputs" for path in RESULTS), "params.payload.outputs")
def output(p: Payload) -> Any:
    for path in (*RESULTS, "params.payload"):
        text = parts.joined_text(at(p, f"{path}.outputs"))
        if text is not None:
            return text
    return None


# Answers.


def decides(*words: str) -> Callable[[Payload], bool]:
    """Predicate: the Guardian's word is one of these."""

    @reads("result.decision")
    def test(p: Payload) -> bool:
        return (first_text(p, "result.decision") or "").lower() in words

    return test


def _first(p: Payload, path: str) -> Any:
    """The first element of a list, or the value if it is not a list."""
    value = at(p, path)
    if type(value) is list:
        return value[0] if value else None
    return value


@reads("result.policyId result.policy_references result.policy result.data")
def policy_id(p: Payload) -> Any:
    found = first_text(p, "result.policyId", "result.policy_id", "result.policy.id")
    found = found or at(_first(p, "result.policy_references"), "policy_id")
    return found or first_text(p, "result.data.policyId", "result.data.policy_id", "result.policy")


@reads("result.policyVersion result.policy_references result.policy result.data")
def policy_version(p: Payload) -> Any:
    names = ("result.policyVersion", "result.policy_version", "result.policy.version")
    found = next((value for name in names if (value := at(p, name)) not in (None, "")), None)
    found = found or at(_first(p, "result.policy_references"), "policy_version")
    return found or at(p, "result.data.policyVersion") or at(p, "result.data.policy_version")


GUARDIANS = tuple(
    (
        "result.guardianId result.guardian_id result.guardian.id result.guardian.name "
        "result.guardian result.metadata.evaluator result.metadata.guardian result.data.guardianId "
        "result.data.guardian guardian.id guardian.name guardian"
    ).split()
)


@reads("guardian result.guardianId result.guardian_id result.guardian result.data")
def guardian(p: Payload) -> str | None:
    """The decider, if the answer names it."""
    return first_text(p, *GUARDIANS)


@reads("result.reasonCode result.reason_codes result.policy_references")
def rule_id(p: Payload) -> Any:
    """The rule that fired, else the first reason code."""
    rule = at(_first(p, "result.policy_references"), "rule_id")
    return rule or _first(p, "result.reason_codes") or _first(p, "result.reasonCode")


# What a Guardian says to people, then what it thought.
REASONS = ("result.message", "result.reason", "result.reasoning")


@reads(*REASONS)
def further_reasons(p: Payload) -> list[str]:
    """The other reasons, after the one that is shown first."""
    texts = [text for path in REASONS if (text := first_text(p, path))]
    return list(dict.fromkeys(texts))[1:]


# What a Guardian puts in the place of a request: a whole one, or a part of its params (Joch).

MODIFIED = ("result.modifiedRequest", "result.modified_request", "result.modifications")


def _modified(p: Payload) -> list[Payload]:
    """The places to search for what was changed, the widest first."""
    given = next((found for path in MODIFIED if type(found := at(p, path)) is dict), None)
    if given is None:
        return []
    found = [given]
    for key in ("params", "payload", "message", "params", "toolCallRequest"):
        inner = found[-1].get(key)
        if type(inner) is dict:
            found.append(inner)
    return found


@reads(*MODIFIED)
def modified_input(p: Payload) -> Payload | None:
    """The arguments of a tool that are to be used instead."""
    for node in reversed(_modified(p)):
        found = by_name(node.get("inputs"))
        if found is None and type(node.get("arguments")) is dict:
            found = {name: unwrapped(value) for name, value in node["arguments"].items()}
        if found is not None:
            return found
    return None


# Steps on the way to an argument, in a path that names a change.
WAY = frozenset("params payload request tool toolcallrequest inputs arguments value input".split())


@reads(*MODIFIED)
def modified_parts(p: Payload) -> Payload | None:
    """The arguments that are to be changed while others stay: paths with values, or names."""
    given = next((value for path in MODIFIED if (value := at(p, path))), None)
    if type(given) is dict:
        is_whole = "method" in given or modified_input(p) is not None
        pairs = [] if is_whole or rewritten(p) is not None else list(given.items())
    else:
        pairs = [
            (row.get("path", row.get("field")), row["value"])
            for row in objects(given)
            if "value" in row
        ]
    found: Payload = {}
    for path, value in pairs:
        steps = re.split(r"[./]", path) if type(path) is str else []
        names = [step for step in steps if step and step.lower() not in WAY]
        if len(names) == 1 and type(value) is not dict:
            found[names[0]] = value
    return found or None


@reads(*MODIFIED)
def rewritten(p: Payload) -> Any:
    """The replacement to be said, remembered or known: a text, or a list of them."""
    if modified_input(p) is not None:
        return None
    for node in reversed(_modified(p)):
        for key in ("content", "parts"):
            found = parts.message_text(node.get(key))
            if found:
                return found
        for path in ("memory", "entries", "knowledgeStep.results", "trigger.content"):
            found = at(node, path)
            if found:
                return found
        for path in (*RESULTS, "params.payload"):
            found = parts.joined_text(at(node, f"{path.removeprefix('params.')}.outputs"))
            if found:
                return found
    return None


@reads("error.code")
def failure(p: Payload) -> str:
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


@reads("params.payload.reason params.payload.session_reason")
def end_reason(p: Payload) -> str | None:
    word = first_text(p, "params.payload.session_reason", "params.payload.reason")
    return END_REASONS.get(word) if word else None


@reads("params.payload.summary")
def summary(p: Payload) -> Any:
    value = at(p, "params.payload.summary")
    if type(value) is dict:
        value = value.get("content", value.get("value", value))
    return parts.joined_text(value)


@derived
@reads()
def default_plan(p: Payload) -> str:
    return "default"
