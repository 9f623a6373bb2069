"""Secrets at the places where tools take them: `rules/words/tools.toml` says which."""

from __future__ import annotations

import re

from hookstream.redaction.classify.code import is_code
from hookstream.redaction.classify.human import is_password
from hookstream.redaction.classify.random import is_random, is_uuid
from hookstream.redaction.extract.values import line_before
from hookstream.redaction.field_names import STRONG, sensitivity
from hookstream.redaction.filters.placeholder import is_placeholder
from hookstream.redaction.rules.compiled.words.tools import TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans

    # Start, end and text of a word without its quotes, and whether it had some.
    Word = tuple[int, int, str, bool]

MOST = 48  # words of a command that are read
LIMIT = 2048  # characters of a command that are read
_WORD = re.compile(
    r"[ \t]{1,64}(?:\$?'([^'\n]{0,1024})'|\$?\"([^\"\n]{0,1024})\"|(<<<)"
    r"|([^\s\"'`<>|;&()\x00-\x1f](?:[^\s\"'`<>|;&\x00-\x1f]|(?<=[=:,%/])\"[^\"\n]{0,1024}\""
    r"|(?<=[=:,%/])'[^'\n]{0,1024}'|(?<=-p)['\"][^'\"\n]{0,256}['\"]){0,1024}))"
)
_HERE = re.compile(r"[^\n|;&]{0,256}?<<<[ \t]{0,4}(?:\$?'([^'\n]+)'|\$?\"([^\"\n]+)\"|([^\s;&|]+))")
_PIPED = re.compile(
    r"(?:^|[\s;&|(`\"'])(?:echo|printf|Write-Output)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4})?"
    r"(?:['\"]%s(?:\\n)?['\"][ \t]{1,4})?"
    r"(?:'([^'\n|]{3,512})'|\"([^\"\n|]{3,512})\"|([^\s\"'|;&<>]{3,512}))[ \t]{0,4}\|[ \t]{0,4}"
    r"(?:sudo[ \t]{1,4}(?:-\S{1,16}[ \t]{1,4}){0,3})?\Z"
)
_NO_VALUE = re.compile(
    r"https?://.*|\w+:[/\\]{2}.*|\.{0,2}/.*|~.*|[\w.-]+\.(?:txt|pem|key|json|ya?ml|env|pub|p12|pfx|sh"
    r"|conf|cfg|gpg|zip|tgz|gz|jks|keytab|csv|sql)|[a-z]:\\.*|\\\\.*|[a-z]:|[%@-].*|-",
    re.IGNORECASE,
)
_ROWS: dict[str, list[tuple[tuple[str, ...], str]]] = {}
_MARKS = ":%,/@="


def _rows() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Tool -> (its subcommands, a place)."""
    if not _ROWS:
        for row in TOOLS:
            path, _, position = row.partition("=")
            tool, *subcommands = path.split("/")
            _ROWS.setdefault(tool.lower(), []).append((tuple(subcommands), position))
    return _ROWS


def command(text: str, match: re.Match[str]) -> Spans:
    """The secrets of the command whose tool the match names."""
    rows = _rows().get(match[1].lower(), [])
    end = match.end(1) + (4 if text[match.end(1) : match.end(1) + 4].lower() == ".exe" else 0)
    words = _words(text, end)
    spans: Spans = []
    for subcommands, position in rows:
        rest = _after(words, subcommands)
        if rest is None:
            continue
        if position[-1] == "?" and not any(word[2] == "--secret" for word in words):
            spans += _setting(words, rest, position[:-1])
        elif position[0] == "<":
            spans += _input(text, match.start(1), end, position[1:])
        elif position[0].isdigit() or position[0] == "*":
            spans += _positional(words, rest, position)
        else:
            spans += _option(words, rest, position)
    return spans


def _words(text: str, at: int) -> list[Word]:
    """The words of a command up to a sign that ends it."""
    words: list[Word] = []
    stop = min(len(text), at + LIMIT)
    while len(words) < MOST:
        match = _WORD.match(text, at, stop)
        if match is None:
            break
        group = match.lastindex or 0
        start, end = match.span(group)
        if group == 3:
            break
        words.append((start, end, match[group], group != 4))
        at = match.end()
    return words


def _after(words: list[Word], subcommands: tuple[str, ...]) -> int | None:
    """The number of the word after the subcommands, which begin a command except for options."""
    at = 0
    for name in subcommands:
        while at < len(words) and words[at][2] != name:
            if words[at][2][:1] not in "-/" and not (at and words[at - 1][2][:1] == "-"):
                return None
            at += 1
        if at >= len(words):
            return None
        at += 1
    return at


def _positional(words: list[Word], at: int, place: str) -> Spans:
    """The word at a place among those that are not options."""
    plain = [
        word
        for number, word in enumerate(words[at:], at)
        if word[3] or word[2][:1] not in "-/" or len(word[2]) > 40
        if not (number > at and _takes_value(words[number - 1]))
    ]
    wanted = plain[-1:] if place[0] == "*" else plain[int(place[0]) - 1 : int(place[0])]
    if place[0] == "*" and len(plain) < 2 and len(place) == 1:
        wanted = [word for word in wanted if is_password(word[2])]
    return [span for word in wanted for span in _value(word, place[1:])]


def _setting(words: list[Word], at: int, place: str) -> Spans:
    """The value of a setting whose name says secret, or that is random, at a place of settings."""
    find = _positional if place[0].isdigit() else _option
    spans: Spans = []
    for start, end in find(words, at, place):
        number, (first, _, whole, _) = next(
            (number, word) for number, word in enumerate(words) if word[0] <= start <= word[1]
        )
        name, value = whole[: start - first], whole[start - first : end - first]
        if not name.strip("\"'") and number:
            name = words[number - 1][2]
        name = name.strip("=:\"'").rpartition("=")[2]
        if sensitivity(name) == STRONG or is_random(value):
            spans.append((start, end))
    return spans


def _takes_value(word: Word) -> bool:
    return word[2].startswith("--") and "=" not in word[2] and len(word[2]) > 3


def _option(words: list[Word], at: int, place: str) -> Spans:
    """The value of an option, in the next word or joined to it."""
    mark = place[-1] if place[-1] in _MARKS and len(place) > 1 else ""
    name = place[: len(place) - len(mark)]
    spans: Spans = []
    for number, word in enumerate(words):
        start, end, value, _ = word
        if value == name:
            spans += _value(words[number + 1], mark) if number + 1 < len(words) else []
            continue
        if number < at and len(name) < 3:
            continue
        joined = value.startswith((f"{name}=", f"{name}:"))
        glued = len(name) == 2 and name[0] == "-" and name[1].isalpha() and value.startswith(name)
        glued = glued or (name == "-hp" and value.startswith(name))
        if joined or (glued and len(value) > 4 and value[2] != "-"):
            low = start + len(name) + (value[len(name)] in "=:")
            inner = value[low - start :]
            if len(inner) > 2 and inner[0] in "\"'" and inner[-1] == inner[0]:
                low, end, inner = low + 1, end - 1, inner[1:-1]
            is_long = joined or _is_chosen(inner)
            spans += _value((low, end, inner, False), mark) if is_long else []
    return spans


def _is_chosen(value: str) -> bool:
    """Return whether what is joined to a short option is a password rather than letters of
    options.
    """
    return is_password(value, plain=False) or is_random(value) or not value.isalpha()


def _value(word: Word, mark: str) -> Spans:
    """The secret in a word: all of it, or what comes after the mark."""
    start, end, value, is_quoted = word
    if mark == "@":
        head, at, _ = value.rpartition("@")
        user, colon, password = head.partition(":")
        if not (at and colon and user):
            return []
        start, value = start + len(user) + 1, password
        end = start + len(value)
    elif mark:
        name, separator, value = value.partition(mark)
        if not separator or (mark == "/" and "@" in name):
            return []
        start += len(name) + 1
        if mark == "/" and "@" in value:
            value = value.partition("@")[0]
            end = start + len(value)
    if len(value) > 2 and value[0] in "\"'" and value[-1] == value[0]:
        start, end, value = start + 1, end - 1, value[1:-1]
        is_quoted = True
    return [(start, end)] if _may_be(value, is_quoted) else []


def _may_be(value: str, is_quoted: bool) -> bool:
    if len(value) < 4 or is_placeholder(value) or "$" in value[:2] or "[REDACTED" in value:
        return False
    if _NO_VALUE.fullmatch(value) is not None and not is_random(value):
        return False
    if is_uuid(value) or is_random(value) or is_quoted:
        return " " not in value.strip() or is_quoted
    if len(value) >= 6 and any(map(str.isdigit, value)) and any(map(str.isalpha, value)):
        return not _CALL.search(value)
    return is_password(value, plain=True) and not is_code(value)


_CALL = re.compile(r"[(){}\[\]]|^\d+[a-z]?$|^v?\d+(?:\.\d+)+")  # code, a number, a version


def _input(text: str, first: int, at: int, mark: str) -> Spans:
    """The input of a command: a here-string after it, or the words that a pipe gives it."""
    match = _HERE.match(text, at)
    if match is None:
        match = _PIPED.search(line_before(text, first) if first else "")
        if match is None:
            return []
        shift = first - len(line_before(text, first))
    else:
        shift = 0
    group = match.lastindex or 0
    value = match[group]
    start = match.start(group) + shift
    spans: Spans = []
    for piece in re.finditer(r"(?:(?!\\n)[^\n])+", value):
        low = start + piece.start()
        spans += _value((low, low + len(piece[0]), piece[0], True), mark)
    return spans
