"""The configuration file: `~/.config/hookstream/config.json` (XDG), all of it optional.

    {"hooks": [{"event": "*", "log": "/var/log/agents/"}],
     "privacy": "hash", "sync": "fdatasync", "rotate_bytes": 67108864, "keep": 0,
     "budget_ms": 4000, "digest_key": "/etc/hookstream/digest.key",
     "allow": "/etc/hookstream/allow", "environment": "add"}

`hooks` is the switch of Agent Hooks 10.4: the entry for event `*` says where everything goes.
`allow` is an allow-list as `run --allow` takes it. A relative path would mean a file of the folder
that the agent works in, which may be anybody's: it needs to begin with / or ~/. `environment` says
what AGENT_HOOKS_LOG may do to the place of a registered hook: `add` another, or `replace` it.
"""

from __future__ import annotations

import os

from hookstream.capture.log.place import config_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SYNCS = ("none", "fdatasync", "full")
MODES = ("hash", "redact", "full")
ENVIRONMENTS = ("add", "replace")
ROTATE_BYTES = 64 * 1024 * 1024
LIMIT_BYTES = 256 * 1024


class Settings:
    """What the configuration says; `problem` is why it, or a part of it, could not be used."""

    __slots__ = (
        "allow",
        "budget_ms",
        "digest_key",
        "environment",
        "keep",
        "log",
        "privacy",
        "problem",
        "rotate_bytes",
        "sync",
    )

    def __init__(self) -> None:
        self.log: str | None = None
        self.privacy = "hash"
        self.sync = "fdatasync"
        # None: 64 MiB in a place of ours, no rotation of a file the user named
        self.rotate_bytes: int | None = None
        self.keep = 0
        self.budget_ms: int | None = None
        self.digest_key: str | None = None
        self.allow: str | None = None
        self.environment = "add"
        self.problem: str | None = None


def config_file() -> str | None:
    """The path of the configuration file, whether it exists or not."""
    folder = config_folder()
    return os.path.join(folder, "config.json") if folder else None


def read_settings(path: str | None = None) -> Settings:
    """The settings of the file; the defaults stand for what is absent or wrong. Never raises."""
    settings = Settings()
    name = path or config_file()
    if name is None:
        return settings
    try:
        handle = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return settings
    except OSError as error:
        settings.problem = f"configuration: {error.strerror}"
        return settings
    try:
        data = os.read(handle, LIMIT_BYTES)
    except OSError as error:
        settings.problem = f"configuration: {error.strerror}"
        return settings
    finally:
        os.close(handle)
    _fill(settings, data)
    return settings


def _fill(settings: Settings, data: bytes) -> None:
    from hookstream.jsons import loads

    try:
        value = loads(data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        settings.problem = "configuration: not JSON"
        return
    if type(value) is not dict:
        settings.problem = "configuration: not an object"
        return
    for name, check in CHECKS.items():
        if name in value:
            if check(value[name]):
                setattr(settings, name, value[name])
            else:
                settings.problem = f"configuration: {name} is not valid"
    if "hooks" in value:
        _hooks(settings, value["hooks"])


def _hooks(settings: Settings, entries: Any) -> None:
    for entry in entries if type(entries) is list else ():
        if type(entry) is dict and entry.get("event") == "*":
            log = entry.get("log", "*")
            if log is False:
                log = "off"
            if type(log) is str:
                settings.log = log
                return
    settings.problem = 'configuration: hooks has no entry {"event": "*", "log": ...}'


def _is_budget(value: Any) -> bool:
    return _natural(value) and 50 <= value <= 60_000


def _is_certain_path(value: Any) -> bool:
    return type(value) is str and (os.path.isabs(value) or value.startswith("~/"))


def _natural(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**53


CHECKS: dict[str, Callable[[Any], bool]] = {
    "privacy": lambda value: value in MODES,
    "sync": lambda value: value in SYNCS,
    "rotate_bytes": _natural,
    "keep": _natural,
    "budget_ms": _is_budget,
    "digest_key": _is_certain_path,
    "allow": _is_certain_path,
    "environment": lambda value: value in ENVIRONMENTS,
}
