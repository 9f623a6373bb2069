"""Grok Build's session files: `sessions/<folder>/<id>/updates.jsonl`, in the form of ACP.

Source: recordings of 1.0.41. A sub-agent has a separate session next to its parent's, whose usage
contains its: `usage.json` of the child says what to take off. A question has no record here: the
time between the call as it is shown and its refusal is how long a user had to answer.
"""

from __future__ import annotations

import re

from hookstream.core.times import to_iso
from hookstream.normalizers import steps as s
from hookstream.normalizers.grok_build import wording
from hookstream.normalizers.grok_build.table import TOOLS, mcp
from hookstream.normalizers.table import Row, at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.steps import Events, Steps, Value

FILE = re.compile(r"[/\\]sessions[/\\][^/\\]+[/\\](?P<session>[0-9a-f-]{36})[/\\]updates\.jsonl$")
ID = re.compile(r"[0-9a-f-]{36}")
OTHERS = (
    r"[/\\]sessions[/\\](?:session_search\.\w+|[^/\\]+[/\\](?:prompt_history|"
    r"permission\w*|[0-9a-f-]{36}[/\\](?!updates\.jsonl$).+))"
)
METHODS = ("session/update", "_x.ai/session/update")
TOKENS = {
    "input_tokens": "inputTokens",
    "output_tokens": "outputTokens",
    "cache_read_tokens": "cachedReadTokens",
    "cache_write_tokens": "cacheCreationTokens",
}


def claims(p: Value) -> bool:
    """An update of a session."""
    return p.get("method") in METHODS and type(at(p, "params.sessionId")) is str


class GrokReader(s.FileReader):
    """One session: its calls with the time at which each was shown, what is being said, the hooks
    that refused, and the tokens of its turns."""

    def start(self) -> None:
        summary = s.as_object(self.beside("/summary.json"))
        self.cwd = at(summary, "info.cwd")
        self.is_child = summary.get("session_kind") == "subagent"
        self.attended = False if summary.get("session_kind") == "headless" else None
        self.shown_at: dict[str, int] = {}
        self.refusing_hooks: list[tuple[str, str]] = []
        self.said: list[str] = []
        # model -> tokens of the turns so far
        self.spent: dict[str, dict[str, int]] = {}
        # sub-agent that ended -> whether its tokens are taken off
        self.children: dict[str, bool] = {}
        self.last: Value = {}

    def read(self, value: Value) -> Steps:
        params = s.as_object(value.get("params"))
        update, meta = s.as_object(params.get("update")), s.as_object(params.get("_meta"))
        kind, when = update.get("sessionUpdate"), meta.get("agentTimestampMs")
        self.last = s.compact(
            {
                "session_id": params.get("sessionId"),
                "timestamp": to_iso(when if type(when) is int else value.get("timestamp")),
                "turn_id": meta.get("promptId") or update.get("prompt_id"),
                "cwd": self.cwd,
                "attended": self.attended,
            }
        )
        if kind == "agent_message_chunk":
            self.said.append(s.as_text(update.get("content")))
            yield s.skip(kind)
            return
        if kind != "hook_execution":
            yield from self._answered()
        if kind == "user_message_chunk":
            prompt = wording.asked(s.as_text(update.get("content")))
            yield "task" if self.is_child else "prompt", {**self.last, "prompt": prompt}
        elif kind in ("tool_call", "tool_call_update"):
            yield from self._call(update, when)
        elif kind == "hook_execution":
            self._hooked(update)
            yield s.skip(kind)
        elif kind in ("subagent_spawned", "subagent_finished"):
            agent = {
                "plan_type": s.plan_type(update.get("subagent_type")),
                "agent_type": update.get("subagent_type"),
                "child_session_id": update.get("child_session_id"),
                "task": update.get("description"),
                "response": update.get("output"),
            }
            yield kind, s.compact({**self.last, **agent})
            if kind == "subagent_finished":
                self.children.setdefault(str(update.get("child_session_id")), False)
        elif kind == "auto_compact_completed":
            sizes = {name: update.get(name) for name in ("tokens_before", "tokens_after")}
            yield kind, s.compact({**self.last, **sizes, "context_trigger": "auto"})
        elif kind == "turn_completed":
            yield from self._ended(update)
        else:
            yield s.skip(kind)

    def finish(self) -> Steps:
        yield from self._answered()

    def _answered(self) -> Steps:
        """The text that was said since the last update of another kind."""
        text, self.said = "".join(self.said), []
        if text:
            yield "answer", {**self.last, "response": text}

    def _hooked(self, update: Value) -> None:
        """Keep the hook that refused the next call of its tool."""
        for run in s.objects(update.get("runs")):
            if at(run, "status.blocked") is True and len(self.refusing_hooks) < 64:
                reason = str(at(run, "status.error")).removeprefix("denied: ")
                self.refusing_hooks.append((reason, str(run.get("name"))))

    def _call(self, update: Value, when: Any) -> Steps:
        call_id, status = update.get("toolCallId"), update.get("status")
        if type(call_id) is not str:
            yield s.skip("tool_call")
        elif status in ("completed", "failed"):
            yield "tool_result", self._result(call_id, update, when)
        elif call_id not in self.calls.open:
            name = at(update, "_meta.x\\.ai/tool.name") or update.get("title")
            facts = {"call_id": call_id, "tool": name, "input": s.as_object(update.get("rawInput"))}
            yield "tool_call", self.calls.begin(s.compact({**self.last, **facts}))
        else:
            if type(when) is int:
                self.shown_at[call_id] = when
            yield s.skip("tool_call_update")

    def _result(self, call_id: str, update: Value, when: Any) -> Value:
        content = [part.get("content") for part in s.objects(update.get("content"))]
        text, shown_at = s.as_text(content), self.shown_at.pop(call_id, None)
        waited_ms = when - shown_at if shown_at is not None and type(when) is int else None
        end = wording.finished(update.get("status"), update.get("rawOutput"), text, waited_ms)
        facts = {**self.last, "output": text or None, **s.ending(end)}
        if end.outcome == "denied" and end.decided_by == "hook":
            facts["guardian"] = self._guardian(end.reason or "")
        facts = self.calls.of(call_id, facts)
        self.calls.open.pop(call_id, None)
        return facts

    def _guardian(self, reason: str) -> str | None:
        """The name of the hook that gave this reason."""
        for number, (said, name) in enumerate(self.refusing_hooks):
            if said.strip() == reason:
                del self.refusing_hooks[number]
                return name
        return None

    def _ended(self, update: Value) -> Steps:
        """The tokens of the turns so far, and the error that ended one."""
        if update.get("stop_reason") == "error":
            message = s.first_line(s.as_text(update.get("agent_result")))
            yield "turn_failed", s.compact({**self.last, "error_message": message, "final": True})
        self._add(update, "usage", 1)
        for child, is_taken_off in self.children.items():
            if not is_taken_off and ID.fullmatch(child):
                self._add(s.as_object(self.beside(f"/../{child}/usage.json")), "session", -1)
                self.children[child] = True
        for model, counts in self.spent.items():
            yield "turn_completed", s.compact({**self.last, **counts, "model_id": model})

    def _add(self, value: Value, name: str, sign: int) -> None:
        """Add the tokens of a turn, or take off those of a sub-agent."""
        for model, usage in s.as_object(at(value, f"{name}.modelUsage")).items():
            counts = self.spent.setdefault(model, dict.fromkeys(TOKENS, 0))
            for fact, key in TOKENS.items():
                count = s.as_object(usage).get(key)
                counts[fact] += sign * count if type(count) is int else 0


EVENTS: Events = {
    "prompt": s.PROMPT,
    "task": Row("vendor.grok-build.SubagentTask", {"prompt": "prompt"}),
    "answer": s.ANSWER,
    "tool_call": s.CALLED,
    "tool_result": s.ENDED,
    "subagent_spawned": s.AGENT_STARTED,
    "subagent_finished": s.AGENT_ENDED,
    "auto_compact_completed": s.COMPACTED,
    "turn_failed": s.MODEL_FAILED,
    "turn_completed": s.totals("grok-build"),
}
VENDOR = s.transcript_vendor("grok-build", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(GrokReader, VENDOR, FILE, part=OTHERS)
