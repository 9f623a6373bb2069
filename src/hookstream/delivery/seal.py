"""Sealing: the saved state holds inputs of open calls as they came, so it is not written in clear.

A keystream of SHAKE-256 over key and nonce hides the bytes, HMAC-SHA256 shows that nobody changed
them. The key is the pseudonym key (0600); nothing is unpickled that it does not vouch for.
"""

from __future__ import annotations

import hmac
import os
from hashlib import sha256, shake_256

NONCE = 16
TAG = 32


class Broken(ValueError):
    """The bytes are not what this key sealed."""


def _keys(key: bytes) -> tuple[bytes, bytes]:
    return sha256(b"hookstream state stream\0" + key).digest(), sha256(
        b"hookstream state tag\0" + key
    ).digest()


def _mix(data: bytes, key: bytes, nonce: bytes) -> bytes:
    stream = shake_256(key + nonce).digest(len(data))
    mixed = int.from_bytes(data, "big") ^ int.from_bytes(stream, "big")
    return mixed.to_bytes(len(data), "big")


def seal(data: bytes, key: bytes) -> bytes:
    """Nonce, tag, hidden bytes."""
    stream_key, tag_key = _keys(key)
    nonce = os.urandom(NONCE)
    hidden = _mix(data, stream_key, nonce)
    return nonce + hmac.digest(tag_key, nonce + hidden, "sha256") + hidden


def unseal(data: bytes, key: bytes) -> bytes:
    """What was sealed. Raises Broken."""
    stream_key, tag_key = _keys(key)
    nonce, tag, hidden = data[:NONCE], data[NONCE : NONCE + TAG], data[NONCE + TAG :]
    if not hmac.compare_digest(tag, hmac.digest(tag_key, nonce + hidden, "sha256")):
        raise Broken("sealed with another key, or changed since")
    return _mix(hidden, stream_key, nonce)
