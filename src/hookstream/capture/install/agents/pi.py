"""Pi: an extension file of ours in its extensions folder.

Source: the extension documentation in 0.73.1 and trials with it. A project's extensions come before
a person's, then the order is that of their names: ours sorts first.
"""

from __future__ import annotations

import json
from importlib.resources import files as resources

from hookstream.capture.install.agent import agent
from hookstream.capture.install.command import launched
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.whole_file import WholeFile
from hookstream.normalizers.pi.install import INSTALL

EVENTS = INSTALL.events
NAME = "00-hookstream.js"


def content(scope: str) -> bytes:
    """The extension as one file: each in that folder would be loaded as an extension."""
    folder = resources("hookstream.capture.plugins")
    bridge = folder.joinpath("bridge.js").read_text("utf-8").replace("export class", "class")
    extension = folder.joinpath("pi/extension.js").read_text("utf-8")
    extension = extension.replace(
        '["@COMMAND@"]', json.dumps(launched("pi", program="feed", scope=scope))
    ).replace('["@EVENTS@"]', json.dumps(EVENTS))
    return (extension + "\n" + bridge).encode()


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    if scope == "managed":
        return []
    user = homes.named("PI_CODING_AGENT_DIR", ".pi/agent")
    folder = user if scope == "user" else homes.project / ".pi"
    return [WholeFile(folder / "extensions" / NAME, "pi", content(scope), EVENTS)]


AGENT = agent(INSTALL, files)
