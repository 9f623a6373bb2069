"""Pydantic AI with our capability: runs, failures, an approval and its answer, an agent in a
tool."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("pydantic_ai.capabilities", reason="pydantic-ai is not installed here")
from scripted_model import ScriptedModel, call

ran: list[str] = []


def build(url: str, log: Any, **more: Any) -> Any:
    from openai import AsyncOpenAI
    from pydantic_ai import Agent, DeferredToolRequests, ModelRetry
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    from hookstream.integrations.pydantic_ai import PydanticWatch

    client = AsyncOpenAI(base_url=url, api_key="none", max_retries=0)
    agent: Any = Agent(
        OpenAIChatModel("scripted", provider=OpenAIProvider(openai_client=client)),
        output_type=[str, DeferredToolRequests],
        capabilities=[PydanticWatch(log=str(log))] if log else [],
        **more,
    )
    ran.clear()

    @agent.tool_plain
    def read_file(path: str) -> str:
        ran.append("read_file")
        return "two lines"

    @agent.tool_plain(retries=3)
    def run_shell(command: str) -> str:
        ran.append("run_shell")
        raise ModelRetry("exit status 2")

    @agent.tool_plain
    def crash(command: str) -> str:
        raise RuntimeError("no such thing")

    @agent.tool_plain(requires_approval=True)
    def send_mail(to: str) -> str:
        ran.append("send_mail")
        return "sent"

    return agent


def test_runs_and_failures(log: Any, told: Any) -> None:
    turns = (
        call("read_file", path="/tmp/notes.md"),
        call("run_shell", command="make docs"),
        call("crash", command="ls"),
    )
    with ScriptedModel(*turns) as model, pytest.raises(RuntimeError):
        build(model.url, log).run_sync("Tidy up.")
    assert ran == ["read_file", "run_shell"]
    events = told()
    ends = [(one[1], one[2]) for one in events if one[0] == "Action.After"]
    assert ends == [("call_1", "ok"), ("call_2", "error"), ("call_3", "error")]
    kinds = [one[0] for one in events]
    assert kinds.count("Prompt.Submitted") == 1
    assert "Agent.Error" not in kinds  # the tool's failure says it
    assert [one[2] for one in events if one[0] == "Model.Responded"] == [100, 200, 300]


@pytest.mark.parametrize("answer", ["approve", "reject"])
def test_a_call_that_waits_and_its_answer(answer: str, log: Any, told: Any) -> None:
    from pydantic_ai import DeferredToolResults, ToolDenied

    with ScriptedModel(call("send_mail", to="a@example.com")) as model:
        agent = build(model.url, log)
        first = agent.run_sync("Write to them.")
        waiting = told()
        assert ("Agent.Notification", "call_1", None) in waiting
        assert not [one for one in waiting if one[0] == "Action.After"]
        results = DeferredToolResults()
        results.approvals["call_1"] = True if answer == "approve" else ToolDenied("not on a Friday")
        agent.run_sync(message_history=first.all_messages(), deferred_tool_results=results)
    events = told()
    assert events.count(("Action.Before", "call_1", None)) == 1
    assert len({json.loads(line)["session_id"] for line in log.read_text().splitlines()}) == 1
    if answer == "approve":
        assert ran == ["send_mail"]
        assert ("Policy.Override", "call_1", "user") in events
        assert ("Action.After", "call_1", "ok") in events
    else:
        assert ran == []
        assert events.count(("Policy.Blocked", "call_1", "user")) == 1
        assert not [one for one in events if one[0] == "Action.After"]


def test_an_agent_in_a_tool_is_inside_its_call(log: Any, told: Any) -> None:
    with ScriptedModel(
        call("ask_reader", what="Read it."),
        call("read_file", path="/tmp/notes.md"),
    ) as model:
        reader = build(model.url, log, name="reader")
        outer = build(model.url, log, name="helper")

        @outer.tool_plain
        async def ask_reader(what: str) -> str:
            return str((await reader.run(what)).output)

        outer.run_sync("Tidy up.")
    kinds = [one[0] for one in told()]
    assert ("Action.After", "call_2", "ok") in told()
    assert kinds.count("Prompt.Submitted") == 1
    assert kinds.count("Agent.Plan.Start") == kinds.count("Agent.Plan.End") == 1
    assert len({json.loads(line)["session_id"] for line in log.read_text().splitlines()}) == 1


def test_a_model_that_fails(log: Any, told: Any) -> None:
    with ScriptedModel({"error": 400}) as model, pytest.raises(Exception, match="400"):
        build(model.url, log).run_sync("Tidy up.")
    kinds = [one[0] for one in told()]
    assert kinds.count("Model.Failed") == 1
    assert "Agent.Error" not in kinds
