"""What went wrong in a hook, for `hookstream status`: a small file `hook-errors`.

One JSON object a line: at, vendor, event, stage, problem. Never a word of a payload. It lies in
the state folder, or where that takes nothing beside the log. Bounded: the older half goes when it
is full.
"""

from __future__ import annotations

import os

NAME = "hook-errors"
LIMIT_BYTES = 64 * 1024
FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND
for _name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY", "O_NOCTTY"):
    FLAGS |= getattr(os, _name, 0)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def describe(error: BaseException) -> str:
    """What an exception says without quoting data: its type, the system's words, and where."""
    name = type(error).__name__
    if isinstance(error, OSError) and error.errno is not None:
        return f"{name}: {os.strerror(error.errno)}"
    if name == "LogRefused":  # its words are ours
        return str(error)
    place = ""
    trace = error.__traceback__
    while trace is not None:
        file = os.path.basename(trace.tb_frame.f_code.co_filename)
        place = f" at {file}:{trace.tb_lineno}"
        trace = trace.tb_next
    return name + place


def plain_name(given: object) -> str:
    """A vendor's or an event's name as it may be kept: letters, `_`, `.`, `:` and `-`. What else a
    command line says in its place may be a secret."""
    if type(given) is not str or not given:
        return ""
    letters = given.translate({ord(sign): None for sign in "_.:-"})
    return given if len(given) <= 48 and letters.isascii() and letters.isalpha() else "?"


def plain_value(text: str) -> str:
    """A variable's value where it is a plain word; else it may be a secret."""
    return text if len(text) <= 16 and text.isascii() and text.isalnum() else "..."


def record_failure(folders: list[str], entry: dict[str, Any], once: bool = False) -> bool:
    """Append the entry in the first folder that takes it; says whether one did. Never raises.

    `once`: not where the same problem is recorded already; it would come with every event, and push
    out what else went wrong.
    """
    try:
        from hookstream.jsons import ascii_line, dumps

        if once and _is_known(folders, ascii_line(dumps(entry["problem"]))):
            return True
        line = ascii_line(dumps(entry)) + b"\n"
        return any(_append(os.path.join(folder, NAME), line) for folder in folders)
    except Exception:
        return False


def read_failures(folder: str) -> list[dict[str, Any]]:
    """The entries of a folder's file, oldest first; empty where there is none."""
    from hookstream.jsons import loads

    found: list[dict[str, Any]] = []
    try:
        with open(os.path.join(folder, NAME), "rb") as file:
            lines = file.read(2 * LIMIT_BYTES).splitlines()
    except OSError:
        return found
    for line in lines:
        try:
            entry = loads(line)
        except ValueError:
            continue
        if type(entry) is dict:
            found.append(entry)
    return found


def _is_known(folders: list[str], problem: bytes) -> bool:
    for folder in folders:
        try:
            handle = os.open(os.path.join(folder, NAME), FLAGS & ~os.O_CREAT)
        except OSError:
            continue
        try:
            info = os.fstat(handle)
            if info.st_mode & 0o170000 == 0o100000 and problem in os.read(handle, 2 * LIMIT_BYTES):
                return True
        finally:
            os.close(handle)
    return False


def _append(path: str, line: bytes) -> bool:
    from hookstream.capture.log.append import make_folders
    from hookstream.capture.log.links import LogRefused, refuse_foreign
    from hookstream.capture.log.locks import lock

    try:
        make_folders(os.path.dirname(path))
        handle = os.open(path, FLAGS, 0o600)
    except OSError:
        return False
    try:
        info = os.fstat(handle)
        refuse_foreign(path, info)
        if info.st_mode & 0o170000 != 0o100000:
            return False
        if info.st_size > LIMIT_BYTES and lock(handle, 0.05):
            _halve(handle)
        return os.write(handle, line) == len(line)
    except (OSError, LogRefused):
        return False
    finally:
        os.close(handle)


def _halve(handle: int) -> None:
    size = os.fstat(handle).st_size
    if size <= LIMIT_BYTES:
        return
    os.lseek(handle, size - LIMIT_BYTES // 2, os.SEEK_SET)
    rest = os.read(handle, LIMIT_BYTES).partition(b"\n")[2]
    os.ftruncate(handle, 0)
    os.write(handle, rest)
