"""OpenCode: a plugin file of ours in its plugin folder.

Source: the plugin's typings and trials with 1.18.33. Plugins are asked in the order of their
names and a refusal ends the round: ours sorts first.
"""

from __future__ import annotations

import json
from importlib.resources import files as resources

from hookstream.capture.install import launcher
from hookstream.capture.install.agent import agent
from hookstream.capture.install.command import launched
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.plugin_list import PluginList
from hookstream.capture.install.whole_file import WholeFile
from hookstream.normalizers.opencode.install import INSTALL

EVENTS = INSTALL.events
NAME = "00-hookstream.js"


def content(scope: str) -> bytes:
    """The plugin as one file: every module in that folder would be loaded as a plugin."""
    folder = resources("hookstream.capture.plugins")
    bridge = folder.joinpath("bridge.js").read_text("utf-8").replace("export class", "class")
    plugin = folder.joinpath("opencode/plugin.js").read_text("utf-8")
    command = json.dumps(launched("opencode", program="feed", scope=scope))
    return (plugin.replace('["@COMMAND@"]', command) + "\n" + bridge).encode()


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    if scope == "managed":
        # A plugin file in the machine's folder is not read; its address in the configuration is.
        plugin = launcher.folder(managed=True) / "opencode" / NAME
        place = homes.system("opencode", "opencode", "opencode")
        return [
            WholeFile(plugin, "opencode", content(scope), EVENTS),
            PluginList(place / "opencode.json", "opencode", plugin.as_uri()),
        ]
    user = homes.config() / "opencode"
    folder = user if scope == "user" else homes.project / ".opencode"
    return [WholeFile(folder / "plugin" / NAME, "opencode", content(scope), EVENTS)]


def gaps(homes: InstallFolders) -> list[str]:
    names = ("OPENCODE_PURE", "OPENCODE_TEST_MANAGED_CONFIG_DIR")
    return [
        f"{name} is set: no plugin of the machine's runs" for name in names if name in homes.env
    ]


AGENT = agent(INSTALL, files, gaps)
