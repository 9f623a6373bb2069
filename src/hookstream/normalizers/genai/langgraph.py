"""LangGraph's nodes: calls that wait for a person, the person's answers, summaries.

All three instrumentations of LangChain show the same nodes, each under other names.
"""

from __future__ import annotations

from hookstream.normalizers.genai.span import (
    INTERRUPTS,
    Proposal,
    as_list,
    as_literal,
    as_object,
    bracketed,
    text_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.genai.span import Span, Told

REQUESTS = "'action_requests': "
WORDS = {"accept": "approve", "approve": "approve", "edit": "edit", "reject": "reject"}


def see_node(told: Told, span: Span, given: Any, output: Any) -> None:
    """The contents of a node's span: questions, answers, calls with their ids, a summary."""
    for name, held in span.events:
        message = text_of(held.get("exception.message")) or ""
        kind = str(held.get("exception.type") or "")
        if name == "exception" and (
            INTERRUPTS.search(kind) or INTERRUPTS.search(message[:60].partition("(")[0])
        ):
            told.asks += requests_in(message)
    told.answers += decisions_in(given)
    if span.name.rpartition(" ")[2] == "tools":
        told.proposals += calls_in(given)
    if "SummarizationMiddleware.before_model" in span.name:
        told.compacted = removes(output)


def requests_in(message: str) -> list[Proposal]:
    """The actions an interrupt asks about."""
    start = message.find(REQUESTS)
    listed = as_literal(bracketed(message, start + len(REQUESTS))) if start >= 0 else None
    proposals = []
    for one in listed if type(listed) is list else ():
        name = one.get("name") or one.get("action") if type(one) is dict else None
        if type(name) is str:
            proposals.append(Proposal(None, name, one.get("args", one.get("arguments"))))
    return proposals


def decisions_in(given: Any) -> list[tuple[str, str | None]]:
    """The answers with which a graph is resumed."""
    value = as_object(given)
    for name in ("inputs", "input"):
        if type(value.get(name)) is dict:
            value = value[name]
    resume = value.get("resume")
    listed = resume.get("decisions") if type(resume) is dict else resume
    decisions = []
    for one in listed if type(listed) is list else ():
        word = WORDS.get(str(one.get("type"))) if type(one) is dict else None
        if word:
            decisions.append((word, text_of(one.get("message"))))
    return decisions


def calls_in(given: Any) -> list[Proposal]:
    """The calls the tool node is given."""
    value = given if type(given) is list else as_list(given) or as_object(given)
    for name in ("inputs", "input"):
        if type(value) is dict and name in value:
            value = value[name]
    if type(value) is dict:
        value = value.get("tool_calls") or (
            [value["tool_call"]] if "tool_call" in value else [value]
        )
    proposals = []
    for one in value if type(value) is list else ():
        if type(one) is dict and type(one.get("name")) is str and "args" in one:
            proposals.append(Proposal(text_of(one.get("id")), one["name"], one["args"]))
    return proposals


def removes(output: Any) -> bool:
    """Return whether a summary took the place of messages: the update begins with their removal."""
    value = as_object(output)
    for name in ("outputs", "output"):
        if type(value.get(name)) is dict:
            value = value[name]
    messages = value.get("messages")
    first = messages[0] if type(messages) is list and messages else None
    if type(first) is not dict:
        return False
    kwargs = first.get("kwargs")
    kind = kwargs.get("type") if type(kwargs) is dict else first.get("type")
    return kind == "remove"


def tool_message(value: Any) -> dict[str, Any]:
    """A ToolMessage however it is wrapped: {content, tool_call_id, status}."""
    fields = as_object(value)
    for name in ("output", "data", "kwargs", "data"):
        inner = fields.get(name)
        if type(inner) is dict and "tool_call_id" not in fields:
            fields = inner
    return fields if "tool_call_id" in fields else {}
