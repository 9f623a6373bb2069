"""Encryption of the saved state: it holds inputs of open calls as they came, so it is not written
in clear. AES-256-GCM under a key derived from the pseudonym key (0600); nothing is unpickled that
the key does not vouch for.
"""

from __future__ import annotations

import os
from typing import Any

NONCE = 12
INFO = b"hookstream delivery state v2"


class DecryptionError(ValueError):
    """The bytes are not what this key encrypted."""


def _cipher(key: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return AESGCM(HKDF(SHA256(), 32, None, INFO).derive(key))


def encrypt(data: bytes, key: bytes, about: bytes = b"") -> bytes:
    """Encrypt to nonce, ciphertext and tag. `about` is authenticated with them, not included."""
    nonce = os.urandom(NONCE)
    hidden: bytes = _cipher(key).encrypt(nonce, data, INFO + about)
    return nonce + hidden


def decrypt(data: bytes, key: bytes, about: bytes = b"") -> bytes:
    """Return the decrypted data. Raises DecryptionError."""
    from cryptography.exceptions import InvalidTag

    try:
        made: bytes = _cipher(key).decrypt(data[:NONCE], data[NONCE:], INFO + about)
    except (InvalidTag, ValueError):
        raise DecryptionError("encrypted with another key, or changed since") from None
    return made
