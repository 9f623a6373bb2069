"""Mistral Vibe's session files: `unified/<session>/journal/*.jsonl`, a log of all that was asked of
the program and of what came of it, and `meta.json` next to that folder.

Source: recordings of 3.0.2. A record has no time: it has that of the next one that names a time,
which a copy of a part may lack. Ids of turns, actions and calls say what is the same.
What the log repeats for a replay (`core_input`) and what the screen shows is skipped.
"""

from __future__ import annotations

import re

from hookstream.core.decisions import AT_ONCE_MS
from hookstream.normalizers import steps as s
from hookstream.normalizers.mistral_vibe.table import TOOLS, mcp, outer_call
from hookstream.normalizers.table import at, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.steps import Events, Step, Steps, Value

FILE = re.compile(r"[/\\]unified[/\\](?P<session>[^/\\]+)[/\\]journal[/\\]\d+\.jsonl$")
# The begin of a question's id; the call's follows.
APPROVAL = "approval-"
DENIED = re.compile(r"Command denied: '.*' matches denylist pattern '(?P<rule>.{1,500}?)'\. ", re.S)
# approvalSource -> who decided
DECIDERS = {"user": "user", "smart": "classifier", "never": "rule", "config": "rule"}

# A prompt, and one typed while a turn runs.
PROMPTS = ("turn/start", "turn/steer")


def claims(p: Value) -> bool:
    """Each record names the version of the journal and its own digest."""
    return "recovery_journal_record_version" in p and "record_sha256" in p


def time_of(value: Value) -> int | None:
    """The time that a record names, in milliseconds."""
    found = at(value, "payload.input.determinism.time_unix_ms")
    delta = at(value, "payload.delta")
    for one in delta if type(delta) is list else ():
        found = found or at(one, "entry.updatedAt")
    return found if type(found) is int else None


class VibeReader(s.FileReader):
    """One journal: its calls, and the steps that wait for a time."""

    def start(self) -> None:
        meta = s.as_object(self.beside("/../meta.json"))
        match = FILE.search(self.path)
        self.session = match["session"] if match else meta.get("session_id")
        self.meta = meta
        # action id -> call id; calls that have ended
        self.actions: dict[str, str] = {}
        self.ended: set[str] = set()
        self.compactions: dict[str, Any] = {}
        self.waiting: list[Step] = []
        # call id -> when the client asked whether it may run
        self.questions: dict[str, int] = {}

    def read(self, value: Value) -> Steps:
        time = time_of(value)
        if time is not None and self.waiting:
            yield from self._timed(time)
        kind, payload = value.get("type"), s.as_object(value.get("payload"))
        steps: list[Step] = []
        if value.get("sequence") == 1 and not value.get("previous_record_sha256"):
            steps.append(("session", {**self._place(None), "start_reason": "new"}))
        if kind == "command_reserved":
            steps += self._commanded(payload)
        elif kind == "action_intent":
            steps += self._intended(s.as_object(payload.get("request")))
        elif kind == "callback_registered":
            self._asked(s.as_object(payload.get("routing")))
        elif kind == "action_result":
            steps += self._resulted(s.as_object(payload.get("result")))
        yield from (step for step in steps if step[1] is None)
        self.waiting += [step for step in steps if step[1] is not None]
        if not steps:
            yield s.skip(kind)

    def finish(self) -> Steps:
        yield from self._timed(None)

    def _timed(self, time: int | None) -> Steps:
        for name, payload in self.waiting:
            step = {"timestamp": time, **(payload or {})}
            if step.get("decided_by") == "user" and self._is_at_once(step, time):
                step["decided_by"] = "client"
            yield name, s.compact(step)
        self.waiting = []

    def _asked(self, routing: Value) -> None:
        callback, time = routing.get("callbackId"), routing.get("createdAt")
        is_question = type(callback) is str and callback.startswith(APPROVAL)
        if is_question and type(time) is int and len(self.questions) < s.WaitingCalls.LIMIT:
            self.questions[str(callback).removeprefix(APPROVAL)] = time

    def _is_at_once(self, step: Value, time: int | None) -> bool:
        """Return whether the answer came sooner than any person gives one: without a terminal the
        client answers its own question, and names a user all the same."""
        begun = self.questions.get(str(step.get("call_id")))
        return begun is not None and time is not None and 0 <= time - begun < AT_ONCE_MS

    def _place(self, turn: Any) -> Value:
        return s.compact(
            {
                "session_id": self.session,
                "parent_session_id": self.meta.get("parent_session_id"),
                "cwd": at(self.meta, "environment.working_directory"),
                "turn_id": turn if type(turn) is str else None,
            }
        )

    def _commanded(self, payload: Value) -> list[Step]:
        params = s.as_object(payload.get("params"))
        text = s.as_text(params.get("message"))
        method = payload.get("method")
        if method not in PROMPTS or params.get("injected") is True or not text:
            return [s.skip("command_reserved")]
        turn = payload.get("client_command_id")
        return [(method, {**self._place(turn), "prompt": text, "identity": s.lasting(turn)})]

    def _intended(self, request: Value) -> list[Step]:
        kind, action = request.get("type"), request.get("action_id")
        place = self._place(request.get("turn_id"))
        if kind == "llm_call":
            if request.get("purpose") == "compaction" and type(action) is str:
                self.compactions[action] = request.get("trigger")
            messages = at(request, "model_input.messages.messages")
            told = [self._told(s.as_object(message), place) for message in messages or ()]
            return [step for step in told if step is not None] or [s.skip("llm_call")]
        call = s.as_object(at(request, "input.tool_call")) if kind == "hook_call" else request
        call_id = call.get("call_id")
        if type(call_id) is not str or request.get("hook") == "post_tool_call":
            return [s.skip(kind)]
        for one in (action, call.get("action_id")):
            if type(one) is str and len(self.actions) < s.WaitingCalls.LIMIT:
                self.actions[one] = call_id
        return [] if call_id in self.calls.open else [self._inner(call, call_id, place)]

    def _inner(self, call: Value, call_id: str, place: Value) -> Step:
        """The start of a call that a script makes: the model's own are in its answer."""
        group, name = at(call, "call.group_name"), text_at(call, "call.name", "call.tool_name")
        facts: Value = {
            "call_id": call_id,
            "identity": s.lasting(call_id),
            "parent_call_id": outer_call(call_id),
            "tool": f"{group}.{name}" if group else name,
            "input": s.as_object(at(call, "call.arguments")),
        }
        return "call", self.calls.begin(s.compact({**place, **facts}))

    def _told(self, message: Value, place: Value) -> Step | None:
        """The end of a call that no action carried out: a script, an unknown tool."""
        call_id = message.get("tool_call_id")
        if message.get("role") != "tool" or type(call_id) is not str or call_id in self.ended:
            return None
        text = s.as_text(message.get("content"))
        # The result of a call in another part of the journal is told there.
        facts: Value = {"output": text or None} if call_id in self.calls.open else {}
        if message.get("outcome") == "success":
            facts |= {"outcome": "ok", "success": True}
        elif message.get("outcome") == "failure":
            facts |= {"outcome": "error", "success": False, "error_message": s.first_line(text)}
        return self._end(call_id, {**place, **facts})

    def _resulted(self, given: Value) -> list[Step]:
        kind, action = given.get("type"), given.get("action_id")
        result = s.as_object(given.get("result"))
        place = self._place(None)
        if kind in ("completion_succeeded", "completion_failed"):
            place["identity"] = s.lasting(action)
        if kind == "completion_succeeded":
            return self._answered(result, action, place)
        if kind == "completion_failed":
            error = s.as_object(given.get("error"))
            facts = {"error_code": error.get("code"), "final": True}
            facts["error_message"] = s.first_line(s.as_text(error.get("message"))) or None
            return [("completion_failed", s.compact({**place, **facts}))]
        call_id = given.get("call_id") or self.actions.get(str(action))
        if type(call_id) is not str:
            return [s.skip(kind)]
        if kind == "hook_completed":
            output = s.as_object(result.get("output"))
            if result.get("hook") != "pre_tool_call" or output.get("type") != "skip":
                return [s.skip(kind)]
            denied = s.denied("hook", s.as_text(output.get("reason")), "hook_completed")
            return [self._end(call_id, {**place, **denied})]
        if kind in ("tool_succeeded", "tool_failed"):
            return [self._end(call_id, {**place, **ended_by(result)})]
        return [s.skip(kind)]

    def _end(self, call_id: str, payload: Value) -> Step:
        self.ended.add(call_id)
        return "call.end", self.calls.of(call_id, {**payload, "identity": s.lasting(call_id)})

    def _answered(self, result: Value, action: Any, place: Value) -> list[Step]:
        usage, parts = s.as_object(result.get("usage")), result.get("parts")
        texts = []
        steps: list[Step] = []
        model = at(self.meta, "config.model_name")
        for part in map(s.as_object, parts if type(parts) is list else ()):
            if part.get("type") == "tool_call" and type(part.get("id")) is str:
                call = {"call_id": part["id"], "tool": part.get("name"), "model_id": model}
                call["input"] = s.as_object(part.get("arguments_json"))
                call["identity"] = s.lasting(part["id"])
                steps.append(("call", self.calls.begin(s.compact({**place, **call}))))
            elif part.get("type") == "text":
                texts.append(text_at(part, "text"))
        facts = {
            "model_id": model,
            "response": "\n".join(texts) or None,
            "stop_reason": result.get("finish_reason"),
            "input_tokens": usage.get("input_tokens"),
            "output_tokens": usage.get("output_tokens"),
            "cache_read_tokens": usage.get("cached_input_tokens"),
        }
        steps.append(("completion", s.compact({**place, **facts})))
        if type(action) is str and action in self.compactions:
            trigger = {"automatic": "auto", "manual": "manual"}.get(self.compactions.pop(action))
            shrunk = {"context_trigger": trigger, "summary": facts["response"]}
            steps.append(("compaction", s.compact({**place, **shrunk})))
        return steps


def ended_by(result: Value) -> Value:
    """The end of a call that was carried out, or that no one allowed."""
    approval = s.as_object(at(result, "_meta.approval"))
    source = approval.get("approvalSource")
    who = DECIDERS.get(source) if type(source) is str else None
    error, content = s.as_object(result.get("error")), s.as_text(result.get("content"))
    message = s.as_text(error.get("message"))
    if approval.get("decision") == "skip":
        rule = DENIED.match(message)
        said = s.denied(who, content or message, "approval.decision")
        return {**said, "matched_rule_id": rule["rule"]} if rule else said
    allowed: Value = {}
    if who is not None:
        allowed = {
            "decision": "allow",
            "decided_by": who,
            "decision_evidence": "approval.decision",
            "certainty": "observed",
        }
    shown = s.as_object(result.get("structured_content"))
    output = result.get("structured_content") or content or None
    if result.get("type") == "failure":
        is_cut = error.get("code") == "effect_recovery_failed" and message == "Action cancelled"
        word = "cancelled" if is_cut else "error"
        failed = {"success": False, "error_message": s.first_line(message or content) or None}
        return {**allowed, **failed, "outcome": word, "output": output}
    code = shown.get("returncode")
    is_ok = code in (None, 0)
    word = "timeout" if shown.get("timed_out") is True else "ok" if is_ok else "error"
    return {
        **allowed,
        "outcome": word,
        "success": word == "ok",
        "exit_code": code if type(code) is int else None,
        "output": output,
    }


EVENTS: Events = {
    "session": s.STARTED,
    **dict.fromkeys(PROMPTS, s.PROMPT),
    "completion": s.ANSWER,
    "completion_failed": s.MODEL_FAILED,
    "call": s.CALLED,
    "call.end": s.ENDED,
    "compaction": s.COMPACTED,
}
VENDOR = s.transcript_vendor("mistral-vibe", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(VibeReader, VENDOR, FILE, part=r"[/\\]meta\.json$")
