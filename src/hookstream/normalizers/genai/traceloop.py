"""OpenLLMetry: traceloop.span.kind next to gen_ai.*; LangChain's arguments are Python text."""

from __future__ import annotations

from hookstream.normalizers.genai import gen_ai
from hookstream.normalizers.genai.langgraph import see_node, tool_message
from hookstream.normalizers.genai.span import (
    Told,
    as_arguments,
    as_json,
    as_literal,
    as_object,
    judge,
    text_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.genai.span import Span

SESSION = (
    "traceloop.association.properties.thread_id",
    "gen_ai.conversation.id",
    "traceloop.association.properties.session_id",
)


def read(span: Span, framework: str) -> Told | None:
    a = span.attributes
    kind = a.get("traceloop.span.kind")
    if kind == "tool":
        told = tool(span, framework)
    elif kind == "handoff":
        told = Told("handoff", framework)
        name = text_of(a.get("gen_ai.handoff.to_agent"))
        told.name = None if name == "unknown" else name
    elif kind == "agent" or a.get("gen_ai.operation.name") == "invoke_agent":
        told = gen_ai.agent(span, framework)
    elif gen_ai.operation_of(a) in gen_ai.MODEL:
        told = gen_ai.model(span, framework)
    elif type(kind) is str or type(gen_ai.operation_of(a)) is str:
        told = Told("chain", framework)
    else:
        return None
    if framework == "langchain" and told.kind in ("chain", "agent"):
        value = a.get("traceloop.entity.input", a.get("gen_ai.task.input"))
        output = a.get("traceloop.entity.output", a.get("gen_ai.task.output"))
        see_node(told, span, value, output)
    told.session = next((text for name in SESSION if (text := text_of(a.get(name)))), None)
    told.agent = text_of(a.get("gen_ai.agent.name")) or text_of(
        a.get("traceloop.association.properties.lc_agent_name")
    )
    return told


def tool(span: Span, framework: str) -> Told:
    a = span.attributes
    told = Told("tool", framework)
    told.name = text_of(a.get("gen_ai.tool.name")) or text_of(a.get("traceloop.entity.name"))
    told.call_id = text_of(a.get("gen_ai.tool.call.id"))
    told.arguments = arguments(a.get("gen_ai.tool.call.arguments", a.get("traceloop.entity.input")))
    told.result = a.get("gen_ai.tool.call.result", a.get("traceloop.entity.output"))
    answer = tool_message(told.result)
    told.call_id = told.call_id or text_of(answer.get("tool_call_id"))
    judge(told, span, always_results=framework in gen_ai.ALWAYS_RESULTS)
    if answer.get("status") == "error" or a.get("gen_ai.task.status") == "failure":
        told.failed = not (told.waits or told.unclear)
    gen_ai.doubt(told, span)
    return told


def arguments(value: Any) -> Any:
    """{"input_str": "{'path': ...}", ...} is a LangChain tool's input; others are plain."""
    fields = as_object(value)
    spelt = fields.get("input_str")
    if type(spelt) is str:
        return as_literal(spelt) if spelt[:1] == "{" else spelt
    inputs = fields.get("inputs")
    return inputs if type(inputs) is dict else as_arguments(as_json(value))
