"""Spans of agent frameworks by the GenAI conventions and their dialects."""

from __future__ import annotations

from hookstream.normalizers.client import Client

CLIENT = Client(
    "otel-genai",
    "Agent frameworks (OpenTelemetry)",
    input_includes_cache=True,
)
