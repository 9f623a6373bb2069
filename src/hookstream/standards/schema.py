"""The strict schemas hookstream ships, by file name. `hookstream validate` uses the files in
`schemas/`, which a test keeps equal to what is built here."""

from __future__ import annotations

from hookstream.standards.schema_aarts import (
    aarts_schema,
    handshake_schema,
    verdict_schema,
    wrapper_schema,
)
from hookstream.standards.schema_agent_hooks import agent_hooks_schema
from hookstream.standards.schema_parts import COUNT, NAME, TEXT, Schema


def rejection_schema() -> Schema:
    """A line that is not an event: why, how long, which bytes; never its content."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:hookstream:schema:rejection:1",
        "title": "hookstream rejection",
        "type": "object",
        "required": ["schema", "reason", "length", "sha256", "source", "offset"],
        "properties": {
            "schema": {"const": "hookstream/rejection/1"},
            "reason": NAME,
            "length": COUNT,
            "sha256": {"type": "string", "pattern": "^([0-9a-f]{64})?$"},
            "source": TEXT,
            "offset": COUNT,
        },
    }


SCHEMAS = {
    "agent-hooks-event.json": agent_hooks_schema,
    "aarts-event.json": aarts_schema,
    "aarts-verdict.json": verdict_schema,
    "aarts-handshake.json": handshake_schema,
    "aarts-wrapper.json": wrapper_schema,
    "rejection.json": rejection_schema,
}
