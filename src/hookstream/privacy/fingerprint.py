"""The fingerprint of an attempt: action name and canonical input, the volatile parts masked.

It is taken over what hash mode would show, so it is the same in every mode (design section 7).
"""

from __future__ import annotations

import re
from hashlib import sha256

from hookstream.jsons import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Words about an action, not of it.
COSMETIC = frozenset(
    "description explanation justification title timeout timeout_ms timeoutms timeout_seconds "
    "timeoutseconds timeout_s yield_time_ms max_output_tokens tooldescription reason".split()
)
_HEX = bytes.maketrans(b"0123456789abcdefABCDEF", b"h" * 22)
_SPACE = re.compile(rb"(?:\\[ntr]|[ ])+")
_EDGE = re.compile(rb'(?<=") | (?=")')
_VOLATILE = re.compile(
    rb"(?P<temp>(?:/private)?/(?:tmp|var/tmp|var/folders|dev/shm)/[^\s\"'\\;|&:,)]+"
    rb"|[A-Za-z]:(?:\\\\|/)[^\s\"']{0,160}?(?:\\\\|/)Temp(?:\\\\|/)[^\s\"';|&,)]+)"
    rb"|(?P<uuid>\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b)"
    rb"|(?P<time>\b[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?"
    rb"(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?\b|\b1[0-9]{9}(?:[0-9]{3}|[0-9]{6}|[0-9]{9})?\b)"
    rb"|(?P<hex>\b[0-9a-f]{16,}\b(?!;chars=))"
)
_HOME = re.compile(rb"(/home/|/Users/|\\\\Users\\\\)[^/\s\"'\\:;,<>|&(){}]+")


def _mask(match: re.Match[bytes]) -> bytes:
    if match.start() and match.string[max(0, match.start() - 7) : match.start()] == b"sha256=":
        return match[0]
    return b"<%s>" % (match.lastgroup or "id").encode()


def fingerprint(action: str, view: dict[str, Any]) -> str:
    """32 hex over an action and its input as hash mode shows it."""
    for key in view:
        if key.lower() in COSMETIC:
            view = {k: v for k, v in view.items() if k.lower() not in COSMETIC}
            break
    text = canonical(view)
    if b"  " in text or b"\\" in text or b' "' in text or b'" ' in text:
        text = _EDGE.sub(b"", _SPACE.sub(b" ", text))
    shape = text.translate(_HEX)
    if (
        b"hhhhhhhh" in shape
        or b"hhhh-hh-hh" in shape
        or b"tmp/" in text
        or b"/shm/" in text
        or (b"/folders/" in text or b"Temp" in text)
    ):
        text = _VOLATILE.sub(_mask, text)
    if b"/home/" in text or b"Users" in text:
        text = _HOME.sub(rb"\1~", text)
    return sha256(action.encode("utf-8", "surrogatepass") + b"\0" + text).hexdigest()[:32]
