"""OpenCode: a plugin file of ours in its plugin folder.

Sources: the plugin's typings and trials with 1.18.33. Plugins are asked in the order of their names
and a refusal ends the round: ours sorts first.
"""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, ClientTelemetry, Permissions, PluginModule
from hookstream.normalizers.opencode.rules import rules

HOME = Place("$XDG_CONFIG_HOME/opencode or ~/.config/opencode")
MANAGED = Place(
    "/etc/opencode",
    "/Library/Application Support/opencode",
    "$PROGRAMDATA/opencode or C:/ProgramData/opencode",
)
NAME = "00-hookstream.js"
SOURCE = "opencode/plugin.js"
RULES = ("opencode.json", "opencode.jsonc")

CLIENT = Client(
    "opencode",
    "OpenCode",
    programs="opencode",
    traces=(".config/opencode", ".local/share/opencode"),
    home=HOME,
    recorded="1.18.33",
    events=tuple(
        "chat.message command.execute.before tool.execute.before tool.execute.after permission.ask "
        "experimental.text.complete session.created session.deleted session.idle session.status "
        "session.error session.compacted message.updated message.part.updated permission.asked "
        "permission.replied todo.updated dispose".split()
    ),
    left_out={
        "chat.params": "holds the provider's key",
        "chat.headers": "holds the provider's key",
        "config": "holds the provider's key",
        "experimental.compaction.autocontinue": "holds the provider's key",
        "shell.env": "the environment of a call that tool.execute.before tells",
        "message.part.delta": "a piece of a text",
    },
    files={
        "user": (PluginModule(HOME / "plugin" / NAME, SOURCE),),
        "project": (PluginModule(Place("./.opencode/plugin") / NAME, SOURCE),),
        # A plugin file in the machine's folder is not read; its address in the configuration is.
        "managed": (PluginModule(Place(NAME), SOURCE, listed_in=MANAGED / "opencode.json"),),
    },
    variables=dict.fromkeys(
        ("OPENCODE_PURE", "OPENCODE_TEST_MANAGED_CONFIG_DIR"), "no plugin of the machine's runs"
    ),
    sessions=(
        Place("$XDG_DATA_HOME/opencode or ~/.local/share/opencode"),
        Place("$LOCALAPPDATA/opencode or ~/AppData/Local/opencode"),
        Place("~/Library/Application Support/opencode"),
    ),
    permissions=Permissions(
        rules,
        (
            *(HOME / name for name in (*RULES, "config.json")),
            *(MANAGED / name for name in RULES),
            *(Place("./" + name) for name in RULES),
            *(Place("./.opencode") / name for name in RULES),
        ),
    ),
    telemetry=ClientTelemetry(
        scopes="opencode",
        services="opencode",
        switch="telemetry is switched on by environment variables only, see docs/telemetry.md",
    ),
    uncounted=("partial", "the call that names a session"),
    proofs="yyn yyp yyp yyp ppp ppp ynp yyp yyn yyp yyy",
    mcp_files=(Place("./opencode.json"), Place("./opencode.jsonc")),
    settings=(Place("./.opencode/plugins/"), HOME / "plugins/"),
    documents="opencode.db opencode-*.db storage/session/*/ses_*.json",
)
