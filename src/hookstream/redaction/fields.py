"""Meaning of a field's name for its value, and the gathering of all strings to be scanned.

On the path of every event, so it only looks: no path is built, nothing is copied.
"""

from __future__ import annotations

from hookstream.core.event import CONTENT_ARGUMENTS, KEPT_ARGUMENTS
from hookstream.redaction import field_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.redaction.homes import HomePaths
    from hookstream.redaction.scanner import Scanner

# The meaning of a key for its value, as bits.
PLAIN, IS_CONTENT, IS_KEPT, IS_SECRET, MAY_BE_SECRET, IS_VALUE, IS_DIRTY = 0, 1, 2, 4, 8, 16, 32
NAMES_NUMBER = 64  # of a person, or a code: `ssn`, `pin`; the number alone would say nothing
SPECIAL = IS_SECRET | MAY_BE_SECRET | IS_VALUE | IS_DIRTY
CHANGING = SPECIAL | IS_CONTENT
# What a tree holds, as bits: leaves that may be content, names that say secret.
HAS_CONTENT, HAS_SECRET = 1, 2

# Places of an Agent Hooks event: foreign names below them are kept as `data.action.<name>`.
READ_BACK = frozenset(
    "data action result decision usage aarts verdict source user actor details".split()
)
SHORT = 128  # characters; a longer string of unknown meaning counts as content
DEPTH = 32  # of dicts and lists; anything deeper is content


class Fields:
    """Classes of keys, each worked out once. A key that holds a secret itself is dirty. Texts that
    are in `clean` need not be scanned."""

    def __init__(
        self, scanner: Scanner, homes: HomePaths | None, clean: frozenset[str] | set[str]
    ) -> None:
        self.scanner = scanner
        self.clean = clean
        self.homes = homes
        self.known: dict[str, int] = {}

    def learn(self, key: Any) -> int:
        """The class of a key that is not in `known` yet."""
        if type(key) is not str:
            return PLAIN
        squeezed = key.lower().replace("_", "").replace("-", "").replace(" ", "")
        weight = field_names.sensitivity(key)
        flags = (
            (IS_CONTENT if squeezed in CONTENT_ARGUMENTS else 0)
            | (IS_KEPT if squeezed in KEPT_ARGUMENTS else 0)
            | (IS_SECRET if weight == field_names.STRONG else 0)
            | (MAY_BE_SECRET if weight == field_names.WEAK else 0)
            | (IS_VALUE if squeezed in ("value", "values") else 0)
        )
        if self.scanner.names_number(key):
            flags |= NAMES_NUMBER
        scan = self.scanner.scan
        end = path_before(key)
        if (
            scan(key)
            or (end and scan(key[end:]))
            or (self.homes is not None and self.homes.rewrite(key) != key)
        ):
            flags |= IS_DIRTY
        if len(self.known) < 16384 and len(key) <= SHORT:
            self.known[key] = flags
        return flags

    def gather(self, value: Any, texts: list[str], depth: int = 0) -> int:
        """Add every string below to `texts` that is not known to be clean; the answer has the
        bits HAS_CONTENT, HAS_SECRET."""
        if depth >= DEPTH:
            return HAS_CONTENT | HAS_SECRET
        if type(value) is list:
            return self._gather_list(value, texts, depth)
        bits = 0
        known, clean = self.known, self.clean
        for key, item in value.items():
            flags = known.get(key)
            if flags is None:
                flags = self.learn(key)
            kind = type(item)
            if flags & NAMES_NUMBER and (pair := named_number(key, item)) and pair not in clean:
                texts.append(pair)
            if kind is str:
                if item not in clean:
                    texts.append(item)
                if (len(item) > SHORT or "\n" in item) and not flags & IS_KEPT:
                    bits |= HAS_CONTENT
            elif kind is dict or kind is list:
                bits |= self.gather(item, texts, depth + 1)
            if flags & CHANGING:
                if flags & IS_CONTENT:
                    bits |= HAS_CONTENT
                if flags & SPECIAL and says_so(flags, item, value):
                    bits |= HAS_SECRET
        return bits

    def _gather_list(self, value: list[Any], texts: list[str], depth: int) -> int:
        flags = 0
        clean = self.clean
        for item in value:
            kind = type(item)
            if kind is str:
                if item not in clean:
                    texts.append(item)
                if len(item) > SHORT or "\n" in item:
                    flags |= HAS_CONTENT
                if item[:1] == "-" and field_names.sensitivity(item.lstrip("-")):
                    flags |= HAS_SECRET
            elif kind is dict or kind is list:
                flags |= self.gather(item, texts, depth + 1)
        line = joined(value) if len(value) > 1 else ""
        if line and line not in clean:
            texts.append(line)
        return flags


def named_number(key: str, item: Any) -> str:
    """A leaf as a text would show it, its name before it; empty for what is not a number."""
    if type(item) is int and abs(item) > 99:
        return f"{key}: {item}"
    if type(item) is str and len(item) <= SHORT and any(map(str.isdigit, item)):
        return f"{key}: {item}"
    return ""


def path_before(key: str) -> int:
    """The start of a name that a reader of the standards prefixed with a path: the part after a dot
    is the end of a word, and may not be taken for the beginning of a token."""
    end = 0
    while end < len(key) and (dot := key.find(".", end)) > 0 and key[end:dot] in READ_BACK:
        end = dot + 1
    return end


def says_so(flags: int, item: Any, parent: dict[str, Any]) -> bool:
    """Return whether a key that may say secret does so for this value."""
    if item is None or item == "" or type(item) is bool:
        return bool(flags & IS_DIRTY)
    if flags & IS_VALUE and not flags & (IS_SECRET | MAY_BE_SECRET | IS_DIRTY):
        return field_names.sensitivity(sibling_name(parent)) == field_names.STRONG
    return True


def sibling_name(parent: dict[str, Any]) -> str:
    """The name in {"name": ..., "value": ...}."""
    for key in ("name", "key", "Name", "Key", "header", "field"):
        name = parent.get(key)
        if type(name) is str:
            return name
    return ""


def joined(value: list[Any]) -> str:
    """A list of short strings read as one command line; empty for any other list."""
    if len(value) <= 256 and all(type(item) is str and len(item) <= 4096 for item in value):
        return " ".join(value)
    return ""
