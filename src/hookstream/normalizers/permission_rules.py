"""Permission rules as the settings of clients hold them.

A client's declaration names the files; its `rules(data, path)` reads one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from hookstream.core import jsonc
from hookstream.core.parse import UnreadableLine

if TYPE_CHECKING:
    from collections.abc import Iterator

CALL = re.compile(r"([A-Za-z_][\w-]*)(?:\((.*)\))?", re.DOTALL)


class Listed(NamedTuple):
    """One rule: allow, ask or deny; its text; the tools it is for, none for any; and of what
    arguments it speaks, none for any: `git push:*`, `src/**`, `domain:example.com`."""

    answer: str
    text: str
    tools: tuple[str, ...]
    arguments: tuple[str, ...] = ()


def with_comments(data: bytes) -> Any:
    """A JSON document as install reads it: it may have comments, trailing commas and a byte-order
    mark. Raises UnreadableLine."""
    try:
        return jsonc.parse(data.decode("utf-8-sig")).plain()
    except (jsonc.BrokenDocument, UnicodeDecodeError):
        raise UnreadableLine("not_json") from None


def texts(value: object) -> tuple[str, ...]:
    """A string, or the strings of a list."""
    listed = value if type(value) is list else [value]
    return tuple(one for one in listed if type(one) is str)


def called(answer: str, listed: object) -> Iterator[Listed]:
    """Rules that are written as `Tool(argument)`."""
    for text in texts(listed):
        match = CALL.fullmatch(text)
        if match is not None:
            argument = (match[2] or "").strip()
            yield Listed(answer, text, (match[1],), (argument,) if argument else ())


def settings_rules(data: bytes, path: str) -> Iterator[Listed]:
    """The rules of a settings file with `permissions: {allow, ask, deny}`. Raises
    UnreadableLine."""
    value = with_comments(data)
    held = value.get("permissions") if type(value) is dict else None
    for answer in ("allow", "ask", "deny"):
        yield from called(answer, held.get(answer) if type(held) is dict else None)
