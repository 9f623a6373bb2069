"""`uninstall --purge`: the files that hookstream keeps outside the clients' own.

What can be made again is removed; the audit data (log, dead letters, offsets, seals) and the keys
to read it stay until `--purge-log`. The configuration and a log in a place of the user's own
naming are the user's.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from hookstream.capture.install import launcher
from hookstream.core import folders

# In the state folder: made by install, hooks and collector, of no use without them.
STATE = ("install", "install.lock", "backups", "plugins", "run", "wrap.lock", "collector.token")
ERRORS = "hook-errors"


def purge_state(
    with_log: bool,
    keep_backups: bool = False,
    dry_run: bool = False,
    other_log: str | None = None,
) -> None:
    """Remove it and print a line per path that is removed or left. `other_log` is a log in a
    place that the user named."""
    state = folders.state_folder()
    cache = folders.cache_folder()
    gone = []
    if state is not None and with_log and not keep_backups:
        gone.append(Path(state))
    elif state is not None:
        gone += [one for one in _inside(state) if with_log or _is_state(one.name)]
        gone = [one for one in gone if not (keep_backups and one.name == "backups")]
    if cache is not None:
        gone.append(Path(cache))
    for path in gone:
        if os.path.lexists(path):
            print(f"{'would remove' if dry_run else 'removed'} {path}")
            if not dry_run:
                _remove(path)
    if dry_run:
        return
    _remove_empty(state)
    for path in (*_inside(state), *_inside(folders.config_folder())):
        hint = "" if with_log or _is_config(path) else "; --purge-log removes it"
        print(f"left: {path}{hint}")
    if other_log is not None and os.path.exists(other_log):
        print(f"left: {other_log}")


def tell_left() -> None:
    """Print what stays after an uninstall that purges nothing: log, keys, state, configuration."""
    for folder in (folders.state_folder(), folders.config_folder(), folders.cache_folder()):
        if folder is not None and _inside(folder):
            names = ", ".join(sorted(path.name for path in _inside(folder)))
            print(f"left: {folder} ({names})")


def named_log() -> str | None:
    """The log that the launcher names, where the user chose its place at install. To be asked
    before the launcher is removed."""
    places = launcher.read_folders(Path(launcher.path("hook")))
    return places["log"] or None if places is not None else None


def _is_state(name: str) -> bool:
    return name in STATE or name.startswith(ERRORS)


def _is_config(path: Path) -> bool:
    return str(path.parent) == folders.config_folder()


def _inside(folder: str | None) -> list[Path]:
    if folder is None or not os.path.isdir(folder):
        return []
    return sorted(Path(folder).iterdir())


def _remove(path: Path) -> None:
    """Remove a file, link or folder; a link is not followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _remove_empty(folder: str | None) -> None:
    if folder is not None and os.path.isdir(folder) and not os.listdir(folder):
        os.rmdir(folder)
