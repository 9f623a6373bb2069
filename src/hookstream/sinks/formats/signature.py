"""Sign single events: DSSE 1.0 envelopes, Ed25519.

CloudEvents: the extension attribute `dssematerial` (verifiability). OTLP: the attributes
`hookstream.record.sha256` and `hookstream.record.dsse`, over the digest of the Agent Hooks line. A
signature shows who sent an event and that it is unchanged, not that none is missing: that is what
a sealed stream shows (docs/seal.md).
"""

from __future__ import annotations

import json
import os
import stat
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from hookstream.core.errors import SinkError
from hookstream.core.times import micros

CLOUDEVENT = "https://cloudevents.io/verifiability/dsse/v0.1"
RECORD = "application/vnd.hookstream.record+json"
CORE = "id source specversion type datacontenttype dataschema subject time".split()


class Signer:
    """An Ed25519 key that signs; `key_id` is the SHA-256 of its raw public key, hexadecimal."""

    def __init__(self, private: Any) -> None:
        self._private = private
        self.public: bytes = private.public_key().public_bytes_raw()
        self.key_id = sha256(self.public).hexdigest()

    def sign(self, data: bytes) -> bytes:
        """The 64 bytes of an Ed25519 signature."""
        made: bytes = self._private.sign(data)
        return made

    def envelope(self, kind: str, payload: bytes) -> str:
        """A DSSE envelope in base64."""
        signature = self.sign(pae(kind, payload))
        fields = {
            "payload": b64encode(payload).decode("ascii"),
            "payloadType": kind,
            "signatures": [
                {"keyid": self.key_id, "sig": b64encode(signature).decode("ascii")},
            ],
        }
        text = json.dumps(fields, separators=(",", ":"))
        return b64encode(text.encode("ascii")).decode("ascii")

    def cloudevent(self, attributes: Mapping[str, str | int], data: bytes) -> str:
        """`dssematerial` of an event: its core attributes and its data."""
        parts = [str(attributes.get(name, "")) for name in CORE]
        parts[CORE.index("time")] = _seconds(parts[CORE.index("time")])
        digests = [sha256(part.encode("utf-8")).digest() for part in parts]
        core = sha256(b"".join([*digests, sha256(data).digest()])).digest()
        payload = json.dumps({"core": b64encode(core).decode("ascii")}, separators=(",", ":"))
        return self.envelope(CLOUDEVENT, payload.encode("ascii"))

    def record(self, event_id: str, line: bytes) -> dict[str, str]:
        """The attributes of a log record: what it is a record of."""
        digest = sha256(line).hexdigest()
        payload = json.dumps({"event_id": event_id, "sha256": digest}, separators=(",", ":"))
        return {
            "hookstream.record.sha256": digest,
            "hookstream.record.dsse": self.envelope(RECORD, payload.encode("ascii")),
        }


def pae(kind: str, payload: bytes) -> bytes:
    """DSSE's pre-authentication encoding."""
    name = kind.encode("utf-8")
    return b"DSSEv1 %d %s %d %s" % (len(name), name, len(payload), payload)


def _seconds(time: str) -> str:
    at = micros(time)
    if at is None:
        return ""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(at // 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def load_signer(path: str | None) -> Signer | None:
    """The key of a PEM file (PKCS#8) that no other user can read; None without one. SinkError."""
    if path is None:
        return None
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        with Path(path).expanduser().open("rb") as file:
            if os.name != "nt" and stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise SinkError(f"signing_key_file: {path}: others can read it; chmod 600")
            key = load_pem_private_key(file.read(1 << 16), None)
    except OSError as error:
        raise SinkError(f"signing_key_file: {path}: {error.strerror or error}") from None
    except (ValueError, TypeError):
        raise SinkError(f"signing_key_file: {path}: no unencrypted private key in PEM") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise SinkError(f"signing_key_file: {path}: not an Ed25519 key")
    return Signer(key)
