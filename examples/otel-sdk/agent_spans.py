"""A program that traces its agent with the OpenTelemetry SDK, recorded by hookstream as well.

    pip install .
    python examples/otel-sdk/agent_spans.py
    hookstream run ~/.local/state/hookstream/events.jsonl --to parquet:lake

Give `record_spans` your own provider; exporters that it has already keep working.
"""

from __future__ import annotations

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from hookstream.integrations.spans import GenAiSpans


def record_spans(provider: TracerProvider, log: str | None = None) -> None:
    """Append the spans of agents to the log of hooks (or to `log`)."""
    provider.add_span_processor(BatchSpanProcessor(GenAiSpans(log)))


def main(log: str | None = None) -> None:
    provider = TracerProvider()
    record_spans(provider, log)
    tracer = provider.get_tracer("example")
    with tracer.start_as_current_span("invoke_agent helper") as agent:
        agent.set_attributes(
            {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": "helper",
                "gen_ai.conversation.id": "conversation-1",
            }
        )
        with tracer.start_as_current_span("execute_tool shell") as tool:
            tool.set_attributes(
                {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": "shell",
                    "gen_ai.tool.call.id": "call-1",
                    "gen_ai.conversation.id": "conversation-1",
                    "gen_ai.tool.call.arguments": '{"command": "curl https://a.example"}',
                }
            )
    with tracer.start_as_current_span("GET /health"):
        pass  # nothing of an agent: left out
    provider.shutdown()


if __name__ == "__main__":
    main()
