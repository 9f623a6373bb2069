"""OpenAI Agents SDK with our hooks: runs, failures, guardrails, approvals."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

agents = pytest.importorskip("agents", reason="openai-agents is not installed here")
from scripted_model import ScriptedModel, call  # noqa: E402

if not hasattr(agents, "RunHooks"):
    pytest.skip("another package is called agents", allow_module_level=True)

ran: list[str] = []


def build(url: str) -> Any:
    from agents import Agent, OpenAIChatCompletionsModel, function_tool
    from agents.tool_guardrails import (
        ToolGuardrailFunctionOutput,
        tool_input_guardrail,
    )
    from openai import AsyncOpenAI

    @tool_input_guardrail
    def no_mail(data: Any) -> Any:
        return ToolGuardrailFunctionOutput.reject_content("mail needs an approver")

    @function_tool
    def read_file(path: str) -> str:
        ran.append("read_file")
        return "two lines"

    @function_tool
    def run_shell(command: str) -> str:
        ran.append("run_shell")
        raise RuntimeError("exit status 2")

    @function_tool(tool_input_guardrails=[no_mail])
    def send_mail(to: str) -> str:
        ran.append("send_mail")
        return "sent"

    @function_tool(needs_approval=True)
    def deploy(target: str) -> str:
        ran.append("deploy")
        return "live"

    client = AsyncOpenAI(base_url=url, api_key="none", max_retries=0)
    model = OpenAIChatCompletionsModel(model="scripted", openai_client=client)
    return Agent(name="helper", model=model, tools=[read_file, run_shell, send_mail, deploy])


def test_runs_failures_and_a_guardrail(log: Any, told: Any) -> None:
    from agents import Runner

    from hookstream.integrations.openai_agents import watch

    ran.clear()
    turns = (
        call("read_file", path="/tmp/notes.md"),
        call("run_shell", command="make docs"),
        call("send_mail", to="a@example.com"),
    )
    with ScriptedModel(*turns) as model:
        hooks = watch("s-1", str(log))
        asyncio.run(Runner.run(build(model.url), "Tidy up.", hooks=hooks))
    assert ran == ["read_file", "run_shell"]
    events = told()
    assert ("Action.After", "call_1", "ok") in events
    assert ("Action.After", "call_2", "error") in events
    assert ("Policy.Blocked", "call_3", "rule") in events
    assert not [one for one in events if one[0] == "Action.After" and one[1] == "call_3"]
    assert [one[0] for one in events].count("Prompt.Submitted") == 1
    assert [one[2] for one in events if one[0] == "Model.Responded"] == [100, 200, 300, 400]


@pytest.mark.parametrize("answer", ["approve", "reject"])
def test_a_call_that_waits_and_its_answer(answer: str, log: Any, told: Any) -> None:
    from agents import Runner

    from hookstream.integrations.openai_agents import watch

    ran.clear()
    with ScriptedModel(call("deploy", target="prod")) as model:
        hooks = watch(None, str(log))
        agent = build(model.url)
        result = asyncio.run(Runner.run(agent, "Ship it.", hooks=hooks))
        waiting = told()
        assert ("Agent.Notification", "call_1", None) in waiting
        assert not [one for one in waiting if one[0] == "Action.After"]
        state = result.to_state()
        if answer == "approve":
            hooks.approve(state, result.interruptions[0])
        else:
            hooks.reject(state, result.interruptions[0], "not on a Friday")
        asyncio.run(Runner.run(agent, state, hooks=hooks))
    events = told()
    if answer == "approve":
        assert ran == ["deploy"]
        assert ("Policy.Override", "call_1", "user") in events
        assert ("Action.After", "call_1", "ok") in events
    else:
        assert ran == []
        assert ("Policy.Blocked", "call_1", "user") in events
        assert not [one for one in events if one[0] == "Action.After"]


def test_runs_without_the_hooks_are_not_judged(log: Any, told: Any) -> None:
    from agents import Runner

    from hookstream.integrations.openai_agents import watch

    with ScriptedModel(call("read_file", path="/tmp/notes.md")) as model:
        watch("s-1", str(log))
        asyncio.run(Runner.run(build(model.url), "Tidy up."))
    assert told() == []
