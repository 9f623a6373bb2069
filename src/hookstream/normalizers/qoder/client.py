"""Qoder: settings.json, groups with matchers, timeouts in seconds.

Sources: the vendor's reference and its program 1.1.52. It runs with an account alone, so that no
more than a start was recorded.
"""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, HooksJson, Permissions, Switch, grouped
from hookstream.normalizers.permission_rules import settings_rules

HOME = Place("$QODER_CONFIG_DIR or ~/.qoder")
PROJECT = Place("./.qoder")
ENTRY = grouped(10)
SETTINGS = (
    HOME / "settings.json",
    PROJECT / "settings.json",
    PROJECT / "settings.local.json",
)

CLIENT = Client(
    "qoder",
    "Qoder",
    programs="qodercli qoder",
    traces=(".qoder",),
    home=HOME,
    events=tuple(
        "SessionStart SessionEnd Setup UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure "
        "PermissionRequest PermissionDenied Notification Stop StopFailure SubagentStart "
        "SubagentStop PreCompact PostCompact TaskCreated TaskCompleted TeammateIdle ConfigChange "
        "InstructionsLoaded CwdChanged FileChanged Elicitation ElicitationResult".split()
    ),
    left_out={
        "WorktreeCreate": "in Claude Code a hook there replaces the making of the worktree",
        "WorktreeRemove": "in Claude Code a hook there replaces part of the removal",
    },
    files={
        "user": (HooksJson(HOME / "settings.json", ENTRY),),
        "project": (HooksJson(PROJECT / "settings.json", ENTRY),),
    },
    switches=(Switch("disableAllHooks", True, SETTINGS),),
    sessions=(HOME / "projects",),
    permissions=Permissions(settings_rules, SETTINGS),
    never_asks="bypassPermissions",
    asks_less="acceptEdits auto",
    proofs="yy- yy- yy- py- py- py- np- yy- yy- ny- yy-",
    remark="as documented, not recorded except a start without an account",
)
