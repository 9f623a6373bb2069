"""Kilo: OpenCode's plug-in under Kilo's places.

Sources: trials with 7.7.9, its program's list of places and the vendor's page on plug-ins.
"""

from __future__ import annotations

from hookstream.core.places import Place, editors
from hookstream.normalizers.client import (
    Client,
    ClientTelemetry,
    Permissions,
    PluginModule,
    Unread,
)
from hookstream.normalizers.opencode.client import CLIENT as OPENCODE
from hookstream.normalizers.opencode.client import NAME, SOURCE
from hookstream.normalizers.opencode.rules import rules

HOME = Place("$XDG_CONFIG_HOME/kilo or ~/.config/kilo")
MANAGED = Place(
    "/etc/kilo", "/Library/Application Support/kilo", "$PROGRAMDATA/kilo or C:/ProgramData/kilo"
)
PROJECTS = (Place("."), Place("./.kilo"), Place("./.kilocode"))
RULES = ("kilo.json", "kilo.jsonc")

CLIENT = Client(
    "kilo",
    "Kilo",
    programs="kilo kilocode",
    traces=(".config/kilo", ".local/share/kilo"),
    home=HOME,
    recorded="7.7.9",
    events=(*OPENCODE.events, "session.drained"),
    left_out=OPENCODE.left_out,
    files={
        "user": (PluginModule(HOME / "plugin" / NAME, SOURCE),),
        "project": (PluginModule(Place("./.kilo/plugin") / NAME, SOURCE),),
        "managed": (PluginModule(Place(NAME), SOURCE, listed_in=MANAGED / "kilo.json"),),
    },
    variables=dict.fromkeys(
        ("KILO_PURE", "KILO_TEST_MANAGED_CONFIG_DIR"), "no plugin of the machine's runs"
    ),
    unread=(
        Unread(
            "tasks of the extension in VS Code before 7: none recorded",
            editors("globalStorage/kilocode.kilo-code/tasks/*/api_conversation_history.json"),
        ),
    ),
    documents="kilo.db kilo-*.db",
    sessions=(Place("$XDG_DATA_HOME/kilo or ~/.local/share/kilo"),),
    permissions=Permissions(
        rules,
        tuple(folder / name for folder in (HOME, MANAGED, *PROJECTS) for name in RULES),
    ),
    telemetry=ClientTelemetry(
        scopes="opencode@7",
        switch="telemetry is switched on by environment variables only, see docs/telemetry.md",
    ),
    proofs="yyn yyp pyp ypp pyp pyp pyn yyp yyn yyn yyn",
    remark="a plug-in's refusal leaves its own text alone: without an approval it is concluded",
)
