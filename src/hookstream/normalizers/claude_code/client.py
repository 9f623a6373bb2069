"""Claude Code: settings.json, groups with matchers, timeouts in seconds.

Sources: the hooks reference and trials with 2.1.332.
"""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import (
    Client,
    ClientTelemetry,
    HooksJson,
    Permissions,
    SessionLimit,
    Switch,
    TelemetryObject,
    grouped,
)
from hookstream.normalizers.permission_rules import settings_rules

HOME = Place("$CLAUDE_CONFIG_DIR or ~/.claude")
PROJECT = Place("./.claude")
MANAGED = Place(
    "/etc/claude-code",
    "/Library/Application Support/ClaudeCode",
    "$PROGRAMFILES/ClaudeCode or C:/Program Files/ClaudeCode",
)
# FileChanged watches only the files its matcher names.
ENTRY = grouped(10, matchers={"FileChanged": ".env|.envrc"})
SETTINGS = (
    MANAGED / "managed-settings.json",
    HOME / "settings.json",
    PROJECT / "settings.json",
    PROJECT / "settings.local.json",
)

CLIENT = Client(
    "claude-code",
    "Claude Code",
    programs="claude",
    traces=(".claude", ".claude.json"),
    home=HOME,
    recorded="2.1.332",
    never_asks="bypassPermissions",
    asks_less="acceptEdits auto",
    windows_shell="git-bash",  # before 2.1.47 cmd.exe
    events=tuple(
        "SessionStart SessionEnd Setup UserPromptSubmit UserPromptExpansion PreToolUse PostToolUse "
        "PostToolUseFailure PostToolBatch PermissionRequest PermissionDenied Notification "
        "MessageDisplay Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact "
        "PreModelSwitch PostModelSwitch TaskCreated TaskCompleted TeammateIdle Elicitation "
        "ElicitationResult ConfigChange InstructionsLoaded CwdChanged FileChanged "
        "DirectoryAdded".split()
    ),
    left_out={
        "WorktreeCreate": "a hook there replaces the making of the worktree",
        "WorktreeRemove": "a hook there replaces part of the removal",
    },
    files={
        "user": (HooksJson(HOME / "settings.json", ENTRY),),
        "project": (HooksJson(PROJECT / "settings.json", ENTRY),),
        # A separate file next to the administrator's: the client merges them, and a broken one
        # keeps it from starting.
        "managed": (
            HooksJson(MANAGED / "managed-settings.d/50-hookstream.json", ENTRY, own=True),
            HooksJson(MANAGED / "managed-settings.json", ENTRY, superseded=True),
        ),
    },
    switches=(
        Switch("disableAllHooks", True, SETTINGS),
        Switch("allowManagedHooksOnly", True, SETTINGS[:1], "only managed hooks run"),
    ),
    sessions=(HOME / "projects", Place("~/.config/claude/projects")),
    deletes=SessionLimit("cleanupPeriodDays", 30, SETTINGS[:2]),
    permissions=Permissions(
        settings_rules, (*SETTINGS[1:2], HOME / "settings.local.json", *SETTINGS[:1], *SETTINGS[2:])
    ),
    telemetry=ClientTelemetry(
        scopes="com.anthropic.claude_code",
        events="claude_code.",
        services="claude-code",
        switch=TelemetryObject(
            "env",
            {
                "CLAUDE_CODE_ENABLE_TELEMETRY": "1",
                "OTEL_LOGS_EXPORTER": "otlp",
                "OTEL_EXPORTER_OTLP_PROTOCOL": "{protocol}",
                "OTEL_EXPORTER_OTLP_ENDPOINT": "{url}",
                "OTEL_EXPORTER_OTLP_HEADERS": "Authorization={bearer}",
            },
            (
                "OTEL_EXPORTER_OTLP_HEADERS",
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT",
                "OTEL_LOGS_EXPORTER",
                "OTEL_EXPORTER_OTLP_PROTOCOL",
            ),
        ),
    ),
    proofs="yyp yyy yyy ppn pyy pyp nyy yyy yyy nyy pyy",
    mcp_files=(Place("~/.claude.json"), Place("./.mcp.json")),
    settings=(HOME / "hooks/", PROJECT / "hooks/"),
)
