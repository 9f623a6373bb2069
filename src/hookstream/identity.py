"""Deterministic UUIDs (version 8): the same name always gives the same id."""

from __future__ import annotations

from hashlib import sha256

# The first hexadecimal digit of the fourth group says the variant in its upper two bits.
VARIANT = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}


def uuid_of(text: str) -> str:
    """A UUID (version 8, RFC 9562) from the SHA-256 of the text."""
    h = sha256(text.encode("utf-8", "replace")).hexdigest()
    return f"{h[:8]}-{h[8:12]}-8{h[13:16]}-{VARIANT[h[16]]}{h[17:20]}-{h[20:32]}"
