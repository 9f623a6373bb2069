"""Mistral Vibe: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = ("pre_tool", "post_tool", "post_agent")
INSTALL = InstallFacts(
    key="mistral-vibe",
    title="Mistral Vibe",
    programs=("vibe",),
    traces=(".vibe",),
    events=EVENTS,
    project_note="it reads hooks of a project only in folders that it trusts",
)
