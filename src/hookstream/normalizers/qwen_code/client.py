"""Qwen Code: settings.json in Claude Code's form, timeouts in seconds.

Sources: the documentation in 0.24.4 and trials with it.
"""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import (
    Client,
    ClientTelemetry,
    HooksJson,
    Permissions,
    Switch,
    TelemetryObject,
    grouped,
)
from hookstream.normalizers.permission_rules import settings_rules

HOME = Place("$QWEN_HOME or ~/.qwen")
RUNTIME = Place("$QWEN_RUNTIME_DIR or $QWEN_HOME or ~/.qwen")
PROJECT = Place("./.qwen")
MANAGED = Place(
    "/etc/qwen-code",
    "/Library/Application Support/QwenCode",
    "$PROGRAMDATA/qwen-code or C:/ProgramData/qwen-code",
)
# FileChanged watches only the files its matcher names.
MATCHERS = {"FileChanged": ".env|.envrc"}
ENTRY = grouped(10, matchers=MATCHERS, name="hookstream")
SETTINGS = tuple(folder / "settings.json" for folder in (MANAGED, HOME, PROJECT))

CLIENT = Client(
    "qwen-code",
    "Qwen Code",
    programs="qwen",
    traces=(".qwen",),
    home=HOME,
    recorded="0.24.4",
    events=tuple(
        "SessionStart SessionEnd SessionDelete InstructionsLoaded UserPromptSubmit "
        "UserPromptExpansion PreToolUse PostToolUse PostToolUseFailure PostToolBatch "
        "PermissionRequest PermissionDenied Notification MessageDisplay Stop StopFailure "
        "SubagentStart SubagentStop PreCompact PostCompact TodoCreated TodoCompleted CwdChanged "
        "TeammateIdle QueryEnd ConfigChange FileChanged WorktreeRemove Elicitation "
        "ElicitationResult TaskCreated TaskCompleted".split()
    ),
    left_out={"WorktreeCreate": "its hook has to create the worktree and print the path"},
    project_note="it reads project settings only in folders that it trusts",
    files={
        "user": (HooksJson(HOME / "settings.json", ENTRY, first=True),),
        "project": (HooksJson(PROJECT / "settings.json", ENTRY, first=True),),
        # Unless it is pinned, a repository's disableAllHooks counts.
        "managed": (
            HooksJson(
                MANAGED / "settings.json",
                grouped(10, matchers=MATCHERS, name="hookstream-{machine}"),
                first=True,
                pins={"disableAllHooks": False},
            ),
        ),
    },
    switches=(
        Switch("disableAllHooks", True, SETTINGS),
        Switch("hooksConfig.enabled", False, SETTINGS),
    ),
    variables={"QWEN_CODE_SYSTEM_SETTINGS_PATH": "the machine's hooks do not run"},
    sessions=(RUNTIME / "projects", HOME / "usage_record.jsonl"),
    permissions=Permissions(
        settings_rules,
        (
            HOME / "settings.json",
            HOME / "settings.local.json",
            MANAGED / "settings.json",
            PROJECT / "settings.json",
            PROJECT / "settings.local.json",
        ),
    ),
    telemetry=ClientTelemetry(
        scopes="qwen-code",
        events="qwen-code.",
        services="qwen-code",
        switch=TelemetryObject(
            "telemetry",
            {"enabled": True, "target": "local", "outfile": "{outfile}", "logPrompts": False},
            ("outfile", "otlpEndpoint", "target", "enabled", "logPrompts"),
        ),
    ),
    never_asks="yolo",
    asks_less="auto-edit auto",
    input_includes_cache=True,
    uncounted=("approximate", "side calls, such as a check for loops"),
    proofs="yyy yyy yyy nyp yyy ppy pyp yyy yyy nyy nyy",
    mcp_files=(HOME / "settings.json", Place("./.qwen/settings.json")),
)
