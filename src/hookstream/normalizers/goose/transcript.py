"""Goose's database, `sessions.db`: messages with calls and results, a ledger with a row a request.

Source: the vendor's source, not recorded. Before 1.20 a session was a file of lines: its head, then
messages. A result says nothing of who refused except in the client's words. The sums in `sessions`
are those of the ledger: they are read where it has no row.
"""

from __future__ import annotations

import re

from hookstream.core.times import to_iso
from hookstream.normalizers import steps as s
from hookstream.normalizers.goose import wording
from hookstream.normalizers.goose.table import TOOLS, mcp
from hookstream.normalizers.table import Row, at

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from typing import Any

    from hookstream.normalizers.steps import Events, Steps, Value

FILE = re.compile(r"[/\\]sessions[/\\](?:sessions\.db|(?P<session>\d{8}_\w+)\.jsonl)$")
TABLES = frozenset(("sessions", "messages", "usage_ledger"))
# What the client asks for without a person: it typed none of these prompts.
UNTYPED = ("sub_agent", "scheduled", "hidden")
COLUMNS = {
    "sessions": "id parent_session_id working_dir session_type goose_mode created_at "
    "accumulated_input_tokens accumulated_output_tokens model_config_json",
    "messages": "id message_id role content_json created_timestamp metadata_json",
    "usage_ledger": "id created_timestamp model input_tokens output_tokens cache_read_tokens "
    "cache_write_tokens cost is_compaction",
}
SINCE = "strftime('%s', updated_at) * 1000 >= ? or updated_at is null order by created_at, id"
OF_SESSION = "session_id = ? order by created_timestamp, id"
TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")


def claims(p: Value) -> bool:
    """The head of a file of lines."""
    return "working_dir" in p and "message_count" in p


def select(database: sqlite3.Connection, table: str, where: str, value: object) -> Iterator[Value]:
    """Rows of a table with the columns that its version has."""
    names = {row[1] for row in database.execute(f"pragma table_info({table})")}
    columns = [name for name in COLUMNS[table].split() if name in names]
    if columns:
        text = f"select {', '.join(columns)} from {table} where {where}"  # noqa: S608
        for row in database.execute(text, (value,)):
            yield dict(zip(columns, row, strict=True))


def rows(database: sqlite3.Connection, since_ms: int = 0) -> Iterator[Value | s.BadRow]:
    """Each session, then its messages and the rows of its ledger."""
    for session in list(select(database, "sessions", SINCE, since_ms)):
        requests = list(select(database, "usage_ledger", OF_SESSION, session["id"]))
        yield {**session, "is_summed": not requests}
        for message in select(database, "messages", OF_SESSION, session["id"]):
            content = s.object_of(f'{{"content": {message["content_json"]}}}', "messages")
            if isinstance(content, s.BadRow):
                yield content
                continue
            yield {
                "role": message["role"],
                "created": message["created_timestamp"],
                "content": content["content"],
                "metadata": s.as_object(message.get("metadata_json")),
                "id": message.get("message_id"),
            }
        yield from requests


class GooseReader(s.FileReader):
    """The session that is being read, and its calls that were asked about."""

    def start(self) -> None:
        match = FILE.search(self.path)
        self.name = match["session"] if match else None
        self.place: Value = {}
        self.is_typed = True
        self.asked: set[str] = set()

    def read(self, value: Value) -> Steps:
        if "working_dir" in value:
            yield from self._started(value)
        elif "role" in value:
            yield from self._message(value)
        else:
            facts = {name: value.get(name) for name in TOKENS}
            facts["model_id"], facts["cost_usd"] = value.get("model"), s.cost(value.get("cost"))
            yield "usage_ledger", s.compact({**self._at(value.get("created_timestamp")), **facts})

    def _started(self, value: Value) -> Steps:
        self.calls, self.asked = s.WaitingCalls(), set()
        kind, created = value.get("session_type"), value.get("created_at")
        self.is_typed = kind not in UNTYPED
        text = str(created).replace(" ", "T").removesuffix("Z") + "Z" if created else None
        self.place = s.compact(
            {
                "session_id": value.get("id") or self.name,
                "parent_session_id": value.get("parent_session_id"),
                "cwd": value.get("working_dir"),
                "permission_mode": value.get("goose_mode"),
                "attended": False if kind == "scheduled" else None,
            }
        )
        yield "sessions", s.compact({**self.place, "timestamp": text, "start_reason": "new"})
        sums = {name: value.get(f"accumulated_{name}") for name in TOKENS}
        if value.get("is_summed", True) and any(sums.values()):
            model = at(s.as_object(value.get("model_config_json")), "model_name")
            sums["model_id"], sums["timestamp"] = model, text
            yield "accumulated_tokens", s.compact({**self.place, **sums})

    def _at(self, seconds: Any) -> Value:
        when = to_iso(seconds * 1000) if type(seconds) is int else None
        return s.compact({**self.place, "timestamp": when})

    def _message(self, value: Value) -> Steps:
        place = s.compact({**self._at(value.get("created")), "message_id": value.get("id")})
        parts = s.objects(value.get("content"))
        texts = [part["text"] for part in parts if type(part.get("text")) is str]
        metadata = s.as_object(value.get("metadata"))
        if metadata.get("userVisible") is False:
            yield s.left_out("message for the model")
        elif texts and value.get("role") == "user":
            name = "prompt" if self.is_typed else "task"
            yield name, {**place, "prompt": "\n".join(texts)}
        elif texts:
            yield "answer", {**place, "response": "\n".join(texts)}
        for part in parts:
            yield from self._part(part, place)

    def _part(self, part: Value, place: Value) -> Steps:
        kind, data = part.get("type"), s.as_object(part.get("data"))
        if kind in ("toolRequest", "frontendToolRequest") and type(part.get("id")) is str:
            call = s.as_object(at(part, "toolCall.value"))
            facts = {"call_id": part["id"], "tool": call.get("name")}
            facts["input"] = s.as_object(call.get("arguments"))
            yield "toolRequest", self.calls.begin({**place, **facts})
        elif kind == "toolConfirmationRequest" or data.get("actionType") == "toolConfirmation":
            call_id = part.get("id") or data.get("id")
            if type(call_id) is str and len(self.asked) < s.WaitingCalls.LIMIT:
                self.asked.add(call_id)
            yield "toolConfirmation", self.calls.of(call_id, place)
        elif kind == "toolResponse":
            yield "toolResponse", self._result(part, place)
        elif kind != "text":
            yield s.skip(kind)

    def _result(self, part: Value, place: Value) -> Value:
        call_id, result = part.get("id"), s.as_object(part.get("toolResult"))
        value = result.get("value")
        is_error: bool | None = result.get("status") == "error"
        text = s.as_text(result.get("error"))
        if not is_error:
            # An older client wrote the content alone, and no word on whether it failed.
            held = s.as_object(value)
            text = s.as_text(held.get("content") if held else value)
            is_error = held.get("isError") is True if held else None
        end = wording.ended(is_error, text, call_id in self.asked)
        facts = {**place, "output": text or None, **s.ending(end)}
        facts["guardian"] = wording.plugin(text) if end.outcome == "denied" else None
        facts = self.calls.of(call_id, facts)
        self.calls.open.pop(str(call_id), None)
        return facts


EVENTS: Events = {
    "sessions": s.STARTED,
    "prompt": s.PROMPT,
    "task": Row("vendor.goose.Task", {"prompt": "prompt"}),
    "answer": Row("Agent.Response", {"response": "response"}),
    "usage_ledger": s.ANSWER,
    "toolRequest": s.CALLED,
    "toolConfirmation": s.ASKED,
    "toolResponse": s.ENDED,
    "accumulated_tokens": s.totals("goose"),
}
VENDOR = s.transcript_vendor("goose", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(GooseReader, VENDOR, FILE, tables=TABLES, rows=rows)
