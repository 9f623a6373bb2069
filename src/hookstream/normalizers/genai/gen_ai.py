"""Semantic conventions gen_ai.*, 1.36 and later, as Pydantic AI, Google ADK, AutoGen and the
official instrumentation of OpenAI Agents send them; also under the names of the conventions'
separate repository, where spans of plans, skills, memory and workflows came in."""

from __future__ import annotations

from hookstream.core.jsons import canonical
from hookstream.normalizers.genai.messages import (
    calls_of,
    prompt_of,
    proposals_in,
    response_in,
    text_answer,
)
from hookstream.normalizers.genai.span import (
    Proposal,
    Told,
    as_arguments,
    as_json,
    as_list,
    as_object,
    count_all,
    count_of,
    judge,
    model_of,
    text_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.jsons import JsonObject
    from hookstream.normalizers.genai.span import Span

MODEL = frozenset(
    "chat generate_content text_completion completion chat.completions text.completions".split()
)
# The event of a span that holds its messages.
DETAILS = "gen_ai.client.inference.operation.details"
# A runner's entry is the agent at the top.
AGENT = frozenset(("invoke_agent", "handle_conversation_turn"))
# operation on a memory -> what it does
MEMORY = {
    "search_memory": "memory.read",
    "create_memory": "memory.written",
    "update_memory": "memory.written",
    "upsert_memory": "memory.written",
    "delete_memory": "memory.deleted",
    "create_memory_store": "memory.store_created",
    "delete_memory_store": "memory.store_deleted",
}
# A guardrail of these hosts answers in a tool's place, and its text is the span's result, without
# an error: that such a call is ok follows from nothing but the missing error. In spans shorter than
# this not even that: a function takes its turn in a thread, a guardrail does not.
GUARDED_MS = {"openai-agents": 1.0}
# Emitters that never leave out the result of a call that ran.
ALWAYS_RESULTS = frozenset(("openai-agents",))
INVENTED_AGENT = "OpenAI Agent"
# The id that Google ADK gives to every call that failed.
NO_ID = "<not specified>"


def read(span: Span, framework: str) -> Told | None:
    """The contents of a span; None if it is not part of the conventions."""
    a = span.attributes
    operation = operation_of(a)
    if operation == "execute_tool" or is_tool(span):
        told = tool(span, framework)
    elif operation in MODEL:
        told = model(span, framework)
    elif operation in AGENT:
        told = agent(span, framework)
    elif operation in ("agent_handoff", "handoff"):
        told = Told("handoff", framework)
        told.name = text_of(a.get("gen_ai.handoff.to_agent"))
    elif operation in MEMORY:
        told = memory(span, framework, MEMORY[operation])
    elif operation in ("plan", "invoke_workflow"):
        told = Told(operation.removeprefix("invoke_"), framework)
        told.name = text_of(a.get("gen_ai.workflow.name")) or text_of(a.get("gen_ai.agent.name"))
        judge(told, span)
    elif operation is not None:
        told = Told("chain", framework)
    else:
        return None
    told.session = text_of(a.get("gen_ai.conversation.id")) or text_of(a.get("session.id"))
    name = text_of(a.get("gen_ai.agent.name"))
    told.agent = None if name == INVENTED_AGENT else name
    return told


def operation_of(a: JsonObject) -> str | None:
    """The operation of a span, by its older name too."""
    operation = a.get("gen_ai.operation.name", a.get("llm.request.type"))
    return operation if type(operation) is str else None


def with_events(span: Span) -> JsonObject:
    """The attributes of a span with the contents that some emitters (Strands) put in its events,
    under the names of either generation."""
    a = dict(span.attributes)
    is_call = a.get("gen_ai.operation.name") == "execute_tool"
    sent: list[JsonObject] = []
    for name, held in span.events:
        content = held.get("content")
        if name == DETAILS:
            a = {**held, **a}
        elif name == "gen_ai.choice":
            message = held.get("message")
            answer = as_object(message) or {"content": as_json(message)}
            a.setdefault("gen_ai.output.messages", [answer])
            if is_call:
                a.setdefault("gen_ai.tool.call.result", message)
        elif name == "gen_ai.tool.message" and is_call:
            a.setdefault("gen_ai.tool.call.arguments", content)
        elif name.startswith("gen_ai.") and name.endswith(".message"):
            sent.append({"role": name.split(".")[1], "content": as_json(content)})
    if sent:
        a.setdefault("gen_ai.input.messages", sent)
    return a


def is_tool(span: Span) -> bool:
    """Return whether a span without an operation is a call: by its name, or a call over MCP."""
    a = span.attributes
    if "gen_ai.operation.name" in a or "gen_ai.tool.name" not in a:
        return False
    return span.name.startswith("execute_tool ") or a.get("mcp.method.name") == "tools/call"


def memory(span: Span, framework: str, kind: str) -> Told:
    """An operation on a memory. One that deletes without naming a record deletes the store."""
    a = span.attributes
    told = Told(kind, framework)
    told.memory_store = text_of(a.get("gen_ai.memory.store.id"))
    told.name = text_of(a.get("gen_ai.memory.record.id"))
    told.query = text_of(a.get("gen_ai.memory.query.text"))
    records = a.get("gen_ai.memory.records")
    told.memory = (
        records if type(records) is str else canonical(records).decode() if records else None
    )
    if kind == "memory.deleted" and told.name is None:
        told.kind = "memory.store_deleted"
    judge(told, span)
    return told


def tool(span: Span, framework: str) -> Told:
    a = with_events(span)
    told = Told("tool", framework)
    told.name = text_of(a.get("gen_ai.tool.name"))
    call = text_of(a.get("gen_ai.tool.call.id"))
    told.call_id = None if call == NO_ID else call
    told.arguments = as_arguments(a.get("gen_ai.tool.call.arguments", a.get("tool_arguments")))
    told.result = a.get("gen_ai.tool.call.result", a.get("tool_response"))
    for proposal in proposals_in(a.get("gen_ai.input.messages")):
        if told.arguments is None and proposal.call_id == told.call_id:
            told.arguments = proposal.arguments
    if told.result is None:
        told.result = response_in(a.get("gen_ai.output.messages"))
    told.exit_code = count_of(a.get("process.exit.code"))
    told.skill = text_of(a.get("gen_ai.skill.name"))
    told.skill_source = text_of(a.get("gen_ai.skill.source.uri"))
    told.failed = a.get("gen_ai.tool.status") == "error"
    judge(told, span, always_results=framework in ALWAYS_RESULTS)
    doubt(told, span)
    return told


def doubt(told: Told, span: Span) -> None:
    """Mark the success of a host whose guardrails look like one."""
    least, took = GUARDED_MS.get(told.framework), span.duration_ms
    if least is None or told.failed:
        return
    told.presumed = True
    told.unclear |= took is not None and took < least


def model(span: Span, framework: str) -> Told:
    a = with_events(span)
    told = Told("model", framework)
    told.model = model_of(a, "gen_ai.response.model", "gen_ai.request.model")
    told.response_id = text_of(a.get("gen_ai.response.id"))
    count_all(told, a)
    told.compacted = a.get("gen_ai.conversation.compacted") is True
    messages = as_list(a.get("gen_ai.input.messages"))
    told.messages, told.prompt = prompt_of(messages)
    told.history = calls_of(messages)
    told.proposals = proposals_in(a.get("gen_ai.output.messages"))
    told.text = text_answer(a.get("gen_ai.output.messages"))
    judge(told, span)
    return told


def agent(span: Span, framework: str) -> Told:
    a = with_events(span)
    told = Told("agent", framework)
    told.name = text_of(a.get("gen_ai.agent.name"))
    told.text = text_answer(a.get("gen_ai.output.messages"))
    final = a.get("final_result")
    waiting = as_object(final).get("approvals")
    if type(waiting) is list:
        told.asks = [one for one in map(approval, waiting) if one is not None]
    elif type(final) is str:
        told.text = final
    judge(told, span)
    return told


def approval(one: Any) -> Proposal | None:
    """A call that Pydantic AI hands back for approval."""
    name = one.get("tool_name") if type(one) is dict else None
    if type(name) is not str:
        return None
    return Proposal(text_of(one.get("tool_call_id")), name, one.get("args"))
