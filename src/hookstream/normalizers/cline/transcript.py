"""Cline CLI's session files: `sessions/<id>/<id>.json` and `*.messages.json`, rewritten whole.

Source: recordings of 3.0.65. A cancelling hook leaves a call without a result, as Esc does: no file
proves who cancelled. The tokens of a message include what came from the cache.
"""

from __future__ import annotations

import re

from hookstream.normalizers import steps as s
from hookstream.normalizers.attendance import is_attended
from hookstream.normalizers.cline import wording
from hookstream.normalizers.cline.calls import mcp
from hookstream.normalizers.cline.hook import HOOK
from hookstream.normalizers.cline.table import TOOLS
from hookstream.normalizers.table import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


FILE = re.compile(r"[/\\]sessions[/\\][^/\\]+[/\\][^/\\]+\.json$")
TYPED = re.compile(r'<user_input mode="(\w+)">(.*?)</user_input>', re.DOTALL)
USAGE = {
    "input_tokens": "inputTokens",
    "output_tokens": "outputTokens",
    "cache_read_tokens": "cacheReadTokens",
    "cache_write_tokens": "cacheWriteTokens",
}


def claims(p: s.Value) -> bool:
    """The head of a document: of a conversation, or of the session."""
    if type(p.get("sessionId")) is str and "origin" in p and "agent" in p:
        return True
    return type(p.get("session_id")) is str and "workspace_root" in p and "status" in p


class ClineReader(s.FileReader):
    """One document: its head, then its messages."""

    def start(self) -> None:
        self.session: str | None = None
        self.agent: str | None = None
        self.has_head = False

    def read(self, value: s.Value) -> s.Steps:
        if "role" in value:
            yield from self._message(value)
        elif "session_id" in value:
            yield from self._session(value)
        elif self.has_head:
            yield s.skip("message")
        else:
            self.has_head = True
            yield from self._head(value)

    def _place(self, value: s.Value) -> s.Value:
        return s.compact(
            {
                "session_id": self.session,
                "timestamp": value.get("ts"),
                "agent_id": self.agent,
                "message_id": value.get("id"),
            }
        )

    def _session(self, value: s.Value) -> s.Steps:
        self.session = value.get("session_id")
        version = at(value, "metadata.sessionHistoryOrigin.version")
        self.version = version if type(version) is str else self.version
        facts = {"session_id": self.session, "cwd": value.get("cwd")}
        if value.get("started_at"):
            begun = {"timestamp": value["started_at"], "start_reason": "new"}
            begun["attended"] = is_attended(HOOK.attended, value)
            yield "session", s.compact({**facts, **begun, "model_id": value.get("model")})
        if value.get("ended_at"):
            reason = {"completed": "completed", "failed": "error"}.get(str(value.get("status")))
            ended = {"timestamp": value["ended_at"], "end_reason": reason or "exit"}
            yield "session.ended", s.compact({**facts, **ended})

    def _head(self, value: s.Value) -> s.Steps:
        origin = s.as_object(value.get("origin"))
        version = origin.get("version")
        self.version = version if type(version) is str else self.version
        self.session = value.get("sessionId")
        parent = origin.get("parentThreadId")
        if type(parent) is str:
            self.session = parent
            agent = origin.get("subagent")
            self.agent = agent if type(agent) is str else value.get("sessionId")
        yield s.skip("head")

    def _message(self, value: s.Value) -> s.Steps:
        place = self._place(value)
        parts = value.get("content")
        parts = s.objects(parts if type(parts) is list else [{"type": "text", "text": parts}])
        if value.get("role") == "assistant":
            yield from self._assistant(value, parts, place)
            return
        told = False
        for part in parts:
            if part.get("type") == "tool_result":
                told = True
                yield "message.tool_result", self._result(part, place)
        text = s.as_text([part for part in parts if part.get("type") == "text"])
        match = TYPED.search(text)
        if self.agent is not None and text and not told:
            told = True
            yield "message.task", {**place, "task": text, "plan_type": "default"}
        elif match is not None and self.agent is None:
            told = True
            mode = {"permission_mode": match[1]}
            yield "message.user", {**place, **mode, "prompt": match[2]}
        if not told:
            yield s.skip("message.user")

    def _assistant(self, value: s.Value, parts: list[s.Value], place: s.Value) -> s.Steps:
        model = at(value, "modelInfo.id")
        for part in parts:
            if part.get("type") == "tool_use" and type(part.get("id")) is str:
                fields = s.as_object(part.get("input"))
                call = {"call_id": part["id"], "tool": part.get("name"), "model_id": model}
                call |= {"input": fields, **targets(fields)}
                yield "message.tool_use", self.calls.begin(s.compact({**place, **call}))
        metrics = s.as_object(value.get("metrics"))
        text = s.as_text([part for part in parts if part.get("type") == "text"])
        if str(value.get("id")).startswith("error_"):
            facts = {"error_message": s.first_line(text), "final": True}
            yield "message.error", s.compact({**place, **facts, "model_id": model})
        elif metrics:
            counts = {fact: metrics.get(name) for fact, name in USAGE.items()}
            facts = {"model_id": model, "response": text or None}
            facts["cost_usd"] = s.cost(metrics.get("cost"))
            yield "message.assistant", s.compact({**place, **counts, **facts})
        else:
            yield s.skip("message.assistant")

    def _result(self, part: s.Value, place: s.Value) -> s.Value:
        content = part.get("content")
        body = content if type(content) is list else s.as_object(content) or content
        text = content if type(content) is str else s.as_text(body)
        payload = {**place, "tool": part.get("name"), "output": text or None}
        return self.calls.of(part.get("tool_use_id"), {**payload, **ended_by(part, body)})


def targets(given: s.Value) -> s.Value:
    """The first file or address of a call that takes several."""
    found: s.Value = {}
    for name, key, fact in (("files", "path", "file_path"), ("requests", "url", "url")):
        listed = given.get(name)
        first = listed[0] if type(listed) is list and listed else None
        if type(first) is dict and type(first.get(key)) is str:
            found[fact] = first[key]
    return found


def ended_by(part: s.Value, body: Any) -> s.Value:
    """Return how a call ended, by the rules that hold for hooks: what its elements say."""
    end = wording.ended(body)
    if end.outcome == "denied":
        return s.denied(end.decided_by, end.reason or "")
    outcome = end.outcome or ("error" if part.get("is_error") is True else "ok")
    return {
        "outcome": outcome,
        "success": outcome == "ok",
        "exit_code": end.exit_code,
        "error_message": end.message,
    }


EVENTS: s.Events = {
    "session": s.STARTED,
    "session.ended": s.STOPPED,
    "message.user": s.PROMPT,
    "message.task": s.AGENT_STARTED,
    "message.assistant": s.ANSWER,
    "message.tool_use": s.CALLED,
    "message.tool_result": s.ENDED,
    "message.error": s.MODEL_FAILED,
}
VENDOR = s.transcript_vendor("cline", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(ClineReader, VENDOR, FILE, elements="messages")
