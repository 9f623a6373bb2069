"""Digests, markers and pseudonyms: what replaces a value in the stream.

A plain digest of a short prompt can be guessed by hashing guesses; with a key it cannot.
"""

from __future__ import annotations

import re
from hashlib import sha256

from hookstream.core.jsons import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARKER = re.compile(r"\[hookstream:(?:hmac-)?sha256=[0-9a-f]{64};chars=[0-9]{1,12}\]")
PSEUDONYM = re.compile(r"[a-z]{1,16}-[0-9a-f]{16}")


def as_bytes(value: Any) -> bytes:
    """The bytes a digest is taken over: a text's UTF-8, anything else its canonical JSON."""
    if type(value) is str:
        try:
            return value.encode()
        except UnicodeEncodeError:  # a lone surrogate, which JSON can spell
            return value.encode("utf-8", "surrogatepass")
    return canonical(value)


def _keyed(key: bytes, data: bytes) -> str:
    from hmac import digest as mac

    return mac(key, data, "sha256").hex()


def digest_of(data: bytes, key: bytes | None = None) -> str:
    """`sha256:<hex>` of bytes, `hmac-sha256:<hex>` under a key."""
    if key is None:
        return "sha256:" + sha256(data).hexdigest()
    return "hmac-sha256:" + _keyed(key, data)


def length_of(value: Any, data: bytes) -> int:
    """Characters of a text, or of the canonical JSON text `data` of another value."""
    if type(value) is str:
        return len(value)
    return len(data) if data.isascii() else len(data.decode("utf-8", "replace"))


def digest(value: Any, key: bytes | None = None) -> str:
    """The digest of a text's UTF-8 or of a JSON value's canonical text."""
    return digest_of(as_bytes(value), key)


def length(value: Any) -> int:
    """Characters of a text, or of a value's canonical JSON text."""
    return len(value) if type(value) is str else length_of(value, as_bytes(value))


def marker(value: Any, key: bytes | None = None) -> str:
    """The replacement of a content value inside a tool's arguments: its digest and its length."""
    data = as_bytes(value)
    if key is None:
        return f"[hookstream:sha256={sha256(data).hexdigest()};chars={length_of(value, data)}]"
    return f"[hookstream:hmac-sha256={_keyed(key, data)};chars={length_of(value, data)}]"


def is_marker(value: Any) -> bool:
    return (
        type(value) is str
        and value.startswith("[hookstream:")
        and MARKER.fullmatch(value) is not None
    )


def pseudonym(kind: str, value: str, key: bytes) -> str:
    """`<kind>-<16 hex>`, stable under the key; a pseudonym of that kind is returned unchanged."""
    if value.startswith(kind + "-") and PSEUDONYM.fullmatch(value):
        return value
    data = as_bytes(kind + "\0" + value)
    return f"{kind}-{_keyed(key, data)[:16]}"


def fingerprint(secret: str, key: bytes) -> str:
    """32 hex that distinguish secrets without revealing them: for planning a rotation."""
    return _keyed(key, b"secret\0" + as_bytes(secret))[:32]
