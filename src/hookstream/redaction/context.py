"""Findings of the rewriting of one event, and their replacement."""

from __future__ import annotations


class RedactionContext:
    """Findings of one event's (or text's) rewriting: values by rule, and the paths it changed."""

    __slots__ = (
        "allowed",
        "cache",
        "content_names",
        "found",
        "hash",
        "judge",
        "named",
        "numbers",
        "paths",
        "without",
    )

    def __init__(
        self,
        numbers: list[int] | None,
        named: bool,
        hash: bool,
        content_names: frozenset[str] = frozenset(),
        judge: bool = True,
    ) -> None:
        self.numbers = numbers  # the rules that found something; None if that is not known
        self.named = named
        self.hash = hash  # content leaves become markers
        self.content_names = content_names
        self.judge = judge  # leaves are divided into content and arguments
        self.found: dict[tuple[str, str], str] = {}
        self.allowed: set[tuple[str, str]] = set()
        self.paths: list[str] = []
        self.without: frozenset[int] = frozenset()  # rules that are not asked
        self.cache: dict[str, tuple[str, list[tuple[str, str]]]] = {}

    def record(self, hits: list[tuple[str, str]], path: str) -> None:
        """Note what was found at a path, and that the path changed."""
        for hit in hits:
            self.found.setdefault(hit, path)
        self.paths.append(path)

    def _sharing(
        self, numbers: list[int] | None, named: bool, hash: bool, judge: bool
    ) -> RedactionContext:
        """Another one whose findings are this one's too."""
        context = RedactionContext(numbers, named, hash, judge=judge)
        context.found, context.paths, context.allowed = self.found, self.paths, self.allowed
        return context

    def for_content(self) -> RedactionContext:
        """The same for a content fact: what is found counts, the paths are its own."""
        context = self._sharing(self.numbers, self.named, hash=False, judge=False)
        context.cache, context.paths = self.cache, []
        return context

    def for_keys(self) -> RedactionContext:
        """The same for names of fields: every rule is asked."""
        if self.numbers is None:
            return self
        return self._sharing(None, named=True, hash=self.hash, judge=False)

    def with_content(self, names: frozenset[str]) -> RedactionContext:
        """The same for a tree in which these names are content."""
        context = self._sharing(self.numbers, self.named, self.hash, self.judge)
        context.content_names, context.cache = names, self.cache
        return context

    def for_identity(self, personal: frozenset[int]) -> RedactionContext:
        """The same for identities: secrets are removed, personal data stays."""
        numbers = [n for n in self.numbers or () if n not in personal]
        context = self._sharing(numbers, named=False, hash=self.hash, judge=True)
        context.without = personal
        return context

    def for_view(self) -> RedactionContext:
        """The same as hash mode would have it, with people's names; nothing of it is recorded."""
        context = RedactionContext(self.numbers, False, True, self.content_names)
        if not self.named:
            context.cache = self.cache
        return context


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
