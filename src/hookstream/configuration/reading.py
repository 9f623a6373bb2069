"""A TOML file as a command reads it: the values by key, and errors that name the key."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hookstream.configuration.catalog import SETTINGS, Setting
from hookstream.configuration.files import EVERYONE_WRITES, parse_toml
from hookstream.configuration.layers import USER, Layer
from hookstream.core.errors import HookstreamError, did_you_mean
from hookstream.core.files import read_plain
from hookstream.core.jsons import JsonObject

# What a value of each kind of setting is in a file, and what it is called.
TYPES: dict[str, type] = {
    "path": str,
    "text": str,
    "word": str,
    "count": int,
    "flag": bool,
    "table": dict,
    "tables": list,
}
NAME = re.compile(r"\w+")
WORDS = {
    bool: "truth value",
    str: "text",
    int: "whole number",
    float: "number",
    list: "list",
    dict: "table",
}


class Wrong(HookstreamError):
    """The file says what cannot be; the text is its name, the key's path and what is expected."""


def read_toml(path: Path) -> JsonObject:
    """The values of a file. Wrong, in one line, if it cannot be read."""
    try:
        if os.name != "nt" and path.stat().st_mode & EVERYONE_WRITES:
            raise Wrong(f"{path}: others can write it; run chmod o-w")
        return parse_toml(read_plain(path))
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise Wrong(f"{path}: {error}") from None
    except RecursionError:
        raise Wrong(f"{path}: nested too deeply") from None


def named_layer(path: Path) -> Layer:
    """A file that was named, in the place of the user's own; its paths may be relative to where the
    command runs. Raises Wrong."""
    values = read_toml(path)
    for setting in SETTINGS:
        value = values.get(setting.name)
        if setting.kind == "path" and type(value) is str and value and not value.startswith("~"):
            values[setting.name] = str(Path(value).absolute())
    return Layer(USER, str(path), values)


def is_private(path: Path) -> bool:
    """Return whether only its owner can read a file."""
    try:
        return os.name == "nt" or not path.stat().st_mode & 0o077
    except OSError:
        return False


class Reading:
    """One file being read; every complaint names the key."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.private = is_private(path)

    def wrong(self, where: str, what: str) -> Wrong:
        return Wrong(f"{self.path}: {where}: {what}")

    def take(self, given: JsonObject, where: str, name: str, want: type, other: Any) -> Any:
        """The value under a key, which is taken out. Wrong unless it is of that type."""
        if name not in given:
            return other
        value = given.pop(name)
        if want is float and type(value) is int:
            value = float(value)
        if type(value) is not want:
            raise self.wrong(f"{where}{name}", f"needs to be a {WORDS[want]}")
        return value

    def word(self, given: JsonObject, where: str, name: str, words: tuple[str, ...]) -> Any:
        value = self.take(given, where, name, str, None)
        if value is not None and value not in words:
            raise self.wrong(f"{where}{name}", f"{value!r} is not one of {', '.join(words)}")
        return value

    def texts(self, given: JsonObject, where: str, name: str) -> list[str]:
        value = given.pop(name, [])
        value = [value] if type(value) is str else value
        if type(value) is not list or not all(type(one) is str for one in value):
            raise self.wrong(f"{where}{name}", "needs to be a text or a list of texts")
        return list(value)

    def setting(self, given: JsonObject, setting: Setting) -> Any:
        """The value of a setting, its default if it has none."""
        name = setting.name
        if setting.kind == "texts":
            return self.texts(given, "", name)
        if setting.choices:
            return self.word(given, "", name, setting.words) or setting.default
        if setting.kind not in TYPES:  # whatever form it has: the layers have checked it
            return given.pop(name, setting.default)
        value = self.take(given, "", name, TYPES[setting.kind], setting.default)
        if setting.least and value is not None and value < setting.least:
            raise self.wrong(name, f"needs to be at least {setting.least}")
        return value

    def nothing_left(self, given: JsonObject, where: str, allowed: str) -> None:
        for name in given:
            near = did_you_mean(name, NAME.findall(allowed)) or f"; here may be {allowed}"
            raise self.wrong(f"{where}{name}", f"no such key{near}")
