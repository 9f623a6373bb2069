"""Links that another user may have placed: a log is not followed to their targets."""

from __future__ import annotations

import os

LINK, KINDS = 0o120000, 0o170000
OTHERS_WRITE = 0o022


class LogRefused(Exception):
    """The target is nothing to append to: a link, a FIFO, a device, another user's file."""


def refuse_foreign(path: str, opened: os.stat_result | None = None) -> None:
    """Raise LogRefused if a folder of the path is a symbolic link of another user's, or the opened
    file has further names and is in a folder where others can make them."""
    if os.name == "nt":
        return
    trusted = (0, os.geteuid())
    at = ""
    for part in os.path.dirname(path).split("/"):
        at = f"{at}/{part}" if part else at
        if part and _is_foreign_link(at, trusted):
            raise LogRefused("a folder of the log is another user's symbolic link")
    if opened is not None and opened.st_nlink > 1 and _others_may_link(path, trusted):
        raise LogRefused("the log is a hard link that another user may have made")


def _is_foreign_link(path: str, trusted: tuple[int, int]) -> bool:
    try:
        info = os.lstat(path)
    except OSError:
        return False  # what is not there is made
    return info.st_mode & KINDS == LINK and info.st_uid not in trusted


def _others_may_link(path: str, trusted: tuple[int, int]) -> bool:
    """Return whether users other than this one and root can write into the folder. The user's
    second name for a log (a backup) stops no capture."""
    info = os.stat(os.path.dirname(path) or ".")
    return info.st_uid not in trusted or bool(info.st_mode & OTHERS_WRITE)
