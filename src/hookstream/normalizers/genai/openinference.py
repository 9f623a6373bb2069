"""OpenInference: openinference.span.kind, input.value, output.value, llm.*."""

from __future__ import annotations

import re

from hookstream.normalizers.genai.gen_ai import ALWAYS_RESULTS, doubt
from hookstream.normalizers.genai.langgraph import see_node, tool_message
from hookstream.normalizers.genai.messages import spelt_in
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

CALLED = re.compile(
    r"llm\.output_messages\.(\d{1,4})\.message\.tool_calls\.(\d{1,4})\.tool_call\.function\.name"
)
CALL_ID = re.compile(r"llm\.input_messages\.\d{1,6}\.message\.tool_calls\.\d{1,4}\.tool_call\.id")
ROLE = re.compile(r"llm\.input_messages\.(\d{1,6})\.message\.role")


def read(span: Span, framework: str) -> Told | None:
    a = span.attributes
    kind = a.get("openinference.span.kind")
    if type(kind) is not str:
        return None
    if kind == "TOOL":
        told = tool(span, framework)
    elif kind == "LLM":
        told = model(span, framework)
    elif kind == "AGENT":
        told = Told("agent", framework)
        told.name = text_of(a.get("agent.name")) or text_of(a.get("graph.node.id"))
        told.text = plain(a.get("output.value"))
        if a.get("input.mime_type") == "text/plain":
            told.prompt = plain(a.get("input.value"))
        judge(told, span)
    elif kind == "GUARDRAIL":
        told = Told("guardrail", framework)
        told.name = span.name
    else:
        told = Told("chain", framework)
    if framework == "langchain" and kind in ("CHAIN", "AGENT"):
        see_node(told, span, a.get("input.value"), a.get("output.value"))
    told.session = text_of(a.get("session.id"))
    told.agent = told.name if told.kind == "agent" else text_of(a.get("agent.name"))
    if told.kind == "tool":
        told.agent = text_of(a.get("tool.agent_role"))
    return told


def plain(value: Any) -> str | None:
    """A text that is not JSON."""
    return value if type(value) is str and value[:1] not in ("{", "[", "") else None


def tool(span: Span, framework: str) -> Told:
    a = span.attributes
    name = text_of(a.get("tool.name"))
    if name is None:
        told = Told("handoff", framework)
        told.name = text_of(a.get("output.value")) or span.name.removeprefix("handoff to ")
        return told
    told = Told("tool", framework)
    told.name = name
    told.call_id = text_of(a.get("tool.id")) or text_of(a.get("tool_call.id"))
    told.arguments = as_arguments(a.get("input.value"))
    told.result = a.get("output.value")
    answer = tool_message(told.result)
    told.call_id = told.call_id or text_of(answer.get("tool_call_id"))
    judge(told, span, always_results=framework in ALWAYS_RESULTS)
    if answer.get("status") == "error":
        told.failed = True
    response = as_object(told.result).get("response")
    if framework == "google-adk" and type(response) is dict and "error" in response:
        told.failed = not told.unclear
    doubt(told, span)
    return told


def model(span: Span, framework: str) -> Told:
    a = span.attributes
    told = Told("model", framework)
    told.model = model_of(a, "llm.model_name")
    told.input_tokens = count_of(a.get("llm.token_count.prompt"))
    told.output_tokens = count_of(a.get("llm.token_count.completion"))
    count_all(told, a)
    roles = {int(found[1]): a[key] for key in a if (found := ROLE.fullmatch(key))}
    told.messages = len(roles)
    if roles and roles[max(roles)] in ("user", "human"):
        told.prompt = message_text(a, f"llm.input_messages.{max(roles)}.message")
    told.history = frozenset(str(a[key]) for key in a if CALL_ID.fullmatch(key))
    for key in a:
        found = CALLED.fullmatch(key)
        if found and text_of(a[key]):
            call = key.removesuffix(".function.name")
            told.proposals.append(
                Proposal(text_of(a.get(f"{call}.id")), a[key], a.get(f"{call}.function.arguments"))
            )
    told.text = message_text(a, "llm.output_messages.0.message")
    if told.text:
        told.proposals += spelt_in(told.text)
    judge(told, span)
    return told


def message_text(a: dict[str, Any], start: str) -> str | None:
    """A message's text, whole or in parts."""
    whole = text_of(a.get(f"{start}.content"))
    return whole or text_of(a.get(f"{start}.contents.0.message_content.text"))
