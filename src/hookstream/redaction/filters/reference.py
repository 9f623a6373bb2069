"""Expressions that yield a secret and do not hold it: calls, chains of names."""

from __future__ import annotations

import re

from hookstream.redaction import field_names

_BUILT = re.compile(
    r"(?:[a-zA-Z_$][\w$]*(?:\.|::|->))+[a-zA-Z_]\w*\(.*|[A-Z][A-Za-z]{1,24}\(\)?\..*|[a-z]\.[a-z]\w{2,16}\(.*"
)
_CHAIN = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.|!\.)[A-Za-z_$#][\w$]*)+(?:!|\?\?|\?:|!!)?[;,)]?"
)
_PARTS = re.compile(r"->|::|[.?!;,):]+")
_SOURCES = ("env", "environ", "environment", "config", "settings", "secrets", "process")
_SOURCE_WORDS = frozenset(_SOURCES)
_NAMED = re.compile(r"[A-Z]{2,}(?:_[A-Z0-9]+)+|[a-z]+(?:[A-Z][a-z]+)+")


def is_reference(value: str, last: str) -> bool:
    """Return whether the value is a call or a chain of names, and not quoted: `last` precedes
    it.
    """
    if last in ("'", '"', "`"):
        return False
    if _BUILT.fullmatch(value) is not None:
        return True
    return _CHAIN.fullmatch(value) is not None and _is_chain(value)


def _is_chain(value: str) -> bool:
    """`Bun.env.TOKEN!`, `session.accessToken!`: one part names its source or kind."""
    parts = [part for part in _PARTS.split(value) if part]
    if parts[0].lower().endswith(_SOURCES):
        return True
    if not _SOURCE_WORDS.isdisjoint(part.lower() for part in parts):
        return True
    return (
        _NAMED.fullmatch(parts[-1]) is not None
        and field_names.sensitivity(parts[-1]) == field_names.STRONG
    )
