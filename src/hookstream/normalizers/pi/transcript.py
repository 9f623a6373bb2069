"""Pi's session files: `sessions/--<folder>--/<time>_<id>.jsonl`, a tree of entries in one file.

Source: recordings of 0.73.1; the format is the ancestor of OpenClaw's, which only the path tells
apart. A call that an extension blocked looks like one that failed: what no tool writes is its word.
"""

from __future__ import annotations

import re

from hookstream.normalizers import steps as s
from hookstream.normalizers.pi import wording
from hookstream.normalizers.pi.table import TOOLS, mcp
from hookstream.normalizers.table import Row, at, model_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


# OpenClaw's are named by the id alone.
FILE = re.compile(r"(?:\A|[/\\])\d{4}-\d\d-\d\dT[\d-]+Z_[0-9a-f-]{36}\.jsonl$")


USAGE = {
    "input_tokens": "input",
    "output_tokens": "output",
    "cache_read_tokens": "cacheRead",
    "cache_write_tokens": "cacheWrite",
}


def claims(p: s.Value) -> bool:
    """The header, which is OpenClaw's too: the path decides."""
    return p.get("type") == "session" and type(p.get("version")) is int and "id" in p


def has_tokens(message: s.Value) -> bool:
    return bool(at(message, "usage.input") or at(message, "usage.output"))


def spent(value: s.Value) -> s.Value:
    usage = s.as_object(value.get("usage") if has_tokens(value) else None)
    counts = {fact: usage.get(name) for fact, name in USAGE.items()}
    return {**counts, "cost_usd": s.cost(at(usage, "cost.total"))}


class PiReader(s.FileReader):
    """The session of a file and its calls."""

    # Whether an answer that failed is the last; Pi asks again by itself.
    is_final: bool | None = None

    def start(self) -> None:
        self.session: str | None = None
        self.cwd: str | None = None
        # The beginning of a fork, which repeats its parent's entries with their times.
        self.forked_at = ""
        self.model: Any = None
        # Words that blocked a call: of another call they block that, too.
        self.refusals: set[str] = set()

    def read(self, value: s.Value) -> s.Steps:
        kind, message = value.get("type"), s.as_object(value.get("message"))
        role = message.get("role") if kind == "message" else None
        place = self._place(value)
        if kind == "session":
            yield from self._started(value)
            return
        if str(value.get("timestamp")) < self.forked_at:
            yield s.left_out("copy of a parent's entry")
            return
        if has_tokens(value):  # of a summary
            yield "usage", s.compact({**place, "model_id": self.model, **spent(value)})
        if role == "toolResult" and has_tokens(message):  # a tool that asked some model
            yield "usage", s.compact({**place, **spent(message)})
        if kind == "compaction":
            yield from self._compacted(value, place)
        elif role == "user":
            yield from self._user(message, place)
        elif role == "assistant":
            yield from self._assistant(message, place)
        elif role == "toolResult":
            yield from self._result(message, place)
        elif role == "bashExecution":
            yield from self._by_hand(message, place)
        else:
            yield s.skip(kind)

    def _place(self, value: s.Value) -> s.Value:
        facts = {"session_id": self.session, "timestamp": value.get("timestamp"), "cwd": self.cwd}
        return s.compact({**facts, "message_id": value.get("id")})

    def _started(self, value: s.Value) -> s.Steps:
        session, cwd = value.get("id"), value.get("cwd")
        self.session = session if type(session) is str else self.session
        self.cwd = cwd if type(cwd) is str else None
        if value.get("parentSession"):
            self.forked_at = str(value.get("timestamp"))
        yield "session", {**self._place(value), "start_reason": "new"}

    def _user(self, message: s.Value, place: s.Value) -> s.Steps:
        text = s.as_text(message.get("content"))
        yield ("message.user", {**place, "prompt": text}) if text else s.skip("message.user")

    def _assistant(self, message: s.Value, place: s.Value) -> s.Steps:
        content, model = message.get("content"), self._model(message)
        for part in map(s.as_object, content if type(content) is list else ()):
            if part.get("type") == "toolCall" and type(part.get("id")) is str:
                call = {"call_id": part["id"], "tool": part.get("name"), "model_id": model}
                facts = {"input": s.as_object(part.get("arguments"))}
                yield "message.toolCall", self.calls.begin(s.compact({**place, **call, **facts}))
        if message.get("stopReason") == "error":
            failure = {
                "model_id": model,
                "error_code": message.get("errorCode"),
                "error_message": s.first_line(s.as_text(message.get("errorMessage"))) or None,
                "final": self.is_final,
            }
            yield "message.error", s.compact({**place, **failure})
        if not self._is_answer(message):
            return
        self.model = model
        said = {"stop_reason": message.get("stopReason"), "response": s.as_text(content) or None}
        said["model_id"] = model
        yield "message.assistant", s.compact({**place, **spent(message), **said})

    def _is_answer(self, message: s.Value) -> bool:
        return message.get("stopReason") != "error"

    def _model(self, message: s.Value) -> Any:
        return model_name(message.get("provider"), message.get("model"))

    def _result(self, message: s.Value, place: s.Value) -> s.Steps:
        text, call_id = s.as_text(message.get("content")), message.get("toolCallId")
        payload = {**place, "tool": message.get("toolName"), "output": text or None}
        end = self._ended(message, text)
        if end is None:
            yield s.left_out("approval pending")
        else:
            yield "message.toolResult", self.calls.of(call_id, {**payload, **end})

    def _ended(self, message: s.Value, text: str) -> s.Value | None:
        """The end of a call; None while a person is asked."""
        tool, call_id = message.get("toolName"), message.get("toolCallId")
        name = tool if type(tool) is str else ""
        if message.get("isError") is True:
            call = self.calls.open.get(call_id, {}) if type(call_id) is str else {}
            return self._failed(name, at(call, "input.path"), text)
        if message.get("isError") is False:
            return {
                "outcome": "ok",
                "success": True,
                "exit_code": 0 if name == wording.SHELL else None,
            }
        return {}

    def _failed(self, tool: str, target: object, text: str) -> s.Value:
        if wording.is_unsaid(tool, target, text):
            self.refusals.add(text)
        if text in self.refusals and not wording.is_invalid(tool, text):
            return s.denied("hook", text, certainty="inferred")
        end = wording.ended(tool, text)
        return {
            "outcome": end.outcome,
            "success": False,
            "exit_code": end.exit_code,
            "error_message": end.message,
        }

    def _by_hand(self, line: s.Value, place: s.Value) -> s.Steps:
        code = line.get("exitCode")
        facts = {
            "command": line.get("command"),
            "exit_code": code if type(code) is int else None,
            "output": s.as_text(line.get("output")) or None,
        }
        yield "message.bashExecution", s.compact({**place, **facts})

    def _compacted(self, value: s.Value, place: s.Value) -> s.Steps:
        facts = {"tokens_before": value.get("tokensBefore"), "summary": value.get("summary")}
        yield "compaction", s.compact({**place, **facts})


EVENTS: s.Events = {
    "session": s.STARTED,
    "message.user": s.PROMPT,
    "message.assistant": s.ANSWER,
    "usage": s.ANSWER,
    "message.toolCall": s.CALLED,
    "message.toolResult": s.ENDED,
    "message.error": s.MODEL_FAILED,
    "compaction": s.COMPACTED,
    "message.bashExecution": Row(
        "vendor.pi.UserBash",
        {"command": "command", "exit_code": "exit_code", "output": "output"},
        note="a line that the person ran, not the model",
    ),
}
VENDOR = s.transcript_vendor("pi", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(PiReader, VENDOR, FILE)
