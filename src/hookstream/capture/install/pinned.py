"""Settings that keep a client's own from switching hooks off, next to the machine's hooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.config_file import (
    Around,
    ConfigFile,
    decoded,
    encoded,
    json_document,
)
from hookstream.capture.install.splices import Document
from hookstream.core.jsonc import Node

# The keys down to a value; at most two deep.
Pins = Mapping[tuple[str, ...], Any]


class Pinned(Around):
    """A JSON file with `pins` set; `inner` is what else is written into it. A value that is there
    and is another is the administrator's word: FileRefused."""

    def __init__(self, inner: ConfigFile, pins: Pins) -> None:
        super().__init__(inner)
        self.pins = pins

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes | None:
        mark, text = decoded(self.path, self.inner.with_ours(data, wrap))
        for path, value in self.pins.items():
            text = self._pin(text, path, value)
        return encoded(mark, text)

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        mark, text = decoded(self.path, data)
        if text.strip():
            for path, value in self.pins.items():
                if not self._has(before, path):
                    text = self._unpin(text, path, value)
        return self.inner.without_ours(encoded(mark, text), before)

    def _pin(self, text: str, path: tuple[str, ...], value: Any) -> str:
        document, node = self._find(text, path)
        if node is not None:
            if node.plain() == value:
                return text
            raise FileRefused(
                f"{self.path}: left alone, {'.'.join(path)} is {node.plain()!r} there"
            )
        *above, name = path
        _, box = self._find(text, tuple(above))
        if box is None:  # the table is not there either
            document.insert(document.root, [(above[0], {name: value})])
        elif box.kind != "object":
            raise FileRefused(f"{self.path}: left alone, {'.'.join(above)} is not an object")
        else:
            document, box = self._find(text, tuple(above))
            assert box is not None
            document.insert(box, [(name, value)])
        return document.result()

    def _unpin(self, text: str, path: tuple[str, ...], value: Any) -> str:
        document, box = self._find(text, path[:-1])
        if box is None or box.kind != "object":
            return text
        mine = [item for item in box.items if item.key == path[-1] and item.node.plain() == value]
        if len(path) > 1 and mine and len(mine) == len(box.items):
            document.remove_member(document.root, path[0])
        else:
            document.remove(box, mine)
        return document.result()

    def _has(self, before: bytes | None, path: tuple[str, ...]) -> bool:
        text = decoded(self.path, before)[1]
        return bool(text.strip()) and self._find(text, path)[1] is not None

    def _find(self, text: str, path: tuple[str, ...]) -> tuple[Document, Node | None]:
        document = json_document(self.path, text)
        node: Node | None = document.root
        for key in path:
            node = node.get(key) if node is not None and node.kind == "object" else None
        return document, node


class Superseded(ConfigFile):
    """A file that an earlier version wrote into: what is ours in it goes."""

    def __init__(self, inner: ConfigFile) -> None:
        super().__init__(inner.path, inner.vendor)
        self.inner = inner

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes | None:
        if data is None or not any(self.inner.registered(data).values()):
            return data
        return self.inner.without_ours(data, b"")

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        return self.inner.without_ours(data, before)

    def registered(self, data: bytes | None) -> dict[str, bool]:
        return {}
