"""Grok Build: JSON files in its folder of hooks, in Claude Code's form, timeouts in seconds.

Sources: trials with 1.0.41 and 1.0.5, the vendor's user guide and source.
"""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, ClientTelemetry, HooksJson, Permissions, grouped
from hookstream.normalizers.grok_build.rules import rules

HOME = Place("$GROK_HOME or ~/.grok")
PROJECT = Place("./.grok")
MANAGED = Place("/etc/grok")
NAME = "hooks/hookstream.json"
ENTRY = grouped(5)

CLIENT = Client(
    "grok-build",
    "Grok Build",
    programs="grok",
    traces=(".grok",),
    home=HOME,
    recorded="1.0.41",
    events=tuple(
        "SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure "
        "PermissionDenied Notification Stop StopFailure StopCancelled SubagentStart SubagentStop "
        "PreCompact PostCompact".split()
    ),
    note="Grok Build also runs the hooks of Claude Code's and Cursor's settings",
    project_note="it runs a project's hooks only in folders that it trusts",
    files={
        "user": (HooksJson(HOME / NAME, ENTRY, own=True, others="*.json"),),
        "project": (HooksJson(PROJECT / NAME, ENTRY, own=True, others="*.json"),),
    },
    variables={},
    sessions=(HOME / "sessions",),
    permissions=Permissions(
        rules,
        (
            *(folder / "config.toml" for folder in (HOME, PROJECT)),
            *(folder / "managed_config.toml" for folder in (HOME, MANAGED)),
            *(folder / "requirements.toml" for folder in (HOME, MANAGED)),
            HOME / "sessions/*/permission*.toml",
        ),
    ),
    telemetry=ClientTelemetry(
        scopes="ai.xai.grok_code",
        events="grok_code.",
        services="grok-cli",
        switch="GROK_EXTERNAL_OTEL=1 and OTEL_LOGS_EXPORTER=otlp in its environment",
    ),
    never_asks="bypassPermissions always-approve",
    asks_less="acceptEdits auto",
    input_includes_cache=True,
    proofs="yyy yyy yyy yyy pyp nyp pnp ypy yyp nyy yyy",
    remark="no hook and no telemetry says that a hook denied: its file and the wrap do",
)
