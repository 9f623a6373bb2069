"""OpenClaw's configuration (JSON5): the entry that loads the plugin and lets it see."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.config_file import ConfigFile, decoded, encoded, json_object
from hookstream.capture.install.splices import Document
from hookstream.core.jsonc import Node

PLUGIN = "hookstream"
# Without it the hooks that hold prompts and answers are not called for a plugin from outside.
ENTRY = {"enabled": True, "hooks": {"allowConversationAccess": True}}
PATHS = ("plugins", "load", "paths")
ENTRIES = ("plugins", "entries")
ALLOW = ("plugins", "allow")
# What install may have to make, inner ones first.
BOXES: tuple[tuple[str, ...], ...] = (PATHS, PATHS[:2], ENTRIES, ENTRIES[:1])


class PluginEntry(ConfigFile):
    """The folder in `plugins.load.paths`, the entry, and a place on an allow list that exists."""

    def __init__(self, path: Path, vendor: str, folder: Path, events: tuple[str, ...]) -> None:
        super().__init__(path, vendor)
        self.folder = str(folder)
        self.events = events

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes:
        mark, text = decoded(self.path, data)
        if not text.strip():
            fresh = {"plugins": {"load": {"paths": [self.folder]}, "entries": {PLUGIN: ENTRY}}}
            return encoded(mark, json.dumps(fresh, indent=2) + "\n")
        text = self._with_element(text, PATHS, self.folder, make=True)
        text = self._with_entry(text)
        return encoded(mark, self._with_element(text, ALLOW, PLUGIN, make=False))

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        mark, text = decoded(self.path, data)
        if not text.strip():
            return data
        kept = self._boxes(before)
        for path, wanted in ((PATHS, self.folder), (ALLOW, PLUGIN)):
            document, box = self._find(text, path)
            if box is not None and box.kind == "array":
                gone = [item for item in box.items if item.node.value == wanted]
                document.remove(box, gone)
                text = document.result()
        document, box = self._find(text, ENTRIES)
        if box is not None and box.kind == "object":
            document.remove_member(box, PLUGIN)
            text = document.result()
        if encoded(mark, text) == data:
            return data
        for box_path in BOXES:
            text = self._without_empty(text, box_path, kept)
        if before is None and self._find(text, ())[0].root.plain() == {}:
            return None
        return encoded(mark, text)

    def registered(self, data: bytes | None) -> dict[str, bool]:
        text = decoded(self.path, data)[1]
        loaded = False
        if text.strip():
            values = self._find(text, ())[0].root.plain()
            plugins = values.get("plugins") if isinstance(values, dict) else None
            loaded = isinstance(plugins, dict) and self._is_loaded(plugins)
        return dict.fromkeys(self.events, loaded)

    def _is_loaded(self, plugins: dict[str, Any]) -> bool:
        load = plugins.get("load")
        paths = load.get("paths") if isinstance(load, dict) else None
        entries = plugins.get("entries")
        entry = entries.get(PLUGIN) if isinstance(entries, dict) else None
        is_on = isinstance(entry, dict) and entry.get("enabled") is not False
        return isinstance(paths, list) and self.folder in paths and is_on

    def _find(self, text: str, path: tuple[str, ...]) -> tuple[Document, Node | None]:
        document = json_object(self.path, text, json5=True)
        node: Node | None = document.root
        for key in path:
            if node is None:
                break
            if node.kind != "object":
                raise FileRefused(
                    f"{self.path}: left alone, {'.'.join(path)} is not what it should be"
                )
            node = node.get(key)
        return document, node

    def _insert(self, text: str, path: tuple[str, ...], value: Any) -> str:
        """Put a value at a path whose last parts do not exist yet."""
        missing = len(path)
        while missing and self._find(text, path[: missing - 1])[1] is None:
            missing -= 1
        for key in reversed(path[missing:]):
            value = {key: value}
        document, box = self._find(text, path[: missing - 1])
        if box is None or box.kind != "object":
            raise FileRefused(f"{self.path}: left alone, {'.'.join(path)} is not what it should be")
        document.insert(box, [(path[missing - 1], value)])
        return document.result()

    def _with_element(self, text: str, path: tuple[str, ...], value: str, make: bool) -> str:
        document, box = self._find(text, path)
        if box is None:
            return self._insert(text, path, [value]) if make else text
        if box.kind != "array":
            raise FileRefused(f"{self.path}: left alone, {'.'.join(path)} is not a list")
        has = any(item.node.value == value for item in box.items)
        # An empty allow list allows everything.
        if not has and (make or box.items):
            document.insert(box, [(None, value)])
        return document.result()

    def _with_entry(self, text: str) -> str:
        document, entry = self._find(text, (*ENTRIES, PLUGIN))
        if entry is None:
            return self._insert(text, (*ENTRIES, PLUGIN), ENTRY)
        if entry.plain() == ENTRY:
            return text
        document.replace(entry, ENTRY)
        return document.result()

    def _boxes(self, before: bytes | None) -> set[tuple[str, ...]]:
        if before is None:
            return set()
        text = decoded(self.path, before)[1]
        if not text.strip():
            return set()
        return {path for path in BOXES if self._find(text, path)[1] is not None}

    def _without_empty(self, text: str, path: tuple[str, ...], kept: set[tuple[str, ...]]) -> str:
        _, box = self._find(text, path)
        if box is None or box.items or path in kept:
            return text
        document, parent = self._find(text, path[:-1])
        if parent is not None:
            document.remove_member(parent, path[-1])
        return document.result()
