"""OpenCode's hooks are functions of a plugin: nothing is printed."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import HookFacts

HOOK = HookFacts(unattended="opencode run")
