"""AOS: requests and answers of a guardian."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import HookFacts

HOOK = HookFacts(marks="jsonrpc")
