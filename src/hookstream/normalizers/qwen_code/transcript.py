"""Qwen Code's session files: `projects/<folder>/chats/<session>.jsonl` and those of sub-agents.

Source: recordings of 0.24.4. The main file's `ui_telemetry` reports how every call ended, in
sub-agents too, and counts the tokens of every response; what repeats these counts once.
"""

from __future__ import annotations

import re

from hookstream.normalizers import steps as s
from hookstream.normalizers.claude_code.table import mcp
from hookstream.normalizers.gemini_cli.wording import SHELL, exit_line
from hookstream.normalizers.qwen_code.table import TOOLS
from hookstream.normalizers.qwen_code.wording import CANCELLED, ended, evidence_of
from hookstream.normalizers.table import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


FILE = re.compile(r"[/\\](?:chats|subagents[/\\][^/\\]+)[/\\][^/\\]+\.jsonl(\.\w+)?$")
ENDED_AGENT = re.compile(r"<task-id>(?P<id>[^<]{1,200})</task-id>")
TOKENS = {
    "input_tokens": "input_token_count",
    "output_tokens": "output_token_count",
    "cache_read_tokens": "cached_content_token_count",
}
USAGE = {
    "input_tokens": "promptTokenCount",
    "output_tokens": "candidatesTokenCount",
    "cache_read_tokens": "cachedContentTokenCount",
}
TOTALS = {
    "input_tokens": "inputTokens",
    "output_tokens": "outputTokens",
    "cache_read_tokens": "cachedTokens",
}
# tool_call.decision -> who let the call run
LET = {"accept": "user", "auto_accept": "client", "modify": "user"}


def claims(p: s.Value) -> bool:
    """Gemini's parts in Claude Code's tree; or a line of usage_record.jsonl."""
    if type(p.get("sessionId")) is not str:
        return False
    if "uuid" in p and "parentUuid" in p:
        return "provenance" in p or type(at(p, "message.parts")) is list
    return "totalLatencyMs" in p and type(p.get("models")) is dict


class QwenReader(s.FileReader):
    """One file: the calls that wait, and their ends as telemetry reported them."""

    def start(self) -> None:
        self.is_agent_file = "subagents" in re.split(r"[/\\]", self.path)
        self.meta = s.as_object(self.beside(".meta.json")) if self.is_agent_file else {}
        self.ends: dict[str, s.Value] = {}
        # whether telemetry counts the tokens; an answer before the first record that shows it
        self.has_usage: bool | None = None
        self.first: s.Value = {}
        self.begun = False
        self.model: str | None = None

    def read(self, value: s.Value) -> s.Steps:
        if "parentUuid" not in value:
            yield from self._record(value)
            return
        kind = value.get("type")
        place = self._place(value)
        if self.is_agent_file and not self.begun and "agent_id" in place:
            self.begun = True
            task = s.as_text(at(value, "message.parts")) if kind == "user" else None
            facts = {"plan_type": s.plan_type(place.get("agent_type")), "task": task}
            facts["parent_call_id"] = self.meta.get("toolUseId")
            facts["parent_agent_id"] = self.meta.get("parentAgentId")
            yield "subagent", s.compact({**place, **facts})
        if kind == "user":
            yield from self._user(value, place)
        elif kind == "assistant":
            yield from self._assistant(value, place)
        elif kind == "tool_result":
            yield from self._results(value, place)
        elif kind == "system":
            yield from self._system(value, place)
        else:
            yield s.skip(kind)

    def finish(self) -> s.Steps:
        """Ends whose results never came, and an answer of a file without telemetry."""
        yield from self._first()
        for call_id, payload in self.ends.items():
            yield "ui_telemetry.tool_call", self.calls.of(call_id, payload)
        self.ends.clear()

    def _place(self, value: s.Value) -> s.Value:
        version = value.get("version")
        self.version = version if type(version) is str else self.version
        agent = value.get("agentId")
        return s.compact(
            {
                "session_id": value.get("sessionId"),
                "timestamp": value.get("timestamp"),
                "cwd": value.get("cwd"),
                "agent_id": agent,
                "agent_type": value.get("agentName") if agent else None,
                "message_id": value.get("uuid"),
            }
        )

    def _user(self, value: s.Value, place: s.Value) -> s.Steps:
        text = s.as_text(at(value, "message.parts"))
        kind = value.get("subtype")
        if kind == "notification":
            match = ENDED_AGENT.search(text)
            if match is not None:
                facts = {"agent_id": match["id"], "plan_type": "default"}
                yield "user.notification", {**place, **facts}
                return
        elif kind in (None, WHILE_RUNNING) and text and not self.is_agent_file and is_typed(value):
            typed = at(value, "systemPayload.displayText") if kind else None
            yield "user", {**place, "prompt": s.as_text(typed) or text}
            return
        yield s.skip("user")

    def _assistant(self, value: s.Value, place: s.Value) -> s.Steps:
        model = value.get("model")
        self.model = model if type(model) is str else self.model
        usage = s.as_object(value.get("usageMetadata"))
        told = False
        if usage and not self.has_usage and not self.is_agent_file:
            counts = {fact: usage.get(name) for fact, name in USAGE.items()}
            answer = s.compact({**place, **counts, "model_id": self.model})
            if self.has_usage is None and not self.first:
                self.first = answer
            else:
                self.has_usage = False
                yield from self._first()
                yield "assistant", answer
            told = True
        for part in s.objects(at(value, "message.parts")):
            call = s.as_object(part.get("functionCall"))
            if type(call.get("id")) is str:
                facts = {"call_id": call["id"], "tool": call.get("name"), "model_id": model}
                facts |= {"input": s.as_object(call.get("args")), "identity": s.lasting(call["id"])}
                payload = s.compact({**place, **facts})
                yield "assistant.functionCall", self.calls.begin(payload)
                told = True
        if not told:
            yield s.skip("assistant")

    def _first(self) -> s.Steps:
        first, self.first = self.first, {}
        if first:
            yield "assistant", first

    def _results(self, value: s.Value, place: s.Value) -> s.Steps:
        about = s.as_object(value.get("toolCallResult"))
        # The session's own file reports the calls of an agent's, too.
        part = ("agent",) if self.is_agent_file else ()
        told = False
        for item in s.objects(at(value, "message.parts")):
            answer = s.as_object(item.get("functionResponse"))
            call_id = answer.get("id")
            if type(call_id) is not str:
                continue
            own = about if about.get("callId") in (None, call_id) else {}
            tool = answer.get("name")
            payload = self._result(call_id, tool, s.as_object(answer.get("response")), own)
            if payload is not None:
                told = True
                payload = {**place, "tool": tool, **payload, "identity": s.lasting(call_id, *part)}
                yield "tool_result", self.calls.of(call_id, payload)
        if not told:
            yield s.skip("tool_result")

    def _result(self, call_id: str, tool: Any, response: s.Value, about: s.Value) -> s.Value | None:
        """The end of a call by its result and telemetry; None if neither reports it."""
        text, error = s.as_text(response.get("output")), s.as_text(response.get("error"))
        value = self.ends.pop(call_id, None)
        code = at(about, "resultDisplay.exitCode")
        if type(code) is not int:
            code = exit_line(text or error) if tool == SHELL else None
        if value is not None:
            said = {name: value[name] for name in value if name not in PLACED}
            if said.get("outcome") == "denied" and error:
                said.setdefault("decision_reason", reason_of(error))
            return {**said, "output": text or error or None, "exit_code": code}
        status = about.get("status")
        duration = s.real(about.get("durationMs"))
        if status is None and code is None and not error:
            return None
        if self.is_agent_file and status is None and code is None:
            # A refusal appears there as a failure does; the session's own file says which it was.
            return None
        failed = bool(error) or status == "error" or code not in (None, 0)
        said = ended_by(
            {
                "function_name": tool,
                "status": status or ("error" if failed else "success"),
                "execution_status": about.get("executionStatus"),
                "error_type": about.get("errorType"),
                "error": error or text,
            }
        )
        return {**said, "output": text or error, "exit_code": code, "duration_ms": duration}

    def _system(self, value: s.Value, place: s.Value) -> s.Steps:
        kind = value.get("subtype")
        payload = s.as_object(value.get("systemPayload"))
        if kind == "chat_compression":
            info = s.as_object(payload.get("info")) or payload
            trigger = str(info.get("triggerReason", payload.get("triggerReason", ""))).lower()
            facts = {
                "context_trigger": "manual" if "manual" in trigger or "user" in trigger else "auto",
                "tokens_before": info.get("originalTokenCount"),
                "tokens_after": info.get("newTokenCount"),
            }
            yield "system.chat_compression", s.compact({**place, **facts})
            return
        event = s.as_object(payload.get("uiEvent"))
        name = str(event.get("event.name", "")).removeprefix("qwen-code.")
        if kind != "ui_telemetry" or name not in ("tool_call", "api_response", "api_error"):
            yield s.skip(kind)
            return
        self.has_usage, self.first = True, {}
        prompt = event.get("prompt_id")
        if type(prompt) is str:
            place["turn_id"] = prompt
            parts = prompt.split("#")
            if len(parts) == 3 and parts[1]:
                place["agent_id"] = parts[1]
        if name == "tool_call":
            yield from self._ended(event, place)
        elif name == "api_response":
            counts = {fact: event.get(field) for fact, field in TOKENS.items()}
            facts = {"model_id": event.get("model"), "latency_ms": s.real(event.get("duration_ms"))}
            yield "ui_telemetry.api_response", s.compact({**place, **counts, **facts})
        else:
            status = event.get("status_code")
            facts = {
                "model_id": event.get("model"),
                "error_code": str(status) if status is not None else event.get("error_type"),
                "error_message": s.first_line(s.as_text(event.get("error_message"))) or None,
                "final": True,
            }
            yield "ui_telemetry.api_error", s.compact({**place, **facts})

    def _ended(self, event: s.Value, place: s.Value) -> s.Steps:
        call_id = event.get("call_id")
        payload = {**place, **ended_by(event), "duration_ms": s.real(event.get("duration_ms"))}
        payload["identity"] = s.lasting(call_id)
        if (
            type(call_id) is str
            and call_id in self.calls.open
            and len(self.ends) < s.WaitingCalls.LIMIT
        ):
            self.ends[call_id] = payload
            yield s.left_out("tool_call, its result follows")
            return
        call = {
            "tool": event.get("function_name"),
            "input": s.as_object(event.get("function_args")),
        }
        yield "ui_telemetry.tool_call", self.calls.of(call_id, {**call, **payload})

    def _record(self, value: s.Value) -> s.Steps:
        facts = {"session_id": value.get("sessionId"), "timestamp": value.get("timestamp")}
        models = s.as_object(value.get("models"))
        for model, one in models.items():
            counts = {fact: s.as_object(one).get(name) for fact, name in TOTALS.items()}
            yield "usage_record", s.compact({**facts, **counts, "model_id": model})
        if not models:
            yield s.skip("usage_record")


def is_typed(value: s.Value) -> bool:
    """Return whether a person wrote a message: not an agent's task, not the client's notice."""
    return "agentId" not in value and value.get("provenance") in (None, "real_user")


# The kind of what a person typed while a tool ran, which the model gets after a note.
WHILE_RUNNING = "mid_turn_user_message"
PLACED = frozenset(("timestamp", "message_id", "session_id", "cwd"))


def reason_of(error: str) -> str | None:
    """Return why a call was refused, as its result says it."""
    return error.strip().removeprefix(CANCELLED) or None


def ended_by(event: s.Value) -> s.Value:
    """Return how a call ended, and who let it run, as the client's own telemetry reports it."""
    status, decision = event.get("status"), event.get("decision")
    end = ended(
        event.get("function_name"),
        status,
        s.as_text(event.get("error")),
        None,
        decision,
        error_type=event.get("error_type"),
        unrun=event.get("execution_status") == "not_started",
    )
    let = LET.get(decision) if type(decision) is str and end.outcome != "denied" else None
    said = s.ending(end, evidence_of(end))
    if let:
        said |= {"decision": "allow", "decided_by": let, "decision_reason": decision}
        said |= {"decision_evidence": "tool_call", "certainty": "observed"}
    return said


EVENTS: s.Events = {
    "user": s.PROMPT,
    "assistant": s.ANSWER,
    "assistant.functionCall": s.CALLED,
    "tool_result": s.ENDED,
    "ui_telemetry.tool_call": s.ENDED,
    "ui_telemetry.api_response": s.ANSWER,
    "ui_telemetry.api_error": s.MODEL_FAILED,
    "system.chat_compression": s.COMPACTED,
    "subagent": s.AGENT_STARTED,
    "user.notification": s.AGENT_ENDED,
    "usage_record": s.totals("qwen-code"),
}
VENDOR = s.transcript_vendor("qwen-code", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(QwenReader, VENDOR, FILE, part=r"\.meta\.json$")
