"""Allow-lists: what looks like a secret and is not one here, by rule, by value, or by both.

# one per line; the digest comes from `hookstream digest`, so that the list holds no value phone
sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae email/hmac-sha256:1f3a...
"""

from __future__ import annotations

import os
import re

from hookstream.core.errors import HookstreamError
from hookstream.redaction.digest import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_ENTRY = re.compile(r"(?:[a-z][a-z0-9-]{0,63}/)?(?:hmac-)?sha256:[0-9a-f]{64}|[a-z][a-z0-9-]{0,63}")
MAX_BYTES = 1 << 20


class AllowList:
    """holds(rule, value): whether that finding stays. Values are known by their digests alone."""

    def __init__(self, entries: Iterable[str] = (), digest_key: bytes | None = None) -> None:
        digests = frozenset(entries)
        self.rules = frozenset(entry for entry in digests if "sha256:" not in entry)
        self.values = digests - self.rules
        self.plain = any("hmac-" not in entry for entry in self.values)
        self.keyed = any("hmac-" in entry for entry in self.values)
        self.digest_key = digest_key

    def __bool__(self) -> bool:
        return bool(self.rules or self.values)

    def holds(self, rule: str, value: str) -> bool:
        if rule in self.rules:
            return True
        marks = [digest(value)] if self.plain else []
        if self.keyed and self.digest_key is not None:
            marks.append(digest(value, self.digest_key))
        return any(mark in self.values or f"{rule}/{mark}" in self.values for mark in marks)


def read_allow_list(path: str | os.PathLike[str], rules: Iterable[str]) -> tuple[str, ...]:
    """The entries of a plain file: the writer of a pipe is not waited for. HookstreamError names
    the line, never its content."""
    rule_ids = frozenset(rules)
    try:
        if os.stat(path).st_mode & 0o170000 != 0o100000:  # noqa: PTH116 (as below)
            raise HookstreamError(f"allow-list {path}: not a plain file")
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 (reached by the hook program)
            text = file.read(MAX_BYTES)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not text"
        raise HookstreamError(f"allow-list {path}: {reason}") from None
    entries: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        entry = line.partition("#")[0].strip()
        if not entry:
            continue
        rule = "" if entry.startswith(("sha256:", "hmac-")) else entry.partition("/")[0]
        if _ENTRY.fullmatch(entry) is None or (rule and rule not in rule_ids):
            raise HookstreamError(f"allow-list {path}:{number}: neither a rule nor a digest")
        entries.append(entry)
    return tuple(entries)
