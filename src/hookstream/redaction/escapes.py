"""Words that begin right after an escape: `\\nghp_...`, `%20AKIA...`, a colour code before a token.

To a pattern that begins with a word's edge the `n` of `\\n` is part of the word. The engine sees
such a text a second time with the escapes blanked, and `re` knows the edge behind an escape.
"""

from __future__ import annotations

import re

_ESCAPE = re.compile(
    r"(?:\\(?:[nrtbfv]|u00[0-9a-fA-F]{2}|x[0-9a-fA-F]{2})|%[0-9a-fA-F]{2}|\x1b\[[0-9;]{0,8}m)(?=\w)",
    re.ASCII,
)
_BEHIND = (
    r"(?:\b|(?<=\\[nrtbfv])|(?<=\\u00[0-9a-fA-F]{2})|(?<=\\x[0-9a-fA-F]{2})|(?<=%[0-9a-fA-F]{2})"
    + "".join(rf"|(?<=\x1b\[[0-9;]{{{size}}}m)" for size in range(9))
    + ")"
)


def blanked(text: str) -> str:
    """The text with `%` for every character of an escape before a word; itself without one.

    `%` ends a word and stands in most classes of characters, so that nothing else changes.
    """
    if "\\" not in text and "%" not in text and "\x1b" not in text:
        return text
    return _ESCAPE.sub(lambda escape: "%" * len(escape[0]), text)


def located(pattern: str) -> str:
    """The pattern for `re`: a word's edge at its beginning may stand behind an escape."""
    for head in ("(?i)", "(?m)", ""):
        if pattern.startswith(head + r"\b"):
            return head + _BEHIND + pattern[len(head) + 2 :]
    return pattern
