"""Readers take the value that stands after the place a rule found, in the syntaxes people use.

A reader gets the text and the match and gives the spans of secret values, often none. Each looks
at a bounded stretch and never goes back, so hostile text costs no more than any other.
"""

from __future__ import annotations

import re

from hookstream.privacy import names
from hookstream.privacy.placeholders import is_placeholder
from hookstream.privacy.sense import is_code, is_prose, is_random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Spans = list[tuple[int, int]]

LIMIT = 4096  # characters a value may have; a longer one is cut there and its rest goes too

_OPENING = re.compile(
    r"(?:(?:new[ ]+)?(?i:[\w.]{0,24}secret(?:str|string|bytes|value)?|securestring|string|str|bytes"
    r"|some|bytearray|b64decode|base64\.[a-z0-9]{1,12}|atob|buffer\.from|encode|quote|just"
    r"|convertto-securestring(?:[ ]+-string)?)[( ][ ]{0,2})?"
    r"(?:[rbfuLRBFU@$]{1,2})?(\\{0,7})(\"\"\"|'''|[\"'`\u201c\u2018])"
)
_CLOSING = {"\u201c": "\u201d", "\u2018": "\u2019"}
_BARE = re.compile(r"[^\s\"'`<>;,&|(){}\[\]\\\x00-\x1f]+")
_BARE_WIDE = re.compile(r"[^\s\"'`<>\x00-\x1f]+")
_NAME = re.compile(r"[A-Za-z0-9_.$/:-]*\Z")
_NAME_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-$")


def name_before(text: str, start: int, end: int) -> tuple[str, int]:
    """The whole name a match lies in: the match may begin inside it. And where it begins."""
    first = start
    floor = max(0, start - 64)
    while first > floor and text[first - 1] in _NAME_CHARS:
        first -= 1
    last = start
    while last < end and text[last] in _NAME_CHARS:
        last += 1
    return text[first:last].strip(".-$"), first


def quoted(text: str, position: int) -> tuple[int, int, int] | None:
    """Start and end of the quoted value at a position, and where the text goes on; or None."""
    found = _OPENING.match(text, position)
    if found is None:
        return None
    slashes, quote = found[1], found[2]
    start = found.end()
    close = slashes + _CLOSING.get(quote, quote)
    stop = min(len(text), start + LIMIT)
    end = start
    while True:
        end = text.find(close, end, stop)
        if end < 0:
            return _unclosed(text, start, stop, len(quote) == 3)
        back = end
        while back > start and text[back - 1] == "\\":
            back -= 1
        if (end - back) % 2 == 0:
            break
        if slashes and end > back:  # deeper escaped: a quote inside the value
            end += len(close)
            continue
        end += 1
    newline = text.find("\n", start, end)
    if newline >= 0 and len(quote) < 3 and not slashes:
        return _unclosed(text, start, newline, False)
    return start, end, end + len(close)


def _unclosed(text: str, start: int, stop: int, multiline: bool) -> tuple[int, int, int] | None:
    """A value whose quote never closes, as in a cut output: to the end of the line."""
    newline = -1 if multiline else text.find("\n", start, stop)
    end = stop if newline < 0 else newline
    found = _BARE_WIDE.match(text, start, end)
    if found is None:
        return None
    return start, found.end(), found.end()


def assigned(text: str, match: re.Match[str]) -> Spans:
    """The value after `name =`, `name:`, `"name": `, `name => ` and their kin."""
    name, first = name_before(text, match.start(), match.end())
    weight = names.kind(name)
    if weight == names.NONE:
        return []
    position = match.end()
    sign = match[1] or ""
    if text.startswith("[", position) and not text.startswith("[REDACTED", position):
        return _listed(text, position + 1, weight, name)
    value = quoted(text, position)
    if value is not None:
        start, end, _ = value
        return (
            _keep_scheme(text, start, end, name)
            if fits_quoted(text[start:end], name, weight, sign)
            else []
        )
    if "(" in sign or "," in sign:
        return []
    if sign.rstrip().endswith(":") and text[position : position + 1] in "|>":
        return _block(text, position, name)
    return _bare(text, position, first, name, weight, sign)


def _listed(text: str, position: int, weight: int, name: str) -> Spans:
    spans: Spans = []
    for _ in range(64):
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1
        value = quoted(text, position)
        if value is None:
            break
        start, end, position = value
        if fits_quoted(text[start:end], name, weight, ":"):
            spans.append((start, end))
    return spans


def _block(text: str, position: int, name: str) -> Spans:
    """A YAML block: the lines below that are indented deeper."""
    newline = text.find("\n", position, position + 16)
    if newline < 0:
        return []
    line_start = text.rfind("\n", 0, position) + 1
    margin = len(text) - len(text[line_start:].lstrip(" ")) - line_start
    spans: Spans = []
    at = newline + 1
    while at < len(text) and at - position < LIMIT:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end]
        body = line.strip()
        if body and len(line) - len(line.lstrip(" ")) <= margin:
            break
        if body and not is_placeholder(body):
            start = at + line.index(body[0])
            spans.append((start, start + len(body)))
        at = end + 1
    return spans


SCHEMES = re.compile(
    r"(?i)(?:bearer|basic|token|bot|apikey|api-key|negotiate|digest|ntlm|hawk|sso-key|key|jwt"
    r"|splunk|genie-?key|ghapp|klaviyo-api-key|deepl-auth-key|aws4-hmac-sha256|snapi)[ =:]+"
)


def _keep_scheme(text: str, start: int, end: int, name: str) -> Spans:
    """`Bearer ` stays, what follows goes."""
    found = SCHEMES.match(text, start, end)
    if found is not None and found.end() < end:
        start = found.end()
        if is_placeholder(text[start:end]):
            return []
    return [(start, end)]


def _bare(text: str, position: int, first: int, name: str, weight: int, sign: str) -> Spans:
    lowered = name.lower()
    if "authorization" in lowered or "cookie" in lowered:
        return _header(text, position, lowered)
    line_end = text.find("\n", position, position + LIMIT)
    line_end = min(len(text), position + LIMIT) if line_end < 0 else line_end
    tight = sign in ("=", "?=")
    starts_line = text[text.rfind("\n", 0, first) + 1 : first].strip(" \t-+>#/*'\"\\") == ""
    before = text[first - 1 : first]
    wide = (starts_line and not tight and sign.strip() in (":", "=")) or (
        tight and (starts_line or before in (" ", "\t")) and name.isupper()
    )
    found = (_BARE_WIDE if wide else _BARE).match(text, position, line_end)
    if found is None:
        return []
    start, end = found.span()
    end = _trim(text, start, end)
    value = text[start:end]
    if not value or is_placeholder(value):
        return []
    style = Style(
        name,
        weight,
        sign,
        tight,
        starts_line,
        before,
        text[end : end + 1],
        text[end:line_end].strip() in ("", "\\"),
    )
    return [(start, end)] if style.fits(value) else []


def _trim(text: str, start: int, end: int) -> int:
    """Punctuation that ends the sentence or the element is none of the value."""
    while end > start:
        last = text[end - 1]
        if last in ",;.:" or (last == "\\" and text[end : end + 1] in ('"', "'", "n")):
            end -= 1
        elif last in ")}]" and text.count(last, start, end) > text.count(
            {")": "(", "}": "{", "]": "["}[last], start, end
        ):
            end -= 1
        else:
            break
    return end


def _header(text: str, position: int, name: str) -> Spans:
    """The rest of a header's line, up to the quote that holds it; the scheme's word stays."""
    found = re.compile(r"[^\n\r\"'`\x00-\x08<>]+").match(text, position, position + LIMIT)
    if found is None:
        return []
    start, end = found.span()
    scheme = SCHEMES.match(text, start, end)
    if scheme is not None:
        start = scheme.end()
    while end > start and text[end - 1] in " \t,;)}]\\":
        end -= 1
    value = text[start:end]
    if "cookie" in name:
        return _cookies(text, start, end)
    word = value.split(" ", 1)[0] if scheme is not None or not value.startswith(" ") else value
    if scheme is not None and "=" not in word[:-2]:
        end = start + len(word)
        value = word
    if is_placeholder(value) or is_code(value) or (is_prose(value) and not is_random(word)):
        return []
    if scheme is None and not any(char.isdigit() for char in value) and len(value) < 20:
        return []
    return [(start, end)]


_COOKIE = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64})=([^;\s,\"']+)")
_COOKIE_ATTRIBUTES = frozenset(
    "path domain expires max-age samesite httponly secure priority partitioned version".split()
)


def _cookies(text: str, start: int, end: int) -> Spans:
    return [
        found.span(2)
        for found in _COOKIE.finditer(text, start, end)
        if found[1].lower() not in _COOKIE_ATTRIBUTES
        and not is_placeholder(found[2])
        and len(found[2]) >= 6
    ]


def fits_quoted(value: str, name: str, weight: int, sign: str) -> bool:
    """Whether a quoted value under that name is a secret: nearly any, but no text for people."""
    if len(value) < 3 or is_placeholder(value) or value.lower() == name.lower():
        return False
    if weight == names.WEAK:
        return is_random(value)
    if "(" in sign or "," in sign:
        return is_random(value) or (
            any(char.isdigit() for char in value) and " " not in value and len(value) >= 8
        )
    lowered = name.lower()
    if " " in value.strip():
        kept = "phrase" in lowered or "mnemonic" in lowered or "seed" in lowered
        if SCHEMES.match(value) is not None:
            return not is_prose(value)
        return kept or not is_prose(value)
    return not is_code(value)


class Style:
    """How an unquoted value stands: what decides whether it is a value or a piece of code."""

    __slots__ = ("after", "before", "ends_line", "name", "sign", "starts_line", "tight", "weight")

    def __init__(
        self,
        name: str,
        weight: int,
        sign: str,
        tight: bool,
        starts_line: bool,
        before: str,
        after: str,
        ends_line: bool,
    ) -> None:
        self.name = name
        self.weight = weight
        self.sign = sign
        self.tight = tight
        self.starts_line = starts_line
        self.before = before
        self.after = after
        self.ends_line = ends_line

    def fits(self, value: str) -> bool:
        if self.after == "(" or (self.after in ("[", "{") and not is_random(value)):
            return False
        if value[0] in "=!~" or value.lower() == self.name.lower():
            return False
        if is_random(value):
            return not is_code(value)
        if self.weight == names.WEAK or is_code(value):
            return False
        if value.isdigit():
            return len(value) >= 4 and "token" not in self.name.lower()
        plain = value.replace("_", "").isalpha()
        if not plain:
            return self._fits_mixed(value)
        return self._fits_word(value)

    def _fits_mixed(self, value: str) -> bool:
        if self.tight and (self.before in "?& \t;\n\"'" or self.starts_line):
            return len(value) >= 3
        if self.starts_line and self.ends_line:
            return len(value) >= 3
        if self.sign == ":" and (
            self.before in "{,(" or (self.after and self.after in ",;)}")
        ):  # minified
            return len(value) >= 8
        return len(value) >= 6 or (len(value) >= 4 and not value[0].isalpha())

    def _fits_word(self, value: str) -> bool:
        """Letters only: a value in an environment, a URL or a file of settings, else a name."""
        if len(value) < 4:
            return False
        if self.tight:
            if self.before in "?&;" and self.before:
                return True
            if self.name.isupper() or self.before in (" ", "\t", "\n", '"', "'", ""):
                return self.before not in ("(", ",") and self.after not in (",", ")")
            return False
        camel = value != value.lower() and value != value.upper() and value[1:] != value[1:].lower()
        return (
            self.starts_line
            and self.ends_line
            and not camel
            and "_" not in value
            and (value == value.lower())
        )


_WORD = re.compile(
    r"(\\{0,3})(?:\"([^\"\n]{1,1024}?)\\{0,3}\"|'([^'\n]{1,1024})'|([^\s\"'`<>|;&()\\\x00-\x1f][^\s\"'`<>|;&\x00-\x1f]{0,1023}))"
)


def argument(text: str, match: re.Match[str]) -> Spans:
    """The shell word after a flag whose name says secret."""
    position = match.end()
    found = _WORD.match(text, position)
    if found is None:
        return []
    for group in (2, 3, 4):
        start, end = found.span(group)
        if start >= 0:
            break
    if group == 4:
        end = _trim(text, start, end)
    while end > start and text[end - 1] == "\\":
        end -= 1
    value = text[start:end]
    if len(value) < 2 or is_placeholder(value) or value.startswith("-"):
        return []
    if group == 4 and (is_code(value) or (is_prose_word(value) and "--" not in match[0])):
        return []
    return [(start, end)]


def is_prose_word(value: str) -> bool:
    return value.isalpha() and (value.islower() or value.istitle())


def flagged(text: str, match: re.Match[str]) -> Spans:
    """The value of `--some-secret-name value`: the flag's name decides."""
    weight = names.kind(match[1].lstrip("-"))
    if weight == names.NONE:
        return []
    spans = argument(text, match)
    if weight == names.WEAK:
        spans = [(start, end) for start, end in spans if is_random(text[start:end])]
    return spans


def called(text: str, match: re.Match[str]) -> Spans:
    """The string handed to a call that sets a secret, or put beside its name."""
    name, _ = name_before(text, match.start(), match.end())
    if names.kind(name) == names.NONE or name[:3].lower() in ("get", "rea", "loa", "fet"):
        return []
    start = match.end()
    while text[start - 1 : start] in ('"', "'", "`", "\\"):
        start -= 1
    value = quoted(text, start)
    if value is None or not fits_quoted(text[value[0] : value[1]], name, names.STRONG, match[1]):
        return []
    return [(value[0], value[1])]


_FIELD = re.compile(
    r"[ \t]{1,16}[\"']?[A-Za-z0-9_.-]{1,128}[\"']?:[ \t]{0,8}[\"']?([^\s\"'{}\[\]|>][^\n\"']{1,4096})"
)
_JSON_FIELD = re.compile(r"\"[A-Za-z0-9_.-]{1,128}\":[ ]?\"([^\"\n]{2,4096})\"")


def kubernetes(text: str, match: re.Match[str]) -> Spans:
    """Every value under `data:` and `stringData:` of a manifest of kind Secret."""
    begin = max(text.rfind("\n---", 0, match.start()), 0)
    end = text.find("\n---", match.end())
    end = min(len(text) if end < 0 else end, begin + 65536)
    spans: Spans = []
    for head in re.compile(r"[\"']?(?:stringData|data)[\"']?:[ \t]*([{\n])").finditer(
        text, begin, end
    ):
        if head[1] == "{":
            close = text.find("}", head.end(), end)
            stop = end if close < 0 else close
            spans += [
                found.span(1)
                for found in _JSON_FIELD.finditer(text, head.end(), stop)
                if not is_placeholder(found[1])
            ]
            continue
        at = head.end()
        while at < end:
            field = _FIELD.match(text, at, end)
            if field is None:
                break
            if not is_placeholder(field[1]):
                spans.append((field.start(1), field.start(1) + len(field[1].rstrip())))
            newline = text.find("\n", field.end(), end)
            at = end if newline < 0 else newline + 1
    return spans


_PAIR = re.compile(
    r"(?:[A-Za-z_][A-Za-z0-9_.-]{0,127}=)([^\s\"'`;&|]{2,1024}|\"[^\"\n]{2,1024}\"|'[^'\n]{2,1024}')"
)
_BODY = re.compile(r"(?:--(?:body|value|secret-string)|-b|-v)[ =]{1,2}")


def stored(text: str, match: re.Match[str]) -> Spans:
    """What a command hands to a store of secrets: NAME=value pairs, `--body value`, a last word."""
    end = text.find("\n", match.end(), match.end() + 2048)
    end = min(len(text), match.end() + 2048) if end < 0 else end
    spans: Spans = []
    for pair in _PAIR.finditer(text, match.end(), end):
        start, stop = pair.span(1)
        if text[start] in "\"'":
            start, stop = start + 1, stop - 1
        if not is_placeholder(text[start:stop]) and text[pair.start() - 1] != "-":
            spans.append((start, stop))
    body = _BODY.search(text, match.end(), end)
    if body is not None:
        spans += argument(text, body)
    if not spans and match[0].lower().startswith(("aws configure", "npm config", "pulumi")):
        words = [found.span() for found in re.finditer(r"[^\s\"']+", text[match.end() : end])]
        if words:
            start, stop = words[-1]
            start, stop = start + match.end(), stop + match.end()
            if not is_placeholder(text[start:stop]) and (
                is_random(text[start:stop]) or len(words) < 3
            ):
                spans.append((start, stop))
    return spans


_BASE64 = re.compile(r"[A-Za-z0-9+/=]{20}")
_MATERIAL = re.compile(r"[A-Za-z0-9+/=\s\\:,.\"'()-]*")


def pem(text: str, match: re.Match[str]) -> Spans:
    """A private key from its BEGIN line to its END line, or as far as the material goes."""
    start, after = match.span()
    found = _BASE64.search(text, after, after + 512)
    if found is None:
        return []
    end = text.find("-----END", after, after + 16384)
    if end >= 0:
        close = text.find("-----", end + 8, end + 96)
        return [(start, close + 5 if close >= 0 else end + 8)]
    material = _MATERIAL.match(text, after, after + 16384)
    return [(start, max(found.end(), material.end() if material is not None else 0))]


def putty(text: str, match: re.Match[str]) -> Spans:
    """The private lines of a PuTTY key file."""
    start = text.find("Private-Lines:", match.end(), match.end() + 8192)
    if start < 0:
        return []
    end = text.find("Private-MAC:", start, start + 8192)
    return [(start + 14, end if end >= 0 else min(len(text), start + 4096))]


_UNITS = re.compile(
    r"(?i)v?[0-9][0-9.,]*[a-z%]{0,3}|[a-z]{1,12}[-_]?[0-9]{1,3}|[0-9]{1,4}[-x][a-z]{2,12}"
    r"|(?:sha|md|utf|base|rs|hs|es|ps)-?[0-9]{1,3}|[a-z]+[0-9]+[.,][a-z0-9.]*"
)


def prose(text: str, match: re.Match[str]) -> Spans:
    """A value in a sentence: digits among letters or signs; plain words and numbers stay."""
    start, end = match.span(3)
    end = _trim(text, start, end)
    while end > start and text[end - 1] in "!?":
        end -= 1
    value = text[start:end]
    if len(value) < 5 or is_placeholder(value) or "://" in value or value[0] in "/~<$%-=|*#@&([{":
        return []
    word, link = match[1].lower(), match[2].strip(" ,")
    if is_random(value):
        return [] if is_code(value) else [(start, end)]
    if (
        not link
        or link == "-"
        or "key" in word
        or "token" in word
        or "(" in value
        or is_code(value)
    ):
        return []
    digits = sum(char.isdigit() for char in value)
    letters = sum(char.isalpha() for char in value)
    if digits:
        strong = word.startswith(("pass", "kenn", "mot", "contra", "senha", "pwd")) or (
            "password" in word
        )
        fits = letters >= 2 and (strong or not _UNITS.fullmatch(value)) and value.count("/") < 2
    else:
        fits = letters > 1 and len(value) >= 6 and any(char in value for char in "!@#$%^&*+")
    return [(start, end)] if fits else []


READERS: dict[str, Callable[[str, re.Match[str]], Spans]] = {
    "assigned": assigned,
    "argument": argument,
    "flagged": flagged,
    "called": called,
    "kubernetes": kubernetes,
    "stored": stored,
    "pem": pem,
    "prose": prose,
    "putty": putty,
}
