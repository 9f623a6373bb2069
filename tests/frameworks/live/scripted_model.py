"""A model on loopback that only plays a script: OpenAI's chat completions, Gemini's contents."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Turn = dict[str, Any]
FINAL = "Done."


def call(name: str, **arguments: Any) -> Turn:
    return {"tool": name, "arguments": json.dumps(arguments)}


class ScriptedModel:
    """Each request takes the next turn; behind the last one the model says that it is done."""

    def __init__(self, *turns: Turn) -> None:
        self.turns = list(turns)
        self.requests: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                outer.requests.append(json.loads(body))
                turn = outer.turns.pop(0) if outer.turns else {"text": FINAL}
                status = turn.get("error", 200)
                number = len(outer.requests)
                played = content if "generateContent" in self.path else completion
                data = json.dumps(played(turn, number) if status == 200 else {}).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self) -> ScriptedModel:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def completion(turn: Turn, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.get("text", "")}
    if "tool" in turn:
        function = {"name": turn["tool"], "arguments": turn["arguments"]}
        message["tool_calls"] = [{"id": f"call_{number}", "type": "function", "function": function}]
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": "tool_calls" if "tool" in turn else "stop",
            }
        ],
        "usage": {"prompt_tokens": 100 * number, "completion_tokens": 7, "total_tokens": 107},
    }


def content(turn: Turn, number: int) -> dict[str, Any]:
    part: dict[str, Any] = {"text": turn.get("text", "")}
    if "tool" in turn:
        asked = {"name": turn["tool"], "args": json.loads(turn["arguments"])}
        part = {"functionCall": {"id": f"call_{number}", **asked}}
    return {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
        "modelVersion": "scripted",
        "usageMetadata": {"promptTokenCount": 100 * number, "candidatesTokenCount": 7},
    }
