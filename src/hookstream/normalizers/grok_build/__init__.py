"""Grok Build: its hooks and telemetry."""
