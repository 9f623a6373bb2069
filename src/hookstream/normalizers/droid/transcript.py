"""Droid's session files: `sessions/<folder>/<id>.jsonl`, and `<id>.settings.json` with the tokens.

Source: recordings of 0.225.2. A fork begins with all records of its parent under their ids: they
end at the record that its head names, and the parent keeps them. Role `user` also marks what the
client says to the model (`llm_only`) and to the person (`user_only`): a hook's record, which holds
each hook's answer with the id of the call, or an error of a model.
"""

from __future__ import annotations

import re

from hookstream.normalizers import steps as s
from hookstream.normalizers.droid import wording
from hookstream.normalizers.droid.table import TOOLS, mcp
from hookstream.normalizers.table import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.normalizers.steps import Events, Steps, Value
    from hookstream.normalizers.wording import Ending

FILE = re.compile(r"[/\\]\.factory[/\\]sessions[/\\][^/\\]+[/\\](?P<session>[0-9a-f-]{36})\.jsonl$")
MODEL_ERROR = re.compile(r"(?:BYOK )?Error: (?P<code>\d{3})?")
TOKENS = {
    "input_tokens": "inputTokens",
    "output_tokens": "outputTokens",
    "cache_read_tokens": "cacheReadTokens",
    "cache_write_tokens": "cacheCreationTokens",
}


def claims(p: Value) -> bool:
    """The first record of a file."""
    return p.get("type") == "session_start" and "hostId" in p and type(p.get("id")) is str


class DroidReader(s.FileReader):
    """One file: its calls, what hooks answered to them, and where a fork's own records begin."""

    def start(self) -> None:
        match = FILE.search(self.path)
        self.session = match["session"] if match else None
        self.settings = s.as_object(self.beside(".settings.json"))
        self.place: Value = {}
        # call id -> the end that a hook gave it
        self.refused: dict[str, Ending] = {}
        self.history_ends_at: str | None = None
        self.last: Value = {}
        self.is_compacted = False

    def read(self, value: Value) -> Steps:
        kind = value.get("type")
        if kind == "session_start":
            yield from self._started(value)
        elif self.history_ends_at is not None:
            if value.get("id") == self.history_ends_at:
                self.history_ends_at = None
            yield s.left_out("history of the parent")
        elif kind == "message":
            yield from self._message(value)
        elif kind == "compaction_state":
            facts = {
                "summary": value.get("summaryText"),
                "tokens_after": value.get("summaryTokens"),
                "timestamp": value.get("timestamp"),
            }
            yield "compaction_state", s.compact({**self._compacted_place(), **facts})
        else:
            yield s.skip(kind)

    def finish(self) -> Steps:
        """The calls that hooks ended and that got no result, and the tokens of the session."""
        for call_id, end in self.refused.items():
            if call_id in self.calls.open:
                facts = {**self.last, **s.ending(end, "hookResults")}
                facts["identity"] = s.lasting(call_id)
                yield "tool_result", self.calls.of(call_id, facts)
        # One that begins with a compaction has its parent's counter.
        usage = s.as_object(None if self.is_compacted else self.settings.get("tokenUsage"))
        counts = {fact: usage.get(name) for fact, name in TOKENS.items()}
        if any(counts.values()):
            model = self.settings.get("model")
            yield "tokenUsage", s.compact({**self.last, **counts, "model_id": model})

    def _started(self, value: Value) -> Steps:
        session, fork = value.get("id"), value.get("forkedAtMessageId")
        self.session = session if type(session) is str else self.session
        self.history_ends_at = fork if type(fork) is str else None
        is_exec = any(tag.get("name") == "exec" for tag in s.objects(self.settings.get("tags")))
        self.place = s.compact(
            {
                "session_id": self.session,
                "parent_session_id": value.get("parent") or value.get("callingSessionId"),
                "cwd": value.get("cwd"),
                "user": value.get("owner"),
                "attended": False if is_exec else None,
            }
        )
        self.last = self.place
        yield s.skip("session_start")

    def _compacted_place(self) -> Value:
        """The session that was compacted: a compaction by hand is the first record of a new
        session."""
        parent = self.place.get("parent_session_id")
        if parent is None or self.last is not self.place:
            return self.place
        self.is_compacted = True
        return {**self.place, "session_id": parent, "parent_session_id": None}

    def _message(self, value: Value) -> Steps:
        message = s.as_object(value.get("message"))
        facts = {**self.place, **s.compact({"timestamp": value.get("timestamp")})}
        self.last = facts
        if type(message.get("hookEventName")) is str:
            self._hooked(message)
            if message["hookEventName"] == "SessionStart":
                yield "SessionStart", {**facts, "start_reason": message.get("hookMatcher")}
            else:
                yield s.skip("hook")
        elif message.get("visibility") == "user_only":
            yield from self._told(message, facts)
        elif message.get("visibility") == "llm_only":
            yield s.left_out("message for the model")
        elif message.get("role") == "assistant":
            yield from self._answered(value, message, facts)
        else:
            yield from self._sent(value, message, facts)

    def _hooked(self, message: Value) -> None:
        """Keep the end that the hooks of a call gave it."""
        call_id = message.get("hookToolCallId")
        if message.get("hookEventName") != "PreToolUse" or type(call_id) is not str:
            return
        commands = s.objects(message.get("hookCommands"))
        for number, result in enumerate(s.objects(message.get("hookResults"))):
            reason = wording.answer_of(
                result.get("exitCode"), result.get("stdout"), result.get("stderr")
            )
            if reason is not None and len(self.refused) < s.WaitingCalls.LIMIT:
                # The results are in the order of the commands.
                hook = commands[number] if number < len(commands) else {}
                self.refused[call_id] = wording.by_hook(reason, hook.get("command"))

    def _told(self, message: Value, place: Value) -> Steps:
        """A message of the client to the person: an error of a model, or no fact."""
        text = s.as_text(message.get("content"))
        match = MODEL_ERROR.match(text)
        if match is None:
            yield s.left_out("message for the user")
            return
        facts = {"error_code": match["code"], "error_message": s.first_line(text)}
        yield "model_error", s.compact({**place, **facts})

    def _answered(self, value: Value, message: Value, place: Value) -> Steps:
        parts = s.objects(message.get("content"))
        answer_id = message.get("openaiMessageId")
        place = s.compact({**place, "message_id": answer_id})
        if type(message.get("modelId")) is str:
            text = "\n".join(p["text"] for p in parts if type(p.get("text")) is str)
            facts = {"model_id": message["modelId"], "response": text or None}
            facts["identity"] = [str(place.get("timestamp")), str(answer_id)]
            yield "assistant", s.compact({**place, **facts})
        else:
            yield s.left_out("message of the client")
        for part in parts:
            if part.get("type") == "tool_use" and type(part.get("id")) is str:
                call = {"call_id": part["id"], "tool": part.get("name")}
                call["input"] = s.as_object(part.get("input"))
                yield "tool_use", self.calls.begin({**place, **call})

    def _sent(self, value: Value, message: Value, place: Value) -> Steps:
        parts = s.objects(message.get("content"))
        results = [part for part in parts if part.get("type") == "tool_result"]
        for part in results:
            yield "tool_result", self._result(part, place)
        text = s.as_text(message.get("content"))
        if text and not results:
            # A copy may lack what the settings of its session say.
            facts = {"message_id": value.get("id"), "identity": [str(place.get("timestamp")), text]}
            yield "prompt", s.compact({**place, "prompt": text, **facts})
        elif not results:
            yield s.skip("message")

    def _result(self, part: Value, place: Value) -> Value:
        call_id, text = part.get("tool_use_id"), s.as_text(part.get("content"))
        value = self.calls.open.pop(call_id, {}) if type(call_id) is str else {}
        by_hook = self.refused.pop(call_id, None) if type(call_id) is str else None
        is_error = part.get("is_error")
        if by_hook is not None and is_error is True:
            ended = s.ending(by_hook, "hookResults")
        elif type(is_error) is bool:
            ended = s.ending(wording.ended(at(value, "tool"), is_error, text))
        else:
            ended = {}
        facts = {**place, "output": text or None, **ended, "identity": s.lasting(call_id)}
        return {**(value or {"call_id": call_id}), **s.compact(facts)}


EVENTS: Events = {
    "SessionStart": s.STARTED,
    "prompt": s.PROMPT,
    "assistant": s.ANSWER,
    "model_error": s.MODEL_FAILED,
    "tool_use": s.CALLED,
    "tool_result": s.ENDED,
    "compaction_state": s.COMPACTED,
    "tokenUsage": s.totals("droid"),
}
VENDOR = s.transcript_vendor("droid", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(DroidReader, VENDOR, FILE, part=r"\.settings\.json$")
