"""The Vercel AI SDK, 5 and 6: ai.operationId; a refusal is in the next request's messages."""

from __future__ import annotations

from hookstream.normalizers.genai.messages import prompt_of
from hookstream.normalizers.genai.span import (
    Proposal,
    Told,
    as_arguments,
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

    from hookstream.normalizers.genai.span import Span

SESSION = tuple(
    f"ai.telemetry.metadata.{name}"
    for name in "sessionId session_id conversationId conversation_id threadId chatId".split()
)


def read(span: Span, framework: str) -> Told | None:
    a = span.attributes
    operation = a.get("ai.operationId")
    if type(operation) is not str:
        return None
    if operation == "ai.toolCall":
        told = Told("tool", framework)
        told.name = text_of(a.get("ai.toolCall.name"))
        told.call_id = text_of(a.get("ai.toolCall.id"))
        told.arguments = as_arguments(a.get("ai.toolCall.args"))
        told.result = a.get("ai.toolCall.result")
        judge(told, span)
    elif operation.endswith((".doGenerate", ".doStream")):
        told = model(span, framework)
    elif operation.startswith("ai."):
        told = Told("agent", framework)
        told.name = text_of(a.get("ai.telemetry.functionId"))
        told.text = text_of(a.get("ai.response.text"))
        see_messages(told, as_list(as_object(a.get("ai.prompt")).get("messages")))
        judge(told, span)
    else:
        return None
    told.session = next((found for name in SESSION if (found := text_of(a.get(name)))), None)
    told.agent = text_of(a.get("ai.telemetry.functionId"))
    return told


def model(span: Span, framework: str) -> Told:
    a = span.attributes
    told = Told("model", framework)
    told.model = model_of(a, "ai.response.model", "ai.model.id")
    told.response_id = text_of(a.get("ai.response.id"))
    told.input_tokens = count_of(a.get("ai.usage.inputTokens", a.get("ai.usage.promptTokens")))
    told.output_tokens = count_of(
        a.get("ai.usage.outputTokens", a.get("ai.usage.completionTokens"))
    )
    count_all(told, a)
    messages = as_list(a.get("ai.prompt.messages"))
    told.messages, told.prompt = prompt_of(messages)
    see_messages(told, messages)
    for call in as_list(a.get("ai.response.toolCalls")):
        name = call.get("toolName") if type(call) is dict else None
        if type(name) is str:
            given = call.get("input", call.get("args"))
            told.proposals.append(Proposal(text_of(call.get("toolCallId")), name, given))
    told.text = text_of(a.get("ai.response.text"))
    judge(told, span)
    return told


def denies(output: Any) -> bool:
    return type(output) is dict and output.get("type") == "execution-denied"


def see_messages(told: Told, messages: list[Any]) -> None:
    """Questions, answers and refusals in the history that a request repeats."""
    asked: dict[str, str] = {}
    for message in messages:
        parts = message.get("content") if type(message) is dict else None
        for part in parts if type(parts) is list else ():
            if type(part) is not dict:
                continue
            kind, call = part.get("type"), text_of(part.get("toolCallId"))
            output = part.get("output")
            if kind == "tool-approval-request" and call:
                asked[str(part.get("approvalId"))] = call
            elif kind == "tool-approval-response":
                call = asked.get(str(part.get("approvalId")))
                if call and part.get("approved") is False:
                    told.refused.append((call, text_of(part.get("reason"))))
                elif call and part.get("approved") is True:
                    told.approved.append(call)
            elif kind == "tool-result" and call and denies(output):
                told.refused.append((call, text_of(as_object(output).get("reason"))))
