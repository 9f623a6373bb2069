"""LangSmith's OTel export: langsmith.span.kind; prompt and completion are JSON on every span."""

from __future__ import annotations

from hookstream.normalizers.genai.langgraph import see_node, tool_message
from hookstream.normalizers.genai.span import (
    Proposal,
    Told,
    as_arguments,
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

    from hookstream.normalizers.genai.span import Span


def read(span: Span, framework: str) -> Told | None:
    a = span.attributes
    kind = a.get("langsmith.span.kind")
    if type(kind) is not str:
        return None
    given, output = a.get("gen_ai.prompt"), a.get("gen_ai.completion")
    if kind == "tool":
        told = Told("tool", framework)
        told.name = text_of(a.get("gen_ai.tool.name")) or text_of(a.get("langsmith.trace.name"))
        told.arguments = as_arguments(given)
        told.result = output if as_object(output) else None
        answer = tool_message(output)
        told.call_id = text_of(a.get("gen_ai.tool.call.id")) or text_of(answer.get("tool_call_id"))
        judge(told, span)
        if answer.get("status") == "error":
            told.failed = True
    elif kind == "llm":
        told = model(span, framework, given, output)
    else:
        told = Told("chain", framework)
        see_node(told, span, given, output)
    thread = a.get("langsmith.metadata.thread_id") or a.get("langsmith.metadata.session_id")
    told.session = text_of(thread)
    told.agent = text_of(a.get("langsmith.metadata.lc_agent_name"))
    return told


def model(span: Span, framework: str, given: Any, output: Any) -> Told:
    a = span.attributes
    told = Told("model", framework)
    told.model = model_of(a, "gen_ai.response.model", "gen_ai.request.model")
    count_all(told, a)
    details = as_arguments(a.get("gen_ai.usage.input_token_details"))
    if type(details) is dict:
        told.cache_read = count_of(details.get("cache_read", told.cache_read))
        told.cache_write = count_of(details.get("cache_creation", told.cache_write))
    sent = as_object(given).get("messages")
    if type(sent) is list and sent and type(sent[0]) is list:
        sent = sent[0]
    messages = [message_of(one) for one in sent] if type(sent) is list else []
    told.messages = len(messages)
    if messages and messages[-1].get("type") in ("human", "user"):
        told.prompt = text_of(messages[-1].get("content"))
    for answer in answers(output):
        told.text = text_of(answer.get("content"))
        calls = answer.get("tool_calls")
        for call in calls if type(calls) is list else ():
            name = call.get("name") if type(call) is dict else None
            if type(name) is str:
                told.proposals.append(Proposal(text_of(call.get("id")), name, call.get("args")))
    judge(told, span)
    return told


def answers(output: Any) -> list[dict[str, Any]]:
    """The messages of a completion's generations."""
    generations = as_object(output).get("generations")
    found = []
    for row in generations if type(generations) is list else ():
        for one in row if type(row) is list else [row]:
            message = one.get("message") if type(one) is dict else None
            if message is not None:
                found.append(message_of(message))
    return found


def message_of(value: Any) -> dict[str, Any]:
    """A serialized message: {lc, kwargs: {...}} or the fields themselves."""
    if type(value) is not dict:
        return {}
    kwargs = value.get("kwargs")
    return kwargs if type(kwargs) is dict else value
