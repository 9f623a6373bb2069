"""Cursor: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

SINCE = {
    (1, 7): "beforeShellExecution beforeMCPExecution beforeReadFile afterFileEdit "
    "beforeSubmitPrompt stop",
    (2, 1): "afterShellExecution afterMCPExecution afterAgentResponse afterAgentThought "
    "beforeTabFileRead afterTabFileEdit",
    (2, 4): "sessionStart sessionEnd preToolUse postToolUse postToolUseFailure subagentStart "
    "subagentStop preCompact",
    (3, 0): "workspaceOpen",
}
EVENTS = tuple(event for names in SINCE.values() for event in names.split())
INSTALL = InstallFacts(
    key="cursor",
    title="Cursor",
    programs=("cursor", "cursor-agent"),
    traces=(".cursor",),
    events=EVENTS,
)
