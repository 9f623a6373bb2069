"""Finds secrets in a text: one pass of an engine says which rules match, `re` says where.

The engine (Hyperscan, else RE2, else keywords) only answers which rules can match at all. For
those few, the places come from one shared procedure, so that every engine gives the same answer.
"""

from __future__ import annotations

import re
from functools import cache

from hookstream.core.personal import DEFAULT, PERSONAL, rules_of
from hookstream.redaction.allow import AllowList
from hookstream.redaction.decode import DECODERS
from hookstream.redaction.digest import PSEUDONYM
from hookstream.redaction.engines import choose
from hookstream.redaction.escapes import blanked, located, may_have_escapes
from hookstream.redaction.extract import extractor as extractor_of
from hookstream.redaction.filters.embedded import FEW, MANY, is_embedded, is_name
from hookstream.redaction.filters.false_positive import is_false_positive, is_words
from hookstream.redaction.filters.placeholder import is_mask
from hookstream.redaction.homes import WORDS, sign
from hookstream.redaction.joined import joined
from hookstream.redaction.overlaps import narrowed, united
from hookstream.redaction.quotes import end_of
from hookstream.redaction.rules import HIGH, LOW, Rule, rules
from hookstream.redaction.starts import starts_of
from hookstream.redaction.validators import CHECKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hookstream.redaction.engines import Engine
    from hookstream.redaction.overlaps import Region

    Spans = list[tuple[int, int]]
    Finding = tuple[int, int, str]
    Places = Callable[[str], Iterable[re.Match[str]]]
    Starts = Callable[[str, frozenset[str]], Iterable[int]]

# No rule crosses it: it holds a line end and a character that is in no class.
SEPARATOR = "\n\x1f\n"
# Extractors of values without a format, whatever their rule's confidence.
BY_NAME = frozenset(("argument", "assignment", "foreign_prose", "prose"))


def home(pattern: str) -> Rule:
    """No secret, but a sign for `homes` that rides along: it comes last and locates nothing."""
    return Rule("home-folder", pattern, ("/home/", "-home-", "users", *map(str.lower, WORDS)))


class Scanner:
    """scan(text) gives the secrets of a text as (start, end, rule id), in order, apart.

    `engine` is hyperscan, re2, python, auto (the first of these at hand) or one that goes by
    keywords and is made of the rules. `allow` names what is not secret here: rule ids, digests of
    values, or `<rule id>/<digest>` (see allow.py); digests that begin with `hmac-` are compared
    with `digest_key`. `personal` names the kinds of personal data that are looked for (see
    `hookstream.core.personal`).
    """

    def __init__(
        self,
        engine: str | Callable[[tuple[Rule, ...]], Engine] = "auto",
        allow: Iterable[str] = (),
        rule_set: tuple[Rule, ...] | None = None,
        digest_key: bytes | None = None,
        personal: Sequence[str] = DEFAULT,
    ) -> None:
        all_rules = rule_set if rule_set is not None else rules()
        by_keywords = engine == "python" or not isinstance(engine, str)
        self.rules = (*all_rules, home("" if by_keywords else sign()))
        self.allow = AllowList(allow, digest_key)
        self.off = self.numbers_of(PERSONAL - rules_of(personal))
        self.home = len(self.rules) - 1
        self.engine = choose(engine, self.rules) if isinstance(engine, str) else engine(self.rules)
        self._starts_in = getattr(self.engine, "starts_in", starts_of)
        self._decoders = frozenset(
            number for number, rule in enumerate(self.rules) if rule.extract in DECODERS
        )
        # Rules of numbers that only a name before them makes out.
        self._named = self.numbers_of(PERSONAL | {"one-time-code"})
        self._finders: list[Callable[[str], Spans] | None] = [None] * len(self.rules)
        self._formats: frozenset[str] | None = None

    def formats(self) -> frozenset[str]:
        """The ids of the rules that detect a secret by its shape, whatever surrounds it."""
        if self._formats is None:
            self._formats = frozenset(rule.id for rule in self.rules if rule.confidence == HIGH)
        return self._formats

    def names_number(self, name: str) -> bool:
        """Return whether a field's name says whose or what number its value is."""
        numbers = self.candidates(f"{name}: 123456")
        return not self._named.isdisjoint(numbers)

    def numbers_of(self, ids: frozenset[str]) -> frozenset[int]:
        """The numbers of the rules of these ids."""
        return frozenset(number for number, rule in enumerate(self.rules) if rule.id in ids)

    def candidates(self, text: str) -> list[int]:
        """Numbers of the rules that may match, in order; empty for nearly every text.

        `home` comes last: no rule, but a sign that the text holds home folders.
        """
        numbers = self.engine.candidates(text)
        if may_have_escapes(text):
            plain = blanked(text)
            if plain != text:
                more = self.engine.candidates(plain)
                if more and more != numbers:
                    numbers = sorted({*numbers, *more})
        whole = joined(text)
        if whole is not None:
            numbers = sorted({*numbers, *self.engine.candidates(whole.text)})
        if numbers and not self.off.isdisjoint(numbers):
            numbers = [number for number in numbers if number not in self.off]
        return numbers

    def scan(self, text: str) -> list[Finding]:
        """The secrets of a text, in order, none overlapping."""
        numbers = self.candidates(text)
        return self.locate(text, numbers) if numbers else []

    def confirm(self, text: str, numbers: Iterable[int]) -> list[int]:
        """Those of the given rules that find something in the text.

        Where texts are joined by SEPARATOR, a rule that is not among them finds nothing in any.
        """
        whole = joined(text)
        texts = (text,) if whole is None else (text, whole.text)
        return [
            number
            for number in numbers
            if number != self.home
            and any(map(self._finders[number] or self._finder(number), texts))
        ]

    def locate(
        self, text: str, numbers: Iterable[int], allowed: list[tuple[str, str]] | None = None
    ) -> list[Finding]:
        """The spans that the given rules match, overlaps united under the heaviest of them.

        `allowed` takes (rule, value) of what the allow-list lets stay.
        """
        regions = self._regions(text, numbers, allowed)
        whole = joined(text)
        if whole is not None:
            for start, end, rank, number in self._regions(whole.text, numbers, allowed):
                regions.append((*whole.span(start, end), rank, number))
        if not regions:
            return []
        if len(regions) > 1:
            regions = narrowed(text, regions, self.rules)
        regions.sort(key=lambda region: (region[0], -region[1], region[2], region[3]))
        return [(start, end, self.rules[number].id) for start, end, number in united(regions)]

    def _regions(
        self, text: str, numbers: Iterable[int], allowed: list[tuple[str, str]] | None
    ) -> list[Region]:
        """The finds of each of the given rules in a text as it is."""
        holds = self.allow.holds if self.allow else None
        regions: list[Region] = []
        for number in numbers:
            if number == self.home:
                continue
            finder = self._finders[number] or self._finder(number)
            rule = self.rules[number]
            for start, end in finder(text):
                if end <= start or text[max(0, start - 10) : start] == "[REDACTED:":
                    continue
                end = end_of(text, start, end)
                if PSEUDONYM.fullmatch(text, start, end) is not None:
                    continue
                if holds is not None and holds(rule.id, text[start:end]):
                    if allowed is not None:
                        allowed.append((rule.id, text[start:end]))
                    continue
                regions.append((start, end, self._rank(rule), number))
        return regions

    def _rank(self, rule: Rule) -> int:
        """Which rule names a region where several meet: the lowest; decoders are last."""
        if rule.confidence == HIGH:
            return 0
        return 2 if rule.extract in DECODERS else 1

    def decoded(self, text: str) -> list[Finding]:
        """The secrets of a decoded text; nothing is decoded twice."""
        numbers = [n for n in self.candidates(text) if n not in self._decoders]
        return self.locate(text, numbers) if numbers else []

    def _finder(self, number: int) -> Callable[[str], Spans]:
        finder = self._finders[number] = finder_of(
            self.rules[number], self.decoded, self._starts_in
        )
        return finder


def places_of(rule: Rule, starts_in: Starts = starts_of) -> Places:
    """The matches of a rule's pattern, from left to right, in attributes of elements, too."""
    starts = frozenset(rule.starts)

    @cache
    def pattern(has_escapes: bool) -> re.Pattern[str]:
        return re.compile(located(rule, has_escapes), re.ASCII)

    if not starts:
        return lambda text: pattern(may_have_escapes(text)).finditer(text)

    def places(text: str) -> Iterable[re.Match[str]]:
        match_at = pattern(may_have_escapes(text)).match
        done = 0
        for at in starts_in(text, starts):
            if at >= done:
                match = match_at(text, at)
                if match is not None:
                    is_element = match[0][-1:] == ">"  # its attributes have names, too
                    done = match.start(match.lastindex or 0) if is_element else match.end()
                    yield match

    return places


def finder_of(
    rule: Rule, decoded: Callable[[str], list[Finding]], starts_in: Starts = starts_of
) -> Callable[[str], Spans]:
    """The rule's own procedure: text -> spans of secrets."""
    find = places_of(rule, starts_in)
    if rule.extract in DECODERS:
        return _by_decoder(rule, find, decoded)
    return _by_extractor(rule, find) if rule.extract else _by_pattern(rule, find)


def _by_decoder(
    rule: Rule, find: Places, decoded: Callable[[str], list[Finding]]
) -> Callable[[str], Spans]:
    """Secrets in encoded text, of which the pattern knows a sign."""
    decode = DECODERS[rule.extract]

    def look_inside(text: str) -> Spans:
        spans: Spans = []
        done = 0  # a run is decoded once, however many hints it holds
        for hint in find(text):
            if hint.start() >= done:
                inside, done = decode(text, hint, decoded)
                spans += inside
        return spans

    return look_inside


def _by_extractor(rule: Rule, find: Places) -> Callable[[str], Spans]:
    """Values whose extent and sense an extractor finds; the pattern knows their place."""
    find_value = extractor_of(rule.extract)
    check = CHECKS[rule.check] if rule.check else None
    by_name = rule.confidence == LOW or rule.extract in BY_NAME

    def read(text: str) -> Spans:
        spans: Spans = []
        done = 0  # the inside of a value found is not looked at again
        for position in find(text):
            if position.start() >= done:
                values = find_value(text, position)
                if values and check is not None:
                    values = [span for span in values if check(text[slice(*span)])]
                if values and by_name:
                    values = [span for span in values if not is_false_positive(text, *span)]
                if values:
                    spans += values
                    done = values[-1][1]
        return spans

    return read


def _by_pattern(rule: Rule, find: Places) -> Callable[[str], Spans]:
    """The match or a group of it, if it passes the rule's check and is not a look-alike."""
    group = rule.group
    check = CHECKS[rule.check] if rule.check else None
    least = FEW if min(map(len, rule.keywords), default=0) < 4 else MANY

    def match(text: str) -> Spans:
        spans: Spans = []
        for candidate in find(text):
            value = candidate[group]
            if not value or is_mask(value) or (check is not None and not check(value)):
                continue
            span = candidate.span(group)
            if is_name(text, *span):
                continue
            if rule.confidence == LOW:
                if is_false_positive(text, *span):
                    continue
            elif is_words(value) or (not group and is_embedded(text, *span, least)):
                continue
            spans.append(span)
        return spans

    return match
