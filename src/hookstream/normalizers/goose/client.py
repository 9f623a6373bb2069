"""Goose: a plug-in folder with `hooks/hooks.json`, groups with matchers, timeouts in seconds.

Sources: the vendor's page on hooks and its source; nothing was recorded. The folder is the one of
Open Plugins: another host that reads it runs the same commands, and payloads say whose they are.
"""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import (
    Client,
    ClientSettings,
    ClientTelemetry,
    HooksJson,
    Permissions,
    grouped,
)
from hookstream.normalizers.goose.rules import rules

PLUGIN = ".agents/plugins/hookstream/hooks/hooks.json"
# The client's own files are elsewhere than its settings of plug-ins where the variable is set.
CONFIG = Place(
    "$GOOSE_PATH_ROOT/config or $XDG_CONFIG_HOME/goose or ~/.config/goose",
    "$GOOSE_PATH_ROOT/config or ~/.config/goose",
    "$GOOSE_PATH_ROOT/config or $APPDATA/Block/goose/config "
    "or ~/AppData/Roaming/Block/goose/config",
)
SESSIONS = Place(
    "$GOOSE_PATH_ROOT/data/sessions or $XDG_DATA_HOME/goose/sessions "
    "or ~/.local/share/goose/sessions",
    "$GOOSE_PATH_ROOT/data/sessions or ~/.local/share/goose/sessions",
    "$GOOSE_PATH_ROOT/data/sessions or $APPDATA/Block/goose/data/sessions "
    "or ~/AppData/Roaming/Block/goose/data/sessions",
)
PLUGINS_OF_PROJECT = Place("./.config/goose")
SETTINGS = (
    PLUGINS_OF_PROJECT / "settings.local.json",
    PLUGINS_OF_PROJECT / "settings.json",
    Place("$GOOSE_PATH_ROOT/.config/goose/settings.json or ~/.config/goose/settings.json"),
)
ENTRY = grouped(10)


def gaps(machine: ClientSettings) -> list[str]:
    """The settings file that switches hookstream's plug-in off: the nearest that names it."""
    for path in (place.path(machine) for place in SETTINGS):
        settings = machine.json(path)
        if "hookstream" in list(settings.get("disabledPlugins") or ()):
            return [f"disabledPlugins in {path.name} names hookstream"]
        if "hookstream" in list(settings.get("enabledPlugins") or ()):
            break
    return []


CLIENT = Client(
    "goose",
    "Goose",
    programs="goose",
    traces=(".config/goose", ".local/share/goose"),
    home=CONFIG,
    events=tuple(
        "SessionStart SessionEnd UserPromptSubmit PreToolUse PreToolUseResult PostToolUse "
        "PostToolUseFailure BeforeReadFile AfterFileEdit BeforeShellExecution AfterShellExecution "
        "Stop".split()
    ),
    never_asks="auto",
    asks_less="smart_approve",
    input_includes_cache=True,
    note="other hosts of Open Plugins read the folder of plug-ins, too",
    files={
        "user": (HooksJson(Place(f"$GOOSE_PATH_ROOT/{PLUGIN} or ~/{PLUGIN}"), ENTRY, own=True),),
        "project": (HooksJson(Place(f"./{PLUGIN}"), ENTRY, own=True),),
    },
    gaps=gaps,
    sessions=(SESSIONS,),
    documents="sessions/sessions.db",
    permissions=Permissions(rules, (CONFIG / "permission.yaml",)),
    settings=(CONFIG / "config.yaml", *SETTINGS),
    telemetry=ClientTelemetry(
        scopes="goose",
        services="goose",
        switch="OTEL_EXPORTER_OTLP_ENDPOINT in its environment or in its config.yaml",
    ),
    proofs="yyn yyy pyp nyn yyy ypy npn npn npn nyy nny",
    remark="as documented, not recorded",
)
