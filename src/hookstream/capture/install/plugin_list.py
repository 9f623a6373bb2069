"""A machine-wide JSON file with a list of plug-ins: an element of its list `plugin`."""

from __future__ import annotations

import json
from pathlib import Path

from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.config_file import ConfigFile, decoded, encoded
from hookstream.capture.install.splices import Document
from hookstream.core.jsonc import BrokenDocument


class PluginList(ConfigFile):
    """`element` is the address of the plugin's file."""

    def __init__(self, path: Path, vendor: str, element: str) -> None:
        super().__init__(path, vendor)
        self.element = element

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes:
        mark, text = decoded(self.path, data)
        if not text.strip():
            return encoded(mark, json.dumps({"plugin": [self.element]}, indent=2) + "\n")
        document = self._document(text)
        box = document.root.get("plugin")
        if box is None:
            document.insert(document.root, [("plugin", [self.element])])
        elif box.kind != "array":
            raise FileRefused(f"{self.path}: left alone, plugin is not a list")
        elif not any(item.node.value == self.element for item in box.items):
            document.insert(box, [(None, self.element)])
        return encoded(mark, document.result())

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        mark, text = decoded(self.path, data)
        if not text.strip():
            return data
        document = self._document(text)
        box = document.root.get("plugin")
        if box is None or box.kind != "array":
            return data
        mine = [item for item in box.items if item.node.value == self.element]
        if mine and len(mine) == len(box.items) and b'"plugin"' not in (before or b""):
            gone = [item for item in document.root.items if item.key == "plugin"]
            document.remove(document.root, gone)
        else:
            document.remove(box, mine)
        out = document.result()
        if before is None and Document(out).root.plain() == {}:
            return None
        return encoded(mark, out)

    def registered(self, data: bytes | None) -> dict[str, bool]:
        return {}

    def _document(self, text: str) -> Document:
        try:
            document = Document(text)
        except BrokenDocument as error:
            raise FileRefused(f"{self.path}: left alone, no valid JSON: {error}") from None
        if document.root.kind != "object":
            raise FileRefused(f"{self.path}: left alone, holds no object")
        return document
