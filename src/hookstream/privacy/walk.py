"""Walks JSON values: gathers what must be scanned, and rewrites what must go.

Gathering is on the path of every event and only looks; rewriting runs where something was found,
a content leaf must go, or a name says secret.
"""

from __future__ import annotations

from hookstream.event import CONTENT_ARGUMENTS, KEPT_ARGUMENTS
from hookstream.privacy import names
from hookstream.privacy.digest import is_marker, marker
from hookstream.privacy.placeholders import is_placeholder
from hookstream.privacy.readers.values import SCHEMES
from hookstream.privacy.validators import random as is_random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.privacy.homes import Homes
    from hookstream.privacy.scanner import Scanner

# What a key says of its value, as bits.
PLAIN, IS_CONTENT, IS_KEPT, IS_SECRET, MAY_BE_SECRET, IS_VALUE, IS_DIRTY = 0, 1, 2, 4, 8, 16, 32
SPECIAL = IS_SECRET | MAY_BE_SECRET | IS_VALUE | IS_DIRTY

SHORT = 128  # characters; a longer string of unknown meaning counts as content
DEPTH = 32
FIELD_RULE = "secret-field"


class Run:
    """What one event's (or text's) rewriting found: values by rule, and the paths it changed."""

    __slots__ = ("cache", "content_names", "found", "hash", "judge", "named", "numbers", "paths")

    def __init__(
        self,
        numbers: list[int],
        named: bool,
        hash: bool,
        judge: bool = True,
        content_names: frozenset[str] = frozenset(),
    ) -> None:
        self.numbers = numbers
        self.named = named
        self.hash = hash
        self.judge = judge  # whether leaves are told into content and arguments
        self.content_names = content_names
        self.found: dict[tuple[str, str], str] = {}
        self.paths: list[str] = []
        self.cache: dict[str, tuple[str, list[tuple[str, str]]]] = {}


class Walker:
    """The rules applied to trees. Knows no Event."""

    def __init__(
        self, scanner: Scanner, homes: Homes | None, digest_key: bytes | None = None
    ) -> None:
        self.scanner = scanner
        self.homes = homes
        self.digest_key = digest_key
        self._keys: dict[str, int] = {}

    # Gathering --------------------------------------------------------------------------------

    def gather(self, value: Any, texts: list[str], depth: int = 0) -> bool:
        """Adds every string below to `texts`; True if a name below says secret."""
        special = False
        known = self._keys
        if type(value) is dict:
            if depth >= DEPTH:
                return True
            for key, item in value.items():
                flags = known.get(key)
                if flags is None:
                    flags = self._learn(key)
                if flags & SPECIAL and _counts(flags, item, value):
                    special = True
                kind = type(item)
                if kind is str:
                    texts.append(item)
                elif kind is dict or kind is list:
                    special |= self.gather(item, texts, depth + 1)
        elif type(value) is list:
            if depth >= DEPTH:
                return True
            for item in value:
                kind = type(item)
                if kind is str:
                    texts.append(item)
                    if item[:1] == "-" and names.kind(item.lstrip("-")):
                        special = True
                elif kind is dict or kind is list:
                    special |= self.gather(item, texts, depth + 1)
            if len(value) > 1:
                _add_joined(value, texts)
        elif type(value) is str:
            texts.append(value)
        return special

    def gather_arguments(
        self, tree: dict[str, Any], content_names: frozenset[str], texts: list[str]
    ) -> bool:
        """As `gather`, and True also if a leaf below is content."""
        changes = False
        known = self._keys
        for key, item in tree.items():
            flags = known.get(key)
            if flags is None:
                flags = self._learn(key)
            if flags & SPECIAL and _counts(flags, item, tree):
                changes = True
            kind = type(item)
            if kind is str:
                texts.append(item)
                if not flags & IS_KEPT and (len(item) > SHORT or "\n" in item):
                    changes = True
            elif kind is dict or kind is list:
                changes = True
                self.gather(item, texts, 1)
            if flags & IS_CONTENT or key in content_names:
                changes = True
        return changes

    def _learn(self, key: Any) -> int:
        """A key's class, worked out once. A key that holds a secret is dirty."""
        if type(key) is not str:
            return PLAIN
        squeezed = key.lower().replace("_", "").replace("-", "").replace(" ", "")
        weight = names.kind(key)
        flags = (
            (IS_CONTENT if squeezed in CONTENT_ARGUMENTS else 0)
            | (IS_KEPT if squeezed in KEPT_ARGUMENTS else 0)
            | (IS_SECRET if weight == names.STRONG else 0)
            | (MAY_BE_SECRET if weight == names.WEAK else 0)
            | (IS_VALUE if squeezed in ("value", "values") else 0)
        )
        if self.scanner.scan(key) or (self.homes is not None and self.homes.rewrite(key) != key):
            flags |= IS_DIRTY
        if len(self._keys) < 16384 and len(key) <= SHORT:
            self._keys[key] = flags
        return flags

    # Rewriting --------------------------------------------------------------------------------

    def text(self, text: str, path: str, run: Run) -> str:
        """The text without secrets and, where the mode hides people, without their names."""
        known = run.cache.get(text)
        if known is None:
            known = run.cache[text] = self._clean(text, run)
        clean, hits = known
        if hits:
            for hit in hits:
                run.found.setdefault(hit, path)
            run.paths.append(path)
        return clean

    def _clean(self, text: str, run: Run) -> tuple[str, list[tuple[str, str]]]:
        hits: list[tuple[str, str]] = []
        clean = text
        if run.numbers:
            # What a replacement brings to light goes too, so a second pass finds nothing.
            for _ in range(3):
                findings = self.scanner.scan(clean)
                if not findings:
                    break
                clean = replace(clean, findings, hits)
        if run.named and self.homes is not None:
            clean = self.homes.rewrite(clean)
        return clean, hits

    def tree(self, value: Any, path: str, run: Run, flags: int = 0, depth: int = 0) -> Any:
        """The value rewritten; dicts and lists come back new, scalars as they are."""
        kind = type(value)
        if kind is str:
            return self._leaf(value, path, run, flags)
        if kind is dict:
            return self._dict(value, path, run, flags, depth)
        if kind is list:
            return self._list(value, path, run, flags, depth)
        if flags & IS_SECRET and kind is int and abs(value) > 999 and not flags & MAY_BE_SECRET:
            run.found.setdefault((FIELD_RULE, str(value)), path)
            run.paths.append(path)
            return f"[REDACTED:{FIELD_RULE}]"
        return value

    def _dict(self, value: dict[str, Any], path: str, run: Run, flags: int, depth: int) -> Any:
        if depth >= DEPTH:
            return self._too_deep(value, path, run)
        if flags & IS_SECRET and not value.keys().isdisjoint(("type", "$ref", "description")):
            flags &= ~IS_SECRET  # a schema that describes the field
        out: dict[str, Any] = {}
        known = self._keys
        for key, item in value.items():
            own = known.get(key)
            if own is None:
                own = self._learn(key)
            if own & IS_VALUE and names.kind(_sibling(value)) == names.STRONG:
                own |= IS_SECRET
            if own & IS_SECRET and type(item) is int and "oken" in key:
                own |= MAY_BE_SECRET  # a count of tokens, not a number that opens something
            if key in run.content_names and depth == 0:
                own = (own | IS_CONTENT) & ~IS_KEPT
            name = key
            if own & IS_DIRTY:
                run_all = run if run.numbers else Run([0], True, run.hash)
                name = self.text(key, f"{path}.*" if path else "*", run_all)
                if run_all is not run:
                    run.found.update(run_all.found)
                    run.paths += run_all.paths
                while name in out:
                    name += "_"
            below = f"{path}.{name}" if path else name
            inherited = flags & (IS_CONTENT | IS_SECRET)
            if inherited & IS_CONTENT:
                own &= ~IS_KEPT
            out[name] = self.tree(item, below, run, own | inherited, depth + 1)
        return out

    def _list(self, value: list[Any], path: str, run: Run, flags: int, depth: int) -> Any:
        if depth >= DEPTH:
            return self._too_deep(value, path, run)
        out: list[Any] = []
        if run.numbers and len(value) > 1 and type(value[0]) is str:
            value = self._spread(value, path, run)
        option = PLAIN
        for number, item in enumerate(value):
            own = flags | option
            option = PLAIN
            if type(item) is str and item[:1] == "-":
                weight = names.kind(item.lstrip("-")) if "=" not in item else names.NONE
                option = IS_SECRET if weight == names.STRONG else PLAIN
            out.append(self.tree(item, f"{path}[{number}]", run, own, depth + 1))
        return out

    def _spread(self, value: list[Any], path: str, run: Run) -> list[Any]:
        """Secrets that only the whole argument list shows: `-u`, then `name:password`."""
        texts: list[str] = []
        _add_joined(value, texts)
        if not texts:
            return value
        findings = self.scanner.scan(texts[0])
        if not findings:
            return value
        out = list(value)
        at = 0
        for number, item in enumerate(value):
            end = at + len(item)
            inside = [
                (start - at, stop - at, rule)
                for start, stop, rule in findings
                if at <= start and stop <= end
            ]
            if inside:
                hits: list[tuple[str, str]] = []
                out[number] = replace(item, inside, hits)
                for hit in hits:
                    run.found.setdefault(hit, f"{path}[{number}]")
                run.paths.append(f"{path}[{number}]")
            at = end + 1
        return out

    def _leaf(self, value: str, path: str, run: Run, flags: int) -> str:
        if flags & (IS_SECRET | MAY_BE_SECRET):
            fresh = self._secret(value, path, run, flags)
            if fresh is not None:
                return fresh
        if not run.judge:
            return self.text(value, path, run)
        if flags & IS_CONTENT or (not flags & IS_KEPT and (len(value) > SHORT or "\n" in value)):
            if not value or is_marker(value):
                return value
            clean = self.text(value, path, run)
            if not run.hash:
                return clean
            run.paths.append(path)
            return marker(value, self.digest_key)
        return self.text(value, path, run)

    def _secret(self, value: str, path: str, run: Run, flags: int) -> str | None:
        """The value of a field whose name says secret, without it; None where it is none."""
        if is_placeholder(value) or is_marker(value) or "[REDACTED:" in value:
            return None
        if not flags & IS_SECRET and not is_random(value):
            return None
        scheme = SCHEMES.match(value)
        start = scheme.end() if scheme is not None and scheme.end() < len(value) else 0
        if is_placeholder(value[start:]):
            return None
        rule = FIELD_RULE
        findings = self.scanner.scan(value)
        if len(findings) == 1 and findings[0][0] <= start and findings[0][1] == len(value):
            rule = findings[0][2]
            start = findings[0][0] or start
        run.found.setdefault((rule, value[start:]), path)
        run.paths.append(path)
        return f"{value[:start]}[REDACTED:{rule}]"

    def _too_deep(self, value: Any, path: str, run: Run) -> str:
        run.paths.append(path)
        try:
            return marker(value, self.digest_key)
        except RecursionError:
            return marker("", self.digest_key)


def replace(text: str, findings: list[tuple[int, int, str]], hits: list[tuple[str, str]]) -> str:
    """The text with each finding replaced by its rule's name; adds (rule, value) to `hits`."""
    parts: list[str] = []
    at = 0
    for start, end, rule in findings:
        parts.append(text[at:start])
        parts.append(f"[REDACTED:{rule}]")
        hits.append((rule, text[start:end]))
        at = end
    parts.append(text[at:])
    return "".join(parts)


def _counts(flags: int, item: Any, parent: dict[str, Any]) -> bool:
    """Whether a key that may say secret does so for this value."""
    if item is None or item == "" or type(item) is bool:
        return bool(flags & IS_DIRTY)
    if flags & IS_VALUE and not flags & (IS_SECRET | MAY_BE_SECRET | IS_DIRTY):
        return names.kind(_sibling(parent)) == names.STRONG
    return True


def _sibling(parent: dict[str, Any]) -> str:
    """The name in {"name": ..., "value": ...}."""
    for key in ("name", "key", "Name", "Key", "header", "field"):
        name = parent.get(key)
        if type(name) is str:
            return name
    return ""


def _add_joined(value: list[Any], texts: list[str]) -> None:
    """A list of short strings read as one command line."""
    if len(value) <= 256 and all(type(item) is str and len(item) <= 4096 for item in value):
        texts.append(" ".join(value))
