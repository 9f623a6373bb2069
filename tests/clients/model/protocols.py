"""The wire formats, as far as the clients use them: Messages, chat completions, Responses, Gemini.

A function takes a turn, the request and a source of ids, and gives the whole document and the
chunks of its stream.
"""

import json
import re
import time
from collections.abc import Callable
from typing import Any

Turn = dict[str, Any]
Answer = tuple[dict[str, Any], list[bytes]]
NewId = Callable[[str], str]
TOKENS_IN, TOKENS_OUT = 1200, 40


def sse(data: Any, event: str | None = None) -> bytes:
    head = f"event: {event}\n" if event else ""
    return f"{head}data: {data if isinstance(data, str) else json.dumps(data)}\n\n".encode()


def anthropic(turn: Turn, body: Turn, path: str, new_id: NewId) -> Answer:
    """Anthropic Messages."""
    usage = {
        "input_tokens": TOKENS_IN,
        "output_tokens": TOKENS_OUT,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    }
    content = [{"type": "text", "text": turn["text"]}] if turn.get("text") else []
    content += [
        {"type": "tool_use", "id": new_id("toolu_"), "name": c["name"], "input": c["args"]}
        for c in turn["calls"]
    ]
    stop = "tool_use" if turn["calls"] else "end_turn"
    document = {
        "id": new_id("msg_"),
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage,
    }
    chunks: list[bytes] = []

    def event(kind: str, **fields: Any) -> None:
        chunks.append(sse({**fields, "type": kind}, kind))

    event("message_start", message={**document, "content": [], "stop_reason": None})
    for index, block in enumerate(content):
        if block["type"] == "text":
            empty, delta = {"text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            text = json.dumps(block["input"])
            empty, delta = {"input": {}}, {"type": "input_json_delta", "partial_json": text}
        event("content_block_start", index=index, content_block={**block, **empty})
        event("content_block_delta", index=index, delta=delta)
        event("content_block_stop", index=index)
    event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage=usage)
    event("message_stop")
    return document, chunks


def chat_completions(turn: Turn, body: Turn, path: str, new_id: NewId) -> Answer:
    """OpenAI chat completions."""
    usage = {
        "prompt_tokens": TOKENS_IN,
        "completion_tokens": TOKENS_OUT,
        "total_tokens": TOKENS_IN + TOKENS_OUT,
    }
    calls = [
        {
            "index": index,
            "id": new_id("call_"),
            "type": "function",
            "function": {"name": c["name"], "arguments": json.dumps(c["args"])},
        }
        for index, c in enumerate(turn["calls"])
    ]
    finish = "tool_calls" if calls else "stop"
    base = {"id": new_id("chat_"), "created": int(time.time()), "model": body.get("model")}
    message: dict[str, Any] = {"role": "assistant", "content": turn.get("text")}
    if calls:
        message["tool_calls"] = [{k: v for k, v in c.items() if k != "index"} for c in calls]
    choice = {"index": 0, "message": message, "finish_reason": finish}
    document = {**base, "object": "chat.completion", "usage": usage, "choices": [choice]}

    def chunk(delta: dict[str, Any], finish_reason: str | None = None, **more: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        return sse({**base, "object": "chat.completion.chunk", **more, "choices": [choice]})

    chunks = [chunk({"role": "assistant", "content": turn.get("text") or ""})]
    chunks += [chunk({"tool_calls": [c]}) for c in calls]
    return document, [*chunks, chunk({}, finish, usage=usage), sse("[DONE]")]


def response_item(call: Turn, new_id: NewId) -> dict[str, Any]:
    """A call as an item of the Responses format; `custom` is a freeform tool's input."""
    head = {"call_id": new_id("call_"), "name": call["name"], "status": "completed"}
    if "custom" in call:
        return {"type": "custom_tool_call", "id": new_id("ctc_"), "input": call["custom"], **head}
    item = {"type": "function_call", "id": new_id("fc_"), **head}
    item["arguments"] = json.dumps(call["args"])
    if "namespace" in call:
        item["namespace"] = call["namespace"]
    return item


def responses(turn: Turn, body: Turn, path: str, new_id: NewId) -> Answer:
    """OpenAI Responses."""
    items: list[dict[str, Any]] = []
    if turn.get("text"):
        text = {"type": "output_text", "text": turn["text"], "annotations": []}
        item = {"type": "message", "id": new_id("msg_"), "role": "assistant"}
        items.append({**item, "status": "completed", "content": [text]})
    items += [response_item(call, new_id) for call in turn["calls"]]
    usage = {
        "input_tokens": TOKENS_IN,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": TOKENS_OUT,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": TOKENS_IN + TOKENS_OUT,
    }
    document = {
        "id": new_id("resp_"),
        "object": "response",
        "status": "completed",
        "model": body.get("model"),
        "output": items,
        "usage": usage,
    }
    chunks: list[bytes] = []

    def event(kind: str, **fields: Any) -> None:
        chunks.append(sse({**fields, "type": kind}, kind))

    event("response.created", response={**document, "status": "in_progress", "output": []})
    for index, item in enumerate(items):
        event("response.output_item.added", output_index=index, item=item)
        if item["type"] == "message":
            at = {"item_id": item["id"], "output_index": index, "content_index": 0}
            event("response.output_text.delta", **at, delta=turn["text"])
        event("response.output_item.done", output_index=index, item=item)
    event("response.completed", response=document)
    return document, chunks


def gemini(turn: Turn, body: Turn, path: str, new_id: NewId) -> Answer:
    """Gemini generateContent and streamGenerateContent."""
    parts: list[dict[str, Any]] = [{"text": turn["text"]}] if turn.get("text") else []
    parts += [{"functionCall": {"name": c["name"], "args": c["args"]}} for c in turn["calls"]]
    model = re.search(r"models/([^:]+):", path)
    content = {"role": "model", "parts": parts or [{"text": ""}]}
    document = {
        "candidates": [{"index": 0, "content": content, "finishReason": "STOP"}],
        "modelVersion": model[1] if model else "",
        "responseId": new_id("resp-"),
        "usageMetadata": {
            "promptTokenCount": TOKENS_IN,
            "candidatesTokenCount": TOKENS_OUT,
            "totalTokenCount": TOKENS_IN + TOKENS_OUT,
        },
    }
    return document, [sse(document)]


def augment(turn: Turn, body: Turn, path: str, new_id: NewId) -> Answer:
    """Augment's chat-stream: one object per line, calls and usage as nodes."""
    nodes: list[dict[str, Any]] = []
    if turn.get("text"):
        nodes.append({"id": 1, "type": 0, "content": turn["text"]})
    for number, call in enumerate(turn["calls"], 2):
        use = {"tool_use_id": new_id("toolu_"), "tool_name": call["name"]}
        use["input_json"] = json.dumps(call["args"])
        nodes.append({"id": number, "type": 5, "content": "", "tool_use": use})
    usage = {"input_tokens": TOKENS_IN, "output_tokens": TOKENS_OUT}
    nodes.append({"id": 90, "type": 10, "content": "", "token_usage": usage})
    parts = [{"text": turn.get("text") or "", "nodes": nodes}]
    parts.append({"text": "", "nodes": [], "stop_reason": 3 if turn["calls"] else 1})
    return {}, [json.dumps(part).encode() + b"\n" for part in parts]


PROTOCOLS = (
    ("/chat-stream", augment),
    ("generateContent", gemini),
    ("streamGenerateContent", gemini),
    ("/chat/completions", chat_completions),
    ("/responses", responses),
    ("/messages", anthropic),
)


def protocol_of(path: str) -> Callable[[Turn, Turn, str, NewId], Answer] | None:
    return next((function for part, function in PROTOCOLS if part in path), None)
