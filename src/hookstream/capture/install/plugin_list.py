"""A machine-wide JSON file with a list of plug-ins: an element of its list `plugin`."""

from __future__ import annotations

import json
from pathlib import Path

from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.config_file import ConfigFile, decoded, encoded, json_object
from hookstream.capture.install.splices import Document


class PluginList(ConfigFile):
    """`element` is the address of the plugin's file."""

    def __init__(self, path: Path, vendor: str, element: str) -> None:
        super().__init__(path, vendor)
        self.element = element

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes:
        mark, text = decoded(self.path, data)
        if not text.strip():
            return encoded(mark, json.dumps({"plugin": [self.element]}, indent=2) + "\n")
        document = json_object(self.path, text)
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
        document = json_object(self.path, text)
        box = document.root.get("plugin")
        if box is None or box.kind != "array":
            return data
        mine = [item for item in box.items if item.node.value == self.element]
        if mine and len(mine) == len(box.items) and b'"plugin"' not in (before or b""):
            document.remove_member(document.root, "plugin")
        else:
            document.remove(box, mine)
        out = document.result()
        if before is None and Document(out).root.plain() == {}:
            return None
        return encoded(mark, out)

    def registered(self, data: bytes | None) -> dict[str, bool]:
        return {}
