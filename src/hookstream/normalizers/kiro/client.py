"""Kiro: its hooks are files that a person writes; nothing is registered."""

from __future__ import annotations

from hookstream.normalizers.client import Client

CLIENT = Client(
    "kiro",
    "Kiro",
)
