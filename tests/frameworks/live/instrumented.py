"""A program with an agent, its framework instrumented as its users do, and our adapter if asked.

    python instrumented.py FRAMEWORK INSTRUMENTATION MODEL_URL [LOG]

Spans go where OTEL_EXPORTER_OTLP_* says; with a LOG the adapter writes into it. Every run reads a
file, fails with a command, and sends a mail that somebody forbids.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from importlib import import_module
from typing import Any

# (framework, instrumentation) -> the instrumentor's place
INSTRUMENTORS = {
    ("openai-agents", "openinference"): (
        "openinference.instrumentation.openai_agents",
        "OpenAIAgentsInstrumentor",
    ),
    ("openai-agents", "traceloop"): (
        "opentelemetry.instrumentation.openai_agents",
        "OpenAIAgentsInstrumentor",
    ),
    ("langchain", "openinference"): (
        "openinference.instrumentation.langchain",
        "LangChainInstrumentor",
    ),
    ("langchain", "traceloop"): (
        "opentelemetry.instrumentation.langchain",
        "LangchainInstrumentor",
    ),
    ("crewai", "openinference"): ("openinference.instrumentation.crewai", "CrewAIInstrumentor"),
    ("crewai", "openinference-events"): (
        "openinference.instrumentation.crewai",
        "CrewAIInstrumentor",
    ),
}


def traced(framework: str, instrumentation: str) -> Any:
    """The provider whose spans are exported, with the framework instrumented."""
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    place = INSTRUMENTORS.get((framework, instrumentation))
    if place is not None:
        more = {"use_event_listener": True} if instrumentation == "openinference-events" else {}
        getattr(import_module(place[0]), place[1])().instrument(tracer_provider=provider, **more)
    elif framework == "pydantic-ai":
        from pydantic_ai import Agent

        Agent.instrument_all()
    return provider


def openai_agents(url: str, log: str | None) -> None:
    from agents import Runner
    from test_openai_agents import build

    more: dict[str, Any] = {}
    if log:
        from hookstream.integrations.openai_agents import watch

        more["hooks"] = watch(None, log)
    asyncio.run(Runner.run(build(url), "Tidy up.", **more))


def langchain(url: str, log: str | None) -> None:
    from langchain.agents.middleware import HumanInTheLoopMiddleware
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command
    from test_langchain import build

    config: dict[str, Any] = {"configurable": {"thread_id": "t-1"}}
    if log:
        from hookstream.integrations.langchain import LangChainWatch

        config["callbacks"] = [LangChainWatch(log=log)]
    asks = HumanInTheLoopMiddleware(interrupt_on={"send_mail": True})
    agent = build(url, asks, checkpointer=InMemorySaver())
    agent.invoke({"messages": [("user", "Tidy up.")]}, config)
    decision = {"type": "reject", "message": "mail needs an approver"}
    agent.invoke(Command(resume={"decisions": [decision]}), config)
    with contextlib.suppress(RuntimeError):
        agent.invoke({"messages": [("user", "Build it.")]}, config)


def crewai(url: str, log: str | None) -> None:
    from crewai.hooks import register_before_tool_call_hook
    from test_crewai import build, refuse

    if log:
        from hookstream.integrations.crewai import watch

        watch(None, log)
    register_before_tool_call_hook(refuse)
    build(url).kickoff()


def pydantic_ai(url: str, log: str | None) -> None:
    from pydantic_ai import DeferredToolResults, ToolDenied
    from test_pydantic_ai import build

    agent = build(url, log)
    first = agent.run_sync("Tidy up.")
    results = DeferredToolResults()
    for asked in first.output.approvals:
        results.approvals[asked.tool_call_id] = ToolDenied("mail needs an approver")
    agent.run_sync(message_history=first.all_messages(), deferred_tool_results=results)


def google_adk(url: str, log: str | None) -> None:
    from google.adk.tools import FunctionTool
    from test_google_adk import answer, play, read_file, run_shell, send_mail

    plugins: list[Any] = []
    if log:
        from hookstream.integrations.google_adk import AdkWatch

        plugins = [AdkWatch(log=log)]
    mail = FunctionTool(send_mail, require_confirmation=True)
    with contextlib.suppress(RuntimeError):
        play(url, [read_file, mail, run_shell], plugins, "Tidy up.", answer(False))


PROGRAMS = {
    "openai-agents": openai_agents,
    "langchain": langchain,
    "crewai": crewai,
    "google-adk": google_adk,
    "pydantic-ai": pydantic_ai,
}


def main(framework: str, instrumentation: str, url: str, log: str | None = None) -> None:
    provider = traced(framework, instrumentation)
    PROGRAMS[framework](url, log)
    provider.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
