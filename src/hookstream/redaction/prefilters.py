"""Prefilters: looser patterns that an engine asks for, which match wherever a rule's does."""

from __future__ import annotations

import re

from hookstream.redaction.escapes import joinable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.rules import Rule


_BOUNDS = re.compile(r"\{([0-9]+),([0-9]+)\}")


def prefilter(rule: Rule) -> str:
    """The pattern that an engine asks for: it matches wherever the rule's does."""
    return rule.prefilter or relaxed(joinable(rule))


def relaxed(pattern: str, widest: int = 64) -> str:
    """The pattern with wider bounds left open: it matches wherever the pattern does, and costs an
    automaton less. RE2 refuses bounds beyond 1000."""
    return _BOUNDS.sub(
        lambda bound: f"{{{bound[1]},}}" if int(bound[2]) - int(bound[1]) > widest else bound[0],
        pattern,
    )


def prefix_groups(rules: tuple[Rule, ...]) -> list[list[int]]:
    """The numbers of the rules, those that begin alike together; those of them that have a separate
    prefilter match often, and are another group."""
    by_beginning: dict[tuple[str, bool], list[int]] = {}
    for number, rule in enumerate(rules):
        alike = (rule.shared, bool(rule.prefilter)) if rule.shared else (str(number), False)
        by_beginning.setdefault(alike, []).append(number)
    return list(by_beginning.values())


def shared_prefilter(rules: list[Rule]) -> str:
    """One pattern that matches wherever one of a family does, looser than any of them."""
    head = rules[0].shared
    if rules[0].prefilter:
        words = head[: head.rindex(")") + 1]
        return f"{words}(?:{'|'.join(rule.prefilter[len(words) :] for rule in rules)})"
    tails = "|".join(rule.pattern[len(head) :] for rule in rules)
    return relaxed(f"{head}(?:{tails})", 3)
