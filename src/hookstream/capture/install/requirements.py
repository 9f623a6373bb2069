"""Codex's requirements.toml: hooks that no user's setting takes away, and the pin that needs.

The additions form one block at the end of the file, except a key of a table that exists already:
TOML allows a table once. Such a line ends with our mark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.command import command_line
from hookstream.capture.install.commands import is_ours
from hookstream.capture.install.config_file import (
    ConfigFile,
    decoded,
    encoded,
    newline_of,
    toml_values,
)
from hookstream.core.jsons import JsonObject

BEGIN, END = "# hookstream: begin", "# hookstream: end"
BLOCK = re.compile(rf"(?:\r?\n)?{BEGIN}\r?\n.*?{END}(?:\r?\n|\Z)", re.DOTALL)
MARK = "  # hookstream"
LINE = re.compile(rf"^[^\r\n]*{MARK}\r?\n?", re.MULTILINE)


class Requirements(ConfigFile):
    """`entry(event, command)` is a group of hooks as hooks.json has it; `folder` the one that the
    client takes managed hooks from."""

    def __init__(
        self,
        path: Path,
        vendor: str,
        events: tuple[str, ...],
        entry: Callable[[str, str], JsonObject],
        folder: str,
    ) -> None:
        super().__init__(path, vendor)
        self.events = events
        self.make_entry = entry
        self.folder = folder

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes | None:
        mark, given = decoded(self.path, data)
        text = LINE.sub("", BLOCK.sub("", given))
        values = toml_values(self.path, text)
        features = _table(values, "features")
        if features is not None and features.get("hooks") not in (None, True):
            raise FileRefused(f"{self.path}: left alone, features.hooks is false there")
        lines = [BEGIN]
        wanted = {"features": ("hooks", True), "hooks": ("managed_dir", self.folder)}
        for name, (key, value) in wanted.items():
            table = _table(values, name)
            line = f"{key} = {json.dumps(value)}"
            if table is None:
                lines += [f"[{name}]", line]
            elif key not in table:
                text = self._into_table(text, name, line)
        for event in self.events:
            lines += self._group(event)
        newline = newline_of(text)
        gap = "" if not text or text.endswith("\n") else newline
        out = text + gap + newline + newline.join([*lines, END, ""])
        self._check(out, values)
        return encoded(mark, out)

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        mark, text = decoded(self.path, data)
        rest = LINE.sub("", BLOCK.sub("", text))
        toml_values(self.path, rest)
        return None if before is None and not rest.strip() else encoded(mark, rest)

    def registered(self, data: bytes | None) -> dict[str, bool]:
        hooks = _table(toml_values(self.path, decoded(self.path, data)[1]), "hooks") or {}
        return {event: self._is_ours(hooks.get(event)) for event in self.events}

    def _is_ours(self, groups: Any) -> bool:
        handlers = [
            handler
            for group in (groups if isinstance(groups, list) else ())
            if isinstance(group, dict)
            for handler in group.get("hooks", ())
            if isinstance(handler, dict)
        ]
        return any(is_ours(str(handler.get("command"))) for handler in handlers)

    def _group(self, event: str) -> list[str]:
        group = self.make_entry(event, command_line(self.vendor, event, self.scope))
        lines = [f"[[hooks.{event}]]"]
        lines += [f"{key} = {json.dumps(one)}" for key, one in group.items() if key != "hooks"]
        for handler in group["hooks"]:
            lines.append(f"[[hooks.{event}.hooks]]")
            lines += [f"{key} = {json.dumps(one)}" for key, one in handler.items()]
        return lines

    def _into_table(self, text: str, name: str, line: str) -> str:
        """The line after the header of an existing table."""
        header = re.compile(rf"^[ \t]*\[[ \t]*{name}[ \t]*\][^\r\n]*(\r?\n|\Z)", re.MULTILINE)
        match = header.search(text)
        if match is None:
            raise FileRefused(
                f"{self.path}: left alone, {name} is not a separate table; add {line}"
            )
        newline = newline_of(text)
        head = text[: match.end()]
        gap = "" if head.endswith("\n") else newline
        return head + gap + line + MARK + newline + text[match.end() :]

    def _check(self, text: str, values: JsonObject) -> None:
        """Raise FileRefused unless the text holds what it held, and ours: a broken file keeps the
        client from starting."""
        made = toml_values(self.path, text)
        hooks = made.get("hooks")
        whole = isinstance(hooks, dict) and all(self._is_ours(hooks.get(e)) for e in self.events)
        kept = all(
            made.get(name) == one
            for name, one in values.items()
            if name not in ("features", "hooks")
        )
        if not whole or not kept:
            raise FileRefused(f"{self.path}: left alone, its tables cannot be added to")


def _table(values: JsonObject, name: str) -> JsonObject | None:
    value = values.get(name)
    return value if isinstance(value, dict) else None
