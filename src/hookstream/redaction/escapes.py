"""Edges of words that a pattern's `\\b` does not see: after an escape (`\\nghp_...`, `%20AKIA...`,
a colour code), and where an underscore joins a token to a name (`KEY_ghp_...`).

To a pattern that begins with a word's edge the `n` of `\\n` is part of the word. The engine sees
such a text a second time with the escapes blanked, and `re` knows the edge after an escape.
"""

from __future__ import annotations

import re

from hookstream.redaction.rules.rule import HIGH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.rules import Rule

_ESCAPE = re.compile(
    r"(?:\\(?:[nrtbfv]|u00[0-9a-fA-F]{2}|x[0-9a-fA-F]{2})|%[0-9a-fA-F]{2}|\x1b\[[0-9;]{0,8}m)(?=\w)",
    re.ASCII,
)
_BEHIND = (
    r"(?:\b|(?<=\\[nrtbfv])|(?<=\\u00[0-9a-fA-F]{2})|(?<=\\x[0-9a-fA-F]{2})|(?<=%[0-9a-fA-F]{2})"
    + "".join(rf"|(?<=\x1b\[[0-9;]{{{size}}}m)" for size in range(9))
    + ")"
)


def may_have_escapes(text: str) -> bool:
    """Return whether a text has a character that begins an escape."""
    return "\\" in text or "%" in text or "\x1b" in text


def blanked(text: str) -> str:
    """The text with `%` for every character of an escape before a word; itself without one.

    `%` ends a word and is in most classes of characters, so that nothing else changes.
    """
    if not may_have_escapes(text):
        return text
    return _ESCAPE.sub(lambda escape: "%" * len(escape[0]), text)


def located(rule: Rule, has_escapes: bool = True) -> str:
    """The rule's pattern for `re`: a word's edge at its beginning may be after an escape, if the
    text may have one, and an underscore may join a token to a name."""
    pattern = rule.pattern
    edge = _BEHIND if has_escapes else r"(?:\b)"
    if is_joinable(rule):
        pattern = pattern[:-2] + r"(?:\b|(?=_))" if pattern.endswith(r"\b") else pattern
        return f"{edge[:-1]}|(?<=_)){pattern[2:]}"
    for head in ("(?i)", "(?m)", ""):
        if has_escapes and pattern.startswith(head + r"\b"):
            return head + edge + pattern[len(head) + 2 :]
    return pattern


def joinable(rule: Rule) -> str:
    """The rule's pattern for an engine that only says whether it matches somewhere."""
    pattern = rule.pattern
    if not is_joinable(rule):
        return pattern
    end = r"(?:\b|_)" if pattern.endswith(r"\b") else pattern[-2:]
    return rf"(?:\b|_){pattern[2:-2]}{end}"


def is_joinable(rule: Rule) -> bool:
    """Return whether the rule's token may be joined to a name, `KEY_<token>` or `<token>_old`: a
    format is rare enough to be known there. What goes by names and words takes the name for a part
    of them.
    """
    return rule.confidence == HIGH and not rule.extract and rule.pattern.startswith(r"\b")


_SURROGATE = re.compile("[\ud800-\udfff]")


def as_utf8(text: str) -> bytes:
    """The text's bytes; a lone surrogate, which JSON can spell, is one character outside ASCII."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()
