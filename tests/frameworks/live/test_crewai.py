"""CrewAI with our listener: a run, a failure, and a call that a hook aborts."""

from __future__ import annotations

import json
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("crewai", reason="crewai is not installed here")
from scripted_model import ScriptedModel, call

ran: list[str] = []


def refuse(context: Any) -> bool | None:
    return False if context.tool_name == "send_mail" else None


def build(url: str) -> Any:
    from crewai import LLM, Agent, Crew, Task
    from crewai.tools import tool

    @tool("read_file")
    def read_file(path: str) -> str:
        """Reads a file."""
        ran.append("read_file")
        return "two lines"

    @tool("run_shell")
    def run_shell(command: str) -> str:
        """Runs a command."""
        ran.append("run_shell")
        raise RuntimeError("exit status 2")

    @tool("send_mail")
    def send_mail(to: str) -> str:
        """Sends a mail."""
        ran.append("send_mail")
        return "sent"

    llm = LLM(model="openai/gpt-4o-mini", base_url=url, api_key="none")
    tools = [read_file, run_shell, send_mail]
    agent = Agent(role="helper", goal="help", backstory="none", llm=llm, tools=tools)
    task = Task(description="Tidy up.", expected_output="a word", agent=agent)
    return Crew(agents=[agent], tasks=[task])


def test_a_run_a_failure_and_an_aborted_call(log: Any, told: Any) -> None:
    from crewai.hooks import register_before_tool_call_hook, unregister_before_tool_call_hook

    from hookstream.integrations.crewai import watch

    turns = (
        call("read_file", path="/tmp/notes.md"),
        call("run_shell", command="make docs"),
        call("send_mail", to="a@example.com"),
    )
    register_before_tool_call_hook(refuse)
    try:
        with ScriptedModel(*turns) as model:
            watch("s-1", str(log))
            build(model.url).kickoff()
        until = time.monotonic() + 60
        while len([one for one in told() if one[0] == "Policy.Blocked"]) < 1:
            assert time.monotonic() < until, told()
            time.sleep(0.1)
    finally:
        unregister_before_tool_call_hook(refuse)
    assert "send_mail" not in ran
    events = told()
    (refused,) = {one[1] for one in events if one[0] == "Policy.Blocked"}
    assert not [one for one in events if one[0] == "Action.After" and one[1] == refused]
    outcomes = sorted(one[2] for one in events if one[0] == "Action.After")
    assert outcomes[0] == "error"
    assert outcomes[-1] == "ok"


def tools_by_session(log: Path) -> list[list[str]]:
    """The tools that were called in each session, answers of models left out."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in log.read_text().splitlines():
        event = json.loads(line)
        if event["event_type"] == "Action.Before":
            extra = event["metadata"]["dev.hookstream"]
            found[event["session_id"]].append(extra["action_native"])
    return sorted(map(sorted, found.values()))


def test_each_kickoff_is_a_session_though_they_run_at_once(log: Any) -> None:
    from crewai.events import crewai_event_bus

    from hookstream.integrations.crewai import watch

    reads = call("read_file", path="/tmp/notes.md")
    sends = call("send_mail", to="a@example.com")
    watch(log=str(log))
    with ScriptedModel(reads, sends) as first, ScriptedModel(reads, reads) as second:
        crews = [build(model.url) for model in (first, second)]
        running = [threading.Thread(target=crew.kickoff) for crew in crews]
        for one in running:
            one.start()
        for one in running:
            one.join(120)
    with ScriptedModel(sends) as model:
        again = crews[0]
        again.agents[0].llm = build(model.url).agents[0].llm
        again.kickoff()
    crewai_event_bus.flush()
    assert tools_by_session(log) == [
        ["read_file", "read_file"],
        ["read_file", "send_mail"],
        ["send_mail"],
    ]
