"""Names that follow from what is named: the same thing always gets the same UUID."""

from __future__ import annotations

from hashlib import sha256


def uuid_of(text: str) -> str:
    """A UUID (version 8, RFC 9562) from the SHA-256 of the text."""
    h = sha256(text.encode("utf-8", "replace")).hexdigest()
    return f"{h[:8]}-{h[8:12]}-8{h[13:16]}-{'89ab'[int(h[16], 16) & 3]}{h[17:20]}-{h[20:32]}"
