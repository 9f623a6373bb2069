"""LangChain and LangGraph: one callback handler.

    agent.invoke(inputs, {"callbacks": [LangChainWatch()], "configurable": {"thread_id": "7"}})

It knows the call id of failed calls, which spans do not, the questions of a graph that is
interrupted, and the answers with which it is resumed.
"""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import BaseCallbackHandler

from hookstream.core.limits import make_room
from hookstream.integrations.recorder import Recorder, arguments_of, first_line, plain
from hookstream.normalizers.genai.langgraph import WORDS
from hookstream.normalizers.genai.span import INTERRUPTS, Proposal
from hookstream.otlp.conversation import Conversation, Open

RUNS = 8192


class LangChainWatch(BaseCallbackHandler):  # type: ignore[misc]
    """Records prompts, model calls, tools, questions and answers. `session` names the session; by
    default it is the thread, else the outermost run."""

    def __init__(self, session: str | None = None, log: str | None = None) -> None:
        self.recorder = Recorder("langchain", log)
        self.session = session
        # run -> (session, call id, tool, arguments)
        self.runs: dict[Any, tuple[str, str | None, str | None, Any]] = {}
        self.parents: dict[Any, Any] = {}
        self.talks: dict[str, Conversation] = {}

    def _session(self, run: Any, parent: Any, metadata: Any) -> str:
        make_room(self.parents, RUNS)
        self.parents[run] = parent
        thread = (metadata or {}).get("thread_id") or (metadata or {}).get("session_id")
        if self.session or thread:
            return str(self.session or thread)
        while self.parents.get(run) is not None:
            run = self.parents[run]
        return str(run)

    def _talk(self, session: str) -> Conversation:
        make_room(self.talks, RUNS)
        return self.talks.setdefault(session, Conversation(session))

    def on_chain_start(self, serialized: Any, inputs: Any, **known: Any) -> None:
        run, parent = known["run_id"], known.get("parent_run_id")
        session = self._session(run, parent, known.get("metadata"))
        make_room(self.runs, RUNS)
        self.runs[run] = (session, None, None, None)
        if parent is not None:
            return
        for word, reason in decisions(inputs):
            talk = self._talk(session)
            if not talk.asked:
                return
            asked = talk.asked.pop(0)
            facts = {"name": asked.tool, "arguments": asked.arguments, "call_id": asked.call_id}
            if word == "reject":
                self.recorder.record(
                    "tool.refused",
                    session,
                    **facts,
                    decided_by="user",
                    evidence="resume",
                    reason=reason,
                )
            else:
                modified = True if word == "edit" else None
                self.recorder.record(
                    "tool.approved", session, **facts, evidence="resume", modified=modified
                )

    def on_chain_error(self, error: BaseException, **known: Any) -> None:
        if not is_interrupt(error):
            return
        session, *_ = self.runs.get(known["run_id"], ("", None, None, None))
        talk = self._talk(session)
        for asked in requests(error):
            proposal = talk.next_like(asked)
            if proposal is None or proposal.call_id is None:
                continue
            if talk.once("asked", proposal.call_id):
                talk.asked.append(Open(proposal.call_id, asked.tool, asked.arguments, False))
                self.recorder.record(
                    "tool.asked",
                    session,
                    name=asked.tool,
                    call_id=proposal.call_id,
                    arguments=asked.arguments,
                )

    def on_chat_model_start(self, serialized: Any, messages: Any, **known: Any) -> None:
        session = self._session(known["run_id"], known.get("parent_run_id"), known.get("metadata"))
        self.runs[known["run_id"]] = (session, None, None, None)
        sent = messages[0] if messages else []
        last = sent[-1] if sent else None
        talk = self._talk(session)
        text = getattr(last, "content", None)
        is_prompt = getattr(last, "type", None) == "human" and isinstance(text, str)
        is_inside = self._tool_around(known["run_id"]) is not None
        if is_prompt and not is_inside and talk.once("prompt", f"{len(sent)} {str(text)[:200]}"):
            self.recorder.record("prompt", session, prompt=text)
        self.recorder.record("model.start", session)

    def on_llm_end(self, response: Any, **known: Any) -> None:
        session, *_ = self.runs.get(known["run_id"], ("", None, None, None))
        for row in getattr(response, "generations", None) or ():
            for generation in row:
                message = getattr(generation, "message", None)
                usage = getattr(message, "usage_metadata", None) or {}
                self.recorder.record(
                    "model.end",
                    session,
                    input_tokens=usage.get("input_tokens"),
                    output_tokens=usage.get("output_tokens"),
                )
                for call in getattr(message, "tool_calls", None) or ():
                    proposal = Proposal(call.get("id"), call["name"], plain(call.get("args")))
                    self._talk(session).propose(proposal)

    def on_llm_error(self, error: BaseException, **known: Any) -> None:
        session, *_ = self.runs.get(known["run_id"], ("", None, None, None))
        facts = {"error": first_line(error), "error_type": type(error).__name__}
        self.recorder.record("model.failed", session, **facts)

    def on_tool_start(self, serialized: Any, input_str: str, **known: Any) -> None:
        run = known["run_id"]
        session = self._session(run, known.get("parent_run_id"), known.get("metadata"))
        name = (serialized or {}).get("name") or known.get("name")
        arguments = arguments_of(known.get("inputs") or input_str)
        call = known.get("tool_call_id") or str(run)
        make_room(self.runs, RUNS)
        self.runs[run] = (session, call, name, arguments)
        proposal = self._talk(session).known.get(call)
        if proposal is not None:
            proposal.used = True
        outer = self._tool_around(run)
        self.recorder.record(
            "tool.start",
            session,
            name=name,
            call_id=call,
            arguments=arguments,
            parent_call_id=outer,
        )

    def on_tool_end(self, output: Any, **known: Any) -> None:
        is_error = getattr(output, "status", None) == "error"
        self._ended(known, "error" if is_error else "ok", getattr(output, "content", output), None)

    def on_tool_error(self, error: BaseException, **known: Any) -> None:
        if not is_interrupt(error):
            self._ended(known, "error", None, first_line(error))
            return
        session, call, name, arguments = self.runs.get(known["run_id"], ("", None, None, None))
        self.recorder.record("tool.asked", session, name=name, call_id=call, arguments=arguments)

    def _ended(self, known: Any, outcome: str, result: Any, error: str | None) -> None:
        session, call, name, arguments = self.runs.get(known["run_id"], ("", None, None, None))
        self.recorder.record(
            "tool.end",
            session,
            name=name,
            call_id=call,
            arguments=arguments,
            outcome=outcome,
            success=outcome == "ok",
            error=error,
            result=plain(result),
        )

    def _tool_around(self, run: Any) -> str | None:
        """The call that a run is inside of."""
        at = self.parents.get(run)
        while at is not None:
            call = self.runs.get(at, ("", None, None, None))[1]
            if call is not None:
                return call
            at = self.parents.get(at)
        return None


def is_interrupt(error: BaseException) -> bool:
    return INTERRUPTS.search(type(error).__name__) is not None


def requests(error: BaseException) -> list[Proposal]:
    """The actions an interrupt asks about."""
    actions = []
    for interrupt in (
        error.args[0] if error.args and isinstance(error.args[0], list | tuple) else ()
    ):
        value = plain(getattr(interrupt, "value", None))
        listed = value.get("action_requests") if isinstance(value, dict) else None
        for action in listed if isinstance(listed, list) else ():
            if isinstance(action, dict) and isinstance(action.get("name"), str):
                actions.append(Proposal(None, action["name"], action.get("args")))
    return actions


def decisions(inputs: Any) -> list[tuple[str, str | None]]:
    """The answers of a Command that resumes a graph."""
    resume = plain(getattr(inputs, "resume", None))
    if resume is None and isinstance(inputs, dict):
        resume = plain(getattr(inputs.get("input"), "resume", None))
    listed = resume.get("decisions") if isinstance(resume, dict) else None
    answers = []
    for answer in listed if isinstance(listed, list) else ():
        word = WORDS.get(str(answer.get("type"))) if isinstance(answer, dict) else None
        if word:
            answers.append((word, answer.get("message")))
    return answers
