"""Auggie's session files: `~/.augment/sessions/<id>.json`, a document that is rewritten whole.

Source: files of 0.36.0. Each exchange has what was sent (a prompt, results of calls) and what the
model answered (text, calls, tokens). A sub-agent's exchanges are in no file.
"""

from __future__ import annotations

import re

from hookstream.normalizers import steps as s
from hookstream.normalizers.auggie import wording
from hookstream.normalizers.auggie.table import TOOLS
from hookstream.normalizers.table import at, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.steps import Events, Steps, Value

FILE = re.compile(r"[/\\]\.augment[/\\]sessions[/\\][^/\\]+\.json$")
# Kinds of nodes.
TEXT, RESULT, CALL, USAGE = 0, 1, 5, 10
TOKENS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}
BY_HOOK = re.compile(r"\n\nPreToolUse:(\S+) hook returned blocking error\Z")


def claims(p: Value) -> bool:
    """The head of a document, or all of it."""
    named = type(p.get("sessionId")) is str and type(p.get("agentState")) is dict
    return named and "rootTaskUuid" in p


class AuggieReader(s.FileReader):
    """One document: its head, then its exchanges."""

    def start(self) -> None:
        self.session: str | None = None
        self.user: str | None = None
        self.model: str | None = None
        self.cwd: str | None = None
        self.has_head = False

    def read(self, value: Value) -> Steps:
        if "exchange" in value:
            yield from self._exchange(value)
        elif self.has_head:
            yield s.skip("exchange")
        else:
            self.has_head = True
            yield from self._head(value)

    def _head(self, value: Value) -> Steps:
        self.session = value.get("sessionId")
        state = s.as_object(value.get("agentState"))
        self.model = state.get("modelId") or None
        self.user = state.get("userEmail") or None
        yield "session", self._step({"timestamp": value.get("created"), "start_reason": "new"})

    def _step(self, facts: Value) -> Value:
        place = {"session_id": self.session, "cwd": self.cwd, "user": self.user}
        return s.compact({**place, **facts})

    def _exchange(self, value: Value) -> Steps:
        exchange = s.as_object(value.get("exchange"))
        sent = s.objects(exchange.get("request_nodes"))
        answered = s.objects(exchange.get("response_nodes"))
        ended = value.get("finishedAt")
        answered_at = next((n["timestamp_ms"] for n in answered if "timestamp_ms" in n), ended)
        for node in sent:
            folders = at(node, "ide_state_node.workspace_folders")
            if type(folders) is list and folders:
                self.cwd = text_at(folders[0], "folder_root") or self.cwd
        if value.get("isHistorySummary") is True:
            yield "summary", self._step({"timestamp": answered_at})
            return
        for node in sent:
            if node.get("type") == RESULT:
                result = s.as_object(node.get("tool_result_node"))
                yield "tool_result", self._result(result, answered_at)
            elif node.get("type") == TEXT and text_at(node, "text_node.content"):
                prompt = text_at(node, "text_node.content")
                yield "prompt", self._step({"timestamp": answered_at, "prompt": prompt})
        for node in answered:
            if node.get("type") == CALL:
                yield "tool_use", self._call(node, answered_at)
        yield from self._answer(exchange, answered, answered_at)

    def _call(self, node: Value, answered_at: Any) -> Value:
        use = s.as_object(node.get("tool_use"))
        facts = {
            "timestamp": use.get("started_at_ms") or node.get("timestamp_ms") or answered_at,
            "call_id": use.get("tool_use_id"),
            "tool": use.get("tool_name"),
            "input": s.as_object(use.get("input_json")),
            "model_id": self.model,
        }
        return self.calls.begin(self._step(facts))

    def _result(self, result: Value, answered_at: Any) -> Value:
        """The end of a call; one that never began has the time of the answer to it."""
        began, took = result.get("start_time_ms"), result.get("duration_ms")
        ended_at = began + took if type(began) is int and type(took) is int else None
        text = s.as_text(result.get("content"))
        call_id = result.get("tool_use_id")
        tool = at(self.calls.open.get(call_id), "tool") if type(call_id) is str else None
        facts = {"timestamp": ended_at or answered_at, "duration_ms": took}
        ended = ended_by(tool, text, result.get("is_error"), ended_at is not None)
        return self.calls.of(call_id, self._step({**facts, **ended}))

    def _answer(self, exchange: Value, answered: list[Value], at_ms: Any) -> Steps:
        counted = [s.as_object(n.get("token_usage")) for n in answered if n.get("type") == USAGE]
        usage = counted[-1] if counted else {}
        text = "\n".join(text_at(n, "content") for n in answered if n.get("type") == TEXT)
        if not usage and not text:
            return
        facts = {
            "timestamp": at_ms,
            "message_id": exchange.get("request_id"),
            "model_id": self.model,
            "response": text or None,
            **{fact: usage.get(name) for fact, name in TOKENS.items()},
        }
        yield "answer", self._step(facts)


def ended_by(tool: object, text: str, is_error: object, is_timed: bool) -> Value:
    """The end of a call. A refusal by a hook has no times, one by a permission names its tool."""
    if not is_timed and is_error is True:
        match = BY_HOOK.search(text)
        if match is not None and match[1] == tool:
            return s.denied("hook", text[: match.start()].removeprefix("[hook:PreToolUse]: "))
        if text == f"Tool execution blocked by hook: {tool}":
            return s.denied("hook", "")
    flag = is_error if type(is_error) is bool else None
    end = wording.ended(tool, flag, text if flag else "", text)
    if end.outcome == "denied":
        return {**s.ending(end), "matched_rule_id": wording.rule_of(text)}
    return {**s.ending(end), "output": text or None}


EVENTS: Events = {
    "session": s.STARTED,
    "prompt": s.PROMPT,
    "tool_use": s.CALLED,
    "tool_result": s.ENDED,
    "answer": s.ANSWER,
    "summary": s.COMPACTED,
}
VENDOR = s.transcript_vendor("auggie", claims=claims, events=EVENTS, tools=TOOLS)
FILES = s.SessionFiles(AuggieReader, VENDOR, FILE, elements="chatHistory")
