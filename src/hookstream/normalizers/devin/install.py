"""Devin: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple(
    "SessionStart SessionEnd UserPromptSubmit PreToolUse PermissionRequest PostToolUse Stop "
    "PostCompaction".split()
)
INSTALL = InstallFacts(
    key="devin",
    title="Devin",
    programs=("devin",),
    traces=(".config/devin",),
    events=EVENTS,
    project_note="Devin loads no hooks in a workspace under Restricted Mode",
)
