"""Pi's hooks are functions of an extension: nothing is printed."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import HookFacts

HOOK = HookFacts(unattended="pi -p --print")
