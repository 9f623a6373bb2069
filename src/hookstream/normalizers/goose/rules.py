"""Goose's `permission.yaml`: lists of tools by what a person said of them, and by what the client
itself found out (`smart_approve`). Source: the vendor's source, which writes and reads the file."""

from __future__ import annotations

import re

from hookstream.core.parse import UnreadableLine
from hookstream.normalizers.permission_rules import Listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ANSWERS = {"always_allow": "allow", "ask_before": "ask", "never_allow": "deny"}
LINE = re.compile(r"""(?P<key>\w+):(?: (?P<list>\[\]|\{\}))?|\s*- ['"]?(?P<tool>[^\s'"]+)['"]?""")


def rules(data: bytes, path: str) -> Iterator[Listed]:
    """The rules of a file, in the one form that the client writes. Raises UnreadableLine."""
    answer: str | None = None
    for line in data.decode("utf-8", "replace").removeprefix("\ufeff").splitlines():
        text = line.partition(" #")[0].rstrip()
        match = LINE.fullmatch(text if text.lstrip().startswith("-") else text.strip())
        if not text.strip() or text.startswith("#") or text == "---":
            continue
        if match is None:
            raise UnreadableLine("not_a_list_of_tools")
        if match["key"]:
            answer = ANSWERS.get(match["key"])
        elif answer is not None:
            yield Listed(answer, match["tool"], (match["tool"],))
