"""The machine's policy: one TOML file that only the administrator can write.

    /etc/hookstream/config.toml
    /Library/Application Support/hookstream/config.toml     macOS
    C:\\ProgramData\\hookstream\\config.toml                Windows

Its place is fixed; no variable changes it: a repository's `.env` reaches the environment of hooks.
On Windows the folder's own rights are relied on; elsewhere the file counts only if it is root's and
no other user can write it.
"""

from __future__ import annotations

import os
import sys

from hookstream.configuration.layers import MACHINE, Layer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Parse = Callable[[bytes], dict[str, Any]]

FILE = "config.toml"
# Tests put a folder and an owner of theirs here.
FOLDER: str | None = None
OWNERS = (0,)
LIMIT_BYTES = 256 * 1024


def folder() -> str:
    """The machine's folder of hookstream."""
    if FOLDER is not None:
        return FOLDER
    if sys.platform == "win32":
        return os.path.join(_program_data(), "hookstream")
    if sys.platform == "darwin":
        return "/Library/Application Support/hookstream"
    return "/etc/hookstream"


def path() -> str:
    """The policy's file, whether it exists or not."""
    return os.path.join(folder(), FILE)


def read(parse: Parse) -> Layer | None:
    """The policy, None if it does not exist. One that others can write, or that is broken, is
    empty; its `problem` says why. Never raises."""
    name = path()
    try:
        handle = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return Layer(MACHINE, name, {}, f"ignored, {error.strerror}")
    try:
        problem = distrust(os.fstat(handle))
        if problem is not None:
            return Layer(MACHINE, name, {}, f"ignored, {problem}")
        data = os.read(handle, LIMIT_BYTES)
    except OSError as error:
        return Layer(MACHINE, name, {}, f"ignored, {error.strerror}")
    finally:
        os.close(handle)
    if len(data) == LIMIT_BYTES:  # what is cut may have been the locks
        return Layer(MACHINE, name, {}, "ignored, too large")
    try:
        return Layer(MACHINE, name, parse(data))
    except Exception as error:
        return Layer(MACHINE, name, {}, f"ignored, not valid TOML: {str(error)[:120]}")


def distrust(info: os.stat_result) -> str | None:
    """The reason why a file is not the administrator's; None if it is."""
    if info.st_mode & 0o170000 != 0o100000:
        return "is not a regular file"
    if os.name == "nt":
        return None
    if info.st_uid not in OWNERS:
        return "does not belong to root"
    if info.st_mode & 0o022:
        return "others can write it; run chmod go-w"
    return None


def _program_data() -> str:
    """The folder as Windows reports it, not the variable."""
    if sys.platform == "win32":
        from ctypes import create_unicode_buffer, windll

        buffer = create_unicode_buffer(260)
        if windll.shell32.SHGetFolderPathW(None, 0x23, None, 0, buffer) == 0:
            return buffer.value
    return r"C:\ProgramData"
