"""Gemini CLI: settings.json, groups with matchers, timeouts in milliseconds.

Sources: the hooks reference and trials with 0.61.0. Hooks run in order where any group asks for it,
each seeing what those before it rewrote: the observer comes first.
"""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import (
    Client,
    ClientSettings,
    ClientTelemetry,
    HooksJson,
    Permissions,
    Switch,
    TelemetryObject,
    grouped,
)
from hookstream.normalizers.gemini_cli.rules import rules

HOME = Place("$GEMINI_CLI_HOME/.gemini or ~/.gemini")
PROJECT = Place("./.gemini")
MANAGED = Place(
    "/etc/gemini-cli",
    "/Library/Application Support/GeminiCli",
    "$PROGRAMDATA/gemini-cli or C:/ProgramData/gemini-cli",
)
EVENTS = tuple(
    "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection "
    "BeforeTool AfterTool PreCompress Notification".split()
)
MATCHERS = dict.fromkeys(EVENTS, "*")
ENTRY = grouped(10_000, matchers=MATCHERS, name="hookstream")
SETTINGS = tuple(folder / "settings.json" for folder in (MANAGED, HOME, PROJECT))


def gaps(machine: ClientSettings) -> list[str]:
    """Files whose list of disabled hooks names hookstream."""
    reasons = []
    for path in (place.path(machine) for place in SETTINGS):
        config = machine.json(path).get("hooksConfig")
        disabled = config.get("disabled") if isinstance(config, dict) else None
        for name in disabled if isinstance(disabled, list) else ():
            if str(name).startswith("hookstream") or (type(name) is str and machine.is_ours(name)):
                reasons.append(f"hooksConfig.disabled in {path} names hookstream")
    return reasons


CLIENT = Client(
    "gemini-cli",
    "Gemini CLI",
    programs="gemini",
    traces=(".gemini",),
    home=HOME,
    recorded="0.61.0",
    windows_shell="powershell",  # it adds $LASTEXITCODE
    events=EVENTS,
    project_note="it reads project settings only in folders that it trusts",
    files={
        "user": (HooksJson(HOME / "settings.json", ENTRY, first=True, runs_in="bash"),),
        "project": (HooksJson(PROJECT / "settings.json", ENTRY, first=True, runs_in="bash"),),
        # The lists hooksConfig.disabled of user and repository are united with the machine's: a
        # name that no repository knows, and the switch pinned.
        "managed": (
            HooksJson(
                MANAGED / "settings.json",
                grouped(10_000, matchers=MATCHERS, name="hookstream-{machine}"),
                first=True,
                runs_in="bash",
                pins={"hooksConfig.enabled": True},
            ),
        ),
    },
    switches=(Switch("hooksConfig.enabled", False, SETTINGS),),
    variables={"GEMINI_CLI_SYSTEM_SETTINGS_PATH": "the machine's hooks do not run"},
    gaps=gaps,
    sessions=(HOME / "tmp",),
    # A workspace's own policies are switched off in the client.
    permissions=Permissions(
        rules,
        (
            HOME / "policies/*.toml",
            HOME / "settings.json",
            MANAGED / "policies/*.toml",
            MANAGED / "settings.json",
            PROJECT / "settings.json",
        ),
    ),
    telemetry=ClientTelemetry(
        scopes="gemini-cli",
        events="gemini_cli.",
        services="gemini-cli",
        switch=TelemetryObject(
            "telemetry",
            {"enabled": True, "target": "local", "outfile": "{outfile}", "logPrompts": False},
            ("outfile", "otlpEndpoint", "target", "enabled", "logPrompts"),
        ),
    ),
    never_asks="yolo",
    asks_less="autoEdit auto_edit",
    input_includes_cache=True,
    uncounted=("approximate", "side calls, such as a check for loops"),
    proofs="yyp yyy pyp ppn nyy nyy pnp nyy nyy pyy nny",
    mcp_files=(Place("~/.gemini/settings.json"), Place("./.gemini/settings.json")),
    settings=(Place("./.gemini/settings.local.json"),),
    documents="chats/session-*.json",
)
