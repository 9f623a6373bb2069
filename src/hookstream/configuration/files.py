"""The user's file and the variables of the environment, as layers of settings."""

from __future__ import annotations

import os
import re

from hookstream.configuration.catalog import SETTINGS
from hookstream.configuration.layers import ENVIRONMENT, USER, Layer
from hookstream.core.folders import config_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.configuration.machine import Parse

MOST_PARTS = 64  # of a key: what reads it costs the square of them
_DOTTED = rb"(?:[\w\"'-]{1,64}[ \t]?\.[ \t]?){%d}" % MOST_PARTS
EVERYONE_WRITES = 0o002  # a file that names sinks, keys and what is private
LIMIT_BYTES = 256 * 1024
OLDER = {setting.older: setting.name for setting in SETTINGS if setting.older}


def parse_toml(data: bytes) -> dict[str, Any]:
    """The values of a TOML file. Raises ValueError."""
    import tomllib

    if data.count(b".") > MOST_PARTS and re.search(_DOTTED, data) is not None:
        raise ValueError(f"a key of more than {MOST_PARTS} parts")
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"no UTF-8 at byte {error.start}") from None
    return tomllib.loads(text)


def user_files(folder: str | None) -> list[str]:
    """Paths of the user's file: config.toml, else config.json of earlier versions."""
    names = ("config.toml", "config.json") if folder else ()
    return [os.path.join(folder or "", name) for name in names]


def read_user(folder: str | None, parse: Parse) -> Layer | None:
    """The first of the user's files that exists, else None. Never raises."""
    for name in user_files(folder):
        try:
            handle = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            return Layer(USER, name, {}, str(error.strerror))
        try:
            if os.name != "nt" and os.fstat(handle).st_mode & EVERYONE_WRITES:
                return Layer(USER, name, {}, "ignored, others can write it; run chmod o-w")
            data = os.read(handle, LIMIT_BYTES)
        except OSError as error:
            return Layer(USER, name, {}, str(error.strerror))
        finally:
            os.close(handle)
        return _layer(name, data, parse)
    return None


def _layer(name: str, data: bytes, parse: Parse) -> Layer:
    if name.endswith(".toml"):
        try:
            return Layer(USER, name, parse(data))
        except Exception as error:
            return Layer(USER, name, {}, f"not valid TOML: {str(error)[:120]}")
    from hookstream.core.jsons import loads

    try:
        value = loads(data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return Layer(USER, name, {}, "not JSON")
    if type(value) is not dict:
        return Layer(USER, name, {}, "not an object")
    return _older(name, value)


def _older(name: str, value: dict[str, Any]) -> Layer:
    """config.json: `hooks` is the switch of Agent Hooks 10.4, whose entry for `*` has the place."""
    layer = Layer(USER, name, {OLDER.get(key, key): one for key, one in value.items()})
    layer.spelled = {OLDER[key]: key for key in value if key in OLDER}
    entries = layer.values.pop("hooks", None)
    if entries is None:
        return layer
    for entry in entries if type(entries) is list else [entries]:
        if type(entry) is dict and entry.get("event") == "*":
            log = entry.get("log", entry.get("output", "*"))
            log = "off" if log is False else log
            if type(log) is str:
                layer.values["log"] = log
                return layer
    layer.problem = 'hooks has no entry {"event": "*", "log": ...} (or "output")'
    return layer


def user_layer() -> Layer | None:
    """The user's config.toml for commands. config.json of earlier versions is the hooks' alone."""
    user = read_user(config_folder(), parse_toml)
    return user if user is not None and user.path.endswith(".toml") else None


def variables(*readers: str) -> list[Layer]:
    """Settings from the environment of a command, of those that these programs read. Hooks do not
    use them: see `machine`."""
    return [
        Layer(ENVIRONMENT, one.variable, {one.name: value})
        for one in SETTINGS
        if one.variable and {*readers} & {*one.readers}
        if (value := os.environ.get(one.variable, "").strip())
    ]
