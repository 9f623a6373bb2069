"""A text as its reader joins it: continued lines, strings put together, escapes read.

A shell joins lines at `\\`, PowerShell at a backtick, cmd at `^`; a program joins `"a" + "b"`,
`'a' . 'b'`, strings on adjacent lines, and reads `\\x67` as a letter. Rules look at the joined text
as well as at the text itself; what they find there is mapped back to where it is written.
"""

from __future__ import annotations

import re
from bisect import bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# One of these is in every text that is joined; few texts have one.
_MARKS = ("\\", '"', "'", "`", "^", "=\n", "= \n", "=\r\n", "= \r\n")
# Of those that have one, this is in every text that is joined: `_EDIT` at its cheapest.
_SIGN = re.compile(
    r"[\\`^]\r?\n(?!\x1f)|\\(?:x|u00)[2-7]|[\"'][ \t]{0,4}(?:[+&.]|\r?\n[ \t])"
    r"|[:=][ \t]{0,4}\r?\n[ \t\r\n]{0,200}[\"']|=[ ]?\r?\n[ \t]{1,64}[\w+/-]{16}"
    r"|\"[ \t]\"|'[ \t]'|\",[ ]?\"|',[ ]?'"
)
_EDIT = re.compile(
    # a continued line, not the end of a text among several
    r"(?P<blank>[ \t]{0,8})(?:\\|(?<=\s)`|\^)\r?\n(?!\x1f)(?P<indent>[ \t]{0,64})"
    # "a" + "b", 'a' . 'b', "a" & "b", "a" and a line below "b"
    r"|(?P<quote>[\"'])(?:[ \t]{0,4}(?:[+&]|\.{1,2})[ \t\r\n]{0,64}|[ \t]{0,4}\r?\n[ \t]{1,64})"
    r"(?P=quote)"
    # three letters or more by their codes
    r"|(?P<codes>(?:\\x[2-7][0-9A-Fa-f]|\\u00[2-7][0-9A-Fa-f]){3,64})"
    # the second of two strings assigned together
    r"|(?<=[\w+/=-])(?P<beside>[\"'])[ \t](?P=beside)(?=[\w+/-]{8,})"
    # a field of JSON, its value on a line below, or a setting with a long one there
    r"|(?P<field>(?<=[\w\"'])[ \t]{0,4}[:=][ \t]{0,4}(?:\r?\n[ \t]{0,64}){1,3}(?=[\"'])"
    r"|(?<=\w)[ \t]{0,4}=[ ]?\r?\n[ \t]{1,64}(?=[\w+/-]{16,512}={0,2}[ \t]{0,4}(?:\r?\n|\Z)))"
    # of "".join(["a", "b"]), concat!("a", "b")
    r"|(?P<part>[\"']),[ ]?(?P=part)"
)
_TOGETHER = re.compile(r"(?:join\(\s?[\[(]|concat!?\(|String\.Concat\()[^\n\])]{0,400}\Z")
_ASSIGNED = re.compile(r"[=(][ \t]?[rbuf]?[\"'][^\"'\n]{0,512}\Z")
_CODE = re.compile(r"\\x(..)|\\u00(..)")


class Joined:
    """The joined text, and where its characters are in the text."""

    __slots__ = ("_ends", "_starts", "text")

    def __init__(self, text: str, edits: list[tuple[int, int, str]]) -> None:
        parts: list[str] = []
        # Where a piece begins in the joined text, and where in the text; a piece is copied or made.
        self._starts: list[int] = []
        self._ends: list[tuple[int, int]] = []
        size = at = 0
        for start, end, fresh in edits:
            for piece, low, high in ((text[at:start], at, start), (fresh, start, end)):
                if piece:
                    self._starts.append(size)
                    self._ends.append((low, high))
                    parts.append(piece)
                    size += len(piece)
            at = end
        self._starts.append(size)
        self._ends.append((at, len(text)))
        parts.append(text[at:])
        self.text = "".join(parts)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The place in the text of a stretch of the joined text."""
        return self._place(start)[0], self._place(max(start, end - 1))[1]

    def _place(self, at: int) -> tuple[int, int]:
        """Start and end, in the text, of the character at a place of the joined text."""
        number = bisect_right(self._starts, at) - 1
        first = self._starts[number]
        low, high = self._ends[number]
        is_last = number + 1 == len(self._starts)
        size = (high - low) if is_last else self._starts[number + 1] - first
        if size == high - low:  # copied
            return low + at - first, low + at - first + 1
        width = (high - low) // size if size else 0  # codes: as many characters each
        if width * size == high - low:
            return low + (at - first) * width, low + (at - first + 1) * width
        return low, high


def joined(text: str) -> Joined | None:
    """The joined text; None if nothing is joined, as in nearly all texts."""
    for mark in _MARKS:
        if mark in text:
            break
    else:
        return None
    if _SIGN.search(text) is None:
        return None
    edits = list(_edits(text))
    return Joined(text, edits) if edits else None


def _edits(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, what is there in the joined text), ascending."""
    for found in _EDIT.finditer(text):
        start, end = found.span()
        if found["codes"] is not None:
            codes = found["codes"]
            yield start, end, _CODE.sub(lambda code: chr(int(code[1] or code[2], 16)), codes)
        elif found["quote"] is not None:
            yield start, end, ""
        elif found["field"] is not None:
            yield start, end, ": "
        elif found["part"] is not None:
            if _TOGETHER.search(text, max(0, start - 480), start) is not None:
                yield start, end, ""
        elif found["beside"] is not None:
            if _ASSIGNED.search(text, max(0, start - 560), start) is not None:
                yield start, end, ""
        else:
            is_apart = found["blank"] or found["indent"]
            yield start, end, " " if is_apart else ""
