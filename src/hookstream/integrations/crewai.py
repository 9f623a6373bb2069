"""CrewAI: a listener of its event bus.

    watch()                      # once, before the crew starts
    crew.kickoff()

A call that a hook aborts fires the events of a tool that started and finished without an error;
only `HookDispatchedEvent` says that it never ran. Calls have no ids: that of the event with which
one starts names it.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

from crewai.events import BaseEventListener
from crewai.events.types.crew_events import CrewKickoffStartedEvent
from crewai.events.types.hook_events import HookDispatchedEvent
from crewai.events.types.llm_events import LLMCallCompletedEvent, LLMCallFailedEvent
from crewai.events.types.tool_usage_events import (
    ToolUsageErrorEvent,
    ToolUsageFinishedEvent,
    ToolUsageStartedEvent,
)
from crewai.utilities.crew.crew_context import get_crew_context

from hookstream.core.limits import make_room
from hookstream.integrations.recorder import Recorder, arguments_of, first_line, plain
from hookstream.integrations.traces import CREWS, CrewTraces, exported_trace
from hookstream.normalizers.genai.span import UNRUN

CALLS = 4096


def watch(session: str | None = None, log: str | None = None) -> Listener:
    """A listener from now on. `session` names the session of all crews; by default each kickoff of
    a crew is one: its trace as exported, else a new id. Set the tracer provider before."""
    return Listener(Recorder("crewai", log), session)


class Listener(BaseEventListener):  # type: ignore[misc]
    """Handlers run in threads of the bus: the order of two events of a call is not certain."""

    def __init__(self, recorder: Recorder, session: str | None) -> None:
        self.recorder = recorder
        self.session = session
        # crew -> the session of its current kickoff, or of its last
        self.kickoffs: dict[str, str] = {}
        self.traces = CrewTraces()
        self.traces.add()
        self.lock = Lock()
        # calls by the id of their first event -> tool and arguments
        self.started: dict[str, tuple[str, Any]] = {}
        self.aborted: dict[str, None] = {}
        super().__init__()

    def setup_listeners(self, bus: Any) -> None:
        for kind, handler in (
            (CrewKickoffStartedEvent, self.begin),
            (ToolUsageStartedEvent, self.start),
            (ToolUsageFinishedEvent, self.finish),
            (ToolUsageErrorEvent, self.fail),
            (HookDispatchedEvent, self.dispatch),
            (LLMCallCompletedEvent, self.answer),
            (LLMCallFailedEvent, self.model_failed),
        ):
            bus.on(kind)(handler)

    def begin(self, source: Any, event: Any) -> None:
        if self.session is None:
            self.traces.add()
            with self.lock:
                make_room(self.kickoffs, CREWS)
                self.kickoffs[str(getattr(source, "id", ""))] = exported_trace() or event.event_id

    def start(self, source: Any, event: Any) -> None:
        arguments = arguments_of(event.tool_args)
        with self.lock:
            make_room(self.started, CALLS)
            self.started[event.event_id] = (event.tool_name, arguments)
        self.tell(
            "tool.start", event, name=event.tool_name, call_id=event.event_id, arguments=arguments
        )

    def dispatch(self, source: Any, event: Any) -> None:
        call = event.parent_event_id
        if event.interception_point != "pre_tool_call" or event.outcome != "aborted" or not call:
            return
        with self.lock:
            make_room(self.aborted, CALLS)
            self.aborted[call] = None
            name, arguments = self.started.get(call, (None, None))
        self.tell(
            "tool.refused",
            event,
            name=name,
            call_id=call,
            arguments=arguments,
            decided_by="hook",
            evidence="HookDispatchedEvent",
            reason=event.abort_reason,
        )

    def finish(self, source: Any, event: Any) -> None:
        call = event.started_event_id or event.event_id
        output = plain(event.output)
        with self.lock:
            never_ran = self.aborted.pop(call, call) is None or UNRUN.search(str(output)[:4096])
        if not never_ran:
            self.ended(event, call, outcome="ok", success=True, result=output)

    def fail(self, source: Any, event: Any) -> None:
        call = event.started_event_id or event.event_id
        self.ended(event, call, outcome="error", success=False, error=first_line(event.error))

    def ended(self, event: Any, call: str, **facts: Any) -> None:
        with self.lock:
            name, arguments = self.started.pop(call, (event.tool_name, None))
        self.tell("tool.end", event, name=name, call_id=call, arguments=arguments, **facts)

    def answer(self, source: Any, event: Any) -> None:
        usage = event.usage if isinstance(event.usage, dict) else {}
        self.tell(
            "model.end",
            event,
            model=event.model,
            response_id=event.response_id,
            input_tokens=usage.get("prompt_tokens"),
            output_tokens=usage.get("completion_tokens"),
        )

    def model_failed(self, source: Any, event: Any) -> None:
        self.tell("model.failed", event, error=first_line(event.error))

    def tell(self, what: str, event: Any, **facts: Any) -> None:
        when = getattr(event, "timestamp", None)
        stamp = when.isoformat() if when is not None else None
        agent = getattr(event, "agent_role", None)
        session = self.session or self.of_kickoff() or "no crew"
        self.recorder.record(what, session, timestamp=stamp, agent=agent, **facts)

    def of_kickoff(self) -> str | None:
        """The session of the crew that the event is of: handlers run in its context."""
        context = get_crew_context()
        if context is None or context.id is None:
            return exported_trace()
        crew = context.id
        return self.traces.by_crew.get(crew) or self.kickoffs.get(crew) or crew
