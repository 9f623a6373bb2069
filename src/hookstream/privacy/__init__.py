"""Privacy: content becomes digest and length, secrets go, people and machines become pseudonyms."""

from __future__ import annotations

from hookstream.privacy.redact import MODES, Privacy

__all__ = ["MODES", "Privacy"]
