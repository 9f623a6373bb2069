"""Retention of the streams of `stage`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from hookstream.redaction import Redactor
from hookstream.retention import holds
from hookstream.retention.apply import Retention
from hookstream.retention.policy import DAY_S, Counts, Policy
from hookstream.seal.operator import Operator

from .stage import Stage

KEY = b"k" * 16
# The stage writes records of 2026-03-01, 02 and 03, noon.
NOW = 1_772_366_400.0 + 10 * DAY_S


@cache
def redactor() -> Redactor:
    return Redactor("hash", pseudonym_key=KEY)


def new_operator(path: Path) -> Operator:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(pem)
    path.chmod(0o600)
    return Operator.load(str(path))


def retain(stage: Stage, operator: Operator | None, dry_run: bool = False, **policy: Any) -> Counts:
    made = Retention(
        Policy(NOW, holds=holds.read(stage.folder), **policy),
        redactor(),
        stage.sealing.keys,
        operator,
        stage.sealing.places,
        stage.clock,
    )
    return made.apply(stage.folder, dry_run=dry_run)
