"""Gemini CLI: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple(
    "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection "
    "BeforeTool AfterTool PreCompress Notification".split()
)
INSTALL = InstallFacts(
    key="gemini-cli",
    title="Gemini CLI",
    recorded="0.61.0",
    programs=("gemini",),
    traces=(".gemini",),
    events=EVENTS,
    project_note="it reads project settings only in folders that it trusts",
)
