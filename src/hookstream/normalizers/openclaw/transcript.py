"""OpenClaw's session files: a database an agent (2026.9), one JSON Lines file a session before.

Source: recordings of 2026.9.6. The same database holds the agent's credentials: nothing but the
tables named here is read, and the file is never copied. Rows above 4 kB are compressed.
A reset or a deletion renames a file: `<id>.jsonl.reset.<time>`, `<id>.jsonl.deleted.<time>`, the
latter also compressed. Source of that: openclaw/openclaw issues 37225 and 56609.
"""

from __future__ import annotations

import re

from hookstream.normalizers import steps as s
from hookstream.normalizers.openclaw import wording
from hookstream.normalizers.openclaw.calls import mcp
from hookstream.normalizers.openclaw.table import TOOLS
from hookstream.normalizers.pi.transcript import PiReader, claims, has_tokens
from hookstream.normalizers.table import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from typing import Any


FILE = re.compile(
    r"openclaw-agent\.sqlite$|[/\\]agents[/\\][^/\\]+[/\\]sessions[/\\](?![^/\\]*\.trajectory\.)"
    r"[^/\\]+\.jsonl(?:\.(?:reset|deleted)\.[^/\\]+)?$"
)
TABLES = frozenset(("transcript_events", "session_windows"))
ROW_BYTES = 16 << 20


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


class OpenClawReader(PiReader):
    """The session that is being read, by the key that hooks have, and its calls."""

    is_final = True

    def start(self) -> None:
        super().start()
        self.key: str | None = None

    def read(self, value: s.Value) -> s.Steps:
        if "window" in value:
            self.session, self.key = value.get("window"), value.get("key")
            self.cwd = None
            self.calls = s.WaitingCalls()
            yield s.skip("window")
        else:
            yield from super().read(value)

    @property
    def _is_agent(self) -> bool:
        return self.key is not None and ":subagent:" in self.key

    def _place(self, value: s.Value) -> s.Value:
        facts = {
            **super()._place(value),
            "session_id": self.key or self.session,
            "session_alias": self.session if self.key and self.session != self.key else None,
            "timestamp": value.get("timestamp") or value.get("created"),
            "turn_id": at(value, "message.__openclaw.runId"),
        }
        return s.compact(facts)

    def _started(self, value: s.Value) -> s.Steps:
        steps = super()._started(value)
        if self._is_agent:
            agent = {"agent_id": self.key, "plan_type": "default", "start_reason": None}
            steps = (("session.subagent", s.compact({**(p or {}), **agent})) for _, p in steps)
        yield from steps

    def _user(self, message: s.Value, place: s.Value) -> s.Steps:
        if self._is_agent or at(message, "__openclaw.provenance"):
            yield s.left_out("message of an agent")
        else:
            yield from super()._user(message, place)

    def _assistant(self, message: s.Value, place: s.Value) -> s.Steps:
        yield from [*super()._assistant(message, place)] or [s.skip("message.assistant")]

    def _is_answer(self, message: s.Value) -> bool:
        return has_tokens(message)

    def _model(self, message: s.Value) -> Any:
        return message.get("model")

    def _ended(self, message: s.Value, text: str) -> s.Value | None:
        """The end of a call, by the rules for hooks: a failing shell is not an `isError`."""
        details, is_error = s.as_object(message.get("details")), message.get("isError")
        error = s.as_text(details.get("error")) or (text if is_error is True else "")
        if wording.is_asked(details):
            return None
        duration = {"duration_ms": s.real(details.get("durationMs"))}
        refusal = wording.refusal(details, error)
        if refusal is None and (is_error is True or details.get("status") in ("error", "failed")):
            refusal = wording.refusal_within(f"{error}\n{text}")
        if refusal is not None:
            reason = s.as_text(details.get("reason")) or error or text
            return {**duration, **s.denied(refusal.who, reason, refusal.evidence)}
        success = wording.success(details, error, is_error)
        outcome = "ok" if success else None if success is None else "error"
        outcome = wording.cut_short(details, error) or outcome
        code = details.get("exitCode")
        return {
            **duration,
            "outcome": outcome,
            "success": success,
            "exit_code": code if type(code) is int else None,
            "error_message": s.first_line(error or text) if outcome == "error" else None,
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
FILES = s.SessionFiles(OpenClawReader, VENDOR, FILE, tables=TABLES, rows=rows)
