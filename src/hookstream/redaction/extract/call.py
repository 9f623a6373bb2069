"""Values handed over: to a login on a command line, to a call, to a column, to a prompt."""

from __future__ import annotations

import re

from hookstream.redaction import field_names
from hookstream.redaction.classify.human import is_human_password, is_password
from hookstream.redaction.extract.fit import fits_quoted
from hookstream.redaction.extract.values import line_before, trim, unquoted
from hookstream.redaction.filters.placeholder import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans


def password_argument(text: str, match: re.Match[str]) -> Spans:
    """The last group, if it may be a password, without its quotes and the end of the sentence."""
    if match[0].startswith((" -u", " --user")) and _PROMPTING.search(
        line_before(text, match.start())
    ):
        return []
    if "]" in match[0] and text.rfind("[REDACTED:", max(0, match.start() - 48), match.start()) >= 0:
        return []  # the name of a rule says so
    start, end = unquoted(text, *match.span(match.lastindex or 0))
    return [(start, end)] if is_password(text[start:end], plain=True) else []


_PROMPTING = re.compile(r"\b(?:mysql|mariadb)")  # -p asks, and the next word is a database


_FURTHER_HOST = re.compile(r"[,;][^\s:@/?#\"'<>`,;]{0,64}:([^\s@/\"'<>`,;]{1,128})@")


def further_hosts(text: str, match: re.Match[str]) -> Spans:
    """The passwords before the second host of an address and those after it."""
    return [
        host.span(1)
        for host in _FURTHER_HOST.finditer(text, *match.span())
        if not is_placeholder(host[1])
    ]


_WORDS = re.compile(r"\"[^\"\n]+\"|'[^'\n]+'|[^\s\"']+")


def last_argument(text: str, match: re.Match[str]) -> Spans:
    """The last word of a command, or the last before its further options."""
    if _PROSE.match(match[1]) is not None:
        return []
    span = None
    after_option = False
    for word in _WORDS.finditer(text, *match.span(1)):
        is_option = word[0].startswith("-")
        if is_option and span is not None:
            break
        if not is_option and not after_option:
            span = word
        after_option = is_option
    if span is None:
        return []
    start, end = unquoted(text, *span.span())
    return [(start, end)] if is_password(text[start:end], plain=True) else []


_PROSE = re.compile(r"(?:is|was|are|must|should|will|has|can|may|and|or|for|by) ")


def value_beside(text: str, match: re.Match[str]) -> Spans:
    """The last group, if it is what people or generators choose: no plain word, no name."""
    start, end = match.span(match.lastindex or 0)
    end = trim(text, start, end)
    value = text[start:end]
    if _TYPE.fullmatch(value) is not None:
        return []
    if not is_password(value):
        return []
    chosen = len(value) >= 8 and value.isalnum() and is_human_password(value)
    return [(start, end)] if chosen or _PLACE.fullmatch(value) is None else []


_TYPE = re.compile(r"\[?[A-Z][a-z]+(?:[A-Z][a-z]+)+!?\]?!")  # of GraphQL
# user@host, file.txt, 12:30, x=1: what follows a colon as well.
_PLACE = re.compile(
    r"[\w.-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})*"
    r"|(?![A-Z][a-z]+[0-9]{2,}\.)[\w-]{1,64}\.[a-z]{1,4}[0-9]?|[0-9:.-]+[A-Za-z]{0,2}"
    r"|[A-Za-z_]\w{0,40}[=?].*"
)


_STRING = re.compile(r"[rbfu]?(?:\"([^\"\n]{0,256})\"|'([^'\n]{0,256})')")
_NAMED = re.compile(r"\s{0,8}[A-Za-z_]\w{0,40}[ ]?[=:]")
_BETWEEN = re.compile(r"[^,()\"']{0,80}[,)]|[^()\"'\n]{0,24}\(")
_MOST = 6  # arguments of one call that are looked at


def _strings(text: str, at: int) -> list[tuple[int, int]]:
    """The strings among the first arguments of a call, those by keyword left out."""
    spans: list[tuple[int, int]] = []
    for _ in range(_MOST):
        while text[at : at + 1] in (" ", "\n", "\t", "\r"):
            at += 1
        if _NAMED.match(text, at) is not None:
            break
        string = _STRING.match(text, at)
        if string is not None:
            spans.append(string.span(string.lastindex or 0))
            at = string.end()
        further = _BETWEEN.match(text, at)
        if further is None or further[0].endswith(")"):
            break
        at = further.end()
    return spans


def login_call(text: str, match: re.Match[str]) -> Spans:
    """The password in a call that takes it after a user's name: `login("bob", "...")`."""
    spans = _strings(text, match.start() + match[0].index("(") + 1)
    for start, end in spans[1:4]:
        value = text[start:end]
        if value.startswith("[REDACTED"):
            return []
        if is_password(value) and "." not in value[-5:]:
            return [(start, end)]
    return []


def sql_insert(text: str, match: re.Match[str]) -> Spans:
    """The values of an INSERT whose columns say secret, in as many rows as follow."""
    columns = [name.strip(" \t\n\"`'[]") for name in match[1].split(",")]
    wanted = {
        at: name
        for at, name in enumerate(columns)
        if field_names.sensitivity(name) != field_names.NONE
    }
    spans: Spans = []
    at = match.end()
    for _ in range(16 if wanted else 0):
        row = _ROW.match(text, at)
        if row is None:
            break
        for number, value in enumerate(_VALUE.finditer(text, row.end(), row.end() + 2048)):
            at = value.end()
            name = wanted.get(number, "")
            has_value = name != "" and value[1] is not None
            if has_value and fits_quoted(value[1], name, field_names.sensitivity(name), ":"):
                spans.append(value.span(1))
            if value[2] != ",":
                break
    return spans


_ROW = re.compile(r"[ \t\r\n,]{0,8}\(")
_VALUE = re.compile(
    r"\s{0,8}(?:N?'([^'\n]{0,1024})'|[^,()']{0,128}(?:\([^()]{0,128}\))?)\s{0,8}([,)])"
)
