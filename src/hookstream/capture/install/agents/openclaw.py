"""OpenClaw: a plugin folder of ours, and its entry in openclaw.json (JSON5).

Source: the plugin documentation in 2026.9.6 and trials with it. Hooks are functions there; those
that may hold up a call are answered with nothing at once.
"""

from __future__ import annotations

import json
from importlib.resources import files as resources
from pathlib import Path

from hookstream.capture.install.agent import agent
from hookstream.capture.install.command import launched
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.plugin_entry import PLUGIN, PluginEntry
from hookstream.capture.install.settings_of import json_settings, part
from hookstream.capture.install.whole_file import WholeFile
from hookstream.core import folders
from hookstream.normalizers.openclaw.install import INSTALL

EVENTS = INSTALL.events
PARTS = ("openclaw/openclaw.plugin.json", "openclaw/package.json", "openclaw/index.js", "bridge.js")


def config(homes: InstallFolders) -> Path:
    named = homes.env.get("OPENCLAW_CONFIG_PATH")
    return (
        Path(named) if named else homes.named("OPENCLAW_STATE_DIR", ".openclaw") / "openclaw.json"
    )


def plugin_folder(homes: InstallFolders) -> Path:
    """The folder of the plugin, which the entry names: in the state folder, not in the package,
    whose place changes with every upgrade."""
    return Path(folders.state_folder() or homes.home) / "plugins" / "openclaw"


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    if scope != "user":
        return []
    folder = plugin_folder(homes)
    shipped = resources("hookstream.capture.plugins")
    settings = {
        "hookstream": True,
        "command": launched("openclaw", program="feed"),
        "events": EVENTS,
    }
    found: list[ConfigFile] = [
        WholeFile(folder / Path(name).name, "openclaw", shipped.joinpath(name).read_bytes())
        for name in PARTS
    ]
    text = json.dumps(settings, indent=1) + "\n"
    found.append(WholeFile(folder / "settings.json", "openclaw", text.encode()))
    # Last, so that the entry never names a folder that is not there.
    found.append(PluginEntry(config(homes), folder, EVENTS))
    return found


def gaps(homes: InstallFolders) -> list[str]:
    plugins = part(json_settings(config(homes), json5=True), "plugins")
    found = []
    if isinstance(plugins, dict):
        denied = plugins.get("deny")
        if plugins.get("enabled") is False:
            found.append("plugins.enabled is false in openclaw.json: no plugin runs")
        if isinstance(denied, list) and PLUGIN in denied:
            found.append("plugins.deny in openclaw.json names hookstream")
    return found


AGENT = agent(INSTALL, files, gaps)
