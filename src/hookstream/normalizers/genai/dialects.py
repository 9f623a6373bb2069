"""Which dialect a span is written in and which framework sent it: by scope first, then by its
attributes."""

from __future__ import annotations

from hookstream.normalizers.genai import gen_ai, langsmith, openinference, traceloop, vercel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.normalizers.genai.span import Span, Told

# scopes of frameworks that send spans themselves
NATIVE = {
    "pydantic-ai": "pydantic-ai",
    "gcp.vertex.agent": "google-adk",
    "autogen-core": "autogen",
    "ai": "vercel-ai-sdk",
    "langsmith": "langchain",
    "n8n": "n8n",
    "strands.telemetry.tracer": "strands-agents",
}
# the part of an instrumentation's scope that names what it instruments -> framework
INSTRUMENTED = {
    "langchain": "langchain",
    "langgraph": "langchain",
    "openai_agents": "openai-agents",
    "crewai": "crewai",
    "autogen": "autogen",
    "autogen_agentchat": "autogen",
    "google_adk": "google-adk",
    "pydantic_ai": "pydantic-ai",
    "claude_agent_sdk": "claude-code",
    "vercel": "vercel-ai-sdk",
}
# Scopes that repeat what others say: transport, and calls seen from within a server.
REPEATS = ("autogen SingleThreadedAgentRuntime", "mcp-python-sdk", "mcp")
UNKNOWN = "otel-genai"


def framework_of(span: Span) -> str | None:
    """The framework whose spans a scope has; None for scopes that repeat others."""
    scope = span.scope
    if scope in REPEATS:
        return None
    if span.service.lower().startswith("n8n"):
        return "n8n"
    if scope in NATIVE:
        return NATIVE[scope]
    for start in ("openinference.instrumentation.", "opentelemetry.instrumentation."):
        if scope.startswith(start):
            return INSTRUMENTED.get(scope[len(start) :].partition(".")[0], UNKNOWN)
    if scope.endswith(".instrumentation"):
        return INSTRUMENTED.get(scope.removesuffix(".instrumentation").rpartition(".")[2], UNKNOWN)
    return UNKNOWN


def read(span: Span) -> Told | None:
    """The contents of a span; None if it belongs to no agent, or repeats another."""
    framework = framework_of(span)
    told = None if framework is None else _read(span, framework)
    if told is not None and told.kind == "chain":
        told.name = span.name
    return told


def _read(span: Span, framework: str) -> Told | None:
    a = span.attributes
    if "openinference.span.kind" in a:
        return openinference.read(span, framework)
    if "langsmith.span.kind" in a:
        return langsmith.read(span, framework)
    if "ai.operationId" in a:
        return vercel.read(span, framework if framework != UNKNOWN else "vercel-ai-sdk")
    if any(name.startswith("traceloop.") for name in a):
        return traceloop.read(span, framework)
    return gen_ai.read(span, framework)
