"""A JSON document that a client rewrites completely: its head, then the elements of its list.

It may be read while it is being written: a cut one is tried again. Of one that is damaged, what is
whole is read, and the rest is named.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from hookstream.core.parse import UnreadableLine, bare, parse
from hookstream.core.records import TORN
from hookstream.core.torn import members

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hookstream.core.torn import Piece

DOCUMENT_BYTES = 256 << 20
TRIES = 3
WAIT_S = 0.05


def load(path: Path) -> tuple[dict[str, Any], list[Piece]]:
    """The document, and the pieces of it that are lost. Raises UnreadableLine with the reason,
    OSError."""
    if path.stat().st_size > DOCUMENT_BYTES:
        raise UnreadableLine("too_long")
    for left in range(TRIES - 1, -1, -1):
        data = path.read_bytes()
        try:
            value, _ = parse(bare(data))
        except UnreadableLine as refusal:
            if left:
                time.sleep(WAIT_S)
                continue
            if str(refusal) not in TORN:
                raise
            value, pieces = members(data)
            if not value:
                raise
            return value, pieces
        if type(value) is dict:
            return value, []
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
