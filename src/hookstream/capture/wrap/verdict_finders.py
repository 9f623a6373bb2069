"""Finders of the JSON object in a hook's output, one per way in which clients look for it."""

from __future__ import annotations

from hookstream.core.jsons import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def objects_only(text: str) -> dict[str, Any] | str | None:
    """The object of a text that is one; "garbage" if it begins like one; None for other text."""
    text = text.strip()
    if not text.startswith("{"):
        return None
    try:
        value = loads(text)
    except (ValueError, RecursionError):
        return "garbage"
    return value if type(value) is dict else "garbage"


def _last_object(text: str) -> dict[str, Any] | None:
    """The last `{...}` that parses and ends the output: chatter before it is allowed."""
    text = text.strip()
    if not text.endswith("}"):
        return None
    at = text.find("{")
    while at >= 0:
        found = objects_only(text[at:])
        if type(found) is dict:
            return found
        at = text.find("{", at + 1)
    return None


def _control_line(text: str) -> dict[str, Any] | None:
    for line in reversed(text.splitlines()):
        if line.startswith("HOOK_CONTROL\t"):
            found = objects_only(line[13:])
            return found if type(found) is dict else None
    return None


def last_or_garbage(text: str) -> dict[str, Any] | str:
    found = _last_object(text)
    return "garbage" if found is None else found


def control_or_last(text: str) -> dict[str, Any] | str:
    found = _control_line(text)
    return last_or_garbage(text) if found is None else found
