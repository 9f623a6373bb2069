"""Google ADK with our plugin: runs, failures, a confirmation and its answer, an agent as a tool."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

pytest.importorskip("google.adk", reason="google-adk is not installed here")
from scripted_model import ScriptedModel, call

ran: list[str] = []


def read_file(path: str) -> str:
    """Reads a file."""
    ran.append("read_file")
    return "two lines"


def run_shell(command: str) -> dict[str, str]:
    """Runs a command."""
    ran.append("run_shell")
    raise RuntimeError("exit status 2")


def look_up(word: str) -> dict[str, str]:
    """Looks a word up, and says itself what went wrong."""
    ran.append("look_up")
    return {"error": "no such word"}


def send_mail(to: str) -> str:
    """Sends a mail."""
    ran.append("send_mail")
    return "sent"


def play(url: str, tools: list[Any], plugins: list[Any], *messages: Any, **more: Any) -> None:
    """Runs messages, one after another in one session; one may be made of the last events."""
    from google.adk.agents import LlmAgent
    from google.adk.runners import InMemoryRunner

    os.environ["GOOGLE_API_KEY"] = "none"
    os.environ["GOOGLE_GEMINI_BASE_URL"] = url.removesuffix("/v1")
    agent = LlmAgent(name="helper", model="gemini-2.5-flash", tools=tools, **more)
    runner = InMemoryRunner(agent=agent, app_name="test", plugins=plugins)

    async def turns() -> None:
        session = await runner.session_service.create_session(app_name="test", user_id="u")
        events: list[Any] = []
        for message in messages:
            given = message(events) if callable(message) else user(message)
            stream = runner.run_async(user_id="u", session_id=session.id, new_message=given)
            events = [event async for event in stream]

    asyncio.run(turns())


@pytest.fixture
def run(log: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs messages with our plugin, behind those that are given."""
    for name in ("GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.setenv(name, "none")  # and as it was, behind the test
    ran.clear()

    def watched(
        model: ScriptedModel, tools: list[Any], *messages: Any, before: Any = (), **more: Any
    ) -> None:
        from hookstream.integrations.google_adk import AdkWatch

        play(model.url, tools, [*before, AdkWatch(log=str(log))], *messages, **more)

    return watched


def user(text: str) -> Any:
    from google.genai import types

    return types.UserContent(parts=[types.Part(text=text)])


def answer(confirmed: bool) -> Any:
    """The answer to the confirmation that the events ask for."""

    def made(events: list[Any]) -> Any:
        from google.genai import types

        asked = [
            one
            for event in events
            for one in event.get_function_calls()
            if one.name == "adk_request_confirmation"
        ]
        reply = types.FunctionResponse(
            id=asked[0].id, name=asked[0].name, response={"confirmed": confirmed}
        )
        return types.UserContent(parts=[types.Part(function_response=reply)])

    return made


def test_runs_and_failures(run: Any, told: Any) -> None:
    turns = (
        call("read_file", path="/tmp/notes.md"),
        call("look_up", word="a"),
        call("run_shell", command="make docs"),
    )
    with ScriptedModel(*turns) as model, pytest.raises(RuntimeError):
        run(model, [read_file, look_up, run_shell], "Tidy up.")
    assert ran == ["read_file", "look_up", "run_shell"]
    events = told()
    assert [one[0] for one in events].count("Prompt.Submitted") == 1
    ends = [(one[1], one[2]) for one in events if one[0] == "Action.After"]
    assert ends == [("call_1", "ok"), ("call_2", "error"), ("call_3", "error")]
    assert [one[2] for one in events if one[0] == "Model.Responded"] == [100, 200, 300]
    assert "Agent.Error" not in [one[0] for one in events]  # the tool's failure says it


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_call_that_waits_and_its_answer(confirmed: bool, run: Any, told: Any) -> None:
    from google.adk.tools import FunctionTool

    mail = FunctionTool(send_mail, require_confirmation=True)
    with ScriptedModel(call("send_mail", to="a@example.com")) as model:
        run(model, [mail], "Write to them.", answer(confirmed))
    events = told()
    assert events.count(("Action.Before", "call_1", None)) == 1
    assert events.count(("Agent.Notification", "call_1", None)) == 1
    ends = [one for one in events if one[0] == "Action.After"]
    if confirmed:
        assert ran == ["send_mail"]
        assert ("Policy.Override", "call_1", "user") in events
        assert ends == [("Action.After", "call_1", "ok")]
    else:
        assert ran == []
        assert ("Policy.Blocked", "call_1", "user") in events
        assert ends == []


@pytest.mark.parametrize("word", ["error", "status"])
def test_what_a_callback_answers_in_a_tools_place_has_no_outcome(
    word: str, run: Any, told: Any
) -> None:
    """It may be a refusal, or what the tool itself gave: both look the same."""

    def refuse(tool: Any, args: Any, tool_context: Any) -> dict[str, str]:
        return {word: "mail needs an approver"}

    with ScriptedModel(call("send_mail", to="a@example.com")) as model:
        run(model, [send_mail], "Write to them.", before_tool_callback=refuse)
    assert ran == []
    assert [one for one in told() if one[0] == "Action.After"] == [("Action.After", "call_1", None)]


def test_what_another_plugin_answers_has_no_outcome(run: Any, told: Any) -> None:
    from google.adk.plugins.base_plugin import BasePlugin

    class Guard(BasePlugin):  # type: ignore[misc]
        async def before_tool_callback(self, **given: Any) -> Any:
            return {"error": "mail needs an approver"}

    with ScriptedModel(call("send_mail", to="a@example.com")) as model:
        run(model, [send_mail], "Write to them.", before=[Guard(name="guard")])
    assert ran == []
    assert [one for one in told() if one[0] == "Action.After"] == [("Action.After", "call_1", None)]


def test_an_agent_as_a_tool_is_inside_its_call(run: Any, told: Any, log: Any) -> None:
    from google.adk.agents import LlmAgent
    from google.adk.tools.agent_tool import AgentTool

    reader = LlmAgent(name="reader", model="gemini-2.5-flash", tools=[read_file])
    turns = (call("reader", request="Read it."), call("read_file", path="/tmp/notes.md"))
    with ScriptedModel(*turns) as model:
        run(model, [AgentTool(reader)], "Tidy up.")
    events = told()
    assert ("Action.After", "call_2", "ok") in events
    kinds = [one[0] for one in events]
    assert kinds.count("Prompt.Submitted") == 1
    assert kinds.count("Agent.Plan.Start") == kinds.count("Agent.Plan.End") == 1
    assert len(set(sessions(log))) == 1


def sessions(log: Any) -> list[str]:
    import json

    return [json.loads(line)["session_id"] for line in log.read_text().splitlines()]


def test_a_model_that_fails(run: Any, told: Any) -> None:
    with ScriptedModel({"error": 400}) as model, pytest.raises(Exception, match="400"):
        run(model, [read_file], "Tidy up.")
    kinds = [one[0] for one in told()]
    assert "Model.Failed" in kinds
    assert "Model.Responded" not in kinds
