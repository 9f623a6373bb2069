"""AOS 0.1.0 and ACS over JSON-RPC 2.0: a guardian that records every step and allows it.

It decides nothing, so its own allow is not evidence and is not recorded; agents with a real
guardian keep it. Sources: the two specifications, JSON-RPC 2.0 section 5.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from hookstream.capture.collector.handler import Handler
from hookstream.capture.hook.request import now_text
from hookstream.core.jsons import dumps
from hookstream.core.parse import UnreadableLine, parse
from hookstream.core.records import Rejection, read_record
from hookstream.normalizers import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Json = dict[str, Any]

PARSE, INVALID, METHOD, PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
REPLAY = -32005
WORDS = {
    PARSE: "Parse error",
    INVALID: "Invalid Request",
    METHOD: "Method not found",
    PARAMS: "Invalid params",
    INTERNAL: "Internal error",
    REPLAY: "Replay detected",
}
PINGS = ("ping", "system/ping")
# Request ids of ACS that are remembered.
SEEN = 65536
BATCH = 256
AOS_VERSION = "0.1.0"
# Answers, and what the table calls a message without a method.
NOT_METHODS = ("result", "error")


class Fault(Exception):
    """A JSON-RPC error with its code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Guardian:
    """A guardian that answers messages; safe for several threads."""

    def __init__(self, handler: Handler) -> None:
        self.handler = handler
        self.lock = Lock()
        self.seen: OrderedDict[str, None] = OrderedDict()
        self.methods = frozenset(compiled("aos").vendor.events) - set(NOT_METHODS)

    def answer(self, body: bytes) -> bytes:
        """The answer to a message or a batch; empty if all were notifications."""
        try:
            message, _ = parse(body.strip())
        except UnreadableLine:
            return dumps(error(PARSE, None))
        if type(message) is not list:
            reply = self._one(message)
            return dumps(reply) if reply is not None else b""
        if not message or len(message) > BATCH:
            return dumps(error(INVALID, None))
        replies = [reply for part in message if (reply := self._one(part)) is not None]
        return dumps(replies) if replies else b""

    def _one(self, message: Any) -> Json | None:
        about = None
        silent = False
        try:
            if type(message) is not dict:
                raise Fault(INVALID)
            about, silent = identity(message)
            result = self._call(message)
        except Fault as fault:
            # A notification expects no answer, but an invalid one gets an error.
            return None if silent and fault.code != INVALID else error(fault.code, about)
        except Exception:
            return None if silent else error(INTERNAL, about)
        return None if silent else {"jsonrpc": "2.0", "id": about, "result": result}

    def _call(self, message: Json) -> Json:
        method = message.get("method")
        params = message.get("params", {})
        if message.get("jsonrpc") != "2.0" or type(method) is not str:
            raise Fault(INVALID)
        if not self._known(method):
            raise Fault(METHOD)
        if type(params) is not dict:
            raise Fault(PARAMS)
        if method in PINGS:
            return ping(params)
        check(method, params)
        self._first_time(params)
        self._record(message)
        return allow(params)

    def _known(self, method: str) -> bool:
        return method in self.methods or method.startswith(("protocols/MCP/", "protocols/A2A/"))

    def _first_time(self, params: Json) -> None:
        request = params.get("request_id")
        if type(request) is not str or "acs_version" not in params:
            return
        with self.lock:
            if request in self.seen:
                raise Fault(REPLAY)
            self.seen[request] = None
            if len(self.seen) > SEEN:
                self.seen.popitem(last=False)

    def _record(self, message: Json) -> None:
        """Record a message. A failure here is noted; the agent continues."""
        data = dumps(message)
        taken = read_record(data, "aos")
        try:
            if isinstance(taken, Rejection):
                self.handler.reject(taken, "aos", message.get("method"))
            elif taken is not None:
                self.handler.record(taken, "aos", None, now_text(), {})
        except Exception as failure:
            self.handler.lose(failure, "aos", message.get("method"), data)


def identity(message: Json) -> tuple[Any, bool]:
    """The message's id, and whether it is a notification. Raises Fault for an id of no legal
    type."""
    about = message.get("id")
    if type(about) not in (str, int, float, type(None)):
        raise Fault(INVALID)
    return about, "id" not in message


def check(method: str, params: Json) -> None:
    """Check the part that every step must hold: AOS a context, ACS metadata; wrapped protocols
    neither."""
    if "acs_version" in params:
        if method != "handshake/hello" and type(params.get("metadata")) is not dict:
            raise Fault(PARAMS)
    elif method.startswith("steps/") and type(params.get("context")) is not dict:
        raise Fault(PARAMS)


def error(code: int, about: Any) -> Json:
    return {"jsonrpc": "2.0", "id": about, "error": {"code": code, "message": WORDS[code]}}


def ping(params: Json) -> Json:
    version = params.get("acs_version", AOS_VERSION)
    return {"status": "connected", "version": version, "timestamp": now_text()}


def allow(params: Json) -> Json:
    """The answer that lets the step continue, in the protocol of the request."""
    text = "Recorded by an observer that decides nothing."
    if "acs_version" not in params:
        return {"decision": "allow", "message": text}
    result = {"type": "final", "acs_version": params["acs_version"], "decision": "allow"}
    if "request_id" in params:
        result["request_id"] = params["request_id"]
    return {**result, "reasoning": text, "reason_codes": [], "policy_references": []}
