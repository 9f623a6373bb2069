"""Messages of a model request or answer in the shapes that emitters write them."""

from __future__ import annotations

import re

from hookstream.core.jsons import objects
from hookstream.normalizers.genai.span import Proposal, as_list, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What the official OpenAI instrumentation makes of a call: the repr of the SDK's object.
SPELT = re.compile(
    r"ResponseFunctionToolCall\(arguments=(?P<arguments>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"), "
    r"call_id='(?P<id>[^']{1,200})', name='(?P<name>[^']{1,200})'"
)


def parts_of(message: Any) -> list[dict[str, Any]]:
    """The parts of a message as objects; a plain text is a part of type text."""
    if type(message) is not dict:
        return []
    parts = message.get("parts", message.get("content"))
    if type(parts) is str:
        return [{"type": "text", "content": parts}]
    return objects(parts)


def text_in(message: Any) -> str | None:
    """The texts of a message, one per line."""
    found = [
        text_of(part.get("content")) or text_of(part.get("text"))
        for part in parts_of(message)
        if part.get("type", "text") == "text"
    ]
    return "\n".join(one for one in found if one) or None


def prompt_of(messages: list[Any]) -> tuple[int, str | None]:
    """Return how many messages there are, and the text of the last where a user wrote it."""
    if not messages or type(messages[-1]) is not dict:
        return len(messages), None
    last = messages[-1]
    if last.get("role") not in ("user", "human"):
        return len(messages), None
    return len(messages), text_in(last)


def calls_of(messages: list[Any]) -> frozenset[str]:
    """The ids of the calls in a request's messages."""
    found = [
        text_of(part.get("id"))
        for message in messages
        for part in parts_of(message)
        if part.get("type") in ("tool_call", "tool_call_response")
    ]
    return frozenset(one for one in found if one)


def proposals_in(messages: Any) -> list[Proposal]:
    """The tool calls in a model's messages."""
    proposals = []
    for message in as_list(messages):
        for part in parts_of(message):
            name = text_of(part.get("name"))
            if part.get("type") == "tool_call" and name:
                proposals.append(Proposal(text_of(part.get("id")), name, part.get("arguments")))
            elif part.get("type") == "text":
                proposals += spelt_in(text_of(part.get("content")) or "")
    return proposals


def response_in(messages: Any) -> Any:
    """The result of the last call in a tool's messages."""
    for message in reversed(as_list(messages)):
        for part in parts_of(message):
            if part.get("type") == "tool_call_response":
                return part.get("response", part.get("result"))
    return None


def spelt_in(text: str) -> list[Proposal]:
    """Tool calls in a text, written as the repr of an SDK's object."""
    proposals = []
    for call in SPELT.finditer(text) if "ResponseFunctionToolCall(" in text else ():
        arguments = call["arguments"][1:-1].encode("utf-8", "replace")
        try:
            plain = arguments.decode("unicode_escape").encode("latin-1", "replace").decode("utf-8")
        except (UnicodeDecodeError, UnicodeEncodeError):
            plain = call["arguments"][1:-1]
        proposals.append(Proposal(call["id"], call["name"], plain))
    return proposals


def text_answer(messages: Any) -> str | None:
    """The text of a model's last message, where it is one."""
    whole = as_list(messages)
    text = text_in(whole[-1]) if whole else None
    return None if text and "ResponseFunctionToolCall(" in text else text
