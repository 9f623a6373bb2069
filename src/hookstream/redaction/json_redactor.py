"""Rewrites JSON values: content to markers, secrets to the names of their rules.

Runs only where the gathering found a reason: a hit, a content leaf, a name that says secret.
"""

from __future__ import annotations

from hookstream.redaction import field_names
from hookstream.redaction.classify.random import is_random
from hookstream.redaction.context import RedactionContext, replace
from hookstream.redaction.digest import is_marker, marker
from hookstream.redaction.extract.values import SCHEMES
from hookstream.redaction.fields import (
    DEPTH,
    IS_CONTENT,
    IS_DIRTY,
    IS_KEPT,
    IS_SECRET,
    IS_VALUE,
    MAY_BE_SECRET,
    NAMES_NUMBER,
    PLAIN,
    SHORT,
    joined,
    named_number,
    path_before,
    sibling_name,
)
from hookstream.redaction.filters.placeholder import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.redaction.fields import Fields
    from hookstream.redaction.homes import HomePaths
    from hookstream.redaction.scanner import Scanner

FIELD_RULE = "secret-field"


class JsonRedactor:
    """The rules applied to trees. Knows no Event."""

    def __init__(
        self,
        scanner: Scanner,
        fields: Fields,
        homes: HomePaths | None,
        digest_key: bytes | None = None,
    ) -> None:
        self.scanner = scanner
        self.fields = fields
        self.homes = homes
        self.digest_key = digest_key

    def mark(
        self, tree: dict[str, Any], path: str, content_names: frozenset[str], paths: list[str]
    ) -> dict[str, Any]:
        """`tree` for a clean event: content leaves become markers, nothing else changes."""
        out: dict[str, Any] = {}
        known = self.fields.known
        for key, item in tree.items():
            kind = type(item)
            if kind is not str and kind is not dict and kind is not list:
                out[key] = item
                continue
            flags = known.get(key)
            if flags is None:
                flags = self.fields.learn(key)
            if key in content_names:
                flags = (flags | IS_CONTENT) & ~IS_KEPT
            if kind is not str:
                context = RedactionContext([], False, True)
                out[key] = self.tree(item, f"{path}.{key}", context, flags, 1)
                paths += context.paths
            elif flags & IS_CONTENT or (
                (len(item) > SHORT or "\n" in item) and not flags & IS_KEPT
            ):
                if item and not is_marker(item):
                    paths.append(f"{path}.{key}")
                    item = marker(item, self.digest_key)
                out[key] = item
            else:
                out[key] = item
        return out

    def text(self, text: str, path: str, context: RedactionContext) -> str:
        """The text without secrets and, if the mode hides people, without their names."""
        if context.numbers == [] and not context.named:
            return text
        cleaned = context.cache.get(text)
        if cleaned is None:
            cleaned = context.cache[text] = self._clean(text, context)
        clean, hits = cleaned
        if hits:
            context.record(hits, path)
        return clean

    def _clean(self, text: str, context: RedactionContext) -> tuple[str, list[tuple[str, str]]]:
        hits: list[tuple[str, str]] = []
        clean = text
        named, numbers = context.named, context.numbers
        if numbers is None:
            numbers = self.scanner.candidates(clean)
            if not numbers:  # no sign of a name either
                return text, hits
            named = named and numbers[-1] == self.scanner.home
        allowed: list[tuple[str, str]] = []
        findings = self.scanner.locate(clean, numbers, allowed)
        context.allowed.update(allowed)
        for _ in range(3):
            if not findings:
                break
            clean = replace(clean, findings, hits)
            # What a replacement brings to light goes too, so a second pass finds nothing.
            numbers = [n for n in self.scanner.candidates(clean) if n not in context.without]
            findings = self.scanner.locate(clean, numbers) if numbers else []
        if named and self.homes is not None:
            clean = self.homes.rewrite(clean)
        return clean, hits

    def tree(
        self, value: Any, path: str, context: RedactionContext, flags: int = 0, depth: int = 0
    ) -> Any:
        """The value rewritten; dicts and lists come back new, scalars as they are."""
        kind = type(value)
        if kind is str:
            return self._leaf(value, path, context, flags)
        if kind is dict:
            return self._dict(value, path, context, flags, depth)
        if kind is list:
            return self._list(value, path, context, flags, depth)
        if flags & IS_SECRET and kind is int and abs(value) > 999 and not flags & MAY_BE_SECRET:
            context.record([(FIELD_RULE, str(value))], path)
            return f"[REDACTED:{FIELD_RULE}]"
        return value

    def _dict(
        self, value: dict[str, Any], path: str, context: RedactionContext, flags: int, depth: int
    ) -> Any:
        if depth >= DEPTH:
            return self._too_deep(value, path, context)
        if flags & IS_SECRET and not value.keys().isdisjoint(("type", "$ref", "description")):
            flags &= ~IS_SECRET  # a schema that describes the field
        out: dict[str, Any] = {}
        known = self.fields.known
        for key, item in value.items():
            own = known.get(key)
            if own is None:
                own = self.fields.learn(key)
            if (
                own & IS_VALUE
                and field_names.sensitivity(sibling_name(value)) == field_names.STRONG
            ):
                own |= IS_SECRET
            if own & IS_SECRET and type(item) is int and "oken" in key:
                own |= MAY_BE_SECRET  # a count of tokens, not a number that opens something
            if key in context.content_names and depth == 0:
                own = (own | IS_CONTENT) & ~IS_KEPT
            name = key
            if own & IS_DIRTY:
                of_keys, where = context.for_keys(), f"{path}.*" if path else "*"
                at = path_before(key)
                name = self.text(key[:at] + self.text(key[at:], where, of_keys), where, of_keys)
                while name in out:
                    name += "_"
            below = f"{path}.{name}" if path else name
            if own & NAMES_NUMBER:
                item = self._number(key, item, below, context)
            inherited = flags & (IS_CONTENT | IS_SECRET)
            if inherited & IS_CONTENT:
                own &= ~IS_KEPT
            out[name] = self.tree(item, below, context, own | inherited, depth + 1)
        return out

    def _list(
        self, value: list[Any], path: str, context: RedactionContext, flags: int, depth: int
    ) -> Any:
        if depth >= DEPTH:
            return self._too_deep(value, path, context)
        out: list[Any] = []
        if context.numbers != [] and len(value) > 1 and type(value[0]) is str:
            value = self._spread(value, path, context)
        option = PLAIN
        for number, item in enumerate(value):
            own = flags | option
            option = PLAIN
            if type(item) is str and item[:1] == "-":
                weight = (
                    field_names.sensitivity(item.lstrip("-"))
                    if "=" not in item
                    else field_names.NONE
                )
                option = IS_SECRET if weight == field_names.STRONG else PLAIN
            out.append(self.tree(item, f"{path}[{number}]", context, own, depth + 1))
        return out

    def _spread(self, value: list[Any], path: str, context: RedactionContext) -> list[Any]:
        """Secrets that only the whole argument list shows: `-u`, then `name:password`."""
        line = joined(value)
        findings = self.scanner.scan(line) if line else []
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
                context.record(hits, f"{path}[{number}]")
            at = end + 1
        return out

    def _leaf(self, value: str, path: str, context: RedactionContext, flags: int) -> str:
        if flags & (IS_SECRET | MAY_BE_SECRET):
            fresh = self._secret(value, path, context, flags)
            if fresh is not None:
                return fresh
        if not context.judge:
            return self.text(value, path, context)
        if flags & IS_CONTENT or (not flags & IS_KEPT and (len(value) > SHORT or "\n" in value)):
            if not value or is_marker(value):
                return value
            clean = self.text(value, path, context)
            if not context.hash:
                return clean
            context.paths.append(path)
            return marker(value, self.digest_key)
        return self.text(value, path, context)

    def _secret(self, value: str, path: str, context: RedactionContext, flags: int) -> str | None:
        """The value of a field whose name says secret, without it; None if it is not a secret."""
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
        if self.scanner.allow and self.scanner.allow.holds(rule, value[start:]):
            context.allowed.add((rule, value[start:]))
            return None
        context.record([(rule, value[start:])], path)
        return f"{value[:start]}[REDACTED:{rule}]"

    def _number(self, key: str, item: Any, path: str, context: RedactionContext) -> Any:
        """A leaf without the number that its field's name makes a person's, or a code."""
        pair = named_number(key, item) if context.numbers != [] else ""
        if not pair:
            return item
        start = len(key) + 2
        numbers = [n for n in self.scanner.candidates(pair) if n not in context.without]
        findings = self.scanner.locate(pair, numbers) if numbers else []
        inside = [(low - start, high - start, rule) for low, high, rule in findings if low >= start]
        if not inside:
            return item
        hits: list[tuple[str, str]] = []
        clean = replace(pair[start:], inside, hits)
        context.record(hits, path)
        return clean

    def _too_deep(self, value: Any, path: str, context: RedactionContext) -> str:
        context.paths.append(path)
        try:
            return marker(value, self.digest_key)
        except RecursionError:
            return marker("", self.digest_key)
