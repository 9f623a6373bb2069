"""Pydantic AI: one capability of an agent.

    agent = Agent(..., capabilities=[PydanticWatch()])

Spans show a refused call as text in a later message, if at all; here the history says `denied`.
The answer to an approval reaches the agent with the next run, which is where it is recorded.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, SkipToolExecution

from hookstream.core.limits import make_room
from hookstream.integrations.recorder import Recorder, arguments_of, first_line, plain

CALLS = 4096
# The call that the running code is inside of: (session, call id).
INSIDE: ContextVar[tuple[str, str] | None] = ContextVar("hookstream_pydantic_call", default=None)


class PydanticWatch(AbstractCapability[Any]):  # type: ignore[misc]
    """Records prompts, model calls, tools, questions and answers. `session` names the session; by
    default it is the conversation."""

    def __init__(self, session: str | None = None, log: str | None = None) -> None:
        self.recorder = Recorder("pydantic-ai", log)
        self.session = session
        # calls with an open question -> the run; calls whose refusal is in the log
        self.asked: dict[str, str | None] = {}
        self.refused: dict[str, None] = {}
        # what the last failure was: the run around it fails with the same
        self.failed: BaseException | None = None

    def _session(self, ctx: Any) -> str:
        inside = INSIDE.get()
        named = self.session or (inside[0] if inside else None)
        return str(named or ctx.conversation_id or ctx.run_id or "no run")

    async def before_run(self, ctx: Any) -> None:
        inside = INSIDE.get()
        if inside is not None:
            name, (session, call) = name_of(ctx), inside
            self.recorder.record("agent.start", session, name=name, parent_call_id=call)
        elif ctx.prompt is not None:
            prompt = ctx.prompt if isinstance(ctx.prompt, str) else texts(ctx.prompt)
            self.recorder.record("prompt", self._session(ctx), prompt=prompt, agent=name_of(ctx))

    async def after_run(self, ctx: Any, *, result: Any) -> Any:
        inside, output = INSIDE.get(), getattr(result, "output", None)
        text = output if isinstance(output, str) else None
        if inside is not None:
            name, (session, call) = name_of(ctx), inside
            facts = {"name": name, "parent_call_id": call, "text": text}
            self.recorder.record("agent.end", session, **facts)
        elif text:
            self.recorder.record("answer", self._session(ctx), text=text, agent=name_of(ctx))
        return result

    async def on_run_error(self, ctx: Any, *, error: BaseException) -> Any:
        if error is not self.failed and isinstance(error, Exception) and INSIDE.get() is None:
            facts = {"error": first_line(error), "error_type": type(error).__name__}
            self.recorder.record("agent.failed", self._session(ctx), **facts)
        raise error

    async def before_model_request(self, ctx: Any, request_context: Any) -> Any:
        session, sent = self._session(ctx), request_context.messages
        calls = {
            part.tool_call_id: arguments_of(part.args)
            for message in sent[-2:-1]
            for part in message.parts
            if part.part_kind == "tool-call"
        }
        for part in sent[-1].parts if sent else ():
            if getattr(part, "outcome", None) == "denied":
                self._refuse(ctx, session, part, calls.get(part.tool_call_id))
        model = getattr(request_context.model, "model_name", None)
        self.recorder.record("model.start", session, model=model, agent=name_of(ctx))
        return request_context

    def _refuse(self, ctx: Any, session: str, part: Any, given: Any) -> None:
        """A refused call. If the run that asked continues, a handler of the program answered, and
        who decided is not known."""
        call = part.tool_call_id
        if call in self.refused:
            return
        make_room(self.refused, CALLS)
        self.refused[call] = None
        reason = part.content if isinstance(part.content, str) else None
        is_handled = call in self.asked and self.asked[call] == ctx.run_id
        by = {"decided_by": None if is_handled else "user", "reason": reason}
        by["evidence"] = "outcome denied"
        call_facts = {"name": part.tool_name, "call_id": call, "arguments": given}
        self.recorder.record("tool.refused", session, **call_facts, **by)

    async def after_model_request(self, ctx: Any, *, request_context: Any, response: Any) -> Any:
        usage = response.usage
        self.recorder.record(
            "model.end",
            self._session(ctx),
            model=response.model_name,
            response_id=response.provider_response_id,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_read=usage.cache_read_tokens,
            agent=name_of(ctx),
        )
        return response

    async def on_model_request_error(
        self, ctx: Any, *, request_context: Any, error: Exception
    ) -> Any:
        self.failed = error
        facts = {"error": first_line(error), "error_type": type(error).__name__}
        self.recorder.record("model.failed", self._session(ctx), **facts, agent=name_of(ctx))
        raise error

    async def handle_deferred_tool_calls(self, ctx: Any, *, requests: Any) -> None:
        """Nothing is answered here: whoever is next is asked."""
        for call in requests.approvals:
            if call.tool_call_id not in self.asked:
                make_room(self.asked, CALLS)
                self.asked[call.tool_call_id] = ctx.run_id
                call_facts = self._known(ctx, call, call.args)
                self.recorder.record("tool.start", self._session(ctx), **call_facts)
                self.recorder.record("tool.asked", self._session(ctx), **call_facts)

    async def wrap_tool_execute(
        self, ctx: Any, *, call: Any, tool_def: Any, args: Any, handler: Any
    ) -> Any:
        session, call_facts = self._session(ctx), self._known(ctx, call, args)
        if ctx.tool_call_approved:
            facts = {"evidence": "tool_call_approved"}
            self.recorder.record("tool.approved", session, **call_facts, **facts)
        if call.tool_call_id not in self.asked:
            self.recorder.record("tool.start", session, **call_facts)
        outside = INSIDE.set((session, call.tool_call_id))
        try:
            result = await handler(args)
        except (ApprovalRequired, CallDeferred, SkipToolExecution):
            raise  # it did not end here
        except Exception as error:
            self._failed(session, call_facts, error)
            raise
        finally:
            INSIDE.reset(outside)
        ended = {"outcome": "ok", "success": True, "result": plain(result)}
        self.recorder.record("tool.end", session, **call_facts, **ended)
        return result

    def _failed(self, session: str, known: dict[str, Any], error: Exception) -> None:
        self.failed = error
        cause = error.__cause__ or error  # a retry or a failure that a tool asks for
        facts = {"error": first_line(cause), "error_type": type(cause).__name__}
        ended: dict[str, Any] = {"outcome": "error", "success": False}
        self.recorder.record("tool.end", session, **known, **ended, **facts)

    def _known(self, ctx: Any, call: Any, given: Any) -> dict[str, Any]:
        inside = INSIDE.get()
        return {
            "name": call.tool_name,
            "call_id": call.tool_call_id,
            "arguments": arguments_of(given),
            "agent": name_of(ctx),
            "parent_call_id": inside[1] if inside else None,
        }


def name_of(ctx: Any) -> str | None:
    return getattr(ctx.agent, "name", None)


def texts(content: Any) -> str | None:
    """The text of a prompt that also holds other things."""
    return "\n".join(part for part in content if isinstance(part, str)) or None
