"""Codex's session files: `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`, one a thread.

Source: recordings of 0.169.0. Older builds say prompts as `user_message`, tokens as `token_count`
and write no items: what each of these repeats is taken once. An approval leaves no record.
"""

from __future__ import annotations

import re
import shlex

from hookstream.core.jsons import canonical
from hookstream.normalizers import steps as s
from hookstream.normalizers.attendance import is_attended
from hookstream.normalizers.claude_code.table import mcp
from hookstream.normalizers.codex.hook import HOOK
from hookstream.normalizers.codex.table import PATCHED, TOOLS
from hookstream.normalizers.codex.wording import (
    ABORTED,
    RUNNING,
    ended,
    exit_code,
    header,
    printed,
    refusal,
)
from hookstream.normalizers.table import at
from hookstream.normalizers.wording import Ending, denied, failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


FILE = re.compile(r"rollout-[^/\\]+\.jsonl(\.\w+)?$")
KINDS = frozenset(
    (
        "session_meta response_item event_msg turn_context world_state token_usage_record "
        "compacted ghost_snapshot"
    ).split()
)
# Of a message: what Codex passes on of the turn that it belongs to.
PASSED_ON = "internal_chat_message_metadata_passthrough"
# Totals that are remembered: an old one may come again after newer ones.
TOTALS = 256
USAGE = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cached_input_tokens",
    "cache_write_tokens": "cache_write_input_tokens",
}
# item.type -> whether it reports how a call ended
ITEMS = frozenset(("CommandExecution", "FileChange", "McpToolCall", "CollabAgentToolCall"))


def claims(p: s.Value) -> bool:
    """A line has a kind and a payload, and no session."""
    return p.get("type") in KINDS and type(p.get("payload")) is dict and "timestamp" in p


class CodexReader(s.FileReader):
    """One thread: its position, its calls, and the items reported so far."""

    def start(self) -> None:
        found = re.search(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl", self.path)
        self.thread: str | None = found[1] if found else None
        self.session = self.thread
        self.agent: str | None = None
        self.agent_type: str | None = None
        self.parent: str | None = None
        self.cwd: str | None = None
        self.turn: str | None = None
        self.model: str | None = None
        self.policy: str | None = None
        self.items: dict[str, s.Value] = {}
        # outputs that said nothing of the end: the item comes later
        self.waiting: dict[str, s.Value] = {}
        self.has_usage = self.has_items = self.has_compacted = False
        # a turn has begun, or is named nowhere; counts that come before wait for it
        self.has_context = False
        self.early: list[tuple[s.Value, s.Value]] = []
        # totals that were counted
        self.totals: list[s.Value] = []
        # whose records a fork's file begins with, until which second, and its prompts
        self.root = self.thread
        self.second = self.copied_until = ""
        self.prompts = 0

    def read(self, value: s.Value) -> s.Steps:
        kind = value.get("type")
        payload = s.as_object(value.get("payload"))
        told = payload.get("turn_id", at(payload, f"{PASSED_ON}.turn_id"))
        self.turn = _text(told) or self.turn
        # Each item names its turn, except in builds before September 2025, which name none.
        begins = kind in ("turn_context", "response_item") or payload.get("type") == "user_message"
        self.has_context |= self.turn is not None or begins
        self.second = str(value.get("timestamp"))[:19]
        if self.has_context:
            yield from self._due()
        if kind == "session_meta":
            yield from self._meta(value, payload)
        elif kind == "turn_context":
            self.model = _text(payload.get("model")) or self.model
            self.cwd = _text(payload.get("cwd")) or self.cwd
            self.policy = _text(payload.get("approval_policy")) or self.policy
            yield s.skip(kind)
        elif kind == "response_item":
            yield from self._item(value, payload)
        elif kind == "event_msg":
            yield from self._event(value, payload)
        elif kind == "token_usage_record":
            self.has_usage = True
            usage = s.as_object(payload.get("usage"))
            total = payload.get("thread_token_usage")
            identity = self._identity(total) if total else None
            step = self._usage(value, usage, payload.get("response_id"))
            yield "token_usage_record", s.compact({**step, "identity": identity})
        elif kind == "compacted":
            self.has_compacted = True
            yield "compacted", self._compacted(value, payload.get("message"))
        else:
            yield s.skip(kind)

    def _place(self, value: s.Value) -> s.Value:
        return s.compact(
            {
                "session_id": self.session,
                "timestamp": value.get("timestamp"),
                "cwd": self.cwd,
                "turn_id": self.turn,
                "agent_id": self.agent,
                "agent_type": self.agent_type,
                "parent_agent_id": self.parent if self.agent else None,
                "permission_mode": self.policy,
            }
        )

    def _meta(self, value: s.Value, payload: s.Value) -> s.Steps:
        """The thread; a copy of its parent's in the file of a fork is not this thread's."""
        thread = _text(payload.get("id"))
        self.root = thread or self.root
        if thread is None or (self.thread is not None and thread != self.thread):
            yield s.skip("session_meta")
            return
        self.thread = thread
        self.copied_until = self.second
        self.version = _text(payload.get("cli_version"))
        self.cwd = _text(payload.get("cwd"))
        root = _text(payload.get("session_id"))
        spawn = at(payload, "source.subagent.thread_spawn")
        is_agent = type(at(payload, "source.subagent")) in (dict, str)
        parent = _text(payload.get("parent_thread_id")) or _text(at(spawn, "parent_thread_id"))
        self.session = root or (parent if is_agent and parent else thread)
        if is_agent and thread != self.session:
            self.agent = thread
            self.parent = parent if parent != self.session else None
            named = (at(spawn, "agent_role"), payload.get("agent_nickname"))
            self.agent_type = next((_text(one) for one in named if _text(one)), None)
            yield (
                "session_meta.subagent",
                {
                    **self._place(value),
                    "plan_type": s.plan_type(self.agent_type),
                },
            )
        else:
            forked = _text(payload.get("forked_from_id"))
            reason = {
                "start_reason": "new",
                "attended": is_attended(HOOK.attended, payload),
            }
            yield (
                "session_meta",
                s.compact({**self._place(value), **reason, "parent_session_id": forked}),
            )

    def _item(self, value: s.Value, payload: s.Value) -> s.Steps:
        kind = payload.get("type")
        call_id = _text(payload.get("call_id"))
        if kind in ("function_call", "custom_tool_call", "local_shell_call") and call_id:
            yield f"response_item.{kind}", self._called(value, payload, call_id)
        elif kind == "web_search_call":
            yield from self._searched(value, payload)
        elif kind in ("function_call_output", "custom_tool_call_output") and call_id:
            yield from self._answered(value, payload, call_id, f"response_item.{kind}")
        else:
            yield s.skip(kind)

    def _called(self, value: s.Value, payload: s.Value, call_id: str) -> s.Value:
        name = _text(payload.get("name")) or "local_shell"
        space = _text(payload.get("namespace"))
        if space and space.startswith("mcp__"):
            name = f"{space}__{name}"
        given = payload.get("arguments", payload.get("input", payload.get("action")))
        made = s.as_object(given)
        call = {"call_id": call_id, "tool": name, "model_id": self.model}
        if type(given) is str and not made:
            made = {"command": given}  # a patch, as hooks have it
            found = PATCHED.search(given)
            call["file_path"] = found[1] if found else None
        elif type(made.get("command")) is list:
            words = [word for word in made["command"] if type(word) is str]
            made = {**made, "command": shlex.join(words)}
        elif name == "exec_command" and "cmd" in made:
            name = call["tool"] = "Bash"
            made = {"command": made["cmd"], **_some(made, "workdir")}
        place = {**self._place(value), "identity": self._identity(made)}
        return self.calls.begin(s.compact({**place, **call, "input": made}))

    def _searched(self, value: s.Value, payload: s.Value) -> s.Steps:
        """A search that the provider ran: its one record is the call and its result."""
        call_id = _text(payload.get("id"))
        given = s.as_object(payload.get("action"))
        call = {"call_id": call_id, "tool": "web_search", "input": given}
        step = s.compact({**self._place(value), **call})
        yield "response_item.web_search_call", step
        if payload.get("status") == "completed":
            yield "response_item.web_search_call.end", {**step, "outcome": "ok", "success": True}

    def _answered(self, value: s.Value, payload: s.Value, call_id: str, native: str) -> s.Steps:
        raw = payload.get("output")
        item, body = self.items.pop(call_id, None), s.as_object(raw)
        if body.keys() == {"output", "metadata"}:  # older builds
            item, raw = item or s.as_object(body["metadata"]), body["output"]
        body = body if type(raw) is dict else {}
        text = s.as_text(body.get("content", body) if body else raw)
        payload = {**self._place(value), "output": text, "identity": self._identity()}
        if item is not None:
            yield native, self._ended(call_id, item, text, payload)
            return
        end = ended(self._tool(call_id), text, body.get("success"), self.policy)
        if end.outcome is None and RUNNING.search(header(text)):
            self.waiting[call_id] = payload
            yield s.left_out("output of a running process")
            return
        facts = s.ending(end)
        if ABORTED.match(text):
            facts |= {"certainty": "inferred"} if end.outcome == "denied" else {}
        elif end.outcome is None:
            # The file says nothing against it: what another witness says outright comes first.
            facts |= {"outcome": "ok", "success": True, "synthesized": ("outcome", "success")}
        yield native, self.calls.of(call_id, {**payload, **facts})

    def _tool(self, call_id: str) -> Any:
        return self.calls.open.get(call_id, {}).get("tool")

    def _ended(self, call_id: str, item: s.Value, text: str, payload: s.Value) -> s.Value:
        """Return how a call ended, from its item: in the words of the output if refused."""
        code = item.get("exit_code")
        status = item.get("status")
        words = text or _text(item.get("stderr")) or _text(item.get("aggregated_output")) or ""
        code = code if type(code) is int else exit_code(self._tool(call_id), text)
        if status == "declined":
            end = refusal(words) or denied("client", words)
        elif status == "failed" or code or at(item, "result.isError") is True:
            end = failed("error", printed(words), code)
        else:
            end = Ending("ok", exit_code=code)
        took = s.as_object(item.get("duration"))
        secs, nanos = took.get("secs"), took.get("nanos")
        facts = {"output": text or _text(item.get("aggregated_output")), **s.ending(end)}
        if type(secs) is int and type(nanos) is int:
            facts["duration_ms"] = float(secs * 1000 + nanos / 1e6)
        return self.calls.of(call_id, {**payload, **facts})

    def _event(self, value: s.Value, payload: s.Value) -> s.Steps:
        kind = payload.get("type")
        if kind == "item_completed":
            yield from self._item_completed(value, s.as_object(payload.get("item")))
        elif kind == "user_message" and not self.has_items and self.agent is None:
            yield "event_msg.user_message", self._prompt(value, _text(payload.get("message")))
        elif kind == "token_count" and not self.has_context and len(self.early) < TOTALS:
            self.early.append((value, payload))
            yield s.left_out("counts before their turn is known")
        elif kind == "token_count" and not self.has_usage:
            yield from self._counted(value, payload)
        elif kind == "task_complete":
            yield from self._completed(value, payload)
        elif kind in ("error", "stream_error"):
            yield f"event_msg.{kind}", self._failed(value, payload, final=kind == "error")
        else:
            yield s.skip(kind)

    def _item_completed(self, value: s.Value, item: s.Value) -> s.Steps:
        kind = item.get("type")
        call_id = _text(item.get("id"))
        if kind == "UserMessage":
            self.has_items = True
            if self.agent is None:
                step = self._prompt(value, s.as_text(item.get("content")))
                yield "event_msg.item_completed.UserMessage", step
                return
        elif kind in ITEMS and call_id is not None:
            if call_id in self.waiting:
                payload = {**self._place(value), "output": self.waiting.pop(call_id)["output"]}
                native = f"event_msg.item_completed.{kind}"
                yield native, self._ended(call_id, item, "", payload)
                return
            if call_id in self.calls.open:
                if len(self.items) >= s.WaitingCalls.LIMIT:
                    del self.items[next(iter(self.items))]
                self.items[call_id] = item
        elif kind == "ContextCompaction" and not self.has_compacted:
            yield "compacted", self._compacted(value, None)
            return
        yield s.skip(kind)

    def _completed(self, value: s.Value, payload: s.Value) -> s.Steps:
        error = payload.get("error")
        if error:
            yield (
                "event_msg.task_complete.error",
                self._failed(value, s.as_object(error) or {"message": error}, final=True),
            )
        if self.agent is not None:
            answer = {"response": _text(payload.get("last_agent_message"))}
            kind = {"plan_type": s.plan_type(self.agent_type)}
            yield (
                "event_msg.task_complete.subagent",
                s.compact({**self._place(value), **answer, **kind}),
            )
        elif not error:
            yield s.skip("task_complete")

    def _failed(self, value: s.Value, error: s.Value, *, final: bool) -> s.Value:
        code = error.get("codex_error_info")
        word = code if type(code) is str else next(iter(s.as_object(code)), None)
        said = {
            "error_code": word,
            "error_message": s.first_line(_text(error.get("message")) or ""),
        }
        return s.compact({**self._place(value), **said, "final": final, "model_id": self.model})

    def _due(self) -> s.Steps:
        """The counts that waited for their turn. Of a file that names none they are a part of
        another file's."""
        early, self.early = self.early, []
        for value, payload in early if not self.has_usage else ():
            yield from self._counted(value, payload)

    def _counted(self, value: s.Value, payload: s.Value) -> s.Steps:
        """The response just counted; totals that were there before are of no new one. Without the
        response's own counts they are what the totals have grown by."""
        info = s.as_object(payload.get("info"))
        total = s.as_object(info.get("total_token_usage"))
        usage = s.as_object(info.get("last_token_usage")) or grown(total, self.totals[-1:])
        if not any(usage.get(name) for name in USAGE.values()) or (total and total in self.totals):
            yield s.skip("token_count")
            return
        self.totals = [*self.totals[-TOTALS:], total] if total else self.totals
        identity = self._identity(total) if total else None
        step = {**self._usage(value, usage, None), "identity": identity}
        yield "event_msg.token_count", s.compact(step)

    def _identity(self, content: Any = None) -> list[str] | None:
        """The turn, or where a build names none the first thread, and the content that a copy of a
        record in a fork's file has too, while its time is that of the fork."""
        about = self.turn or (self.root if self.has_context else None)
        return None if about is None else [about, canonical(content).decode()]

    def _prompt(self, value: s.Value, text: str | None) -> s.Value:
        content: Any = text
        if self.turn is None:
            self.prompts += 1
            is_copied = self.second <= self.copied_until
            content = [self.root if is_copied else self.thread, self.prompts, text]
        prompt = {"prompt": text, "identity": self._identity(content)}
        return s.compact({**self._place(value), **prompt})

    def _usage(self, value: s.Value, usage: s.Value, response: Any) -> s.Value:
        counts = {fact: usage.get(name) for fact, name in USAGE.items()}
        said = {"model_id": self.model, "message_id": response}
        return s.compact({**self._place(value), **counts, **said})

    def _compacted(self, value: s.Value, summary: Any) -> s.Value:
        return s.compact({**self._place(value), "summary": _text(summary)})


def grown(total: s.Value, before: list[s.Value]) -> s.Value:
    """The counts by which totals have grown, empty if they have not."""
    known = before[0] if before else {}
    counts = {
        name: count - known.get(name, 0)
        for name, count in total.items()
        if type(count) is int and type(known.get(name, 0)) is int
    }
    return {} if any(count < 0 for count in counts.values()) or not any(counts.values()) else counts


def _text(value: Any) -> str | None:
    return value if type(value) is str and value else None


def _some(given: s.Value, *names: str) -> s.Value:
    return {name: given[name] for name in names if given.get(name) is not None}


EVENTS: s.Events = {
    "session_meta": s.STARTED,
    "session_meta.subagent": s.AGENT_STARTED,
    "event_msg.task_complete.subagent": s.AGENT_ENDED,
    "event_msg.item_completed.UserMessage": s.PROMPT,
    "event_msg.user_message": s.PROMPT,
    "response_item.function_call": s.CALLED,
    "response_item.custom_tool_call": s.CALLED,
    "response_item.local_shell_call": s.CALLED,
    "response_item.web_search_call": s.CALLED,
    "response_item.web_search_call.end": s.ENDED,
    "response_item.function_call_output": s.ENDED,
    "response_item.custom_tool_call_output": s.ENDED,
    **{f"event_msg.item_completed.{kind}": s.ENDED for kind in sorted(ITEMS)},
    "token_usage_record": s.ANSWER,
    "event_msg.token_count": s.ANSWER,
    "compacted": s.COMPACTED,
    "event_msg.task_complete.error": s.MODEL_FAILED,
    "event_msg.error": s.MODEL_FAILED,
    "event_msg.stream_error": s.MODEL_FAILED,
}
VENDOR = s.transcript_vendor("codex", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(CodexReader, VENDOR, FILE)
