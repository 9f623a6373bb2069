"""The hook's image: the code of the modules and the programs of the patterns a vendor's hook needs,
in one file that is read at once.

Looking up, opening and checking fifty bytecode files takes longer than running them, and compiling
the rules' patterns a hundred times as long. The image lies beside the package's own bytecode where
that folder can be written, else in the user's cache. It holds no facts and is believed only while
every source it was made from is as it was: lost, damaged or out of date, it is made anew.
"""

from __future__ import annotations

import os
import sys
from marshal import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

LIMIT_BYTES = 8 * 1024 * 1024
HEAD = b"hookstream image 1\n"


class Image:
    """An importer of the modules it holds. `name` tells images apart: a vendor's key.

    `modules`   module -> (source path, its mtime in ns, its size, is a package, code)
    `programs`  (pattern, flags) -> what the engine of `re` takes
    `stale`     whether this run needed what the image did not hold
    """

    def __init__(self, name: str) -> None:
        plain = name.isascii() and name.replace("-", "").isalnum() and len(name) <= 32
        version = f"{sys.implementation.name}-{sys.hexversion:08x}"
        self.file = f"hook-{name if plain else 'other'}-{version}.bin"
        self.modules: dict[str, tuple[str, int, int, bool, bytes]] = {}
        self.programs: dict[tuple[Any, int], tuple[Any, ...]] = {}
        self.stale = False

    def load(self) -> None:
        """Reads the first of its files that is whole and ours."""
        for folder in folders():
            data = _read(os.path.join(folder, self.file))
            if data is not None:
                try:
                    self.modules, self.programs = loads(data)  # noqa: S302 (a file of our own)
                    return
                except (ValueError, EOFError, TypeError):
                    continue

    # The import system's side.

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        held = self.modules.get(name)
        if held is not None:
            try:
                info = os.stat(held[0])
                if info.st_mtime_ns == held[1] and info.st_size == held[2]:
                    return self._spec(name, held[0], held[3])
            except OSError:
                pass
            del self.modules[name]
        return None

    def _spec(self, name: str, path: str, is_package: bool) -> Any:
        kind: Any = type(sys.__spec__)
        spec = kind(name, self, origin=path, is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations.append(os.path.dirname(path))
        return spec

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(loads(self.modules[module.__name__][4]), vars(module))  # noqa: S102, S302

    # Keeping it.

    def save(self) -> bool:
        """Writes the image if this run needed more than it held; says whether it wrote."""
        for name, module in list(sys.modules.items()):
            # What the real `re` brings is needed once, to make the programs.
            if name not in self.modules and name.startswith(("hookstream.", "json")):
                self._add(name, getattr(module, "__spec__", None))
        if not self.stale:
            return False
        body = HEAD + dumps((self.modules, self.programs))
        data = body + (len(body) + 8).to_bytes(8, "big")
        return len(data) <= LIMIT_BYTES and any(
            _write(folder, self.file, data) for folder in folders()
        )

    def _add(self, name: str, spec: Any) -> None:
        """A module that came from a source file after the image was in place."""
        loader: Any = getattr(spec, "loader", None)
        if name in self.before or not hasattr(loader, "get_code"):
            return
        try:
            info = os.stat(spec.origin)
            code = dumps(loader.get_code(name))
        except (OSError, ValueError, ImportError, EOFError):
            return
        is_package = spec.submodule_search_locations is not None
        held = (spec.origin, info.st_mtime_ns, info.st_size, is_package, code)
        self.modules[name] = held
        self.stale = True

    before: frozenset[str] = frozenset()

    def install(self) -> None:
        """Imports go through the image from now on."""
        self.before = frozenset(sys.modules)
        sys.meta_path.insert(0, self)


def folders() -> list[str]:
    """Where an image may lie, the nearest first."""
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__pycache__")
    cache = os.environ.get("XDG_CACHE_HOME")
    if not cache or not os.path.isabs(cache):
        home = os.environ.get("HOME") or os.environ.get("USERPROFILE")
        cache = os.path.join(home, ".cache") if home and os.path.isabs(home) else None
    return [here, os.path.join(cache, "hookstream")] if cache else [here]


def _read(path: str) -> bytes | None:
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, name, 0)
    try:
        handle = os.open(path, flags)
    except OSError:
        return None
    try:
        info = os.fstat(handle)
        if not _is_ours(info) or info.st_size > LIMIT_BYTES:
            return None
        data = os.read(handle, info.st_size)
    except OSError:
        return None
    finally:
        os.close(handle)
    # The tail repeats the length: a file cut short is not given to marshal, which trusts it.
    if not data.startswith(HEAD) or data[-8:] != len(data).to_bytes(8, "big"):
        return None
    return data[len(HEAD) : -8]


def _is_ours(info: os.stat_result) -> bool:
    if info.st_mode & 0o170000 != 0o100000:
        return False
    if os.name == "nt":
        return True
    return info.st_uid in (os.geteuid(), 0) and not info.st_mode & 0o022


def _write(folder: str, name: str, data: bytes) -> bool:
    """Writes the file whole under another name first, so that no reader sees half of it."""
    draft = os.path.join(folder, f".{name}.{os.getpid()}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        handle = os.open(draft, flags, 0o644)
    except OSError:
        return False
    try:
        try:
            whole = os.write(handle, data) == len(data)
        finally:
            os.close(handle)
        if whole:
            os.replace(draft, os.path.join(folder, name))
            return True
    except OSError:
        whole = False
    os.unlink(draft)
    return whole
