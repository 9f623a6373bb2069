"""The user's folders of hookstream: state, configuration, data, cache (XDG). The hook loads this:
no heavy import."""

# ruff: noqa: PTH117, PTH118
from __future__ import annotations

import os

from hookstream.core.errors import HookstreamError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def home(env: Mapping[str, str] | None = None) -> str | None:
    """The user's home: HOME, else the password database, else None."""
    env = os.environ if env is None else env
    named = env.get("HOME") or env.get("USERPROFILE")
    if named and os.path.isabs(named):
        return named
    try:
        from pwd import getpwuid

        named = getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError, AttributeError):
        return None
    return named if named and os.path.isabs(named) else None


def full_path(path: str) -> str:
    """The path with the user's home for its ~."""
    if not path.startswith("~"):
        return path
    base = home()
    return base + path[1:] if base else ""  # never a folder named ~ where the agent works


def _xdg(
    variable: str, below: tuple[str, ...], windows: str, env: Mapping[str, str] | None = None
) -> str | None:
    # A relative path in an XDG variable is invalid and to be ignored (XDG base directories).
    env = os.environ if env is None else env
    named = env.get(variable)
    if named and os.path.isabs(named):
        return os.path.join(named, "hookstream")
    local = env.get(windows) if os.name == "nt" else None
    if local:
        return os.path.join(local, "hookstream")
    base = home(env)
    return os.path.join(base, *below, "hookstream") if base else None


def state_folder(env: Mapping[str, str] | None = None) -> str | None:
    """`$XDG_STATE_HOME/hookstream`, by default ~/.local/state/hookstream; None without a home."""
    return _xdg("XDG_STATE_HOME", (".local", "state"), "LOCALAPPDATA", env)


def config_folder(env: Mapping[str, str] | None = None) -> str | None:
    """`$XDG_CONFIG_HOME/hookstream`, by default ~/.config/hookstream; None without a home."""
    return _xdg("XDG_CONFIG_HOME", (".config",), "APPDATA", env)


def data_folder() -> str | None:
    """`$XDG_DATA_HOME/hookstream`, by default ~/.local/share/hookstream; None without a home."""
    return _xdg("XDG_DATA_HOME", (".local", "share"), "LOCALAPPDATA")


def cache_folder() -> str | None:
    """`$XDG_CACHE_HOME/hookstream`, by default ~/.cache/hookstream; None without a home."""
    return _xdg("XDG_CACHE_HOME", (".cache",), "LOCALAPPDATA")


def state_path(*below: str) -> Path:
    """The state folder, or a path in it, whether it exists or not. HookstreamError without a
    home."""
    from pathlib import Path

    state = state_folder()
    if state is None:
        raise HookstreamError("no home folder for the state: set HOME or XDG_STATE_HOME")
    return Path(state, *below)


def pseudonym_key_file() -> str:
    """The user's own key of pseudonyms: pseudonym.key in the state folder. HookstreamError without
    a home."""
    state = state_folder()
    if state is None:
        raise HookstreamError("no home folder for the key: set HOME or XDG_STATE_HOME")
    return os.path.join(state, "pseudonym.key")
