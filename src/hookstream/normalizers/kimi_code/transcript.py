"""Kimi Code's session files: `sessions/<folder>/session_<id>/agents/<agent>/wire.jsonl`.

Source: recordings of 2.1.0. Each agent has its own file; `usage.record` counts the tokens of every
answer and compaction, what repeats them is skipped. A call that was refused takes no time, and its
result holds the words of the one who refused it.
"""

from __future__ import annotations

import re

from hookstream.core.jsons import canonical
from hookstream.normalizers import steps as s
from hookstream.normalizers.kimi_code import wording
from hookstream.normalizers.kimi_code.table import TOOLS, mcp
from hookstream.normalizers.table import at
from hookstream.normalizers.wording import denied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


FILE = re.compile(
    r"[/\\](?P<session>session_[^/\\]+)[/\\]agents[/\\](?P<agent>[^/\\]+)[/\\]wire\.jsonl$"
)
TOKENS = {
    "output_tokens": "output",
    "cache_read_tokens": "inputCacheRead",
    "cache_write_tokens": "inputCacheCreation",
}
INPUT = ("inputOther", "inputCacheRead", "inputCacheCreation")


def claims(p: s.Value) -> bool:
    """The first line of each agent's file; or a line of session_index.jsonl."""
    if {"sessionId", "sessionDir", "workDir"} == p.keys():
        return True
    return p.get("type") == "metadata" and type(p.get("protocol_version")) is str


class KimiReader(s.FileReader):
    """One agent's file: its calls, and what its answer has said so far."""

    def start(self) -> None:
        found = FILE.search(self.path)
        self.session = found["session"] if found else None
        self.agent = found["agent"] if found and found["agent"] != "main" else None
        self.cwd: str | None = None
        self.mode: str | None = None
        self.trigger: str | None = None
        self.models: dict[str, str] = {}
        self.agents: dict[str, s.Value] = {}
        # Words that refused a call for certain: of another call they refuse that, too.
        self.refusals: set[str] = set()
        # Calls for which an approval was asked.
        self.asked: set[object] = set()
        self.is_cancelled = False
        self.usage: s.Value | None = None
        self.texts: list[str] = []

    def read(self, value: s.Value) -> s.Steps:
        kind = value.get("type")
        place = self._place(value)
        read = READ.get(str(kind))
        if read is not None:
            yield from read(self, value, place)
        else:
            self._note(kind, value)
            yield s.skip(kind)

    def finish(self) -> s.Steps:
        """The answer that no end of its step followed."""
        yield from self._answered({})

    def _place(self, value: s.Value) -> s.Value:
        turn = value.get("turnId")
        return s.compact(
            {
                "session_id": self.session,
                "timestamp": value.get("time") or value.get("created_at"),
                "cwd": self.cwd,
                "agent_id": self.agent,
                "turn_id": str(turn) if type(turn) is int else None,
                "permission_mode": self.mode,
            }
        )

    def _note(self, kind: object, value: s.Value) -> None:
        """Keep facts that later records need."""
        if kind == "permission.set_mode":
            mode = value.get("mode")
            self.mode = mode if type(mode) is str else self.mode
        elif kind == "profile.bind":
            cwd = at(value, "environmentDisclosure.cwd")
            self.cwd = cwd if type(cwd) is str else self.cwd
        elif kind == "llm.request":
            alias, model = value.get("modelAlias"), value.get("model")
            if type(alias) is str and type(model) is str:
                self.models[alias] = model
        elif kind == "full_compaction.begin":
            source = value.get("source")
            self.trigger = source if type(source) is str else None
        elif kind == "turn.cancel":
            self.is_cancelled = True

    def _started(self, value: s.Value, place: s.Value) -> s.Steps:
        if self.agent is None:
            yield "metadata", {**place, "start_reason": "new"}
        else:
            yield s.left_out("metadata of an agent")

    def _prompt(self, value: s.Value, place: s.Value) -> s.Steps:
        self.is_cancelled = False
        text = s.as_text(value.get("input"))
        if at(value, "origin.kind") == "user" and text:
            yield "turn.prompt", {**place, "prompt": text}
        else:
            yield s.left_out("turn.prompt of the client")

    def _steered(self, value: s.Value, place: s.Value) -> s.Steps:
        """A prompt typed while a turn runs; earlier versions name no origin."""
        text = s.as_text(value.get("input"))
        if at(value, "origin.kind") in (None, "user") and text:
            yield "turn.steer", {**place, "prompt": text}
        else:
            yield s.left_out("turn.steer of the client")

    def _loop(self, value: s.Value, place: s.Value) -> s.Steps:
        event = s.as_object(value.get("event"))
        kind = event.get("type")
        if kind == "tool.call":
            yield from self._called(event, place)
        elif kind == "tool.result":
            yield from self._ended(event, place)
        elif kind == "step.end":
            yield from self._answered(event)
        else:
            text = at(event, "part.text") if at(event, "part.type") == "text" else None
            if type(text) is str:
                self.texts.append(text)
            yield s.skip(kind)

    def _called(self, event: s.Value, place: s.Value) -> s.Steps:
        call_id = event.get("toolCallId")
        if type(call_id) is not str:
            yield s.skip("tool.call")
            return
        turn = event.get("turnId")
        call = {
            "call_id": call_id,
            "tool": event.get("name"),
            "input": s.as_object(event.get("args")),
            "turn_id": turn if type(turn) is str else None,
        }
        yield "tool.call", self.calls.begin(s.compact({**place, **call}))

    def _ended(self, event: s.Value, place: s.Value) -> s.Steps:
        result = s.as_object(event.get("result"))
        text = wording.words_of(s.as_text(result.get("output")))
        call_id = event.get("toolCallId")
        call = self.calls.open.get(call_id, {}) if type(call_id) is str else {}
        said: s.Value = {"output": text or None, "duration_ms": s.real(result.get("durationMs"))}
        said["identity"] = s.lasting(call_id)
        if result.get("isError") is True:
            said |= self._failed(call, text, result.get("durationMs") == 0)
        elif type(event.get("result")) is dict:  # one that succeeded has no isError
            said |= {"outcome": "ok", "success": True}
            said["exit_code"] = 0 if call.get("tool") == "Bash" else None
        yield "tool.result", self.calls.of(call_id, {**place, **said})

    def _failed(self, call: s.Value, text: str, is_instant: bool) -> s.Value:
        """The end of a call that failed. What a hook refused took no time, as a check of the
        client's own does."""
        tool = call.get("tool")
        tool = tool if type(tool) is str else ""
        end = wording.ended(tool, text)
        if end.outcome != "denied" and is_instant:
            if wording.is_unsaid(tool, at(call, "input.path"), text):
                self.refusals.add(text)
            if text in self.refusals and not wording.BY_CLIENT.match(text):
                end = denied("hook", text)
        certainty = "inferred" if end.decided_by == "hook" else "observed"
        if end.outcome == "denied":
            return {**s.ending(end), "certainty": certainty}
        end.outcome = "cancelled" if self.is_cancelled else end.outcome
        return s.ending(end)

    def _used(self, value: s.Value, place: s.Value) -> s.Steps:
        """The tokens of an answer, whose text and end follow; of a compaction they are alone."""
        usage = s.as_object(value.get("usage"))
        model = value.get("model")
        counts = {fact: usage.get(name) for fact, name in TOKENS.items()}
        parts = [usage.get(name) for name in INPUT]
        counts["input_tokens"] = sum(part for part in parts if type(part) is int)
        if not any(counts.values()):
            counts = {}
        model = self.models.get(model, model) if type(model) is str else None
        # A copy may begin after the text of the answer, or after what names the model.
        identity = [str(place.get("timestamp")), canonical(counts).decode()]
        answer = {**place, **counts, "model_id": model, "identity": identity}
        if value.get("usageScope") == "turn":
            yield from self._answered({})
            self.usage = answer
            yield s.skip("usage.record")
        else:
            yield "usage.record", s.compact(answer)

    def _answered(self, event: s.Value) -> s.Steps:
        text, usage = "\n".join(self.texts), self.usage
        self.texts, self.usage = [], None
        if usage is None:
            if event:
                yield s.skip("step.end")
            return
        turn = event.get("turnId")
        said = {
            "response": text or None,
            "stop_reason": event.get("finishReason"),
            "latency_ms": s.real(event.get("llmFirstTokenLatencyMs")),
            "message_id": event.get("messageId"),
            "turn_id": turn if type(turn) is str else None,
        }
        yield "step.end", s.compact({**usage, **said})

    def _asked(self, value: s.Value, place: s.Value) -> s.Steps:
        request = s.as_object(value.get("request"))
        if value.get("kind") != "approval":
            yield s.skip("interaction.request")
            return
        if len(self.asked) < s.WaitingCalls.LIMIT:
            self.asked.add(value.get("toolCallId"))
        call = {"tool": request.get("toolName")}
        yield "interaction.request", self.calls.of(value.get("toolCallId"), {**place, **call})

    def _decided(self, value: s.Value, place: s.Value) -> s.Steps:
        result = s.as_object(value.get("result"))
        approved = result.get("decision") == "approved"
        # Where nothing was asked, the client answered itself, or a hook did; a stop cancels.
        is_persons = value.get("toolCallId") in self.asked and result.get("decision") != "cancelled"
        said = {
            "tool": value.get("toolName"),
            "decided_by": "user" if is_persons else None,
            "decision_reason": result.get("feedback") or result.get("selectedLabel"),
            "decision_evidence": "permission.record_approval_result",
        }
        if not approved:
            said |= {"outcome": "denied", "identity": s.lasting(value.get("toolCallId"), "answer")}
        name = "approved" if approved else "rejected"
        yield f"approval.{name}", self.calls.of(value.get("toolCallId"), {**place, **said})

    def _retried(self, value: s.Value, place: s.Value) -> s.Steps:
        status, attempt = value.get("statusCode"), value.get("failedAttempt")
        said = {
            "error_code": str(status) if status is not None else value.get("errorName"),
            "error_message": s.first_line(s.as_text(value.get("errorMessage"))) or None,
            "retry_count": attempt if type(attempt) is int else None,
            "final": False,
        }
        yield "turn.step.retrying", s.compact({**place, **said})

    def _turn_ended(self, value: s.Value, place: s.Value) -> s.Steps:
        self.is_cancelled = False
        error = s.as_object(value.get("error"))
        if value.get("reason") != "failed" or not error:
            yield s.skip("turn.ended")
            return
        status = at(error, "details.statusCode")
        said = {
            "error_code": str(status) if status is not None else error.get("name"),
            "error_message": s.first_line(s.as_text(error.get("message"))) or None,
            "final": True,
        }
        yield "turn.ended", s.compact({**place, **said})

    def _compacted(self, value: s.Value, place: s.Value) -> s.Steps:
        said = {
            "context_trigger": self.trigger,
            "tokens_before": value.get("tokensBefore"),
            "tokens_after": value.get("tokensAfter"),
            "summary": value.get("summary"),
        }
        yield "context.apply_compaction", s.compact({**place, **said})

    def _spawned(self, value: s.Value, place: s.Value) -> s.Steps:
        agent, parent = value.get("subagentId"), value.get("parentAgentId")
        call_id = value.get("parentToolCallId")
        kind = value.get("subagentName")
        call = self.calls.open.get(call_id, {}) if type(call_id) is str else {}
        known = {
            "agent_id": agent,
            "agent_type": kind,
            "plan_type": s.plan_type(kind),
            "parent_call_id": call_id,
            "parent_agent_id": None if parent == "main" else parent,
        }
        if type(agent) is str and len(self.agents) < s.WaitingCalls.LIMIT:
            self.agents[agent] = known
        task = at(call, "input.prompt")
        yield "subagent.spawned", s.compact({**place, **known, "task": task})

    def _agent_ended(self, value: s.Value, place: s.Value) -> s.Steps:
        agent = value.get("subagentId")
        known = self.agents.pop(agent, {}) if type(agent) is str else {}
        said = {"agent_id": agent, "plan_type": "default", **known}
        response = value.get("resultSummary") or at(value, "error.message")
        yield "subagent.completed", s.compact({**place, **said, "response": response})


READ: dict[str, Callable[[KimiReader, s.Value, s.Value], s.Steps]] = {
    "metadata": KimiReader._started,
    "context.append_loop_event": KimiReader._loop,
    "usage.record": KimiReader._used,
    "turn.prompt": KimiReader._prompt,
    "turn.steer": KimiReader._steered,
    "turn.ended": KimiReader._turn_ended,
    "interaction.request": KimiReader._asked,
    "permission.record_approval_result": KimiReader._decided,
    "turn.step.retrying": KimiReader._retried,
    "context.apply_compaction": KimiReader._compacted,
    "subagent.spawned": KimiReader._spawned,
    "subagent.completed": KimiReader._agent_ended,
    "subagent.failed": KimiReader._agent_ended,
    "subagent.cancelled": KimiReader._agent_ended,
}
EVENTS: s.Events = {
    "metadata": s.STARTED,
    "turn.prompt": s.PROMPT,
    "turn.steer": s.PROMPT,
    "step.end": s.ANSWER,
    "usage.record": s.ANSWER,
    "turn.step.retrying": s.MODEL_FAILED,
    "turn.ended": s.MODEL_FAILED,
    "tool.call": s.CALLED,
    "tool.result": s.ENDED,
    "interaction.request": s.ASKED,
    "approval.approved": s.APPROVED,
    "approval.rejected": s.ENDED,
    "context.apply_compaction": s.COMPACTED,
    "subagent.spawned": s.AGENT_STARTED,
    "subagent.completed": s.AGENT_ENDED,
}
VENDOR = s.transcript_vendor("kimi-code", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(KimiReader, VENDOR, FILE)
