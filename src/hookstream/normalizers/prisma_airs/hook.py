"""The Prisma AIRS plugin writes lines; it runs no hooks."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import HookFacts

HOOK = HookFacts(marks="event=prisma_airs_")
