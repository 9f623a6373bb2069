"""Continue's session files: `~/.continue/sessions/<id>.json`, rewritten whole.

Source: recordings and the published sources of CLI 1.5.47; the tool names of the editor extensions
from its documentation. A session has no times but the one of its index `sessions.json`, and its
messages no ids. A compaction removes from the file what it sums up. A sub-agent's own calls are in
no file.
"""

from __future__ import annotations

import re
from hashlib import sha256

from hookstream.core.jsons import canonical
from hookstream.normalizers import steps as s
from hookstream.normalizers import tools
from hookstream.normalizers.table import at, mcp_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


FILE = re.compile(r"[/\\]sessions[/\\][0-9a-f]{8}-[0-9a-f-]{27}\.json$")
PATHS = ("filepath", "file_path", "path", "dirpath", "dirPath", "relFilepath")
SHELLS = ("Bash", "run_terminal_command")
BY_POLICY = "Command blocked by security policy"
BY_USER = "Permission denied by user"
EXITED = re.compile(r"Error executing tool \w{1,64}: Error \(exit code (-?\d{1,10})\)")
TIMED_OUT = re.compile(r"\[Command timed out after [\d.]{1,12} seconds of no output\]\s*\Z")
# A command that fails and writes to its standard error is `errored`.
WROTE_ERRORS = "\nStderr: "
TOOLS = {
    **dict.fromkeys(SHELLS, tools.shell()),
    **dict.fromkeys(("Read", "read_file", "read_file_range"), tools.read(PATHS)),
    **dict.fromkeys(("Write", "create_new_file"), tools.write(PATHS)),
    **dict.fromkeys(
        "Edit MultiEdit edit_existing_file single_find_and_replace multi_edit".split(),
        tools.edit(PATHS),
    ),
    "List": tools.listing("dirpath"),
    "ls": tools.listing("dirPath"),
    "Search": tools.find(),
    "grep_search": tools.find("query"),
    "file_glob_search": tools.find(),
    **dict.fromkeys(("Fetch", "fetch_url_content"), tools.fetch()),
    "search_web": tools.search(),
    "Subagent": tools.delegate(),
}


def claims(p: s.Value) -> bool:
    """The head of a session."""
    return type(p.get("sessionId")) is str and "workspaceDirectory" in p and "title" in p


class ContinueReader(s.FileReader):
    """One session: its head, then its messages.

    A forked session repeats the messages of its parent. What is before and at the first random
    call id identifies a conversation, so messages wait for it and are named after it.
    """

    def start(self) -> None:
        self.place: s.Value = {}
        self.waiting: list[s.Value] = []
        self.chain: bytes | None = None

    def read(self, value: s.Value) -> s.Steps:
        if "message" not in value:
            yield from self._head(value)
        elif self.chain is not None:
            yield from self._message(value)
        else:
            self.waiting.append(value)
            if any(type(state.get("toolCallId")) is str for state in states(value)):
                yield from self._begin(canonical(self.waiting))

    def finish(self) -> s.Steps:
        yield from self._begin(str(self.place.get("session_id")).encode())

    def _begin(self, root: bytes) -> s.Steps:
        self.chain = sha256(root).digest()
        for value in self.waiting:
            yield from self._message(value)
        self.waiting = []

    def _head(self, value: s.Value) -> s.Steps:
        session = value.get("sessionId")
        self.place = s.compact({"session_id": session, "cwd": value.get("workspaceDirectory")})
        listed = self.beside("/sessions.json")
        entries = listed if type(listed) is list else ()
        found = (entry for entry in entries if s.as_object(entry).get("sessionId") == session)
        begun = s.as_object(next(found, None)).get("dateCreated")
        yield "session", s.compact({**self.place, "timestamp": begun, "start_reason": "new"})
        usage = s.as_object(value.get("usage"))
        if usage:
            counts = {
                "input_tokens": usage.get("promptTokens"),
                "output_tokens": usage.get("completionTokens"),
                "cache_read_tokens": at(usage, "promptTokensDetails.cachedTokens"),
                "cache_write_tokens": at(usage, "promptTokensDetails.cacheWriteTokens"),
                "cost_usd": s.real(usage.get("totalCost")) or None,
            }
            yield "session.usage", s.compact({**self.place, **counts})

    def _message(self, value: s.Value) -> s.Steps:
        self.chain = sha256((self.chain or b"") + canonical(value)).digest()
        facts = {**self.place, "message_id": self.chain.hex()[:32]}
        message = s.as_object(value.get("message"))
        text = s.as_text(message.get("content"))
        summary = value.get("conversationSummary")
        if type(summary) is str:
            yield "history.summary", {**facts, "summary": summary}
        elif message.get("role") == "user" and text:
            yield "history.user", {**facts, "prompt": text}
        elif message.get("role") == "assistant":
            yield from self._assistant(value, message, text, facts)
        else:
            yield s.skip(message.get("role"))

    def _assistant(self, value: s.Value, message: s.Value, text: str, place: s.Value) -> s.Steps:
        usage = s.as_object(message.get("usage"))
        model = usage.get("model")
        counts = {
            "model_id": model,
            "input_tokens": usage.get("prompt_tokens", usage.get("promptTokens")),
            "output_tokens": usage.get("completion_tokens", usage.get("completionTokens")),
            "cache_read_tokens": at(usage, "prompt_tokens_details.cached_tokens"),
        }
        yield "history.assistant", s.compact({**place, **counts, "response": text or None})
        for state in states(value):
            if type(state.get("toolCallId")) is str:
                yield from self._call(state, place, model)

    def _call(self, state: s.Value, place: s.Value, model: Any) -> s.Steps:
        name = at(state, "toolCall.function.name")
        fields = s.as_object(state.get("parsedArgs")) or s.as_object(
            at(state, "toolCall.function.arguments")
        )
        call = {**place, "call_id": state["toolCallId"], "tool": name, "input": fields}
        yield "history.call", s.compact({**call, "model_id": model})
        said = s.as_text([{"text": output.get("content")} for output in outputs(state)])
        ended = ended_by(str(name), state.get("status"), said)
        if ended is None:
            return
        yield "history.call.end", s.compact({**call, **ended})
        if name == "Subagent" and ended.get("outcome") == "ok":
            agent = {"agent_type": fields.get("subagent_name"), "parent_call_id": call["call_id"]}
            agent |= {"agent_id": call["call_id"], "plan_type": "default"}
            task = {"task": s.as_text(fields.get("prompt")) or None}
            yield "history.subagent", s.compact({**place, **agent, **task})
            yield "history.subagent.end", s.compact({**place, **agent, "response": said or None})


def states(value: s.Value) -> list[s.Value]:
    """The states of a message's tool calls; older extensions have one."""
    listed = value.get("toolCallStates")
    return s.objects(listed if type(listed) is list else [value.get("toolCallState")])


def outputs(state: s.Value) -> list[s.Value]:
    return s.objects(state.get("output"))


def ended_by(tool: str, status: Any, said: str) -> s.Value | None:
    """Return how a call ended; None while it waits. A shell command that fails without a word on
    its standard error is `done` like any other, so that `done` proves no success of it."""
    who = {BY_POLICY: "client", BY_USER: "user"}.get(said.strip())
    if status == "canceled" and who is not None:
        return {
            "outcome": "denied",
            "decided_by": who,
            "decision_reason": said.strip(),
            "decision_evidence": "text of the result",
        }
    if status == "canceled":
        return {"outcome": "cancelled", "output": said or None}
    if status == "errored":
        code = EXITED.match(said)
        return {
            "outcome": "error",
            "success": False,
            "exit_code": int(code[1]) if code else None,
            "error_message": s.first_line(said) or None,
            "output": said or None,
        }
    if status != "done":
        return None
    if tool not in SHELLS or WROTE_ERRORS in said:
        return {"outcome": "ok", "success": True, "output": said or None}
    if TIMED_OUT.search(said):
        return {"outcome": "timeout", "success": False, "output": said}
    return {"output": said or None}


EVENTS: s.Events = {
    "session": s.STARTED,
    "session.usage": s.totals("continue"),
    "history.user": s.PROMPT,
    "history.assistant": s.ANSWER,
    "history.summary": s.COMPACTED,
    "history.call": s.CALLED,
    "history.call.end": s.ENDED,
    "history.subagent": s.AGENT_STARTED,
    "history.subagent.end": s.AGENT_ENDED,
}
VENDOR = s.transcript_vendor(
    "continue", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp_name(lone=True)
)
FILES = s.SessionFiles(
    ContinueReader, VENDOR, FILE, elements="history", is_untimed=True, part=r"[/\\]sessions\.json$"
)
