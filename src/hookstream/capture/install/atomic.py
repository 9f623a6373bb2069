"""Reading and replacing a file whole, through links, without changing whose it is."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

from hookstream.core.errors import HookstreamError

LIMIT_BYTES = 16 * 1024 * 1024


class FileRefused(HookstreamError):
    """A file is left alone; the text says which and why."""


def read(path: Path) -> bytes | None:
    """The bytes of a file, through links; None if it does not exist. Raises FileRefused."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        raise FileRefused(f"{path}: a file stands where a folder should be") from None
    except OSError as error:
        raise FileRefused(f"{path}: {error.strerror}") from None
    info = os.fstat(handle)
    if not stat.S_ISREG(info.st_mode) or info.st_size > LIMIT_BYTES:
        os.close(handle)
        what = "is not a regular file" if not stat.S_ISREG(info.st_mode) else "is far too large"
        raise FileRefused(f"{path}: {what}")
    with os.fdopen(handle, "rb") as file:
        return file.read()


def target_of(path: Path) -> Path:
    """The file that a chain of links leads to: it is replaced, they stay. Raises FileRefused."""
    try:
        real = Path(os.path.realpath(path, strict=False))
    except (OSError, RuntimeError):
        raise FileRefused(f"{path}: a link that leads to itself") from None
    if real.is_symlink():
        raise FileRefused(f"{path}: a link that leads to itself")
    if path.is_symlink() and not real.parent.is_dir():
        raise FileRefused(f"{path}: a link to a folder that does not exist, {real.parent}")
    return real


def make_folders(folder: Path, mode: int = 0o755) -> list[Path]:
    """Make a folder and those above it; the ones that were missing, outermost first."""
    missing = []
    at = folder
    while not at.exists():
        missing.append(at)
        at = at.parent
    paths = []
    for one in reversed(missing):
        try:
            one.mkdir(mode)
        except FileExistsError:
            continue
        except OSError as error:
            raise FileRefused(f"{one}: {error.strerror}") from None
        paths.append(one)
    return paths


def replace(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file atomically: a new one next to it, synced, then renamed. An existing file keeps
    its mode, owner and attributes; a new one has `mode` less the umask. Raises FileRefused."""
    real = target_of(path)
    before = real.stat() if real.exists() else None
    draft = real.with_name(f".{real.name}.hookstream-{secrets.token_hex(4)}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except OSError as error:
        raise FileRefused(f"{path}: cannot write into {real.parent}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            if before is not None:
                _keep_identity(handle, real, before)
            file.write(data)
            file.flush()
            os.fsync(handle)
        draft.replace(real)
    except OSError as error:
        raise FileRefused(f"{path}: {error.strerror}") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()
    sync_folder(real.parent)


def _keep_identity(handle: int, real: Path, before: os.stat_result) -> None:
    if os.name == "nt":
        return
    now = os.fstat(handle)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        try:
            os.fchown(handle, before.st_uid, before.st_gid)
        except OSError:
            if now.st_uid != before.st_uid:
                raise FileRefused(f"{real}: belongs to another user") from None
    os.fchmod(handle, stat.S_IMODE(before.st_mode))
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(real):
                with contextlib.suppress(OSError):
                    os.setxattr(handle, name, os.getxattr(real, name))


def remove(path: Path) -> None:
    """Remove the file a path leads to. Raises FileRefused."""
    real = target_of(path)
    try:
        real.unlink()
    except FileNotFoundError:
        return
    except OSError as error:
        raise FileRefused(f"{path}: {error.strerror}") from None
    sync_folder(real.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename durable where the system lets a folder be synced."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
