"""Codex: hooks.json in Claude Code's form, timeouts in seconds, and `notify` in config.toml.

Sources: the schemas in 0.169.0 and trials with it. Hooks of a user or a project run only after a
person approved each in /hooks; the approval is kept by place, so ours comes after the others.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from hookstream.core.places import Place
from hookstream.normalizers.client import (
    Client,
    ClientSettings,
    ClientTelemetry,
    HooksJson,
    NotifyProgram,
    Permissions,
    RequirementsToml,
    TelemetryTable,
    grouped,
)
from hookstream.normalizers.codex.rules import rules

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOME = Place("$CODEX_HOME or ~/.codex")
PROJECT = Place("./.codex")
MANAGED = Place(
    "/etc/codex", "/etc/codex", "$PROGRAMDATA/OpenAI/Codex or C:/ProgramData/OpenAI/Codex"
)
# The client cuts these down to three seconds anyway.
ENTRY = grouped(10, {"SessionEnd": 3, "Interrupt": 3})
SHELL = '"${SHELL:-sh}"'


def gaps(machine: ClientSettings) -> list[str]:
    """Switches in config.toml, another program in notify, and hooks without approval."""
    reasons = []
    config = machine.toml(HOME.path(machine) / "config.toml")
    features = config.get("features")
    for name in ("hooks", "codex_hooks"):
        if isinstance(features, dict) and features.get(name) is False:
            reasons.append(f"features.{name} is false in config.toml: no hook runs")
    notify = config.get("notify")
    if notify and not machine.is_ours([str(word) for word in notify]):
        reasons.append("notify in config.toml is used by another program")
    for path in (folder.path(machine) / "hooks.json" for folder in (HOME, PROJECT)):
        events = list(untrusted(machine, path, config))
        if events:
            reasons.append(
                f"not trusted, so silently skipped: {', '.join(events)} in {path}; "
                "approve them in codex with /hooks"
            )
    return reasons


def untrusted(machine: ClientSettings, path: Path, config: dict[str, Any]) -> Iterator[str]:
    """The events whose entries of ours have no approval in config.toml. The approval's digest is
    the client's own, so an entry changed after its approval is not noticed here."""
    hooks = config.get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    states = state if isinstance(state, dict) else {}
    table = machine.json(path).get("hooks")
    for event, groups in table.items() if isinstance(table, dict) else ():
        snake = "".join("_" + c.lower() if c.isupper() else c for c in event).lstrip("_")
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for number, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                command = handler.get("command") if isinstance(handler, dict) else None
                if not isinstance(command, str) or not machine.is_ours(command):
                    continue
                approvals = [
                    states.get(f"{place}:{snake}:{at}:{number}")
                    for place in {str(path), os.path.realpath(path)}
                ]
                if not any(
                    isinstance(approval, dict)
                    and approval.get("trusted_hash")
                    and approval.get("enabled") is not False
                    for approval in approvals
                ):
                    yield event


CLIENT = Client(
    "codex",
    "Codex",
    programs="codex",
    traces=(".codex",),
    home=HOME,
    recorded="0.171.0",
    windows_shell="powershell",  # shows a quoted path alone, with status 0, and runs nothing
    events=tuple(
        "SessionStart SessionEnd UserPromptSubmit PreModelRequest PostModelRequest PreToolUse "
        "PostToolUse PermissionRequest PreCompact PostCompact SubagentStart SubagentStop Stop "
        "Interrupt notify".split()
    ),
    aliases={"agent-turn-complete": "notify"},
    note="codex silently skips new or changed hooks until they are approved: "
    "start codex and approve them in /hooks",
    project_note="it reads project hooks only in projects that it trusts",
    files={
        "user": (
            HooksJson(HOME / "hooks.json", ENTRY, runs_in=SHELL),
            NotifyProgram(HOME / "config.toml"),
        ),
        # A project's file may not name programs for notify.
        "project": (HooksJson(PROJECT / "hooks.json", ENTRY, runs_in=SHELL),),
        # hooks.json runs here too, but a switch of the user's stops it.
        "managed": (
            RequirementsToml(MANAGED / "requirements.toml", ENTRY),
            HooksJson(MANAGED / "hooks.json", ENTRY, runs_in=SHELL, superseded=True),
            NotifyProgram(MANAGED / "config.toml"),
        ),
    },
    gaps=gaps,
    sessions=(HOME / "sessions", HOME / "archived_sessions"),
    permissions=Permissions(
        rules, tuple(folder / "rules/*.rules" for folder in (HOME, MANAGED, PROJECT))
    ),
    telemetry=ClientTelemetry(
        scopes="codex_otel codex",
        events="codex.",
        services="codex",
        switch=TelemetryTable(
            "otel",
            (
                'exporter = {{ otlp-http = {{ endpoint = "{url}/v1/logs", protocol = "{encoding}", '
                'headers = {{ authorization = "Bearer {token}" }} }} }}',
                "log_user_prompt = false",
            ),
        ),
    ),
    never_asks="bypassPermissions never",
    asks_less="acceptEdits",
    input_includes_cache=True,
    proofs="yyy yyy nyy nyp nyp nyp pny yyn yyp yyy yyp",
    mcp_files=(HOME / "config.toml", Place("./.codex/config.toml")),
)
