"""A hook that is another's script: a wrapper takes its name, the script gets a new one next to it.

That name begins with a dot, which no client takes for an event. The wrapper runs the script itself
if the launcher is gone: a guard must not vanish with its observer.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from hookstream.capture.install import atomic
from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.commands import wrap_words
from hookstream.capture.install.config_file import ConfigFile

SIGN = b"# hookstream wraps"
BY_HAND = re.compile(
    rb"hookstream(?:\.exe)?['\"]? wrap |hookstream\.capture\.wrap[._]start"
    rb"|/hookstream/hookstream-wrap"
)
# What a client starts scripts of an ending with; the others it runs with separate interpreters.
SHELLS = {"": "", ".sh": "bash ", ".bash": "bash ", ".zsh": "zsh "}
WRAPPER = """#!/bin/sh
{sign} the hook beside it and records what it decides; hookstream uninstall puts it back.
case $0 in */*) hook=${{0%/*}}/{beside};; *) hook=./{beside};; esac
[ -x {python} ] && exec {words} {shell}"$hook" "$@"
exec {shell}"$hook" "$@"
"""


def beside(path: Path) -> Path:
    """The path of the script itself while it is wrapped."""
    return path.with_name(f".{path.name}.hookstream")


def read_quietly(path: Path) -> bytes | None:
    try:
        return atomic.read(path)
    except FileRefused:
        return None


def is_wrapper(data: bytes | None) -> bool:
    return data is not None and SIGN in data


def why_not(path: Path, data: bytes) -> str | None:
    """Return why a script cannot be wrapped, or None."""
    if path.suffix not in SHELLS:
        return f"a {path.suffix} script"
    return "wrapped by hand" if not is_wrapper(data) and BY_HAND.search(data) else None


def pair(path: Path, vendor: str, event: str, in_the_way: bool) -> list[ConfigFile]:
    """The two files of a script that is there, in the order in which they are written; `in_the_way`
    says that no other name is left for a hook of ours."""
    return [Beside(path, vendor), WrappedScript(path, vendor, event, in_the_way)]


class WrappedScript(ConfigFile):
    """The script's own name: the wrapper, once it is wrapped."""

    mode = 0o755

    def __init__(self, path: Path, vendor: str, event: str, in_the_way: bool) -> None:
        super().__init__(path, vendor)
        self.event = event
        self.in_the_way = in_the_way

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes | None:
        if data is None:
            return None
        if not is_wrapper(data) and (not wrap or why_not(self.path, data) is not None):
            if self.in_the_way:
                hint = "" if wrap else "; --wrap wraps it"
                raise FileRefused(
                    f"{self.path}: left alone, another file of that name is there{hint}"
                )
            return data
        words = wrap_words(self.vendor, self.event, [])
        text = WRAPPER.format(
            sign=SIGN.decode(),
            beside=shlex.quote(beside(self.path).name),
            python=shlex.quote(words[0]),
            words=" ".join(shlex.quote(word) for word in words),
            shell=SHELLS[self.path.suffix],
        )
        return text.encode()

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        return self.original(before) if is_wrapper(data) else data

    def original(self, before: bytes | None) -> bytes | None:
        """The script as it is now: its owner may have edited it in place."""
        quietly = read_quietly(beside(self.path))
        if quietly is None and not before:
            raise FileRefused(f"{self.path}: left alone, the hook it wraps is gone")
        return quietly if quietly is not None else before

    def registered(self, data: bytes | None) -> dict[str, bool]:
        return {self.event: True} if is_wrapper(data) else {}

    def wrapped(self, data: bytes | None) -> int:
        return int(is_wrapper(data))

    def not_wrapped(self, data: bytes | None) -> list[str]:
        if data is None or is_wrapper(data):
            return []
        return [f"{self.event}: {why_not(self.path, data) or 'added since'}"]


class Beside(ConfigFile):
    """The script under its other name, while it is wrapped."""

    def __init__(self, path: Path, vendor: str) -> None:
        super().__init__(beside(path), vendor)
        self.script = path
        self.mode = path.stat().st_mode & 0o777

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes | None:
        script = atomic.read(self.script)
        if not wrap or script is None or is_wrapper(script) or why_not(self.script, script):
            return data
        return script

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        return self._kept(data)

    def original(self, before: bytes | None) -> bytes | None:
        return self._kept(atomic.read(self.path))

    def _kept(self, data: bytes | None) -> bytes | None:
        """It stays as long as the wrapper needs it, or the script does not say the same."""
        return None if data is None or read_quietly(self.script) == data else data

    def registered(self, data: bytes | None) -> dict[str, bool]:
        return {}
