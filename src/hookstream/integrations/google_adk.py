"""Google ADK: one plugin of a runner.

    runner = Runner(..., plugins=[*others, AdkWatch()])      # the last of them

Both tool callbacks also fire for a call that waits for a confirmation and for one that a person
rejected: the confirmation in the tool's context distinguishes them. Another plugin, or a callback
of the agent, may answer in a tool's place: if that cannot be excluded, a result does not prove that
the tool ran, and the call has no outcome.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from google.adk.plugins.base_plugin import BasePlugin

from hookstream.core.jsons import JsonObject
from hookstream.core.limits import make_room
from hookstream.integrations.recorder import Recorder, first_line, plain

CALLS = 4096
TRANSFER = "transfer_to_agent"
# The call that the running code is inside of: (session, call id).
INSIDE: ContextVar[tuple[str, str] | None] = ContextVar("hookstream_adk_call", default=None)


class AdkWatch(BasePlugin):  # type: ignore[misc]
    """Records prompts, model calls, tools, questions and answers. `session` names the session; by
    default it is ADK's own."""

    def __init__(self, session: str | None = None, log: str | None = None) -> None:
        super().__init__(name="hookstream")
        self.recorder = Recorder("google-adk", log)
        self.session = session
        # open calls -> the call around them
        self.around: dict[str, tuple[str, str] | None] = {}
        # calls whose start is in the log
        self.started: dict[str, None] = {}
        # what the last failure was: the agent around it fails with the same
        self.failed: BaseException | None = None

    def _session(self, context: Any) -> str:
        inside = INSIDE.get()
        return self.session or (inside[0] if inside else str(context.session.id))

    async def on_user_message_callback(self, *, invocation_context: Any, user_message: Any) -> None:
        text = text_of(user_message)
        if text and INSIDE.get() is None:
            self.recorder.record("prompt", self._session(invocation_context), prompt=text)

    async def before_model_callback(self, *, callback_context: Any, llm_request: Any) -> None:
        self.recorder.record(
            "model.start",
            self._session(callback_context),
            model=llm_request.model,
            agent=callback_context.agent_name,
        )

    async def after_model_callback(self, *, callback_context: Any, llm_response: Any) -> None:
        if getattr(llm_response, "partial", None):
            return
        session, agent = self._session(callback_context), callback_context.agent_name
        if llm_response.error_code:
            facts = {"error": llm_response.error_message, "error_type": llm_response.error_code}
            self.recorder.record("model.failed", session, agent=agent, **facts)
            return
        usage = llm_response.usage_metadata
        self.recorder.record(
            "model.end",
            session,
            agent=agent,
            model=getattr(llm_response, "model_version", None),
            input_tokens=getattr(usage, "prompt_token_count", None),
            output_tokens=getattr(usage, "candidates_token_count", None),
            cache_read=getattr(usage, "cached_content_token_count", None),
        )

    async def on_model_error_callback(
        self, *, callback_context: Any, llm_request: Any, error: Exception
    ) -> None:
        self.failed = error
        facts = {"error": first_line(error), "error_type": type(error).__name__}
        self.recorder.record("model.failed", self._session(callback_context), **facts)

    async def before_tool_callback(self, *, tool: Any, tool_args: Any, tool_context: Any) -> None:
        session, known = self._session(tool_context), call_of(tool, tool_args, tool_context)
        call = known["call_id"]
        answer = tool_context.tool_confirmation
        if answer is not None:
            self._answered(session, known, answer.confirmed)
        self._start(session, known)
        make_room(self.around, CALLS)
        self.around[call] = INSIDE.get()
        INSIDE.set((session, call))

    async def after_tool_callback(
        self, *, tool: Any, tool_args: Any, tool_context: Any, result: Any
    ) -> None:
        inside, call = INSIDE.get(), tool_context.function_call_id
        is_ours = inside is not None and inside[1] == call
        if is_ours:
            INSIDE.set(self.around.pop(call, None))
        session, known = self._session(tool_context), call_of(tool, tool_args, tool_context)
        answer = tool_context.tool_confirmation
        if answer is not None and not answer.confirmed:
            return
        self._start(session, known)
        if call in tool_context.actions.requested_tool_confirmations:
            self.recorder.record("tool.asked", session, **known)
            return
        says_error = isinstance(result, dict) and bool(result.get("error"))
        facts: JsonObject = {"result": plain(result)}
        if is_ours and is_last(tool_context, self):
            if says_error:
                error = first_line(result["error"])
                facts |= {"outcome": "error", "success": False, "error": error}
            else:
                facts |= {"outcome": "ok", "success": True}
        self.recorder.record("tool.end", session, **known, **facts)
        to = known["arguments"].get("agent_name") if type(known["arguments"]) is dict else None
        if tool.name == TRANSFER and to:
            agent = tool_context.agent_name
            self.recorder.record("handoff", session, name=to, agent=agent)

    async def on_tool_error_callback(
        self, *, tool: Any, tool_args: Any, tool_context: Any, error: BaseException
    ) -> None:
        INSIDE.set(self.around.pop(tool_context.function_call_id, None))
        self.failed = error
        call = call_of(tool, tool_args, tool_context)
        is_failure = isinstance(error, Exception)  # a cancelled call has no outcome
        self.recorder.record(
            "tool.end",
            self._session(tool_context),
            **call,
            outcome="error" if is_failure else None,
            success=False if is_failure else None,
            error=first_line(error),
            error_type=type(error).__name__,
        )

    async def before_agent_callback(self, *, agent: Any, callback_context: Any) -> None:
        self._agent("agent.start", agent)

    async def after_agent_callback(self, *, agent: Any, callback_context: Any) -> None:
        self._agent("agent.end", agent)

    def _agent(self, event: str, agent: Any) -> None:
        """An agent that runs as the tool of another; one that takes over is a handoff."""
        inside = INSIDE.get()
        if inside is not None:
            session, call = inside
            self.recorder.record(event, session, name=agent.name, parent_call_id=call)

    async def on_event_callback(self, *, invocation_context: Any, event: Any) -> None:
        text = text_of(event.content)
        if text and event.author != "user" and event.is_final_response() and not INSIDE.get():
            session = self._session(invocation_context)
            self.recorder.record("answer", session, text=text, agent=event.author)

    async def on_agent_error_callback(
        self, *, agent: Any, callback_context: Any, error: Exception
    ) -> None:
        if error is not self.failed:
            self.failed = error
            facts = {"error": first_line(error), "error_type": type(error).__name__}
            self.recorder.record("agent.failed", self._session(callback_context), **facts)

    def _start(self, session: str, known: JsonObject) -> None:
        """The start of a call, once: it fires again when the call is answered."""
        call, inside = known["call_id"], INSIDE.get()
        if call not in self.started:
            make_room(self.started, CALLS)
            self.started[call] = None
            outer = inside[1] if inside and inside[1] != call else None
            self.recorder.record("tool.start", session, **known, parent_call_id=outer)

    def _answered(self, session: str, known: JsonObject, confirmed: bool) -> None:
        word = "tool.approved" if confirmed else "tool.refused"
        by = {} if confirmed else {"decided_by": "user"}
        self.recorder.record(word, session, **known, **by, evidence="tool_confirmation")


def call_of(tool: Any, given: Any, context: Any) -> JsonObject:
    return {
        "name": tool.name,
        "call_id": context.function_call_id,
        "arguments": plain(given),
        "agent": context.agent_name,
    }


def is_last(context: Any, plugin: AdkWatch) -> bool:
    """Return whether nothing can have answered in a tool's place: no plugin after ours (those
    before it would have kept the call from us), no callback of the agent. What cannot be
    seen counts as an answer."""
    around = getattr(context, "_invocation_context", None)
    plugins = getattr(getattr(around, "plugin_manager", None), "plugins", None)
    callbacks = getattr(getattr(around, "agent", None), "canonical_before_tool_callbacks", None)
    return type(plugins) is list and plugins[-1:] == [plugin] and callbacks == []


def text_of(content: Any) -> str | None:
    """The text that a person or a model wrote, thoughts left out."""
    parts = getattr(content, "parts", None) or ()
    texts = [p.text for p in parts if p.text and not getattr(p, "thought", None)]
    return "".join(texts) or None
