"""Antigravity: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple("SessionStart PreToolUse PostToolUse PreInvocation PostInvocation Stop".split())
INSTALL = InstallFacts(
    key="antigravity",
    title="Antigravity",
    programs=("agy", "antigravity"),
    traces=(".gemini/antigravity-cli", ".gemini/config/hooks.json"),
    events=EVENTS,
    note='`agy -p "/hooks"` lists the hooks that it loaded',
)
