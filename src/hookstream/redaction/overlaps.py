"""Overlapping finds of several rules: which of them stay, and which rule's name they have."""

from __future__ import annotations

import re

from hookstream.redaction.classify.random import is_random, is_uuid
from hookstream.redaction.rules import HIGH, PERSONAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.rules import Rule

    # Start, end, the rule's rank (0 names the region first), the rule's number.
    Region = tuple[int, int, int, int]

# What names the parts of itself: an address, a connection string.
_ADDRESS = re.compile(
    r"(?i)[\"'(]?(?:(?:jdbc:)?[a-z][a-z0-9+.-]{1,24}:(?:[a-z0-9]{1,16}:)?(?:\\?/){2}"
    r"|jdbc:[a-z0-9:]{1,32}:[a-z0-9_]{1,64}/"
    r"|[a-z_ ]{2,32}=[^=;\s]{1,256}[; ]{1,2}[a-z_ ]{2,32}="
    r"|[\w.-]{1,64}/[^\s@/]{1,128}@(?://)?[\w.-]{1,128}:[0-9])"
)
_PART = re.compile(r"[\s/?&=;:@,\"']+")
_PIECE = re.compile(r"[A-Za-z0-9]{4,}")
_MARKS = "/<>:@?&=-\"'`"


def narrowed(text: str, regions: list[Region], rules: tuple[Rule, ...]) -> list[Region]:
    """Without the regions of rules that go by a name or a place which only add what surrounds a
    secret of a known form: `DSN=postgres://app:<secret>@db/x`, `/api-key/<secret>/items`."""
    spans = sorted(region[:2] for region in regions if _knows(rules[region[3]]))
    stays: list[Region] = []
    for region in regions:
        rule = rules[region[3]]
        if rule.id in PERSONAL:
            adds = _is_of_user(text, region, spans)
        else:
            adds = not _knows(rule) and (
                _is_around(text, region[0], region[1], spans)
                or _is_address(text, region, regions, rules)
            )
        if not adds:
            stays.append(region)
    return stays


def _is_of_user(text: str, region: Region, known: list[tuple[int, int]]) -> bool:
    """Return whether what looks like a person's address is a password and its host:
    `<secret>@db.x`.
    """
    start, end = region[:2]
    return any(start <= span[0] and span[1] < end and text[span[1]] == "@" for span in known)


def _knows(rule: Rule) -> bool:
    """Return whether the rule knows where its secret ends: it goes by the secret's own form."""
    return rule.confidence == HIGH and not rule.extract and rule.id not in PERSONAL


def _is_address(text: str, region: Region, regions: list[Region], rules: tuple[Rule, ...]) -> bool:
    """Return whether the region is an address, in which another rule knows what opens it: nothing
    else of it looks like a secret, as the path of a webhook would."""
    start, end = region[:2]
    if _ADDRESS.match(text, start, end) is None:
        return False
    inside = [
        one[:2]
        for one in regions
        if start < one[0] and one[1] <= end and rules[one[3]].id not in PERSONAL
    ]
    rest, at = "", start
    for first, last in (*sorted(inside), (end, end)):
        rest += text[at:first] + " "
        at = max(at, last)
    return bool(inside) and not any(is_random(word) or is_uuid(word) for word in _PART.split(rest))


def _is_around(text: str, start: int, end: int, known: list[tuple[int, int]]) -> bool:
    inside = [span for span in known if start <= span[0] and span[1] <= end]
    if not inside or inside[0] == (start, end):
        return False
    at = start
    for first, last in (*inside, (end, end)):
        if first > at and not _is_beside(text, at, first, start, end):
            return False
        at = max(at, last)
    return True


def _is_beside(text: str, first: int, last: int, start: int, end: int) -> bool:
    """Return whether a part of a region is marks and words, and a mark separates it from a
    secret.
    """
    piece = text[first:last]
    if (last < end and piece[-1] not in _MARKS) or (first > start and piece[0] not in _MARKS):
        return False
    words = _PIECE.findall(piece)
    return not is_random(piece) and all(word.isalpha() or word.isdigit() for word in words)


def united(regions: list[Region]) -> list[tuple[int, int, int]]:
    """Regions in order of their starts; those that overlap become one, named by the rule of the
    first rank, the longest, the first: (start, end, the rule's number)."""
    merged: list[tuple[int, int, int]] = []
    start, end, rank, number = regions[0]
    size = end - start
    for region in regions[1:]:
        if region[0] >= end:
            merged.append((start, end, number))
            start, end, rank, number = region
            size = end - start
            continue
        end = max(end, region[1])
        if (region[2], region[0] - region[1]) < (rank, -size):
            rank, number, size = region[2], region[3], region[1] - region[0]
    merged.append((start, end, number))
    return merged
