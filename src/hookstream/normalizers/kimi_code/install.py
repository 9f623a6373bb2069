"""Kimi Code: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple(
    "SessionStart SessionEnd UserPromptSubmit UserPromptQueued TurnStarted PreToolUse "
    "PermissionRequest PermissionResult PostToolUse PostToolUseFailure SubagentStart SubagentStop "
    "TaskStarted Notification PreCompact PostCompact Stop StopFailure Interrupt".split()
)
INSTALL = InstallFacts(
    key="kimi-code",
    title="Kimi Code",
    programs=("kimi",),
    traces=(".kimi-code",),
    events=EVENTS,
    left_out={"SessionHeartbeat": "fires each minute and says only how long the session runs"},
)
