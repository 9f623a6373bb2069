"""Copilot CLI's session files: `session-state/<session>/events.jsonl`, `<session>.jsonl` before,
and the requests in `session-store.db`, which the file of their session repeats.

Source: recordings of 1.0.102 and the schema in its package. A resume appends to the same file.
`hook.start` and `hook.end` repeat the inputs of calls and are not calls. Builds that
write no `session.usage_record` say what was spent in `session.shutdown` alone, counted from the
last start or resume; those that do repeat the sum of all records there.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from hookstream.normalizers import steps as s
from hookstream.normalizers import table as t
from hookstream.normalizers.copilot.calls import TOOLS, mcp
from hookstream.normalizers.copilot.wording import ended

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from typing import Any


FILE = re.compile(
    r"[/\\]session-state[/\\](?:[^/\\]+[/\\]events|(?P<flat>[^/\\]+))\.jsonl(?:\.\w+)?$"
    r"|[/\\]session-store\.db$"
)
# What the client adds when a skill is used.
SKILL = "<skill-context"
NOT_TYPED = ("agent-", "system", "skill-")
TRIGGERS = {"threshold": "auto", "overflow": "auto"}
# Who answered, where the record says so; a person only there.
SOURCES = {
    "human_response": "user",
    "host_policy": "rule",
    "assisted_approval": "classifier",
    "unattended_fallback": "client",
    "authorization_carry_forward": "rule",
}
USAGE = {
    "model_id": "model",
    "input_tokens": "inputTokens",
    "output_tokens": "outputTokens",
    "cache_read_tokens": "cacheReadTokens",
    "cache_write_tokens": "cacheWriteTokens",
}
# The columns of a request in the store, as a session file calls them.
STORED = tuple(
    "model inputTokens outputTokens cacheReadTokens cacheWriteTokens duration timeToFirstTokenMs "
    "totalNanoAiu".split()
)
REQUESTS = """
    select u.session_id, u.agent_id, u.created_at, s.cwd, u.model, u.input_tokens, u.output_tokens,
        u.cache_read_tokens, u.cache_write_tokens, u.duration_ms, u.time_to_first_token_ms,
        u.total_nano_aiu
    from assistant_usage_events as u left join sessions as s on s.id = u.session_id
    where replace(u.created_at, ' ', 'T') >= ? order by u.id
"""
# What the two of them say of a request, and no other request of its session.
REQUEST = ("model", "inputTokens", "outputTokens", "timeToFirstTokenMs")
TABLES = frozenset(("sessions", "assistant_usage_events"))
# A billion units of AI credits are one, and a hundred of those a dollar.
NANO_UNITS_PER_USD = 1e11
COUNTS = {fact: name for fact, name in USAGE.items() if fact != "model_id"}


def claims(p: s.Value) -> bool:
    kind = p.get("type")
    return type(kind) is str and "parentId" in p and type(p.get("data")) is dict and "id" in p


def rows(database: sqlite3.Connection, since_ms: int = 0) -> Iterator[s.Value | s.BadRow]:
    """The requests of the store whose session has no file, each as a record of such a file."""
    _, _, path = database.execute("pragma database_list").fetchone()
    since = datetime.fromtimestamp(since_ms / 1000, UTC).isoformat()[:19]
    for session, agent, created, cwd, *counts in database.execute(REQUESTS, (since,)):
        if not _has_file(path, session):
            usage = dict(zip(STORED, counts, strict=True))
            record = {"agentId": agent, "timestamp": created, "data": {"usage": usage}}
            yield {"type": "session.usage_record", "session": session, "cwd": cwd, **record}


def _has_file(store: str, session: object) -> bool:
    if not store or type(session) is not str:
        return False
    folder = Path(store).with_name("session-state")
    return any((folder / name).exists() for name in (f"{session}/events.jsonl", f"{session}.jsonl"))


class CopilotReader(s.FileReader):
    """One session: its calls, its agents, and the answers of hooks and people to a call."""

    def start(self) -> None:
        match = FILE.search(self.path)
        folder = re.split(r"[/\\]", self.path)[-2:-1]
        self.session: str | None = (match["flat"] or folder[0]) if match else None
        self.cwd: str | None = None
        self.client_name = s.as_object(self.beside("/workspace.yaml")).get("client_name")
        self.agents: dict[str, str] = {}
        # permission request -> call id; call id -> who answered
        self.asked: dict[str, str] = {}
        self.answered: dict[str, s.Value] = {}
        # calls without an end, and those of them that were running when a person stopped the turn
        self.running: dict[str, None] = {}
        self.aborted: dict[str, None] = {}
        self.has_records = False
        self.mode: str | None = None
        # model -> what it is known to have taken since the start or the last resume
        self.spent: dict[str, Counter[str]] = {}

    def read(self, value: s.Value) -> s.Steps:
        kind = value.get("type")
        data = s.as_object(value.get("data"))
        reader = READERS.get(kind) if type(kind) is str else None
        if reader is None:
            yield s.skip(kind)
        else:
            yield from reader(self, value, data)

    def _place(self, value: s.Value) -> s.Value:
        agent = value.get("agentId")
        agent = agent if type(agent) is str else None
        return s.compact(
            {
                "session_id": value.get("session") or self.session,
                "timestamp": value.get("timestamp"),
                "cwd": value.get("cwd") or self.cwd,
                "agent_id": agent,
                "agent_type": self.agents.get(agent) if agent else None,
                "turn_id": t.at(value, "data.interactionId"),
                "permission_mode": self.mode,
                "message_id": value.get("id"),
            }
        )

    def started(self, value: s.Value, data: s.Value) -> s.Steps:
        session = data.get("sessionId")
        if type(session) is str:
            self.session = session
        version, cwd = data.get("copilotVersion"), t.at(data, "context.cwd")
        self.version = version if type(version) is str else self.version
        self.cwd = cwd if type(cwd) is str else self.cwd
        self.spent.clear()
        kind = str(value.get("type"))
        reason = "resume" if kind == "session.resume" else "new"
        facts = {"start_reason": reason, "model_id": data.get("selectedModel")}
        facts["client_name"] = self.client_name
        yield kind, s.compact({**self._place(value), **facts})

    def stopped(self, value: s.Value, data: s.Value) -> s.Steps:
        for call_id in self.aborted:
            ended = {**self._place(value), "outcome": "cancelled"}
            yield "tool.execution_complete", self.calls.of(call_id, ended)
        self.aborted.clear()
        self.running.clear()
        metrics_by_model = {} if self.has_records else s.as_object(data.get("modelMetrics"))
        for model, metrics in metrics_by_model.items():
            yield from self._left(value, model, s.as_object(t.at(metrics, "usage")))
        yield "session.shutdown", {**self._place(value), "end_reason": "exit"}

    def _left(self, value: s.Value, model: str, usage: s.Value) -> s.Steps:
        """The tokens of a model beyond those that the file has named."""
        told = self.spent.setdefault(model, Counter())
        left = {fact: (number(usage.get(name)) - told[fact]) for fact, name in COUNTS.items()}
        if any(left[fact] > 0 for fact in ("input_tokens", "output_tokens")):
            left = {fact: max(0, count) for fact, count in left.items()}
            told.update(left)
            yield "session.shutdown.usage", {**self._place(value), "model_id": model, **left}

    def permitted(self, value: s.Value, data: s.Value) -> s.Steps:
        """Everything is allowed from here on, or no longer."""
        allows_all = data.get("allowAllPermissions") is True
        self.mode = "allow-all" if allows_all else None
        yield s.skip("session.permissions_changed")

    def stopped_turn(self, value: s.Value, data: s.Value) -> s.Steps:
        """The calls that run are stopped, unless an end of theirs still follows."""
        self.aborted.update(self.running)
        yield s.skip("abort")

    def prompted(self, value: s.Value, data: s.Value) -> s.Steps:
        source = data.get("source")
        text = s.as_text(data.get("content"))
        if source == "autopilot":
            yield s.left_out("user.message of autopilot")
            return
        if source == "system" and "agentId" not in value:
            yield "user.message.system", {**self._place(value), "prompt": text}
            return
        is_skill = text.startswith(SKILL)
        if "agentId" in value or is_skill or str(source).startswith(NOT_TYPED):
            yield s.left_out("user.message of an agent or a skill")
            return
        yield "user.message", {**self._place(value), "prompt": text}

    def called(self, value: s.Value, data: s.Value) -> s.Steps:
        call_id = data.get("toolCallId")
        if type(call_id) is not str:
            yield s.skip("tool.execution_start")
            return
        server, tool = data.get("mcpServerName"), data.get("mcpToolName")
        call = {
            "call_id": call_id,
            "tool": data.get("toolName"),
            "input": s.as_object(data.get("arguments")),
            "model_id": data.get("model"),
            "mcp_server": server if type(tool) is str else None,
        }
        if len(self.running) < s.WaitingCalls.LIMIT:
            self.running[call_id] = None
        yield "tool.execution_start", self.calls.begin(s.compact({**self._place(value), **call}))

    def ended(self, value: s.Value, data: s.Value) -> s.Steps:
        call_id = data.get("toolCallId")
        payload = self._place(value)
        error = s.as_object(data.get("error"))
        text = s.as_text(t.at(data, "result.content"))
        known = self.answered.pop(call_id, {}) if type(call_id) is str else {}
        if type(call_id) is str:
            self.running.pop(call_id, None)
            self.aborted.pop(call_id, None)
        status = error.get("code")
        if status not in ("denied", "rejected"):
            status = "success" if data.get("success") is True else "failure"
        code = t.at(data, "shellExecution.exitCode")
        tool = self.calls.open.get(str(call_id), {}).get("tool")
        end = ended(tool, status, s.as_text(error.get("message")), text, code)
        facts = s.ending(end, "tool.execution_complete")
        if end.outcome == "denied":
            facts["decided_by"] = known.get("decided_by") or end.decided_by
        elif known.get("decision") == "allow":
            facts |= known
        yield (
            "tool.execution_complete",
            self.calls.of(call_id, {**payload, "output": text or None, **facts}),
        )

    def asks(self, value: s.Value, data: s.Value) -> s.Steps:
        request = data.get("permissionRequest") or data.get("request") or data
        call_id = t.at(request, "toolCallId") or data.get("toolCallId")
        if type(call_id) is not str:
            yield s.skip("permission.requested")
            return
        if len(self.asked) >= s.WaitingCalls.LIMIT:
            del self.asked[next(iter(self.asked))]
        self.asked[str(data.get("requestId"))] = call_id
        if data.get("resolvedByHook") is True:
            self.answered[call_id] = {"decided_by": "hook"}
        yield "permission.requested", self.calls.of(call_id, self._place(value))

    def answers(self, value: s.Value, data: s.Value) -> s.Steps:
        """The answer: approved by a person, denied by one, or denied because no user was there."""
        call_id = data.get("toolCallId") or self.asked.pop(str(data.get("requestId")), None)
        kind = t.at(data, "result.kind") or data.get("kind")
        if type(call_id) is not str or type(kind) is not str:
            yield s.skip("permission.completed")
            return
        before = self.answered.pop(call_id, {}).get("decided_by")
        who = SOURCES.get(str(data.get("decisionSource"))) or before or decider(kind)
        if kind.startswith("approved"):
            facts = {"decision": "allow", "decided_by": who, "decision_reason": kind}
            facts |= {"decision_evidence": "permission.completed", "certainty": "observed"}
            self.answered[call_id] = facts
            yield "permission.completed", self.calls.of(call_id, {**self._place(value), **facts})
            return
        self.answered[call_id] = {"decided_by": who}
        yield s.skip("permission.completed")

    def usage(self, value: s.Value, data: s.Value) -> s.Steps:
        usage = s.as_object(data.get("usage"))
        counts = {fact: usage.get(name) for fact, name in USAGE.items()}
        units = s.real(usage.get("totalNanoAiu"))
        counts["cost_usd"] = units / NANO_UNITS_PER_USD if units else s.cost(usage.get("cost"))
        counts["latency_ms"] = s.real(usage.get("duration"))
        if type(usage.get("timeToFirstTokenMs")) is float:
            # A fork repeats its parent's; the source of a sub-agent's is in no other place.
            source = value.get("agentId") or t.at(usage, "accounting.sourceSessionId")
            whose = source or value.get("session") or self.session
            counts["identity"] = [whose, *(str(usage.get(name)) for name in REQUEST)]
        self.has_records = True
        yield "session.usage_record", s.compact({**self._place(value), **counts})

    def compacted(self, value: s.Value, data: s.Value) -> s.Steps:
        if data.get("success") is False:
            yield s.left_out("session.compaction_complete that failed")
            return
        trigger = data.get("trigger")
        facts = {
            "context_trigger": TRIGGERS.get(str(trigger), trigger),
            "tokens_before": data.get("preCompactionTokens"),
            "tokens_after": data.get("postCompactionTokens"),
            "summary": s.as_text(data.get("summaryContent")) or None,
        }
        place = self._place(value)
        yield "session.compaction_complete", s.compact({**place, **facts})
        used = s.as_object(data.get("compactionTokensUsed"))
        if used:
            counts = {fact: used.get(name) for fact, name in USAGE.items()}
            told = self.spent.setdefault(str(used.get("model")), Counter())
            told.update({fact: number(used.get(name)) for fact, name in COUNTS.items()})
            yield "session.compaction_complete.usage", s.compact({**place, **counts})

    def agent_started(self, value: s.Value, data: s.Value) -> s.Steps:
        agent, kind = value.get("agentId"), data.get("agentType") or data.get("agentName")
        if type(agent) is str and type(kind) is str:
            self.agents[agent] = kind
        facts = {"plan_type": s.plan_type(kind), "parent_call_id": data.get("toolCallId")}
        facts["parent_agent_id"] = data.get("parentId")
        yield "subagent.started", s.compact({**self._place(value), **facts})

    def agent_ended(self, value: s.Value, data: s.Value) -> s.Steps:
        kind = self.agents.get(str(value.get("agentId")))
        facts = {"plan_type": s.plan_type(kind), "parent_call_id": data.get("toolCallId")}
        yield str(value.get("type")), s.compact({**self._place(value), **facts})

    def failed(self, value: s.Value, data: s.Value) -> s.Steps:
        status = data.get("statusCode")
        facts = {
            "error_code": str(status) if status is not None else data.get("errorType"),
            "error_message": s.first_line(s.as_text(data.get("message"))),
            "final": True,
        }
        yield "session.error", s.compact({**self._place(value), **facts})


def number(value: Any) -> int:
    return value if type(value) is int else 0


READERS: dict[str, Callable[[CopilotReader, s.Value, s.Value], s.Steps]] = {
    "session.start": CopilotReader.started,
    "session.resume": CopilotReader.started,
    "session.shutdown": CopilotReader.stopped,
    "session.permissions_changed": CopilotReader.permitted,
    "abort": CopilotReader.stopped_turn,
    "user.message": CopilotReader.prompted,
    "tool.execution_start": CopilotReader.called,
    "tool.execution_complete": CopilotReader.ended,
    "permission.requested": CopilotReader.asks,
    "permission.completed": CopilotReader.answers,
    "session.usage_record": CopilotReader.usage,
    "session.compaction_complete": CopilotReader.compacted,
    "subagent.started": CopilotReader.agent_started,
    "subagent.completed": CopilotReader.agent_ended,
    "subagent.failed": CopilotReader.agent_ended,
    "session.error": CopilotReader.failed,
}


def decider(kind: str) -> str | None:
    """The one whom a kind of answer names: an absent user, a rule, a hook, a person, or none."""
    if "no-approval" in kind or "could-not" in kind:
        return "client"
    if "rule" in kind or "policy" in kind:
        return "rule"
    return "hook" if "hook" in kind else "user" if "by-user" in kind else None


# The app and the CLI write the same files; the name of the client tells them apart.
STARTED = t.Row(
    "Session.Start",
    {"start_reason": "start_reason", "model_id": "model_id"},
    keep="client_name",
)
EVENTS: s.Events = {
    "session.start": STARTED,
    "session.resume": STARTED,
    "session.shutdown": s.STOPPED,
    "session.shutdown.usage": s.ANSWER,
    "user.message": s.PROMPT,
    "user.message.system": s.task_notice("copilot"),
    "tool.execution_start": s.CALLED,
    "tool.execution_complete": s.ENDED,
    "permission.requested": s.ASKED,
    "permission.completed": s.APPROVED,
    "session.usage_record": s.ANSWER,
    "session.compaction_complete": s.COMPACTED,
    "session.compaction_complete.usage": s.ANSWER,
    "subagent.started": s.AGENT_STARTED,
    "subagent.completed": s.AGENT_ENDED,
    "subagent.failed": s.AGENT_ENDED,
    "session.error": s.MODEL_FAILED,
}
VENDOR = s.transcript_vendor("copilot", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(
    CopilotReader, VENDOR, FILE, part=r"[/\\]workspace\.yaml$", tables=TABLES, rows=rows
)
