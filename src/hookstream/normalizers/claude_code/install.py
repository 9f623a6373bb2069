"""Claude Code: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple(
    "SessionStart SessionEnd Setup UserPromptSubmit UserPromptExpansion PreToolUse PostToolUse "
    "PostToolUseFailure PostToolBatch PermissionRequest PermissionDenied Notification "
    "MessageDisplay Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact "
    "PreModelSwitch PostModelSwitch TaskCreated TaskCompleted TeammateIdle Elicitation "
    "ElicitationResult ConfigChange InstructionsLoaded CwdChanged FileChanged "
    "DirectoryAdded".split()
)
LEFT_OUT = {
    "WorktreeCreate": "a hook there replaces the making of the worktree",
    "WorktreeRemove": "a hook there replaces part of the removal",
}
INSTALL = InstallFacts(
    key="claude-code",
    title="Claude Code",
    recorded="2.1.332",
    programs=("claude",),
    traces=(".claude", ".claude.json"),
    events=EVENTS,
    left_out=LEFT_OUT,
)
