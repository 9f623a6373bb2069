"""Sealed streams: proof that no record was changed, removed, reordered or inserted since.

Every sealed file or lake has a Merkle log (RFC 6962 hashing) next to it, in `.seal/NAME/`. Its
head is signed as a C2SP checkpoint by keys that evolve, so that today's key cannot rewrite
yesterday. Sealing happens where the stream is written, never in a hook. docs/seal.md says what a
seal shows and what it does not.
"""

from __future__ import annotations


class SealError(Exception):
    """A seal cannot be written or read; the text is one line a user can act on."""
