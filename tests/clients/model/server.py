"""The server: every model request gets the next turn of the script."""

import itertools
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from clients.model.protocols import protocol_of
from clients.model.script import Script, with_agent_id

# The namespace of a run is new, so a fixed port is free, and both runs of a pair have one address.
PORT = 8099
URL = f"http://127.0.0.1:{PORT}"
# What Augment's service says before a conversation.
AUGMENT = {
    "/get-models": {
        "default_model": "scripted",
        "models": [],
        "languages": [],
        "feature_flags": {"enable_hooks": True, "beachhead_enable_sub_agent_tool": True},
        "user": {"id": "dev", "email": "dev@example.com"},
    },
    "/agents/list-remote-tools": {"tools": []},
}
# Paths whose answer is a stream though no request asks for one.
STREAMED = ("streamGenerateContent", "/chat-stream")
ERRORS = {
    400: ("invalid_request_error", "INVALID_ARGUMENT"),
    500: ("api_error", "INTERNAL"),
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "ModelServer"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def reply(self, document: dict[str, Any], status: int = 200) -> None:
        data = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def read_body(self) -> bytes:
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        data = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    def do_HEAD(self) -> None:
        self.reply({})

    def do_GET(self) -> None:
        if "models" in self.path:
            self.reply({"object": "list", "data": [], "models": [], "has_more": False})
        else:
            self.reply({"error": {"message": "not found"}}, 404)

    def do_POST(self) -> None:
        raw = self.read_body().decode("utf-8", "replace")
        if "count_tokens" in self.path or ":countTokens" in self.path:
            return self.reply({"input_tokens": 1000, "totalTokens": 1000})
        if self.path in AUGMENT:
            return self.reply(AUGMENT[self.path])
        protocol = protocol_of(self.path)
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        if protocol is None or not isinstance(body, dict):
            return self.reply({"error": {"message": "not found"}}, 404)
        turn = self.server.script.next_turn(body, raw)
        if "error" in turn:
            return self.refuse(turn["error"], turn["text"])
        turn = {**turn, "calls": with_agent_id(turn.get("calls", []), raw)}
        document, chunks = protocol(turn, body, self.path, self.server.new_id)
        if body.get("stream") or any(part in self.path for part in STREAMED):
            return self.stream(chunks)
        return self.reply(document)

    def refuse(self, status: int, message: str) -> None:
        kind, google = ERRORS[status]
        error = {"type": kind, "message": message, "code": status, "status": google}
        self.reply({"type": "error", "error": error}, status)

    def stream(self, chunks: list[bytes]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for chunk in chunks:
                self.wfile.write(chunk)
                self.wfile.flush()
        except OSError:
            pass  # the client went away in the middle of an answer


class ModelServer(ThreadingHTTPServer):
    """Serves one script on loopback until the process ends."""

    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", PORT), Handler)
        self.script = script
        self.counter = itertools.count(1)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def new_id(self, prefix: str) -> str:
        """Ids that are new within the run and the same in the next one."""
        return f"{prefix}{next(self.counter):06d}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # a client that hangs up is no news
