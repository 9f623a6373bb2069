"""The cache of compiled rules: a private folder, a private file, verified before it is used.

Where the code may be written, as in a virtual environment, a copy lies next to its bytecode, for
other homes of that installation: whoever can write it can write the code, too.

Nothing here raises: a damaged, foreign or unwritable cache means compiling in memory.
"""

# pathlib would cost the hook program its start.
# ruff: noqa: PTH101, PTH103, PTH105, PTH108, PTH112, PTH116, PTH118, PTH120, PTH123, PTH208
from __future__ import annotations

import os
import sys
from hashlib import sha256

from hookstream.core.folders import cache_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SUFFIX = ".hsdb"
SHARED = os.path.join(os.path.dirname(__file__), "__pycache__")
MAX_BYTES = 64 << 20


def features() -> str:
    """The processor's features: a database made for one kind must not run on another."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
            head = info.read(8192)
    except OSError:
        head = ""
    for line in head.splitlines():
        if line.startswith(("flags", "Features")):
            return line
    import platform

    return f"{platform.machine()} {platform.processor()}"


def key_of(patterns: list[bytes], version: str) -> str:
    """Digest over the rules, the library's version and the processor."""
    mark = sha256(f"{version}\0{sys.platform}\0{features()}\0".encode())
    for pattern in patterns:
        mark.update(len(pattern).to_bytes(4, "big"))
        mark.update(pattern)
    return mark.hexdigest()


def fetch(key: str) -> bytes | None:
    """The cached bytes if the file is undamaged, and this user's own and private, or next to the
    code."""
    own = _read(os.path.join(cache_folder() or "", key[:32] + SUFFIX), key, _is_private)
    return own or _read(os.path.join(SHARED, key[:32] + SUFFIX), key, _is_as_the_code)


def _read(name: str, key: str, is_trusted: Callable[[os.stat_result], bool]) -> bytes | None:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        handle = os.open(name, flags)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        try:
            info = os.fstat(file.fileno())
            if not is_trusted(info) or info.st_size > MAX_BYTES:
                return None
            head, body = file.read(64), file.read(MAX_BYTES)
        except OSError:
            return None
    digest = sha256(key.encode())
    digest.update(body)  # megabytes: joined to the key they would be copied
    return body if head == digest.hexdigest().encode() else None


def _is_private(info: os.stat_result) -> bool:
    if os.name == "nt":
        return True
    return info.st_uid == os.geteuid() and not info.st_mode & 0o077


def _is_as_the_code(info: os.stat_result) -> bool:
    """Return whether only the owner of the code can write a file."""
    try:
        code = os.stat(__file__)
    except OSError:
        return False
    return os.name == "nt" or (info.st_uid == code.st_uid and not info.st_mode & 0o022)


def store(key: str, body: bytes) -> None:
    """Keep the database for this user, and for all who run this installation."""
    folder = cache_folder()
    data = sha256(key.encode() + body).hexdigest().encode() + body
    if folder is not None:
        _store(folder, key, data, 0o600)
    if not sys.dont_write_bytecode and os.path.isdir(SHARED):
        _store(SHARED, key, data, 0o644)


def _store(folder: str, key: str, data: bytes, mode: int) -> None:
    """Write the whole file under another name first, so that no reader sees half of it."""
    try:
        if mode == 0o600:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            info = os.lstat(folder)
            if os.name != "nt" and info.st_uid != os.geteuid():
                return
            if info.st_mode & 0o077:
                os.chmod(folder, 0o700)
        name = os.path.join(folder, key[:32] + SUFFIX)
        draft = f"{name}.{os.getpid()}.{os.urandom(4).hex()}"
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(draft, name)
        except OSError:
            os.unlink(draft)
        _forget_others(folder, name)
    except OSError:
        return


def _forget_others(place: str, keep: str) -> None:
    """At most eight databases stay, three a set of rules: older rules leave theirs there."""
    files = [os.path.join(place, name) for name in os.listdir(place) if name.endswith(SUFFIX)]
    files.sort(key=lambda name: os.stat(name).st_mtime)
    for name in files[:-8]:
        if name != keep:
            os.unlink(name)
