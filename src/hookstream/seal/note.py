"""C2SP signed notes and checkpoints (tlog-checkpoint), signed with Ed25519.

A note is text, an empty line and signature lines; a checkpoint's text is origin, tree size and
root. What is read must have exactly the form that would be written: decoders ignore stray
characters, and a byte that is not checked is a byte that can be changed.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from hookstream.seal import SealError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ED25519 = b"\x01"
DASH = "\u2014"


class Verifier(NamedTuple):
    """A public key under the name that signs with it."""

    name: str
    public: bytes

    @property
    def key_id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + ED25519 + self.public).digest()[:4]

    def __str__(self) -> str:
        key = b64encode(ED25519 + self.public).decode("ascii")
        return f"{self.name}+{self.key_id.hex()}+{key}"

    @classmethod
    def parse(cls, text: str) -> Verifier:
        """A verifier key, `name+id+base64`. SealError if it is not one."""
        name, _, rest = text.strip().partition("+")
        mark, _, key = rest.partition("+")
        try:
            data = b64decode(key, validate=True)
        except (BadBase64, ValueError):
            data = b""
        verifier = cls(name, data[1:])
        if data[:1] != ED25519 or len(data) != 33 or not name or mark != verifier.key_id.hex():
            raise SealError("not a verifier key (name+id+base64)")
        return verifier


class Checkpoint(NamedTuple):
    """A signed head: how many leaves under which root; `note` is the full text."""

    origin: str
    size: int
    root: bytes
    note: str


def checkpoint_text(origin: str, size: int, root: bytes) -> str:
    return f"{origin}\n{size}\n{b64encode(root).decode('ascii')}\n"


def sign(text: str, verifier: Verifier, private: Ed25519PrivateKey) -> str:
    """The note of a text that ends in a newline."""
    made = b64encode(verifier.key_id + private.sign(text.encode("utf-8"))).decode("ascii")
    return f"{text}\n{DASH} {verifier.name} {made}\n"


def read_checkpoint(note: str) -> Checkpoint:
    """A checkpoint by its form alone; its signature is not checked. SealError."""
    text, _, signatures = note.rpartition("\n\n")
    lines = f"{text}\n".split("\n")
    if not signatures or len(lines) != 4 or not lines[1].isdecimal():
        raise SealError("not a checkpoint")
    try:
        root = b64decode(lines[2], validate=True)
        checkpoint = Checkpoint(lines[0], int(lines[1]), root, note)
    except (BadBase64, ValueError):
        raise SealError("not a checkpoint") from None
    if len(root) != 32 or checkpoint_text(checkpoint.origin, checkpoint.size, root) != f"{text}\n":
        raise SealError("not a checkpoint in its exact form")
    return checkpoint


def verify(note: str, verifier: Verifier) -> Checkpoint:
    """Return the checkpoint, signed by this key. Other keys' signatures are ignored. SealError."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    checkpoint = read_checkpoint(note)
    text, _, signatures = note.rpartition("\n\n")
    if not signatures.endswith("\n"):
        raise SealError("the note is cut off")
    key = Ed25519PublicKey.from_public_bytes(verifier.public)
    signed = False
    for line in signatures[:-1].split("\n"):
        data = _signature(line, verifier)
        if data is None:
            continue
        try:
            key.verify(data, f"{text}\n".encode())
        except InvalidSignature:
            raise SealError("a signature that does not hold") from None
        signed = True
    if not signed:
        raise SealError("not signed by the key of its epoch")
    return checkpoint


def _signature(line: str, verifier: Verifier) -> bytes | None:
    """The 64 bytes of a line by this key; None by another. SealError if it is not a signature."""
    dash, _, rest = line.partition(" ")
    name, _, text = rest.partition(" ")
    try:
        data = b64decode(text, validate=True)
    except (BadBase64, ValueError):
        data = b""
    if dash != DASH or not name or len(data) < 5 or b64encode(data).decode("ascii") != text:
        raise SealError("not a signature line")
    if name != verifier.name or data[:4] != verifier.key_id:
        return None
    return data[4:]
