"""The fingerprint of an attempt: action name and canonical input, the volatile parts masked.

It is taken over what hash mode would show, so it is the same in every mode.
"""

from __future__ import annotations

import re
from hashlib import sha256

from hookstream.core.jsons import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Words about an action, not of it.
COSMETIC = frozenset(
    "description Description explanation justification title timeout timeout_ms timeoutMs "
    "timeout_seconds "
    "timeoutSeconds timeout_s yield_time_ms max_output_tokens toolDescription reason".split()
)
_HEX = bytes.maketrans(b"0123456789abcdefABCDEF", b"0" * 22)
_DIGEST = "=" + "0" * 64 + ";"
_SPACE = re.compile(r"(?:\\[ntr]|[ ])+")
_EDGE = re.compile(r'(?<=") | (?=")')
_VOLATILE = re.compile(
    r"(?P<temp>(?:/private)?/(?:tmp|var/tmp|var/folders|dev/shm)/[^\s\"'\\;|&:,)]+"
    r"|[A-Za-z]:(?:\\\\|/)[^\s\"']{0,160}?(?:\\\\|/)[Tt]emp(?:\\\\|/)[^\s\"';|&,)]+)"
    r"|(?P<uuid>\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b)"
    r"|(?P<time>\b[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?"
    r"(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?\b|\b1[0-9]{9}(?:[0-9]{3}|[0-9]{6}|[0-9]{9})?\b)"
    r"|(?P<hex>\b[0-9a-f]{16,}\b)",
    re.ASCII,
)
_HOMES = ("/home/", "/Users/", "\\Users\\\\")  # as JSON text spells them
_NAME = re.compile(r"[^/\s\"'\\:;,<>|&(){}]*")


def _mask(match: re.Match[str]) -> str:
    at = match.start()
    if match.string[max(0, at - 7) : at] == "sha256=":  # a marker: its content is the attempt
        return match[0]
    return f"<{match.lastgroup}>"


def fingerprint(action: str, view: dict[str, Any]) -> str:
    """32 hex over an action and its input as hash mode shows it."""
    if not view.keys().isdisjoint(COSMETIC):
        view = {key: value for key, value in view.items() if key not in COSMETIC}
    data = canonical(view)
    text = data.decode("utf-8", "replace")
    if "  " in text or "\\" in text or ' "' in text or '" ' in text:
        text = _EDGE.sub("", _SPACE.sub(" ", text))
    if "/home/" in text or "Users" in text:  # first: a pseudonym's end looks like a hash
        text = _without_names(text)
    shape = data.translate(_HEX).decode("latin-1")
    if (
        "00000000" in shape.replace(_DIGEST, "=")
        or "0000-00-00" in shape
        or _may_be_temporary(text)
    ):
        text = _VOLATILE.sub(_mask, text)
    return sha256(f"{action}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _without_names(text: str) -> str:
    """The owner of a home folder does not make another attempt (and differs from mode to mode)."""
    cut = _NAME.sub
    for home in _HOMES:
        first, *rest = text.split(home)
        if rest:
            text = f"{home}~".join([first, *(cut("", part, 1) for part in rest)])
    return text


def _may_be_temporary(text: str) -> bool:
    return (
        "tmp/" in text
        or "/folders/" in text
        or "/shm/" in text
        or "emp\\" in text
        or ("emp/" in text)
    )
