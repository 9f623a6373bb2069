"""Keys that evolve: an epoch's key is derived from a seed that is overwritten at its end.

sk = Ed25519(SHA-256("hookstream seal sign v1" 00 seed)), next seed =
SHA-256("hookstream seal next v1" 00 seed). A reader of today's seed can sign from now on, and
nothing of what closed epochs hold. Overwriting does not reach snapshots, swap or flash copies.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import TYPE_CHECKING

from hookstream.core.files import make_private, write_atomic
from hookstream.seal import SealError

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORMAT = "hookstream/seal-key/1"


class EvolvingKey:
    """The seed of the current epoch, in a 0600 file of the state folder."""

    def __init__(self, path: Path, epoch: int, seed: bytes) -> None:
        self.path = path
        self.epoch = epoch
        self._seed = seed
        self._private: Ed25519PrivateKey | None = None
        self._public: bytes | None = None

    @classmethod
    def create(cls, path: Path) -> EvolvingKey:
        """Create a new seed. SealError if it cannot be kept."""
        key = cls(path, 0, os.urandom(32))
        try:
            make_private(path.parent)
        except OSError as error:
            raise SealError(f"{path.parent}: {error.strerror or error}") from None
        key.save()
        return key

    @classmethod
    def load(cls, path: Path) -> EvolvingKey | None:
        """The seed as stored; None if the file does not exist. SealError if it is not a seed."""
        try:
            document = json.loads(path.read_bytes())
            seed = bytes.fromhex(document["seed"])
            if document["format"] != FORMAT or len(seed) != 32:
                raise ValueError("another format")
            return cls(path, int(document["epoch"]), seed)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SealError(f"{path}: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError):
            raise SealError(f"{path}: not a seal key") from None

    def save(self) -> None:
        fields = {"format": FORMAT, "epoch": self.epoch, "seed": self._seed.hex()}
        try:
            write_atomic(self.path, json.dumps(fields).encode("ascii"))
        except OSError as error:
            raise SealError(f"{self.path}: {error.strerror or error}") from None

    def private(self) -> Ed25519PrivateKey:
        if self._private is None:
            self._private = _private(self._seed)
        return self._private

    def public(self) -> bytes:
        if self._public is None:
            self._public = self.private().public_key().public_bytes_raw()
        return self._public

    def next_public(self) -> bytes:
        return public_of(next_seed(self._seed))

    def evolve(self) -> None:
        """Replace the seed with the next epoch's."""
        self._seed = next_seed(self._seed)
        self._private = self._public = None
        self.epoch += 1
        self.save()


def next_seed(seed: bytes) -> bytes:
    return sha256(b"hookstream seal next v1\0" + seed).digest()


def _private(seed: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    made = sha256(b"hookstream seal sign v1\0" + seed).digest()
    return Ed25519PrivateKey.from_private_bytes(made)


def public_of(seed: bytes) -> bytes:
    return _private(seed).public_key().public_bytes_raw()
