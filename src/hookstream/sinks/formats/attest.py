"""OCSF's profile `record_integrity`: each event carries its digest, a signature, the event before.

The digest and the signature are of the OCSF event itself in canonical form (RFC 8785), without the
attestation's own `fingerprint` and `signatures`; the seal of a stream covers the Agent Hooks line
instead (docs/seal.md). `prev_event` joins what one opened sink wrote in its order, under one
`chain_uid`: a gap shows in the middle, not at the end.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING

from hookstream.core.errors import SinkError, extra
from hookstream.core.limits import make_room

if TYPE_CHECKING:
    from hookstream.core.jsons import JsonObject
    from hookstream.sinks.formats.signature import Signer

PROFILE = "record_integrity"
MOST_EVENTS = 10_000  # that a sink may render again, after a failure
CANONICAL = {"serialization_id": 2, "serialization": "JCS"}


class Attester:
    """The chain of one opened sink. SinkError without the package that it needs."""

    def __init__(self, signer: Signer) -> None:
        try:
            import rfc8785
        except ImportError:
            raise SinkError(f"signing_key_file of OCSF: {extra('attest')}") from None
        self._canonical = rfc8785.dumps
        self._signer = signer
        self._chain = f"hookstream:{token_hex(16)}"
        self._before: JsonObject | None = None
        # event uid -> the event that was before it
        self._places: dict[str, JsonObject | None] = {}

    def attest(self, document: JsonObject) -> JsonObject:
        """The document with its attestation; one that is rendered again keeps its place."""
        uid = document["metadata"]["uid"]
        is_new = uid not in self._places
        if is_new:
            make_room(self._places, MOST_EVENTS)
            self._places[uid] = self._before
        document["metadata"]["profiles"].append(PROFILE)
        attestation: JsonObject = {
            "uid": f"{self._chain}/{uid}",
            "authority_uid": f"sha256:{self._signer.key_id}",
            "chain_uid": self._chain,
        }
        if (before := self._places[uid]) is not None:
            attestation["prev_event"] = before
        document["attestation_list"] = [attestation]
        data: bytes = self._canonical(document)
        attestation["fingerprint"] = {
            "algorithm_id": 3,
            "algorithm": "SHA-256",
            "encoding_id": 1,
            "encoding": "Hex",
            "value": sha256(data).hexdigest(),
            **CANONICAL,
        }
        attestation["signatures"] = [signature(self._signer, data)]
        if is_new:
            self._before = {
                "uid": uid,
                "type_uid": document["type_uid"],
                "fingerprint": attestation["fingerprint"],
            }
        return document


def signature(signer: Signer, data: bytes) -> JsonObject:
    """A digital_signature over bytes: the schema has no place for the 64 bytes of a signature but
    the value of `digest`."""
    return {
        "algorithm_id": 99,
        "algorithm": "Ed25519",
        "digest": {
            "algorithm_id": 99,
            "algorithm": "Ed25519",
            "encoding_id": 2,
            "encoding": "Base64",
            "value": b64encode(signer.sign(data)).decode("ascii"),
        },
        **CANONICAL,
    }
