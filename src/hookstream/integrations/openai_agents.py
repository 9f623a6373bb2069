"""OpenAI Agents SDK: run hooks and a tracing processor together.

    hooks = watch()
    result = await Runner.run(agent, "...", hooks=hooks)
    state = result.to_state()
    hooks.reject(state, result.interruptions[0], "needs a named approver")

`on_tool_start` fires only for calls that run: a function span without it was refused by a guardrail
or waits for an approval. That holds in runs that were given these hooks; others are not judged.
The answer to an approval is known to the program alone, so it gives it through `approve` and
`reject`.
"""

from __future__ import annotations

from typing import Any

from agents import RunHooks, add_trace_processor
from agents.tracing import TracingProcessor, get_current_span, get_current_trace

from hookstream.core.limits import make_room
from hookstream.integrations.recorder import Recorder, arguments_of, first_line, plain
from hookstream.integrations.traces import exported_trace
from hookstream.normalizers.genai.span import same_arguments

SPANS = 4096


def watch(session: str | None = None, log: str | None = None) -> Hooks:
    """Hooks for `Runner.run`, whose spans are watched from now on. `session` names the session;
    by default it is the trace's group, else the trace as exported, else the SDK's own."""
    recorder = Recorder("openai-agents", log)
    hooks = Hooks(recorder, session)
    add_trace_processor(Processor(hooks))
    return hooks


class Hooks(RunHooks):  # type: ignore[misc]
    """The running calls, with their ids."""

    def __init__(self, recorder: Recorder, session: str | None) -> None:
        self.recorder = recorder
        self.session = session
        # traces of runs that these hooks were given to -> their session
        self.sessions: dict[str, str] = {}
        # function spans of calls that run -> call id
        self.started: dict[str, str] = {}
        # (call id, tool, arguments) that models asked for and that no span has taken
        self.asked: list[tuple[str, str, Any]] = []
        self.prompts: set[str] = set()

    def _session(self) -> str:
        trace = get_current_trace()
        if trace is None:
            return self.session or "no trace"
        make_room(self.sessions, SPANS)
        session = self.sessions.get(trace.trace_id)
        if session is None:
            group = getattr(trace, "group_id", None)
            session = self.session or group or exported_trace() or trace.trace_id
            self.sessions[trace.trace_id] = session
        return session

    async def on_agent_start(self, context: Any, agent: Any) -> None:
        self._session()

    async def on_llm_start(
        self, context: Any, agent: Any, system_prompt: Any, input_items: Any
    ) -> None:
        session = self._session()
        last = plain(input_items[-1]) if input_items else None
        if isinstance(last, dict) and last.get("role") == "user":
            text = last.get("content")
            mark = f"{session} {len(input_items)}"
            if isinstance(text, str) and mark not in self.prompts and not self._inside_tool():
                self.prompts.add(mark)
                self.recorder.record("prompt", session, prompt=text, agent=agent.name)
        self.recorder.record("model.start", session, agent=agent.name)

    async def on_llm_end(self, context: Any, agent: Any, response: Any) -> None:
        usage = getattr(response, "usage", None)
        self.recorder.record(
            "model.end",
            self._session(),
            agent=agent.name,
            response_id=getattr(response, "response_id", None),
            input_tokens=getattr(usage, "input_tokens", None),
            output_tokens=getattr(usage, "output_tokens", None),
        )
        for item in getattr(response, "output", None) or ():
            call, name = getattr(item, "call_id", None), getattr(item, "name", None)
            if call and name:
                arguments = arguments_of(getattr(item, "arguments", None))
                self.asked = [*self.asked[-255:], (call, name, arguments)]

    async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
        call = getattr(context, "tool_call_id", None)
        if not call:
            return
        span = get_current_span()
        if span is not None:
            make_room(self.started, SPANS)
            self.started[span.span_id] = call
        self.asked = [waiting for waiting in self.asked if waiting[0] != call]
        arguments = arguments_of(getattr(context, "tool_arguments", None))
        self.recorder.record(
            "tool.start",
            self._session(),
            name=tool.name,
            call_id=call,
            arguments=arguments,
            agent=agent.name,
        )

    async def on_handoff(self, context: Any, from_agent: Any, to_agent: Any) -> None:
        self.recorder.record("handoff", self._session(), name=to_agent.name, agent=from_agent.name)

    async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
        if not self._inside_tool():
            text = output if isinstance(output, str) else None
            self.recorder.record("answer", self._session(), text=text, agent=agent.name)

    def approve(self, state: Any, item: Any, **words: Any) -> None:
        """Approves a call that waits, and records it."""
        state.approve(item, **words)
        self._answered("tool.approved", item, None)

    def reject(self, state: Any, item: Any, reason: str | None = None, **words: Any) -> None:
        """Rejects a call that waits, and records it."""
        state.reject(item, **words)
        self._answered("tool.refused", item, reason)

    def _answered(self, event: str, item: Any, reason: str | None) -> None:
        raw = item.raw_item
        call = getattr(raw, "call_id", None) or (
            raw.get("call_id") if isinstance(raw, dict) else None
        )
        name = getattr(raw, "name", None) or getattr(item, "name", None)
        arguments = arguments_of(getattr(raw, "arguments", None))
        session = self.session or next(reversed(self.sessions.values()), None) or "no trace"
        facts = {"evidence": "the program's answer", "reason": reason}
        if event == "tool.refused":
            facts["decided_by"] = "user"
        self.recorder.record(event, session, name=name, call_id=call, arguments=arguments, **facts)

    def _inside_tool(self) -> bool:
        """Return whether an agent runs as the tool of another."""
        span = get_current_span()
        return span is not None and span.span_id in self.started

    def ended(self, span: Any) -> None:
        """A function's span ends: how, or that the function never ran."""
        session = self.sessions.get(span.trace_id)
        if session is None:
            return
        data = span.span_data
        arguments = arguments_of(getattr(data, "input", None))
        call = self.started.pop(span.span_id, None)
        if call is not None:
            error = span.error
            facts: dict[str, Any] = {"success": error is None}
            facts["outcome"] = "ok" if error is None else "error"
            if error is not None:
                facts["error"] = first_line(
                    error.get("message") if isinstance(error, dict) else error
                )
            self.recorder.record(
                "tool.end",
                session,
                name=data.name,
                call_id=call,
                result=plain(data.output),
                **facts,
            )
            return
        call = self._next(data.name, arguments)
        if call is None:
            return
        call_facts = {"name": data.name, "call_id": call, "arguments": arguments}
        self.recorder.record("tool.start", session, **call_facts)
        if data.output is None:
            self.recorder.record("tool.asked", session, **call_facts)
            return
        self.recorder.record(
            "tool.refused",
            session,
            **call_facts,
            decided_by="rule",
            evidence="function span without on_tool_start",
            reason=first_line(data.output),
        )

    def _next(self, name: str, given: Any) -> str | None:
        """The call a model asked for that this span is of."""
        for position, (call, tool, arguments) in enumerate(self.asked):
            if tool == name and same_arguments(arguments, given):
                del self.asked[position]
                return call
        return None


class Processor(TracingProcessor):  # type: ignore[misc]
    """Spans as they end."""

    def __init__(self, hooks: Hooks) -> None:
        self.hooks = hooks

    def on_trace_start(self, trace: Any) -> None:
        pass

    def on_trace_end(self, trace: Any) -> None:
        pass

    def on_span_start(self, span: Any) -> None:
        pass

    def on_span_end(self, span: Any) -> None:
        kind = getattr(span.span_data, "type", None)
        if kind == "function":
            self.hooks.ended(span)
        elif kind in ("generation", "response") and span.error is not None:
            session = self.hooks.sessions.get(span.trace_id)
            error = span.error.get("message") if isinstance(span.error, dict) else span.error
            if session is not None:
                self.hooks.recorder.record("model.failed", session, error=first_line(error))

    def shutdown(self) -> None:
        pass

    def force_flush(self) -> None:
        pass
