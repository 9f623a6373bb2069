"""Auggie: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple(
    "SessionStart SessionEnd PromptSubmit PreToolUse PostToolUse Notification Stop".split()
)
INSTALL = InstallFacts(
    key="auggie",
    title="Auggie",
    programs=("auggie",),
    traces=(".augment",),
    events=EVENTS,
    note="Auggie runs hooks only for accounts whose service has them switched on",
)
