"""A text as its reader sees it: continued lines and strings put together, escapes read, and nothing
that a screen does not show.

A shell joins lines at `\\`, PowerShell at a backtick, cmd at `^`; a program joins `"a" + "b"`,
`'a' . 'b'`, strings on adjacent lines, and reads `\\x67` as a letter; a terminal breaks a long
line at its last column, takes codes as colours and strikes a letter twice to make it bold; marks of
direction and of no width are on no page. Rules look at the joined text as well as at the text
itself; what they find there is mapped back to where it is written.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from hookstream.redaction.classify.random import is_random, is_uuid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    # Start and end of a stretch, and what is there instead.
    Edit = tuple[int, int, str]

# One of these is in every text that is joined, but for lines that a terminal broke.
_MARKS = ("\\", '"', "'", "`", "^", "&", "%25", "=\n", "= \n", "=\r\n", "= \r\n")
# What is in a text and not on a screen: codes of a terminal (as such or spelt out), letters that
# the next ones are struck over, marks of direction and of no width.
_UNSEEN = re.compile(
    r"(?:\x1b|\\(?:x1[bB]|u001[bB]|033|e))"
    r"(?:\[[0-?]{0,32}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,512}(?:\x07|\x1b\\))"
    r"|[^\n\x08]{4}\x08{4}|[^\n\x08]{3}\x08{3}|[^\n\x08]{2}\x08{2}|[^\n]\x08"
    r"|[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
    r"\U000e0000-\U000e007f]"
    r"|\\u(?:00[aA][dD]|061[cC]|200[b-fB-F]|202[a-eA-E]|206[0-9a-fA-F]|[fF][eE][fF][fF])"
)
# A sign at which something may be joined: `_EDIT` at its cheapest. Nothing else begins one, but for
# blanks before the sign.
_SIGN = re.compile(
    r"\"(?:(?<=[\w+/-]\")(?=[\"']?[\w+/-]{4})|(?=[ \t]{0,4}(?:[+&.]|\r?\n[ \t]))|(?=[ \t]\"))"
    r"|'(?:(?<=[\w+/-]')(?=[\"']?[\w+/-]{4})|(?=[ \t]{0,4}(?:[+&.]|\r?\n[ \t]))|(?=[ \t]'))"
    r"|:(?=[ \t]{0,4}\r?\n[ \t\r\n]{0,200}[\"'])"
    r"|=(?=[ \t]{0,4}\r?\n[ \t\r\n]{0,200}[\"']|[ ]?\r?\n[ \t]{1,64}[\w+/-]{16})"
    r"|\\(?=\r?\n(?!\x1f)|(?:x|u00)[2-7]|[01][0-7]{2}\\)|[`^](?=\r?\n(?!\x1f))"
    r"|&(?=(?:lt|gt|quot|apos|amp|#[0-9x]{2,3}[0-9a-f]?);)"
    r"|%(?=25(?:[23][0-9a-fA-F]|40|5[fF]))"
)
# The same where a list may be joined, which few texts do.
_PART = re.compile(_SIGN.pattern + r"|\"(?=,[ ]?\")|'(?=,[ ]?')")
_JOINS = ("join(", "oncat")
_BLANKS = re.compile(r"[ \t]{0,8}\Z")
_EDIT = re.compile(
    # a continued line, not the end of a text among several
    r"(?P<blank>[ \t]{0,8})(?:\\|(?<=\s)`|\^)\r?\n(?!\x1f)(?P<indent>[ \t]{0,64})"
    # "a" + "b", 'a' . 'b', "a" & "b", "a" and a line below "b"
    r"|(?P<quote>[\"'])(?:[ \t]{0,4}(?:[+&]|\.{1,2})[ \t\r\n]{0,64}|[ \t]{0,4}\r?\n[ \t]{1,64})"
    r"(?P=quote)"
    # three letters or more by their codes
    r"|(?P<codes>(?:\\x[2-7][0-9A-Fa-f]|\\u00[2-7][0-9A-Fa-f]|\\[01][0-7]{2}){3,64})"
    # a sign by its code: in JSON, HTML, an address that is encoded twice
    r"|(?P<sign>\\x(?:2[267]|3[ade])|\\u00(?:2[267]|3[acde])"
    r"|&(?:lt|gt|quot|apos|amp|#(?:x(?:2[267]|3[acde])|3[489]|58|6[012]));"
    r"|%25(?=2[2367aAbBdDfF]|3[aAbBdDfF]|40|5[fF]))"
    # the second of two strings assigned together
    r"|(?<=[\w+/=-])(?P<beside>[\"'])[ \t](?P=beside)(?=[\w+/-]{8,})"
    # a word of a shell in pieces: "a"'b', a"b", "a"b
    r"|(?P<piece>(?<=[\w+/-])(?:\"'|'\"|[\"'])(?=[\w+/-]{4}))"
    # a field of JSON, its value on a line below, or a setting with a long one there
    r"|(?P<field>(?<=[\w\"'])[ \t]{0,4}[:=][ \t]{0,4}(?:\r?\n[ \t]{0,64}){1,3}(?=[\"'])"
    r"|(?<=\w)[ \t]{0,4}=[ ]?\r?\n[ \t]{1,64}(?=[\w+/-]{16,512}={0,2}[ \t]{0,4}(?:\r?\n|\Z)))"
    # of "".join(["a", "b"]), ["a", "b"].join(""), concat!("a", "b")
    r"|(?P<part>[\"']),[ ]?(?P=part)"
)
_TOGETHER = re.compile(r"(?:join\(\s?[\[(]|concat!?\(|String\.Concat\()[^\n\])]{0,400}\Z")
_JOINED = re.compile(r"[^\n\])]{0,400}\]\.join\(")
_ASSIGNED = re.compile(r"[=(][ \t]?[rbuf]?[\"'][^\"'\n]{0,512}\Z")
_WORD = re.compile(r"=(?:[\"'][^\"'\n\\]{0,512}|[\w+/.-]{4,512})\Z")
_CODE = re.compile(r"\\(?:x|u00)([0-9A-Fa-f]{2})|\\([01][0-7]{2})")
_NAMED = {"lt": "<", "gt": ">", "quot": '"', "apos": "'", "amp": "&"}
# The end of a line within a token: the last signs before it, and the piece below it to its end.
# It begins with a sign, not with a choice: the engine goes from one to the next.
_BREAK = re.compile(
    r"\n(?:(?<=[\w+/.-]{3}\n)|(?<=[\w+/.-]{3}\r\n))(?=(?=[\w+/.-]{0,32}[0-9A-Z]|[\w+/-]{1,7}(?:[^\w+/.-]|\Z))"
    r"([\w+/.-]{1,512}={0,2})(?:[\s\"'`@;,)<}\]&\\]|\Z))",
    re.ASCII,
)
_HEAD = re.compile(r"[\w+/.-]{3,512}\Z", re.ASCII)
_MIXED = re.compile(r"[0-9]|[a-z][A-Z]")
_JOINT = re.compile(r"[0-9_-]|[a-z][A-Z]")
_NARROW = 20  # columns that a terminal has at least


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
    edits = list(_edits(text)) if any(map(text.__contains__, _MARKS)) else []
    if not text.isascii() or "\\" in text or "\x1b" in text or "\x08" in text:
        edits = _united([(*match.span(), "") for match in _UNSEEN.finditer(text)], edits)
    if "\n" in text:
        edits = _united(edits, list(_breaks(text)))
    return Joined(text, edits) if edits else None


def _united(edits: list[Edit], others: list[Edit]) -> list[Edit]:
    """All edits in order, except those of the others that overlap one."""
    if not edits or not others:
        return edits or others
    taken = {at for start, end, _ in edits for at in range(start, end)}
    return sorted([*edits, *(edit for edit in others if taken.isdisjoint(range(edit[0], edit[1])))])


def _breaks(text: str) -> Iterator[tuple[int, int, str]]:
    """Line ends that a terminal put into a token: the lines before the last are equally long, the
    last one is shorter, and the pieces look random together. Equal lines of nothing else are a
    list."""
    waiting: list[tuple[int, int, str]] = []
    below = -1  # where the line ends that the last of `waiting` begins
    head, is_list = "", True
    for match in _BREAK.finditer(text):
        start, end = match.span()
        start -= text[start - 1] == "\r"
        first = text.rfind("\n", 0, start) + 1
        width = start - first
        if below != start:
            yield from waiting if not is_list else ()
            waiting = []
        below = text.find("\n", end)
        below = len(text) if below < 0 else below - (text[below - 1] == "\r")
        if not waiting:
            last = _HEAD.search(text, max(first, start - 512), start)
            head = last[0] if last is not None else ""
            is_list = len(head) == width
        if width < _NARROW or below - end > width or not _are_pieces(head, match[1], bool(waiting)):
            yield from waiting if not is_list else ()
            waiting, below = [], -1
            continue
        waiting.append((start, end, ""))
        head = (head + match[1])[-512:]
        is_list = is_list and below - end == width == len(match[1])
        if below - end < width or len(match[1]) < width:  # the last line
            yield from waiting
            waiting, below = [], -1
    yield from waiting if not is_list else ()


def _are_pieces(head: str, tail: str, are_more: bool) -> bool:
    """Return whether the last word of a line and the first below it are one token."""
    if _JOINT.search(head[-12:]) is None or (not are_more and _MIXED.search(tail) is None):
        return False
    whole = head + tail
    return is_random(whole) or is_uuid(whole[-36:])


def _edits(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, what is there in the joined text), ascending."""
    for match in _places(text):
        start, end = match.span()
        if match["codes"] is not None:
            codes = match["codes"]
            yield start, end, _CODE.sub(_letter, codes)
        elif match["sign"] is not None:
            yield start, end, _sign(match["sign"])
        elif match["quote"] is not None:
            yield start, end, ""
        elif match["field"] is not None:
            yield start, end, ": "
        elif match["piece"] is not None:
            if _WORD.search(text, max(0, start - 560), start) is not None:
                yield start, end, ""
        elif match["part"] is not None:
            before = _TOGETHER.search(text, max(0, start - 480), start)
            if before is not None or _JOINED.match(text, end, end + 480) is not None:
                yield start, end, ""
        elif match["beside"] is not None:
            if _ASSIGNED.search(text, max(0, start - 560), start) is not None:
                yield start, end, ""
        else:
            is_apart = match["blank"] or match["indent"]
            yield start, end, " " if is_apart else ""


def _places(text: str) -> Iterator[re.Match[str]]:
    """The matches of `_EDIT.finditer`, tried only where a sign allows one."""
    end = 0
    signs = _PART if any(map(text.__contains__, _JOINS)) else _SIGN
    for sign in signs.finditer(text):
        first = at = sign.start()
        if at < end:
            continue
        if text[at - 1 : at] in (" ", "\t"):
            blanks = _BLANKS.search(text, max(end, at - 8), at)
            first = blanks.start() if blanks is not None else at
        match = _EDIT.match(text, first) or (first < at and _EDIT.match(text, at)) or None
        if match is not None:
            yield match
            end = match.end()


def _letter(code: re.Match[str]) -> str:
    return chr(int(code[1], 16) if code[1] else int(code[2], 8))


def _sign(code: str) -> str:
    """Return the character that an escape or a reference represents."""
    if code[0] == "%":
        return "%"
    if code[0] == "\\":
        return chr(int(code[-2:], 16))
    name = code[1:-1]
    if name[0] != "#":
        return _NAMED[name]
    return chr(int(name[2:], 16) if name[1] == "x" else int(name[1:]))
