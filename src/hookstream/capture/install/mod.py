"""Claude Code's mod of ours: a plugin in a local marketplace, and the settings that load it.

Source: the client's documentation of mods, trials with 2.1.331. A user's settings load it without a
question; only the machine's put it in front of every other mod (`prependPlugins`).
"""

from __future__ import annotations

import json
from hashlib import sha256
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from hookstream.capture.install import atomic, launcher
from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.clients import NUMBERS, evidence_of
from hookstream.capture.install.command import launched
from hookstream.capture.install.config_file import (
    Around,
    ConfigFile,
    WholeFile,
    decoded,
    encoded,
    json_object,
)
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.splices import Document
from hookstream.core.folders import state_folder
from hookstream.core.jsonc import BrokenDocument, Node
from hookstream.normalizers.claude_code.client import MANAGED
from hookstream.normalizers.client import Client
from hookstream.version import __version__

KEY = "claude-code"
# The first build that loads mods without being asked to.
SINCE = (2, 1, 287)
NAME = "hookstream"
PLUGIN = f"{NAME}@{NAME}"
# The client's own guard, which a list of ours would else take out.
GUARD = "cc-plugin-sec-default"
DEFAULT_FIRST = f"{GUARD}@builtin"
MARKETS, ENABLED, FIRST = "extraKnownMarketplaces", "enabledPlugins", "prependPlugins"
ONLY_MANAGED = f'pluginConfigs["{DEFAULT_FIRST}"].options.allowManagedModsOnly'
ABOUT = "Audit stream of hookstream: observes tool calls, changes nothing"


def folder(homes: InstallFolders, scope: str) -> Path:
    """The folder of the marketplace, at a path that an upgrade leaves as it is."""
    if scope == "managed":
        return launcher.folder(managed=True) / KEY
    return Path(state_folder() or homes.home) / "plugins" / KEY


def plugin_files(home: Path, scope: str) -> list[ConfigFile]:
    """The marketplace with its one plugin. The client keeps a copy by version: another content is
    another version."""
    command = json.dumps(launched(KEY, program="feed", scope=scope))
    shipped = resources("hookstream.capture.plugins").joinpath("claude_code/register.js")
    code = shipped.read_text("utf-8").replace('["@COMMAND@"]', command)
    version = f"{__version__.split('+')[0]}-{sha256(code.encode()).hexdigest()[:8]}"
    market = {
        "name": NAME,
        "owner": {"name": NAME},
        "plugins": [{"name": NAME, "source": f"./{NAME}", "description": ABOUT}],
    }
    about = {"name": NAME, "version": version, "description": ABOUT}
    parts = {
        ".claude-plugin/marketplace.json": _text(market),
        f"{NAME}/.claude-plugin/plugin.json": _text(about),
        f"{NAME}/hooks/hooks.json": _text({"description": ABOUT, "modules": ["./register.js"]}),
        f"{NAME}/hooks/register.js": code.encode(),
    }
    return [WholeFile(home / name, KEY, data) for name, data in parts.items()]


def _text(value: Any) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


class WithMod(Around):
    """A settings file that loads the mod; `inner` is what else is written into it. With `on` False
    nothing is added, and taking hookstream out takes the mod out as well."""

    def __init__(self, inner: ConfigFile, home: Path, first: list[str], on: bool) -> None:
        super().__init__(inner)
        self.home = home
        self.first = first
        self.on = on

    def values(self) -> list[tuple[str, str, Any]]:
        """The members that are ours: section, key, value."""
        source = {"source": {"source": "directory", "path": str(self.home)}}
        return [(MARKETS, NAME, source), (ENABLED, PLUGIN, True)]

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes | None:
        changed = self.inner.with_ours(data, wrap)
        if not self.on and not is_loaded(self.path, data):
            return changed
        mark, text = decoded(self.path, changed)
        for section, key, value in self.values():
            text = self._with_member(text, section, key, value)
        if self.first:
            text = self._with_first(text)
        return encoded(mark, text)

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        mark, text = decoded(self.path, data)
        kept = set(_names(self.path, before))
        for section, key, _ in self.values():
            text = self._without(text, section, lambda item, key=key: item.key == key, kept)
        text = self._without(text, FIRST, lambda item: item.node.value == PLUGIN, kept)
        document = self._open(text)
        rest = document.root.get(FIRST)
        if rest is not None and rest.plain() == [DEFAULT_FIRST] and FIRST not in kept:
            document.remove_member(document.root, FIRST)
            text = document.result()
        return self.inner.without_ours(encoded(mark, text), before)

    def _open(self, text: str) -> Document:
        return json_object(self.path, text or "{}\n")

    def _box(self, document: Document, name: str, kind: str) -> Node | None:
        box = document.root.get(name)
        if box is not None and box.kind != kind:
            raise FileRefused(f"{self.path}: left alone, {name} is not what it should be")
        return box

    def _with_member(self, text: str, section: str, key: str, value: Any) -> str:
        document = self._open(text)
        box = self._box(document, section, "object")
        node = box.get(key) if box is not None else None
        if box is None:
            document.insert(document.root, [(section, {key: value})])
        elif node is None:
            document.insert(box, [(key, value)], True)
        elif node.plain() != value:
            document.replace(node, value)
        return document.result()

    def _with_first(self, text: str) -> str:
        document = self._open(text)
        box = self._box(document, FIRST, "array")
        if box is None:
            document.insert(document.root, [(FIRST, [PLUGIN, *self.first])])
        elif not any(item.node.value == PLUGIN for item in box.items):
            document.insert(box, [(None, PLUGIN)], True)
        return document.result()

    def _without(self, text: str, section: str, is_ours: Any, kept: set[str]) -> str:
        document = self._open(text)
        box = document.root.get(section)
        if box is None or box.kind not in ("object", "array"):
            return text
        gone = [item for item in box.items if is_ours(item)]
        if gone and len(gone) == len(box.items) and section not in kept:
            document.remove_member(document.root, section)
        else:
            document.remove(box, gone)
        return document.result()


def _names(path: Path, data: bytes | None) -> list[str]:
    """The names at the top of a file as it was."""
    text = decoded(path, data)[1]
    try:
        return [str(item.key) for item in Document(text).root.items] if text.strip() else []
    except BrokenDocument:
        return []


def is_loaded(path: Path, data: bytes | None) -> bool:
    """Return whether the settings load the mod."""
    try:
        text = decoded(path, data)[1]
        value = Document(text).root.plain() if text.strip() else {}
    except (BrokenDocument, FileRefused):
        return False
    return isinstance(value, dict) and part(value, ENABLED, PLUGIN) is True


def part(value: dict[str, Any], *path: str) -> Any:
    """The value at a path, or None."""
    node: Any = value
    for key in path:
        node = node.get(key) if isinstance(node, dict) else None
    return node


def with_mod(
    files: list[ConfigFile],
    agent: Client,
    homes: InstallFolders,
    scope: str,
    wanted: bool | None = False,
) -> list[ConfigFile]:
    """The files of Claude Code with the mod: `wanted` None where the client loads mods and no
    policy forbids them, False only where it is there already."""
    if agent.key != KEY or scope == "project":
        return files
    settings = files[0]
    try:
        is_on = is_loaded(settings.path, atomic.read(settings.path))
    except FileRefused:
        is_on = False  # whoever changes the file reports what is wrong with it
    if wanted is None:
        wanted = is_on or (is_new_enough(agent, homes) and forbidden(homes, scope) is None)
    if not wanted and not is_on:
        return files
    home = folder(homes, scope)
    first = others_first(homes) if scope == "managed" else []
    # The settings last, so that they never name a folder that is not there.
    return [*plugin_files(home, scope), WithMod(settings, home, first, wanted or is_on), *files[1:]]


def make_ready() -> None:
    """Compile the redaction rules that the mod's program loads: its first batch would do it."""
    from hookstream.redaction.scanner import Scanner

    Scanner()


def is_new_enough(agent: Client, homes: InstallFolders) -> bool:
    """Return whether the client on this machine loads mods, by its version if a file has it."""
    match = NUMBERS.match(evidence_of(agent, homes).version or "")
    return match is not None and tuple(int(group or 0) for group in match.groups()) >= SINCE


def managed_settings(homes: InstallFolders) -> list[tuple[Path, dict[str, Any]]]:
    """The machine's settings files, with what each holds."""
    place_of = MANAGED.path(homes)
    more = sorted((place_of / "managed-settings.d").glob("*.json"))
    return [(path, homes.json(path)) for path in (place_of / "managed-settings.json", *more)]


def others_first(homes: InstallFolders) -> list[str]:
    """The plugins that the machine's settings put first, without ours; the client's guard, which is
    there unless they say otherwise."""
    named = [
        name
        for _, settings in managed_settings(homes)
        for name in settings.get(FIRST) or ()
        if type(name) is str and name != PLUGIN
    ]
    return list(dict.fromkeys(named)) or [DEFAULT_FIRST]


def forbidden(homes: InstallFolders, scope: str) -> str | None:
    """The setting that keeps a mod of this scope from loading, None if it would load."""
    for path, settings in managed_settings(homes):
        if settings.get("disableAllHooks") is True:
            return f"disableAllHooks in {path}: only the client's own mods run"
        options = part(settings, "pluginConfigs", DEFAULT_FIRST, "options")
        if scope == "managed":
            continue
        if isinstance(options, dict) and options.get("allowManagedModsOnly") is True:
            return f"{ONLY_MANAGED} in {path}: no mod of a user loads"
        for name in ("allowManagedHooksOnly", "strictKnownMarketplaces"):
            if settings.get(name):
                return f"{name} in {path}: no mod of a user's own marketplace loads"
    return None


def warning(agent: Client, homes: InstallFolders) -> str | None:
    """The risk of mods that users load here, None where the machine's settings forbid them."""
    if not is_new_enough(agent, homes) or forbidden(homes, "user") is not None:
        return None
    return (
        "users may load mods, which can deny, answer and rewrite calls and silence hooks: "
        f"{ONLY_MANAGED}: true in managed-settings.json forbids all but the organization's"
    )
