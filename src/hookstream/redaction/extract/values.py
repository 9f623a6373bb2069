"""The extent of a value: quotes of every kind, escapes, bare words."""

from __future__ import annotations

import re

from hookstream.redaction.quotes import end_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    Spans = list[tuple[int, int]]

LIMIT = 2048  # characters a value may have; a longer one is cut there
JUDGED = 256  # characters by which a value is judged
BACK = 256  # characters of a line that are looked at before a name

_OPENING = re.compile(
    r"(?:(?:new[ ]+)?(?i:[\w.]{0,24}secret(?:str|string|bytes|value)?|securestring|string|str|bytes"
    r"|some|string::from|bytearray|b64decode|base64\.[a-z0-9]{1,12}|atob|buffer\.from|\[\]byte|encode|quote|just"
    r"|convertto-securestring(?:[ ]+-string)?|json\.stringify|\{\{-?"
    r"|(?:[a-z0-9_.:>-]{0,24}(?:hash|hashpw|make|crypt|md5|sha[0-9]{1,3}|encode|hashsync)))"
    r"[( ][ ]{0,2})?"
    r"(?:[rbfuLNRBFU@$]{1,2})?(\\{0,31})"
    r"(\"\"\"|'''|``|q[qw]?[{(\[]|[\"'`\u201c\u2018]|&quot;|&#3[49];|\x1b\[[0-9;]{0,8}m[\"']?)"
)
_QUOTES = ('"', "'", "`", "&", "\x1b", "\u201c", "\u2018", "q{", "q(", "q[")
AHEAD = 80  # characters within which a wrapper's opening quote is found
_CLOSING = {"\u201c": "\u201d", "\u2018": "\u2019", "{": "}", "(": ")", "[": "]"}
BARE = re.compile(r"[^\s\"'`<>;,&|(){}\[\]\\\x00-\x1f]+")
WIDE = re.compile(r"[^\s\"'`<>\x00-\x1f]+")
_NAME_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-$")
# What is left of an escape before a name: n of \\n, u0026, 32m of a colour, 26 of %26.
_ESCAPE = re.compile(
    r"(?<=\\)(?:u00[0-9a-fA-F]{2}|x[0-9a-fA-F]{2}|[nrtbfv])|(?<=\[)[0-9;]{0,8}m|(?<=%)[0-9a-fA-F]{2}"
)
_PAIRS = {")": "(", "}": "{", "]": "["}

SCHEMES = re.compile(
    r"(?i)(?:bearer|basic|token|bot|apikey|api-key|negotiate|digest|ntlm|hawk|sso-key|key|jwt"
    r"|splunk|genie-?key|ghapp|klaviyo-api-key|deepl-auth-key|aws4-hmac-sha256|snapi)[ =:]+"
)


def name_around(text: str, start: int, end: int) -> tuple[str, int]:
    """The whole name that a match begins in, and where the name begins."""
    first = start
    floor = max(0, start - 64)
    while first > floor and text[first - 1] in _NAME_CHARS:
        first -= 1
    last = start
    while last < end and text[last] in _NAME_CHARS:
        last += 1
    if first > 0 and text[first - 1] in "\\[%":
        escape = _ESCAPE.match(text, first, start + 1)
        first = escape.end() if escape is not None and escape.end() <= start else first
    if text[first - 10 : first] == "[REDACTED:":
        return "", first  # the name of a rule
    return text[first:last].strip(".-$"), first


def line_before(text: str, position: int) -> str:
    """The text before a position on its line, or the last of it."""
    floor = max(0, position - BACK)
    return text[max(floor, text.rfind("\n", floor, position) + 1) : position]


def line_end(text: str, position: int) -> int:
    stop = min(len(text), position + LIMIT)
    newline = text.find("\n", position, stop)
    return stop if newline < 0 else newline


def quoted(text: str, position: int) -> tuple[int, int, int] | None:
    """Start and end of the quoted value at a position, and where the text continues; or None.

    Reads through `\\"` (JSON within JSON), three-fold quotes, raw and byte strings, HTML entities
    and the wrappers that make a secret of a string.
    """
    head = text[position : position + AHEAD]
    if head[:1].isalnum() and not any(map(head.__contains__, _QUOTES)):  # a bare word
        return None
    match = _OPENING.match(text, position)
    if match is None:
        return None
    slashes, quote = match[1], match[2]
    start = match.end()
    close = slashes + ("\x1b[" if quote[0] == "\x1b" else _CLOSING.get(quote[-1], quote))
    stop = min(len(text), start + LIMIT)
    apart = text.find("\x1f", start, stop)  # where another text begins (see scanner.SEPARATOR)
    stop = stop if apart < 0 else apart
    end = _close(text, start, stop, close, len(slashes))
    if end < 0:
        return _unclosed(text, start, stop)
    if quote in ("'", '"'):
        end = end_of(text, start, end)
    newline = text.find("\n", start, end)
    if newline >= 0 and quote not in ('"""', "'''") and not slashes:
        return _unclosed(text, start, newline)
    return start, end, end + len(close)


def _close(text: str, start: int, stop: int, close: str, slashes: int) -> int:
    """The place of the closing quote: one that is escaped no deeper than the opening was, since
    each JSON around a text doubles its backslashes and adds one per quote."""
    end = start
    step = 2 * (slashes + 1)
    while True:
        end = text.find(close, end, stop)
        if end < 0:
            return -1
        back = end
        while back > start and text[back - 1] == "\\":
            back -= 1
        if (end - back) % step == 0:
            return end
        end += len(close) if slashes else 1


def _unclosed(text: str, start: int, stop: int) -> tuple[int, int, int] | None:
    """A value whose quote never closes, as in an output that was cut: one word."""
    match = WIDE.match(text, start, stop)
    return (start, match.end(), match.end()) if match is not None else None


def trim(text: str, start: int, end: int) -> int:
    """Exclude punctuation that ends the sentence or the element from the value."""
    while end > start:
        last = text[end - 1]
        if last in _PAIRS:
            if text.count(last, start, end) <= text.count(_PAIRS[last], start, end):
                break
        elif last == "\\":
            if text[end : end + 1] not in ('"', "'", "n"):
                break
        elif last not in ",;.:":
            break
        end -= 1
    return end


def unquoted(text: str, start: int, end: int) -> tuple[int, int]:
    """A word without the quotes around it, or without what ends the sentence after it."""
    if text[start] in "\"'" and end - start > 2:
        return start + 1, end - (text[end - 1] == text[start])
    return start, trim(text, start, end)


def without_scheme(text: str, start: int, end: int) -> int:
    """The start of the secret: after `Bearer ` and its kin."""
    match = SCHEMES.match(text, start, end)
    return match.end() if match is not None and match.end() < end else start
