"""Qwen Code: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple(
    "SessionStart SessionEnd SessionDelete InstructionsLoaded UserPromptSubmit "
    "UserPromptExpansion PreToolUse PostToolUse PostToolUseFailure PostToolBatch "
    "PermissionRequest PermissionDenied Notification MessageDisplay Stop StopFailure "
    "SubagentStart SubagentStop PreCompact PostCompact TodoCreated TodoCompleted CwdChanged "
    "TeammateIdle".split()
)
LEFT_OUT = {
    "WorktreeCreate": "a hook there may replace the making of the worktree",
    "FileChanged": "fires only for files its matcher names, and its fields are undocumented",
    "ConfigChange": "its fields are undocumented",
    "QueryEnd": "its fields are undocumented",
}
INSTALL = InstallFacts(
    key="qwen-code",
    title="Qwen Code",
    programs=("qwen",),
    traces=(".qwen",),
    events=EVENTS,
    left_out=LEFT_OUT,
    project_note="it reads project settings only in folders that it trusts",
)
