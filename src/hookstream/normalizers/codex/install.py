"""Codex: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple(
    "SessionStart SessionEnd UserPromptSubmit PreModelRequest PostModelRequest PreToolUse "
    "PostToolUse PermissionRequest PreCompact PostCompact SubagentStart SubagentStop Stop "
    "Interrupt".split()
)
INSTALL = InstallFacts(
    key="codex",
    title="Codex",
    recorded="0.169.0",
    programs=("codex",),
    traces=(".codex",),
    events=(*EVENTS, "notify"),
    aliases={"agent-turn-complete": "notify"},
    note="codex skips new or changed hooks without a word until they are approved: "
    "start codex and approve them in /hooks",
    project_note="it reads project hooks only in projects that it trusts",
)
