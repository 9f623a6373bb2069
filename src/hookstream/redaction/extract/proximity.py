"""A value further on in the line of a name that says secret, whatever stands between."""

from __future__ import annotations

import re

from hookstream.redaction import field_names
from hookstream.redaction.classify.code import is_code
from hookstream.redaction.classify.random import is_random, is_uuid
from hookstream.redaction.extract.call import value_beside
from hookstream.redaction.extract.values import further, name_around, trim
from hookstream.redaction.rules.compiled.words.nearby import LINKS, OTHERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans

AHEAD = 96  # characters behind the name within which the value begins
_VALUE = re.compile(r"[A-Za-z0-9+/_~.-]{16,512}={0,2}")
_QUOTED = re.compile(
    r"([^\n\x1f\"'`]{0,4}(?:\\{0,3}[\"'`])?[^\n\x1f\"'`]{1,40}\\{0,3}[\"'`])"
    r"([^\s\"'`<>\\]{6,64})\\{0,3}[\"'`]"
)
_JOINING = frozenset("/\\#@?&-$%")  # before a value: it is a part of something else
_LINE_BEGINS = re.compile(r"(?:\n|\\n)[^\w\"']{0,16}(?:[0-9]{1,6}[^\w\"']{1,4})?$")
_BETWEEN = re.compile(r"[A-Za-z]+")
_OWNER = re.compile(r"([A-Za-z_][\w.-]*)\\{0,3}[\"'`\])]{0,3}[ \t]{0,4}(?:=>|:=|=|:)[^\w]{0,6}\Z")
_HUMP = re.compile(r"[A-Z]?[a-z]{2,}")
_VOWELS = frozenset("aeiouy")
_SPOKEN = tuple(
    f"{word} key"
    for word in "api access private signing encryption master account admin app".split()
)


def proximity(text: str, match: re.Match[str]) -> Spans:
    """The first random value behind the name, or a quoted one that may be a password, if what
    stands between leads to it and does not say that it is something else."""
    found = _behind(text, match)
    for inner in () if found else further(match, match.start(1)):
        found = found or _behind(text, inner)
    return found


def _behind(text: str, match: re.Match[str]) -> Spans:
    name, _ = name_around(text, match.start(), match.end())
    spoken = match[0][:14].lower().startswith(_SPOKEN)
    if not spoken and field_names.sensitivity(name) != field_names.STRONG:
        return []
    after = match.start(1)
    span = _search(text, match.start(), after)
    if span is not None:
        return [span]
    quoted = _QUOTED.match(text, after) if field_names.is_password(name) else None
    return value_beside(text, quoted) if quoted is not None and _leads(quoted[1], name) else []


def _leads(between: str, name: str) -> bool:
    """Whether signs that point and words of types lead to a quoted value; or a name as programs
    have them, and nothing."""
    if not between.strip("\\\"'` "):
        return "_" in name or not (name.islower() or name.istitle())
    words = [word.lower() for word in _BETWEEN.findall(between)]
    points = "," not in between and any(map(between.__contains__, "=:(<>.{[|"))
    return points and len(words) < 5 and LINKS.issuperset(words)


def _search(text: str, start: int, after: int) -> tuple[int, int] | None:
    found = _VALUE.search(text, after, min(len(text), after + AHEAD + 512))
    while found is not None and found.start() - after <= AHEAD:
        span = _judged(text, start, after, found)
        if span is not None:
            return span if span[1] else None
        found = _VALUE.search(text, found.end(), min(len(text), after + AHEAD + 512))
    return None


def _judged(text: str, start: int, after: int, found: re.Match[str]) -> tuple[int, int] | None:
    """The span, (0, 0) where the search is to end, None where it may go on."""
    first, end = _bounds(text, *found.span())
    value = text[first:end]
    if not value:  # a path whose first segment is a name
        return (0, 0)
    uuid = is_uuid(value)
    if _is_in_table(text, start, first, end):
        return (0, 0)
    if not uuid and (not is_random(value) or is_code(value) or _is_spelt(value)):
        return None
    between = text[after:first]
    is_segment = first > found.start() and text[first - 1] == "/"
    if (not is_segment and text[first - 1] in _JOINING) or "://" in between:
        return (0, 0)
    words = [word.lower() for word in _BETWEEN.findall(between)]
    if len(words) > 6 or OTHERS.intersection(words):
        return (0, 0)
    owner = _OWNER.search(text, after, first)
    if owner is not None and owner.start(1) > after and not _may_hold(owner[1]):
        return (0, 0)
    plain = uuid or _is_plain(value)
    if _is_resource(text, start, first) and all(map(_is_path_of, value.split("/"))):
        return (0, 0)
    if plain and (not LINKS.issuperset(words) or _is_listed(text, between, end)):
        return (0, 0)
    return first, end


# /secrets/<id>, secrets/<name>/<version>; `bw get password <id>`
_COLLECTION = re.compile(
    r"(?i)/[\w.-]{0,32}(?:secrets|tokens|keys|credentials|creds|passwords|cookies|certificates)"
    r"/(?:[\w.~%-]{1,128}/){0,3}$"
)
_FETCHED = re.compile(
    r"\b(?:get|show|describe|inspect|view|edit|item) (?:password|secret|token|credential)s? $"
)


def _is_plain(value: str) -> bool:
    """Hexadecimal digits alone, as digests and ids have them."""
    return not value.strip("0123456789abcdefABCDEF")


def _is_path_of(segment: str) -> bool:
    """A segment of a resource's path: an id of digits, a name."""
    return is_uuid(segment) or _is_plain(segment) or not is_random(segment)


def _is_resource(text: str, start: int, first: int) -> bool:
    """Whether a UUID or a digest is the id of one among many: of a resource below a plural, of a
    thing that a command is to show."""
    before = text[max(0, start - 96) : first + (text[first] == "/")]
    return _COLLECTION.search(before) is not None or _FETCHED.search(before) is not None


_COLUMN = re.compile(r"[ \t]{2,}[A-Za-z_]")
_HEADING = re.compile(r"[A-Z][A-Z0-9 _-]*")
_ID = re.compile(r"[0-9a-z]+")
SWARM = 25  # characters of an id of Docker's swarm


def _is_in_table(text: str, start: int, first: int, end: int) -> bool:
    """Whether the value is an id or a digest in what a command lists: at the head of a row below
    the name's, or under a heading that says so."""
    line = text.rfind("\n", 0, first) + 1
    if text[first - 1] == "\t" and "DIGEST" in text[max(0, start - 256) : start]:
        return True
    if line > start:  # the name stands in a line above
        if text[line:first].strip() or _ID.fullmatch(text, first, end) is None:
            return False
        return end - first == SWARM or _COLUMN.match(text, end) is not None
    heading = text.rfind("\n", 0, max(0, line - 1)) + 1
    for _ in range(_ROWS):
        head = text[heading : max(heading, line - 1)]
        if _HEADING.fullmatch(head.strip()):
            word = head[first - line :].split(" ")[0]
            return word.lower() in OTHERS
        if heading == 0:
            break
        line_above = heading
        heading = text.rfind("\n", 0, max(0, heading - 1)) + 1
        first, line = first - line + line_above, line_above
    return False


_ROWS = 16  # rows of a table between its heading and a value


def _bounds(text: str, first: int, end: int) -> tuple[int, int]:
    """The value without the signs around it: of a path the segment behind the name."""
    end = trim(text, first, end)
    if text[first] == "/" and "/" in text[first + 1 : end]:
        segment = text.index("/", first + 1)
        return (first + 1, segment) if is_random(text[first + 1 : segment]) else (first, first)
    return first + text.startswith(":-", first - 1), end  # ${NAME:-value}


def _is_listed(text: str, between: str, end: int) -> bool:
    """Whether the digits begin a line of their own that goes on in words, as a commit's do."""
    return _LINE_BEGINS.search(between) is not None and text[end : end + 1] in (" ", ":")


def _is_spelt(value: str) -> bool:
    """`ed25519.Ed25519PrivateKey`: half of it and more are syllables."""
    for part in value.split("."):
        humps = (hump for hump in _HUMP.findall(part) if _VOWELS.intersection(hump))
        if part and sum(map(len, humps)) * 2 >= len(part):
            return True
    return False


def _may_hold(name: str) -> bool:
    return name.lower() in LINKS or field_names.sensitivity(name) != field_names.NONE
