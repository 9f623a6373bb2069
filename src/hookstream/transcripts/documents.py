"""A JSON document that a client rewrites completely: its head, then the elements of its list.

It may be read while it is being written: a cut one is tried again, and then refused.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from hookstream.core.parse import UnreadableLine, bare, parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DOCUMENT_BYTES = 256 << 20
TRIES = 3
WAIT_S = 0.05


def load(path: Path) -> dict[str, Any]:
    """The document. Raises Refused with the reason, OSError."""
    if path.stat().st_size > DOCUMENT_BYTES:
        raise UnreadableLine("too_long")
    for left in range(TRIES - 1, -1, -1):
        try:
            value, _ = parse(bare(path.read_bytes()))
        except UnreadableLine:
            if not left:
                raise
            time.sleep(WAIT_S)
            continue
        if type(value) is dict:
            return value
        raise UnreadableLine("not_an_object")
    raise UnreadableLine("not_json")


def records(value: dict[str, Any], elements: str) -> Iterator[dict[str, Any]]:
    """The head without its list, then the list's objects one by one."""
    head = {name: one for name, one in value.items() if name != elements}
    yield head
    listed = value.get(elements)
    for one in listed if type(listed) is list else ():
        if type(one) is dict:
            yield one
