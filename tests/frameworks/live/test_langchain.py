"""LangChain agents with our callback handler: failures with ids, a question and its answer."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("langchain_openai", reason="langchain-openai is not installed here")
from scripted_model import ScriptedModel, call


def build(url: str, *middleware: Any, **more: Any) -> Any:
    from langchain.agents import create_agent
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI

    @tool
    def read_file(path: str) -> str:
        """Reads a file."""
        return "two lines"

    @tool
    def run_shell(command: str) -> str:
        """Runs a command."""
        raise RuntimeError("exit status 2")

    @tool
    def send_mail(to: str) -> str:
        """Sends a mail."""
        return "sent"

    model = ChatOpenAI(model="scripted", base_url=url, api_key="none", max_retries=0)
    return create_agent(model, [read_file, run_shell, send_mail], middleware=middleware, **more)


def test_a_run_and_a_failure(log: Any, told: Any) -> None:
    from hookstream.integrations.langchain import LangChainWatch

    turns = (call("read_file", path="/tmp/notes.md"), call("run_shell", command="make docs"))
    with ScriptedModel(*turns) as model:
        given = {"messages": [("user", "Tidy up.")]}
        config = {"callbacks": [LangChainWatch(log=str(log))], "configurable": {"thread_id": "t-1"}}
        with pytest.raises(RuntimeError):
            build(model.url).invoke(given, config)
    events = told()
    assert ("Action.After", "call_1", "ok") in events
    assert ("Action.After", "call_2", "error") in events
    assert [one[0] for one in events].count("Prompt.Submitted") == 1


@pytest.mark.parametrize("answer", ["approve", "reject"])
def test_a_question_and_its_answer(answer: str, log: Any, told: Any) -> None:
    from langchain.agents.middleware import HumanInTheLoopMiddleware
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command

    from hookstream.integrations.langchain import LangChainWatch

    with ScriptedModel(call("send_mail", to="a@example.com")) as model:
        agent = build(
            model.url,
            HumanInTheLoopMiddleware(interrupt_on={"send_mail": True}),
            checkpointer=InMemorySaver(),
        )
        config = {"callbacks": [LangChainWatch(log=str(log))], "configurable": {"thread_id": "t-1"}}
        agent.invoke({"messages": [("user", "Write to them.")]}, config)
        assert ("Agent.Notification", "call_1", None) in told()
        decision: dict[str, str] = {"type": answer}
        if answer == "reject":
            decision["message"] = "not without an approver"
        agent.invoke(Command(resume={"decisions": [decision]}), config)
    events = told()
    if answer == "approve":
        assert ("Policy.Override", "call_1", "user") in events
        assert ("Action.After", "call_1", "ok") in events
    else:
        assert ("Policy.Blocked", "call_1", "user") in events
        assert not [one for one in events if one[0] == "Action.After"]
