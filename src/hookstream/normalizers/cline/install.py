"""Cline: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple(
    "TaskStart TaskResume TaskCancel TaskComplete TaskError SessionShutdown UserPromptSubmit "
    "PreToolUse PostToolUse PreCompact Notification".split()
)
INSTALL = InstallFacts(
    key="cline",
    title="Cline",
    recorded="3.0.65",
    programs=("cline",),
    traces=(".cline", "Documents/Cline"),
    events=EVENTS,
)
