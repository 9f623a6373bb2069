"""Cursor: hooks.json, a flat list an event, timeouts in seconds, `{}` as the answer.

Source: the hook modules in the vendor's SDK 1.0.32 and its documentation. A file that names an
event the client does not know is invalid as a whole, hence `SINCE`.
"""

from __future__ import annotations

from typing import Any

from hookstream.capture.install.agent import agent
from hookstream.capture.install.clients import product_version
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.hooks_file import HooksFile
from hookstream.normalizers.cursor.install import INSTALL, SINCE

EVENTS = INSTALL.events
# A pattern of the client's, not a secret: after five rounds such hooks are no longer called.
LOOPING = ("stop", "subagentStop")


def known(version: tuple[int, ...] | None) -> tuple[str, ...]:
    """The events a client of that version knows; all of them where the version is unknown."""
    if version is None:
        return EVENTS
    return tuple(e for since, names in SINCE.items() if version >= since for e in names.split())


def entry(event: str, command: str) -> dict[str, Any]:
    handler: dict[str, Any] = {"command": command, "timeout": 5}
    if event in LOOPING:
        handler["loop_limit"] = None
    return handler


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    if scope == "user":
        path = homes.home / ".cursor" / "hooks.json"
    elif scope == "project":
        path = homes.project / ".cursor" / "hooks.json"
    else:
        path = homes.system("cursor", "Cursor", "Cursor") / "hooks.json"
    events = known(product_version(homes, "cursor"))
    return [HooksFile(path, "cursor", events, entry, {"version": 1})]


def gaps(homes: InstallFolders) -> list[str]:
    found = []
    path = homes.project / ".cursor" / "hooks.json"
    if path.is_symlink():
        found.append(f"{path} is a link: the client refuses linked project files")
    version = product_version(homes, "cursor")
    missing = [event for event in EVENTS if event not in known(version)]
    if missing and version is not None:
        name = ".".join(str(number) for number in version)
        found.append(f"version {name} has no {', '.join(missing)}")
    return found


AGENT = agent(INSTALL, files, gaps)
