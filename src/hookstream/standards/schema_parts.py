"""Pieces the strict schemas share."""

from __future__ import annotations

from typing import Any

from hookstream.standards.proper import HINT

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NAME: Schema = {"type": "string", "minLength": 1}
# One value, not the hint of an enum written as one string with bars; the name of an MCP tool may
# hold anything.
WORD: Schema = {"type": "string", "minLength": 1, "not": {"pattern": HINT.pattern}}
SPAN: Schema = {"type": "number", "minimum": 0}
COUNT: Schema = {"type": "integer", "minimum": 0}
DIGEST: Schema = {"type": "string", "pattern": "^(sha256|hmac-sha256):[0-9a-f]{64}$"}
TIME: Schema = {
    "type": "string",
    "pattern": (
        "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])"
        "[Tt]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?"
        "([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)$"
    ),
}
UUID: Schema = {
    "type": "string",
    "pattern": "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
}
PERCENT: Schema = {"type": "number", "minimum": 0, "maximum": 100}
KINDS: dict[type, Schema] = {
    str: TEXT,
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    list: {"type": "array"},
}
