"""A TOML file of hooks, edited in place: one `[[hooks]]` table each; all else in it stays.

Only a table's header and the plain lines below it are read as text. Each edit is read again before
it is written: a file that would hold anything else than before is left alone.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.command import command_line
from hookstream.capture.install.commands import (
    is_ours,
    is_wrapped,
    mentions_us,
    unwrap_line,
    wrap_line,
)
from hookstream.capture.install.config_file import (
    ConfigFile,
    decoded,
    encoded,
    newline_of,
    toml_values,
)

KEY = r"[ \t]*[\w-]+[ \t]*=[^\r\n]*(?:\r?\n|\Z)"
TABLE = re.compile(
    rf"^[ \t]*\[\[[ \t]*hooks[ \t]*\]\][ \t]*(?:#[^\r\n]*)?\r?\n(?:{KEY})*", re.MULTILINE
)
COMMAND = re.compile(
    r"""^([ \t]*command[ \t]*=[ \t]*)(?:"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*')""", re.MULTILINE
)
BLANK = re.compile(r"[ \t]*\r?\n")
BLANK_BEFORE = re.compile(r"(?:\A|(?<=\n))[ \t]*\r?\n\Z")
COMMENTS_BEFORE = re.compile(r"(?:^[ \t]*#[^\r\n]*\r?\n)+\Z", re.MULTILINE)

HookTable = dict[str, Any]


class TomlHooks(ConfigFile):
    """`entry(event, command)` is an event's table, `key` the name that holds the event in it;
    `first` puts ours before the others, where a client ends its round at the first that denies."""

    def __init__(
        self,
        path: Path,
        vendor: str,
        events: tuple[str, ...],
        entry: Callable[[str, str], HookTable],
        key: str,
        first: bool = False,
    ) -> None:
        super().__init__(path, vendor)
        self.events = events
        self.entry = entry
        self.key = key
        self.first = first

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes | None:
        mark, text = decoded(self.path, data)
        if wrap and os.name != "nt":
            text = self._rewritten(text, self._wrapping)
        if [hook for hook in self._hooks(text) if is_ours(_command(hook))] == self._ours():
            return encoded(mark, text)
        rest = self._without(text)
        newline = newline_of(text)
        block = newline.join(_written(hook, newline) for hook in self._ours())
        at = self._place(rest)
        if at < len(rest):
            out = rest[:at] + block + newline + rest[at:]
            hooks = [*self._ours(), *self._hooks(rest)]
        else:
            gap = "" if not rest or rest.endswith("\n") else newline
            out = rest + gap + (newline if rest else "") + block
            hooks = [*self._hooks(rest), *self._ours()]
        self._check(out, rest, hooks)
        return encoded(mark, out)

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        mark, text = decoded(self.path, data)
        rest = self._rewritten(self._without(text), lambda hook: unwrap_line(_command(hook)))
        if before is None and not rest.strip():
            return None
        return encoded(mark, rest)

    def registered(self, data: bytes | None) -> dict[str, bool]:
        ours = {
            hook.get(self.key)
            for hook in self._hooks(decoded(self.path, data)[1])
            if is_ours(_command(hook))
        }
        return {event: event in ours for event in self.events}

    def wrapped(self, data: bytes | None) -> int:
        return sum(
            is_wrapped(_command(other)) for other in self._others(decoded(self.path, data)[1])
        )

    def not_wrapped(self, data: bytes | None) -> list[str]:
        why = "not on Windows" if os.name == "nt" else "added since"
        return [
            f"{other.get(self.key)}: {why}"
            for other in self._others(decoded(self.path, data)[1])
            if not is_wrapped(_command(other))
        ]

    def foreign(self, data: bytes | None) -> list[str]:
        return [
            f"{hook.get(self.key)}: {_command(hook)}"
            for hook in self._hooks(decoded(self.path, data)[1])
            if mentions_us(_command(hook))
        ]

    def _ours(self) -> list[HookTable]:
        return [
            self.entry(event, command_line(self.vendor, event, self.scope)) for event in self.events
        ]

    def _values(self, text: str) -> HookTable:
        values = toml_values(self.path, text)
        hooks = values.get("hooks", [])
        if not isinstance(hooks, list) or not all(isinstance(hook, dict) for hook in hooks):
            raise FileRefused(f"{self.path}: left alone, hooks is not a list of tables")
        return values

    def _hooks(self, text: str) -> list[HookTable]:
        hooks: list[HookTable] = self._values(text).get("hooks", [])
        return hooks

    def _others(self, text: str) -> list[HookTable]:
        return [hook for hook in self._hooks(text) if not is_ours(_command(hook))]

    def _place(self, text: str) -> int:
        """Where ours go: before the first table of hooks and what is noted above it, or at the
        end."""
        table = TABLE.search(text) if self.first else None
        if table is None:
            return len(text)
        noted = COMMENTS_BEFORE.search(text, 0, table.start())
        return noted.start() if noted is not None else table.start()

    def _without(self, text: str) -> str:
        """The text without our tables, each with one blank line next to it. Raises FileRefused."""
        out = text
        for match in reversed(list(TABLE.finditer(text))):
            if not is_ours(_command(_table_of(match.group()))):
                continue
            start, end = match.span()
            after = BLANK.match(out, end)
            before = BLANK_BEFORE.search(out, 0, start) if after is None else None
            end = after.end() if after is not None else end
            start = before.start() if before is not None else start
            out = out[:start] + out[end:]
        self._check(out, text, self._others(text))
        return out

    def _rewritten(self, text: str, change: Callable[[HookTable], str | None]) -> str:
        """The text with other commands, where `change` has one for a table. Raises FileRefused."""
        hooks = self._hooks(text)
        wanted = [{**hook, "command": change(hook) or _command(hook)} for hook in hooks]
        if wanted == hooks:
            return text
        fresh = iter(wanted)

        def rewrite(match: re.Match[str]) -> str:
            hook = next(fresh, {})
            if hook.get("command") == _command(_table_of(match.group())):
                return match.group()
            line = json.dumps(hook.get("command"), ensure_ascii=False)
            return COMMAND.sub(lambda one: one[1] + line, match.group(), count=1)

        out = TABLE.sub(rewrite, text)
        self._check(out, text, wanted)
        return out

    def _wrapping(self, hook: HookTable) -> str | None:
        command = _command(hook)
        if not command or is_ours(command) or is_wrapped(command):
            return None
        return wrap_line(self.vendor, str(hook.get(self.key)), command, managed=self.managed)

    def _check(self, made: str, given: str, hooks: list[HookTable]) -> None:
        """Raise FileRefused unless the new text is the other one, except for these hooks."""
        expected, found = self._values(given), self._values(made)
        expected.pop("hooks", None)
        if found.pop("hooks", []) != hooks or found != expected:
            raise FileRefused(f"{self.path}: left alone, its hooks cannot be edited in place")


def _written(hook: HookTable, newline: str) -> str:
    lines = [f"{name} = {json.dumps(value)}" for name, value in hook.items()]
    return newline.join(["[[hooks]]", *lines, ""])


def _command(hook: HookTable) -> str:
    command = hook.get("command")
    return command if isinstance(command, str) else ""


def _table_of(text: str) -> HookTable:
    """One table of hooks; an empty one if the text is not a table by itself."""
    try:
        (table,) = tomllib.loads(text)["hooks"]
    except (tomllib.TOMLDecodeError, ValueError):
        return {}
    return table if isinstance(table, dict) else {}
