"""Gemini CLI's session files: `tmp/<project>/chats/session-*.jsonl`, sub-agents one folder below.

Source: recordings of 0.61.0. A later record with the same id takes an earlier one's place, and
`$set.messages` repeats what was there: each message, call and result is taken once.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256

from hookstream.normalizers import steps as s
from hookstream.normalizers.exported import whole
from hookstream.normalizers.gemini_cli.table import TOOLS
from hookstream.normalizers.gemini_cli.wording import ended, mcp
from hookstream.normalizers.table import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


FILE = re.compile(r"[/\\]chats[/\\](?:[^/\\]+[/\\])?[^/\\]+\.json(?:l(?:\.\w+)?)?$")
# Two sessions that start at once in one folder may leave the file of one without its header.
NAMED = re.compile(r"session-[\dT-]+-(?P<begin>[0-9a-f]{8})\.json(?:l(?:\.\w+)?)?$")
AGENT_FILE = re.compile(r"[/\\]chats[/\\](?P<session>[^/\\]+)[/\\](?P<agent>[^/\\.]+)\.json\w*$")
NO_PROMPT = ("<session_context>", "System: Potential loop detected", "<state_snapshot>")
SHRUNK = re.compile(r"Context compressed from")
SHOWN = re.compile(r"(?P<tool>\S+) \((?P<server>.+) MCP Server\)")
# What tools sent and what the model thought are billed too, and counted apart.
TOKENS = {
    "input_tokens": whole("input", "tool"),
    "output_tokens": whole("output", "thoughts"),
    "cache_read_tokens": whole("cached"),
}
LIMIT = 65536


def claims(p: s.Value) -> bool:
    """The header names the project's digest; other records have an id, a type and a content."""
    if type(p.get("projectHash")) is str:
        return type(p.get("sessionId")) is str
    if type(p.get("$set")) is dict:
        return True
    return p.get("type") in ("user", "gemini", "info") and "id" in p and "sessionId" not in p


def skipped(line: bytes) -> str | None:
    return "session file: lastUpdated" if line.startswith(b'{"$set":{"lastUpdated":') else None


class RecentIds:
    """Ids that were taken, the latest of them within a bound."""

    def __init__(self) -> None:
        self.taken: dict[str, None] = {}

    def add(self, name: str) -> bool:
        """Return whether the id is new."""
        if name in self.taken:
            return False
        if len(self.taken) >= LIMIT:
            del self.taken[next(iter(self.taken))]
        self.taken[name] = None
        return True


@lru_cache(4096)
def digest(folder: str) -> str:
    """The digest by which the client names a project's folder; every session asks for all."""
    return sha256(folder.encode("utf-8", "replace")).hexdigest()


class GeminiReader(s.FileReader):
    """One file; `ACP` reports a refused call only as the answer to it, so these are held."""

    def start(self) -> None:
        self.session: str | None = None
        self.agent: str | None = None
        self.folder: str | None = None
        below = AGENT_FILE.search(self.path)
        self.parent = below["session"] if below is not None else None
        self.once = RecentIds()
        # the newest answer, which may be written again
        self.answer: s.Value | None = None
        self.held: dict[str, s.Value] = {}
        self.snapshot = False
        # the time of the last record that had one
        self.at: Any = None

    def read(self, value: s.Value) -> s.Steps:
        if type(value.get("projectHash")) is str:
            yield from self._header(value)
            for message in s.objects(value.get("messages")):  # one document a session: older builds
                yield from self._message(message)
        elif type(value.get("$set")) is dict:
            yield from self._set(value["$set"])
        else:
            yield from self._message(value)

    def finish(self) -> s.Steps:
        """The last answer, and answers to calls that no message of the model shows: refused over
        ACP."""
        yield from self._over()
        for call_id, answer in self.held.items():
            if self.once.add(f"end {call_id}"):
                call = {"call_id": call_id, "tool": answer.pop("name", None)}
                call["identity"] = s.lasting(call_id)
                if self.once.add(f"call {call_id}"):
                    yield "functionResponse.call", s.compact({**answer["place"], **call})
                end = ended(call["tool"], "success", answer["error"], answer["output"])
                said = {"output": answer["text"], **s.ending(end)}
                yield "functionResponse", s.compact({**answer["place"], **call, **said})
        self.held.clear()

    def _header(self, value: s.Value) -> s.Steps:
        session = value["sessionId"]
        again = self.session is not None
        self.session = session
        # Of the folders that the client lists, the one of the header's digest.
        listed = "/../../../projects.json" if self.parent is None else "/../../../../projects.json"
        for path in s.as_object(s.as_object(self.beside(listed)).get("projects")):
            if digest(path) == value["projectHash"]:
                self.folder = path
                break
        if value.get("kind") == "subagent":
            self.agent = session
            self.session = self.parent or session
        place = self._place(value.get("startTime"), None)
        if self.agent is not None:
            yield "header.subagent", {**place, "plan_type": "default"}
        else:
            yield "header", {**place, "start_reason": "resume" if again else "new"}

    def _name(self) -> None:
        """Take the session of a file without a header from its name."""
        below = AGENT_FILE.search(self.path)
        if below is not None:
            self.session, self.agent = below["session"], below["agent"]
        elif named := NAMED.search(self.path):
            self.session = named["begin"]

    def _place(self, when: Any, message: Any) -> s.Value:
        self.at = when or self.at
        return s.compact(
            {
                "session_id": self.session,
                "timestamp": self.at,
                "cwd": self.folder,
                "agent_id": self.agent,
                "message_id": message,
            }
        )

    def _set(self, change: s.Value) -> s.Steps:
        messages = s.objects(change.get("messages"))
        texts = [s.as_text(one.get("content")) for one in messages]
        found = next((t for t in texts if "<state_snapshot>" in t), None)
        stamp = change.get("lastUpdated")
        if found is not None and self.once.add(f"snapshot {hash(found)} {len(self.once.taken)}"):
            self.snapshot = True
            yield "$set.messages.compacted", {**self._place(stamp, None), "summary": found}
            return
        for message in messages:
            yield from self._message(message)
        summary = change.get("summary")
        if type(summary) is str and self.agent is not None and self.once.add("summary"):
            ended = {"plan_type": "default", "response": summary}
            yield "$set.summary", {**self._place(stamp, None), **ended}
        elif not messages:
            yield s.left_out("$set")

    def _message(self, value: s.Value) -> s.Steps:
        if self.session is None:
            self._name()
        value = {"id": value.get("timestamp"), **value}
        kind = value.get("type")
        if kind == "user":
            yield from self._user(value)
        elif kind == "gemini":
            self.snapshot = False
            yield from self._answer(value)
        elif kind == "info" and SHRUNK.match(s.as_text(value.get("content"))) and not self.snapshot:
            yield "info.compacted", self._place(value.get("timestamp"), value.get("id"))
        else:
            yield s.skip(kind)

    def _user(self, value: s.Value) -> s.Steps:
        content = value.get("content")
        place = self._place(value.get("timestamp"), value.get("id"))
        answers = [
            one for part in s.objects(content) if (one := s.as_object(part.get("functionResponse")))
        ]
        for answer in answers:
            call_id, response = answer.get("id"), s.as_object(answer.get("response"))
            if type(call_id) is str and f"end {call_id}" not in self.once.taken:
                error, text = s.as_text(response.get("error")), s.as_text(response.get("output"))
                said = {"place": place, "error": error, "output": text, "text": text or error}
                self.held[call_id] = {**said, "name": answer.get("name")}
        text = s.as_text(content)
        if answers or not text or text.lstrip().startswith(NO_PROMPT) or self.agent is not None:
            yield s.skip("user")
        elif self.once.add(f"prompt {value.get('id')}"):
            yield from self.finish()
            yield "user", {**place, "prompt": text}
        else:
            yield s.left_out("user, again")

    def _answer(self, value: s.Value) -> s.Steps:
        place = self._place(value.get("timestamp"), value.get("id"))
        model = value.get("model")
        tokens = s.as_object(value.get("tokens"))
        told = False
        if self.answer is not None and self.answer.get("message_id") != value.get("id"):
            yield from self._over()
        if tokens and f"tokens {value.get('id')}" not in self.once.taken:
            counts = {fact: read(tokens) for fact, read in TOKENS.items()}
            text = s.as_text(value.get("content"))
            said = {"model_id": model, "response": text or None}
            # Written again with its last counts; its time and text stay, in a copy too.
            said["identity"] = [str(value.get("timestamp") or value.get("id")), str(model), text]
            self.answer = {**place, **s.compact({**counts, **said})}
            told = True
        for call in s.objects(value.get("toolCalls")):
            for step in self._call(call, place, model):
                told = True
                yield step
        if not told:
            yield s.left_out("gemini, again")

    def _over(self) -> s.Steps:
        """The answer that is not written again."""
        answer, self.answer = self.answer, None
        if answer is not None and self.once.add(f"tokens {answer.get('message_id')}"):
            yield "gemini", answer

    def _call(self, call: s.Value, place: s.Value, model: Any) -> s.Steps:
        call_id, name = call.get("id"), call.get("name")
        if type(call_id) is not str:
            return
        payload = s.compact(
            {**place, "call_id": call_id, "tool": name, "input": s.as_object(call.get("args"))}
            # The client makes ids of calls from their times: a copy has no others.
            | {"identity": s.lasting(call_id)}
            | server_of(name, call.get("displayName"))
        )
        if self.once.add(f"call {call_id}"):
            yield "gemini.toolCalls", s.compact({**payload, "model_id": model})
        status = call.get("status")
        if status in ("success", "error", "cancelled") and self.once.add(f"end {call_id}"):
            self.held.pop(call_id, None)
            answers = [
                s.as_object(at(one, "functionResponse.response"))
                for one in s.objects(call.get("result"))
            ]
            error = "\n".join(t for one in answers if (t := s.as_text(one.get("error"))))
            text = "\n".join(t for one in answers if (t := s.as_text(one.get("output"))))
            said = {"timestamp": call.get("timestamp"), "output": text or error}
            said |= s.ending(ended(name, status, error, text))
            yield "gemini.toolCalls.result", s.compact({**payload, **said})


def server_of(name: Any, shown: Any) -> s.Value:
    """The server of an MCP tool, where the shown name confirms how the tool's name divides."""
    found = SHOWN.fullmatch(shown) if type(shown) is str else None
    if found is None or name != f"mcp_{found['server']}_{found['tool']}":
        return {}
    return {"mcp_server": found["server"]}


EVENTS: s.Events = {
    "header": s.STARTED,
    "header.subagent": s.AGENT_STARTED,
    "$set.summary": s.AGENT_ENDED,
    "user": s.PROMPT,
    "gemini": s.ANSWER,
    "gemini.toolCalls": s.CALLED,
    "gemini.toolCalls.result": s.ENDED,
    "functionResponse.call": s.CALLED,
    "functionResponse": s.ENDED,
    "$set.messages.compacted": s.COMPACTED,
    "info.compacted": s.COMPACTED,
}
VENDOR = s.transcript_vendor("gemini-cli", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(GeminiReader, VENDOR, FILE, skipped=skipped)
