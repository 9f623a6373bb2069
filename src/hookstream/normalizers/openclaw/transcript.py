"""OpenClaw's session files: a database an agent (2026.9), one JSON Lines file a session before.

Source: recordings of 2026.9.6. The same database holds the agent's credentials: nothing but the
tables named here is read, and the file is never copied. Rows above 4 kB are compressed.
"""

from __future__ import annotations

import re

from hookstream.normalizers import steps as s
from hookstream.normalizers.openclaw.calls import mcp, outcome, refusal, success
from hookstream.normalizers.openclaw.table import TOOLS
from hookstream.normalizers.table import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from typing import Any


FILE = re.compile(
    r"openclaw-agent\.sqlite$|[/\\]agents[/\\][^/\\]+[/\\]sessions[/\\][^/\\]+\.jsonl$"
)
TABLES = frozenset(("transcript_events", "session_windows"))
ROW_BYTES = 16 << 20
BY_POLICY = (
    (re.compile(r"exec denied: allowlist miss"), "rule"),
    (re.compile(r"Exec approval registration failed|exec denied: approval"), "client"),
    (re.compile(r"exec denied: .{0,80}user|Denied by user"), "user"),
)


def claims(p: s.Value) -> bool:
    """The header of a file of lines."""
    return p.get("type") == "session" and type(p.get("version")) is int and "id" in p


def skipped(line: bytes) -> str | None:
    return None


def rows(database: sqlite3.Connection, since_ms: int = 0) -> Iterator[s.Value | s.BadRow]:
    """Each session's place, then its records in order; a compressed one in clear."""
    from pyarrow import Codec

    codec = Codec("zstd")
    windows = database.execute(
        "select session_id, session_key from session_windows where updated_at >= ? "
        "order by created_at, session_id",
        (since_ms,),
    )
    for session, key in windows:
        yield {"window": session, "key": key}
        events = database.execute(
            "select event_json, event_zstd, event_utf8_bytes, created_at from transcript_events "
            "where session_id = ? order by seq",
            (session,),
        )
        for text, packed, size, created in events:
            if text is None and (packed is None or type(size) is not int or size > ROW_BYTES):
                yield {"type": "too long"}
                continue
            try:
                data = text
                if text is None:
                    data = codec.decompress(packed, decompressed_size=size, asbytes=True)
            except (ValueError, OSError, TypeError):
                yield s.BadRow("transcript_events: unreadable", as_bytes(packed))
                continue
            value = s.object_of(data, "transcript_events")
            yield value if isinstance(value, s.BadRow) else {**value, "created": created}


def as_bytes(value: object) -> bytes:
    return value if type(value) is bytes else b""


class OpenClawReader:
    """The session that is being read, by the key that hooks have, and its calls."""

    def __init__(self, path: str, beside: Callable[[str], Any] = lambda name: None) -> None:
        self.version: str | None = None
        self.session: str | None = None
        self.key: str | None = None
        self.cwd: str | None = None
        self.calls = s.WaitingCalls()

    def read(self, value: s.Value) -> Iterator[s.Step]:
        if "window" in value:
            self.session, self.key = value.get("window"), value.get("key")
            self.cwd = None
            self.calls = s.WaitingCalls()
            yield s.skip("window")
            return
        kind = value.get("type")
        if kind == "session":
            yield from self._started(value)
        elif kind == "message":
            message = s.as_object(value.get("message"))
            role = message.get("role")
            if role == "user":
                yield from self._user(value, message)
            elif role == "assistant":
                yield from self._assistant(value, message)
            elif role == "toolResult":
                yield from self._result(value, message)
            else:
                yield s.skip("message")
        else:
            yield s.skip(kind)

    def finish(self) -> Iterator[s.Step]:
        return iter(())

    @property
    def _is_agent(self) -> bool:
        return self.key is not None and ":subagent:" in self.key

    def _place(self, value: s.Value) -> s.Value:
        alias = self.session if self.key and self.session != self.key else None
        return s.compact(
            {
                "session_id": self.key or self.session,
                "session_alias": alias,
                "timestamp": value.get("timestamp") or value.get("created"),
                "cwd": self.cwd,
                "turn_id": at(value, "message.__openclaw.runId"),
                "message_id": value.get("id"),
            }
        )

    def _started(self, value: s.Value) -> Iterator[s.Step]:
        session, cwd = value.get("id"), value.get("cwd")
        self.session = session if type(session) is str else self.session
        self.cwd = cwd if type(cwd) is str else None
        if self._is_agent:
            agent = {"agent_id": self.key, "plan_type": "default"}
            yield "session.subagent", {**self._place(value), **agent}
        else:
            yield "session", {**self._place(value), "start_reason": "new"}

    def _user(self, value: s.Value, message: s.Value) -> Iterator[s.Step]:
        text = s.as_text(message.get("content"))
        if self._is_agent or not text or at(message, "__openclaw.provenance"):
            yield s.skip("message of an agent")
        else:
            yield "message.user", {**self._place(value), "prompt": text}

    def _assistant(self, value: s.Value, message: s.Value) -> Iterator[s.Step]:
        place = self._place(value)
        usage = s.as_object(message.get("usage"))
        model = message.get("model")
        told = False
        content = message.get("content")
        for part in map(s.as_object, content if type(content) is list else ()):
            if part.get("type") == "toolCall" and type(part.get("id")) is str:
                call = {"call_id": part["id"], "tool": part.get("name"), "model_id": model}
                given = {"input": s.as_object(part.get("arguments"))}
                told = True
                yield "message.toolCall", self.calls.begin(s.compact({**place, **call, **given}))
        if message.get("stopReason") == "error":
            said = {"error_message": s.first_line(s.as_text(message.get("errorMessage")))}
            code = message.get("errorCode")
            told = True
            yield (
                "message.error",
                s.compact({**place, **said, "error_code": code, "model_id": model, "final": True}),
            )
        if usage.get("input") or usage.get("output"):
            spent: s.Value = {
                "model_id": model,
                "input_tokens": usage.get("input"),
                "output_tokens": usage.get("output"),
                "cache_read_tokens": usage.get("cacheRead"),
                "cache_write_tokens": usage.get("cacheWrite"),
                "cost_usd": s.cost(at(usage, "cost.total")),
                "stop_reason": message.get("stopReason"),
                "response": s.as_text(message.get("content")) or None,
            }
            told = True
            yield "message.assistant", s.compact({**place, **spent})
        if not told:
            yield s.skip("message.assistant")

    def _result(self, value: s.Value, message: s.Value) -> Iterator[s.Step]:
        call_id = message.get("toolCallId")
        text = s.as_text(message.get("content"))
        place = self._place(value)
        payload = {**place, "tool": message.get("toolName"), "output": text}
        payload |= ended_by(message, text)
        payload["duration_ms"] = s.real(at(message, "details.durationMs"))
        if payload.pop("pending", None):
            yield s.skip("approval pending")
            return
        yield "message.toolResult", self.calls.of(call_id, payload)


def ended_by(message: s.Value, text: str) -> s.Value:
    """The end of a call, by the rules for hooks: a failing shell is not an `isError`."""
    details = s.as_object(message.get("details"))
    failed = message.get("isError") is True
    error = s.as_text(details.get("error")) or (text if failed else "")
    seen = {"event": {"result": {"details": details, "isError": failed}, "error": error}}
    status = details.get("status")
    if status == "approval-pending":
        return {"pending": True}
    found = refusal(seen)
    reason = s.as_text(details.get("reason")) or error or text
    policy = None
    if found is None and (failed or status in ("error", "failed")):
        words = f"{error}\n{text}"[:2000]
        policy = next((who for form, who in BY_POLICY if form.search(words)), None)
    if found is not None or policy is not None:
        who = found[0] if found is not None else policy
        return {
            "outcome": "denied",
            "decided_by": who,
            "decision_reason": reason.strip()[:2000],
            "decision_evidence": found[2] if found is not None else "text of the result",
        }
    record: Any = None
    is_ok = success(seen, record)
    word = outcome(seen, record) or {True: "ok", False: "error"}.get(is_ok)  # type: ignore[arg-type]
    code = details.get("exitCode")
    return {
        "outcome": word,
        "success": is_ok,
        "exit_code": code if type(code) is int else None,
        "error_message": s.first_line(error or text) if word == "error" else None,
    }


EVENTS: s.Events = {
    "session": s.STARTED,
    "session.subagent": s.AGENT_STARTED,
    "message.user": s.PROMPT,
    "message.assistant": s.ANSWER,
    "message.toolCall": s.CALLED,
    "message.toolResult": s.ENDED,
    "message.error": s.MODEL_FAILED,
}
VENDOR = s.transcript_vendor("openclaw", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)


Reader = OpenClawReader
