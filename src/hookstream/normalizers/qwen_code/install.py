"""Qwen Code: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple(
    "SessionStart SessionEnd SessionDelete InstructionsLoaded UserPromptSubmit "
    "UserPromptExpansion PreToolUse PostToolUse PostToolUseFailure PostToolBatch "
    "PermissionRequest PermissionDenied Notification MessageDisplay Stop StopFailure "
    "SubagentStart SubagentStop PreCompact PostCompact TodoCreated TodoCompleted CwdChanged "
    "TeammateIdle QueryEnd ConfigChange FileChanged WorktreeRemove Elicitation ElicitationResult "
    "TaskCreated TaskCompleted".split()
)
LEFT_OUT = {"WorktreeCreate": "its hook has to create the worktree and print the path"}
INSTALL = InstallFacts(
    key="qwen-code",
    title="Qwen Code",
    recorded="0.24.4",
    programs=("qwen",),
    traces=(".qwen",),
    events=EVENTS,
    left_out=LEFT_OUT,
    project_note="it reads project settings only in folders that it trusts",
)
