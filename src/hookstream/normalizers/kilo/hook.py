"""Kilo's hooks are functions of a plug-in: nothing is printed."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import HookFacts

HOOK = HookFacts(unattended="kilo run; kilocode run", fork_of="opencode")
