"""Key files: made at the first run, readable by their owner alone, refused otherwise."""

# pathlib would cost the hook program its start.
# ruff: noqa: PTH103, PTH104, PTH108, PTH110, PTH120
from __future__ import annotations

import os

from hookstream.core.errors import HookstreamError

KEY_BYTES = 32


def load_key(path: str | os.PathLike[str], create: bool = False, shared: bool = False) -> bytes:
    """The bytes of a key file (at least 16); with `create`, 32 random ones are written first.

    Raises HookstreamError if the file is missing, short, no regular file, another user's, or
    open to group or others. `shared`: root's file, which others may read but not write, will do: a
    key that the machine's policy names for all its users.
    """
    name = os.fspath(path)
    if create and not os.path.lexists(name):
        _make(name)
    flags = os.O_RDONLY
    for option in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK"):  # a FIFO must not hold anybody
        flags |= getattr(os, option, 0)
    try:
        handle = os.open(name, flags)
    except OSError as error:
        raise HookstreamError(f"key file {name} cannot be used: {error.strerror}") from None
    try:
        _check(name, os.fstat(handle), shared)
        key = os.read(handle, 4096)
    finally:
        os.close(handle)
    key = key.rstrip(b"\r\n") if key.isascii() else key
    if len(key) < 16:
        raise HookstreamError(f"key file {name}: needs at least 16 bytes")
    return key


def _check(name: str, info: os.stat_result, shared: bool) -> None:
    if info.st_mode & 0o170000 != 0o100000:
        raise HookstreamError(f"key file {name}: is not a regular file")
    if os.name == "nt":
        return
    if shared and info.st_uid == 0:
        if info.st_mode & 0o022:
            raise HookstreamError(f"key file {name}: others can write it; run chmod go-w")
        return
    if info.st_mode & 0o077:
        raise HookstreamError(f"key file {name}: others can read it; run chmod 600")
    if info.st_uid not in (os.geteuid(), 0):
        raise HookstreamError(f"key file {name}: belongs to another user")


def _make(name: str) -> None:
    """Write a new key whole: a reader sees no file or all of it, and the first writer wins."""
    folder = os.path.dirname(name) or "."
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        draft = f"{name}.{os.getpid()}.{os.urandom(4).hex()}"
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(handle, os.urandom(KEY_BYTES).hex().encode())
            os.fsync(handle)
        finally:
            os.close(handle)
        try:
            os.link(draft, name)
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links
            if not os.path.exists(name):
                os.rename(draft, name)
                return
        os.unlink(draft)
    except OSError as error:
        raise HookstreamError(f"key file {name} cannot be used: {error.strerror}") from None
