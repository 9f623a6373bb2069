"""Codex's `notify` in config.toml: one line, added only where nothing else uses it."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.commands import are_words_ours
from hookstream.capture.install.config_file import (
    ConfigFile,
    decoded,
    encoded,
    newline_of,
    toml_values,
)

LINE = re.compile(r"^notify[ \t]*=[ \t]*\[[^\r\n]*\][ \t]*\r?\n?", re.MULTILINE)


class NotifyLine(ConfigFile):
    """`words` is the program and its arguments; Codex adds its JSON as the last one."""

    def __init__(self, path: Path, vendor: str, words: list[str]) -> None:
        super().__init__(path, vendor)
        self.words = words

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes:
        mark, text = decoded(self.path, data)
        values = toml_values(self.path, text)
        line = "notify = " + json.dumps(self.words, ensure_ascii=True)
        if "notify" in values:
            if not _is_ours(values) or values["notify"] == self.words:
                return data or b""
            out = LINE.sub(lambda _: line + newline_of(text), text, count=1)
        else:
            # The first line always belongs to the root table.
            out = line + newline_of(text) + text
        if toml_values(self.path, out) != {**values, "notify": self.words}:
            raise FileRefused(f"{self.path}: left alone, its notify cannot be replaced in place")
        return encoded(mark, out)

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        mark, text = decoded(self.path, data)
        values = toml_values(self.path, text)
        if not _is_ours(values):
            return data
        for match in LINE.finditer(text):
            out = text[: match.start()] + text[match.end() :]
            try:
                rest = tomllib.loads(out.replace("\r\n", "\n"))
            except tomllib.TOMLDecodeError:
                continue
            if rest == {key: value for key, value in values.items() if key != "notify"}:
                return None if before is None and not out.strip() else encoded(mark, out)
        raise FileRefused(f"{self.path}: left alone, remove its line notify by hand")

    def registered(self, data: bytes | None) -> dict[str, bool]:
        return {"notify": _is_ours(toml_values(self.path, decoded(self.path, data)[1]))}


def _is_ours(values: dict[str, Any]) -> bool:
    words = values.get("notify")
    return isinstance(words, list) and are_words_ours([str(word) for word in words])
