"""The Prisma AIRS plugin of OpenClaw: a guardian."""

from __future__ import annotations

from hookstream.normalizers.client import Client

CLIENT = Client(
    "prisma-airs",
    "Prisma AIRS plugin",
)
