"""The operator's key: it alone signs that records were removed from a sealed stream.

A key that the machine does not hold: an attacker on the machine can seal what comes, and
cannot say that retention removed what was there. Ed25519, in PEM as `openssl genpkey` writes it.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.seal import SealError
from hookstream.seal.journal import canonical
from hookstream.seal.note import Verifier

if TYPE_CHECKING:
    from hookstream.seal.journal import Statement
    from hookstream.sinks.formats.signature import Signer

NAME = "operator"
CONTEXT = b"hookstream retention v1\0"


class Operator:
    """A private key that signs `pruned` statements. SealError if the file holds none."""

    def __init__(self, signer: Signer) -> None:
        self._signer = signer
        self.verifier = Verifier(NAME, signer.public)

    @classmethod
    def load(cls, path: str) -> Operator:
        from hookstream.core.errors import SinkError
        from hookstream.sinks.formats.signature import load_signer

        try:
            signer = load_signer(path)
        except SinkError as error:
            raise SealError(str(error).replace("signing_key_file", "operator key", 1)) from None
        assert signer is not None
        return cls(signer)

    def sign(self, origin: str, index: int, said: dict[str, Any]) -> dict[str, Any]:
        """The statement with the operator's key and signature; good at this place only."""
        named = {**said, "operator": str(self.verifier)}
        signature = self._signer.sign(_text(origin, index, named))
        return {**named, "signature": b64encode(signature).decode("ascii")}


def _text(origin: str, index: int, said: dict[str, Any]) -> bytes:
    rest = {name: value for name, value in said.items() if name != "signature"}
    return CONTEXT + origin.encode() + b"\0%d\0" % index + canonical(rest)


def check(origin: str, statement: Statement) -> Verifier:
    """The operator's key that has signed a statement. SealError if none has."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    said = statement.said
    try:
        verifier = Verifier.parse(str(said["operator"]))
        signature = b64decode(said["signature"], validate=True)
        key = Ed25519PublicKey.from_public_bytes(verifier.public)
        key.verify(signature, _text(origin, statement.index, said))
    except (KeyError, TypeError, ValueError, BadBase64, InvalidSignature, SealError):
        raise SealError("not signed by the operator's key that it names") from None
    return verifier


def keys_in(given: str) -> set[str]:
    """Operator's public keys: verifier keys, a file of them, or a public key in PEM. SealError."""
    text = given
    if "+" not in given or given.startswith(("/", ".")):
        try:
            text = Path(given).expanduser().read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            raise SealError(
                f"{given}: neither an operator's public key nor a file of one"
            ) from None
    if "-----BEGIN PUBLIC KEY-----" in text:
        return {str(Verifier(NAME, _raw(given, text)))}
    return {str(Verifier.parse(line)) for line in text.splitlines() if line.strip()}


def _raw(given: str, text: str) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        key: object = load_pem_public_key(text.encode("utf-8"))
    except ValueError:
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise SealError(f"{given}: no Ed25519 public key in PEM")
    return key.public_bytes_raw()
