"""The hook's snapshot: the code of the modules and the programs of the patterns that a vendor's
hook needs, in one file.

Looking up, opening and checking fifty bytecode files takes longer than running them, and compiling
the rules' patterns a hundred times as long. The snapshot is stored next to the package's own
bytecode, if that folder can be written, and nowhere else. It holds no facts and is believed only
while every source it was made from is as it was: lost, damaged or out of date, it is made again.
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
# What a piece raises that a failing disk keeps back or that is not what was written.
UNREADABLE = (OSError, EOFError, ValueError, TypeError)
HEAD = b"hookstream snapshot 3\n"


class Snapshot:
    """An importer of the modules it holds. `name` is the snapshot's key: a vendor.

    The file is HEAD, the index's place (eight bytes), the pieces, the index, the total length
    (eight bytes). The index holds for a module (source path, its mtime in ns, its size, is a
    package, place, length), for everything else (place, length); pieces are read on demand. `stale`
    says that this run needed what the snapshot did not hold.
    """

    def __init__(self, name: str) -> None:
        plain = name.isascii() and name.replace("-", "").isalnum() and len(name) <= 32
        version = f"{sys.implementation.name}-{sys.hexversion:08x}"
        self.file = f"hook-{name if plain else 'other'}-{version}.bin"
        self.handle = -1
        self.modules: dict[str, tuple[str, int, int, bool, int, int]] = {}
        self.kept: dict[tuple[Any, int], tuple[int, int]] = {}
        self.made: dict[tuple[Any, int], tuple[Any, ...]] = {}
        self.before: frozenset[str] = frozenset()
        self.used: set[tuple[Any, int]] = set()
        self.stale = False
        self.is_outdated = False

    def load(self) -> None:
        """Open the first of its files that is complete and ours."""
        for folder in folders():
            handle = _open(os.path.join(folder, self.file))
            if handle is not None:
                try:
                    self.modules, self.kept = _index(handle)
                    self.handle = handle
                    return
                except (ValueError, EOFError, TypeError, OSError):
                    os.close(handle)

    def install(self) -> None:
        """Import go through the snapshot from now on."""
        self.before = frozenset(sys.modules)
        sys.meta_path.insert(0, self)

    def _piece(self, place: int, length: int) -> bytes:
        """The bytes at a place, all of them: marshal trusts what it gets. Raises OSError."""
        if hasattr(os, "pread"):
            data = os.pread(self.handle, length, place)
        else:
            os.lseek(self.handle, place, os.SEEK_SET)
            data = os.read(self.handle, length)
        if len(data) != length:
            raise OSError("not whole")
        return data

    def recall(self, key: tuple[Any, int]) -> Any:
        """The value kept under a key (a pattern's program: the pattern and its flags), or None."""
        held = self.kept.get(key)
        if held is None:
            return self.made.get(key)
        self.used.add(key)
        try:
            return loads(self._piece(*held))  # noqa: S302 (our own file)
        except UNREADABLE:
            del self.kept[key]
            return None

    def keep(self, key: tuple[Any, int], value: tuple[Any, ...]) -> None:
        """Keep a value that this run had to make, for later runs."""
        self.made[key] = value
        self.kept.pop(key, None)
        self.stale = True

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
            self.is_outdated = True
        return None

    def _spec(self, name: str, path: str, is_package: bool) -> Any:
        kind: Any = type(sys.__spec__)
        spec = kind(name, self, origin=path, is_package=is_package)
        spec.has_location = True
        spec.cached = ""  # finding the bytecode's path costs time, and it is not used
        if is_package:
            spec.submodule_search_locations.append(os.path.dirname(path))
        return spec

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        held = self.modules[module.__name__]
        try:
            code = loads(self._piece(held[4], held[5]))  # noqa: S302
        except UNREADABLE:
            # The source is the same: the event must not be lost for it.
            with open(held[0], "rb") as file:
                code = compile(file.read(), held[0], "exec", dont_inherit=True)
            self.stale = True
        exec(code, vars(module))  # noqa: S102

    # Keeping it.

    def save(self) -> bool:
        """Write the snapshot if this run needed more than it held; says whether it wrote."""
        fresh: dict[str, tuple[str, int, int, bool, bytes]] = {}
        for name, module in list(sys.modules.items()):
            # What the real `re` brings is needed once, to make the programs.
            if name not in self.modules and name.startswith(("hookstream.", "json")):
                held = self._source(name, getattr(module, "__spec__", None))
                if held is not None:
                    fresh[name] = held
        if not fresh and not self.stale:
            return False
        if self.is_outdated:  # what an older version asked for is not carried along
            self.kept = {key: self.kept[key] for key in self.used if key in self.kept}
        try:
            data = self._pack(fresh)
        except OSError:  # a part of the old one cannot be read: later runs make it again
            self.modules, self.kept = {}, {}
            data = self._pack(fresh)
        return len(data) <= LIMIT_BYTES and any(
            write_whole(folder, self.file, data) for folder in folders()
        )

    def _source(self, name: str, spec: Any) -> tuple[str, int, int, bool, bytes] | None:
        """A module that came from a source file after the snapshot was in place."""
        loader: Any = getattr(spec, "loader", None)
        if name in self.before or not hasattr(loader, "get_code"):
            return None
        try:
            info = os.stat(spec.origin)
            code = dumps(_code(loader, name, spec.origin))
        except (OSError, ValueError, ImportError, EOFError, SyntaxError):
            return None
        is_package = spec.submodule_search_locations is not None
        return spec.origin, info.st_mtime_ns, info.st_size, is_package, code

    def _pack(self, fresh: dict[str, tuple[str, int, int, bool, bytes]]) -> bytes:
        pieces: list[bytes] = []
        size = len(HEAD) + 8

        def put(piece: bytes) -> tuple[int, int]:
            nonlocal size
            pieces.append(piece)
            place = size
            size += len(piece)
            return place, len(piece)

        modules = {
            name: (*held[:4], *put(self._piece(*held[4:]))) for name, held in self.modules.items()
        }
        modules |= {name: (*held[:4], *put(held[4])) for name, held in fresh.items()}
        kept = {key: put(self._piece(*held)) for key, held in self.kept.items()}
        kept |= {key: put(dumps(value)) for key, value in self.made.items()}
        index = size
        put(dumps((modules, kept)))
        return b"".join([HEAD, index.to_bytes(8, "big"), *pieces, (size + 8).to_bytes(8, "big")])


def _code(loader: Any, name: str, path: str) -> Any:
    """A module's code without docstrings, which take a tenth of the time of loading it; except the
    hook's, which is its help text."""
    if name == "hookstream.capture.hook.main":
        return loader.get_code(name)
    with open(path, "rb") as file:
        return compile(file.read(), path, "exec", dont_inherit=True, optimize=2)


def folders() -> list[str]:
    """The snapshot's path: next to the package's own bytecode. Who can write there can change the
    package; a folder that the environment names could be a project's."""
    return [os.path.join(os.path.dirname(os.path.abspath(__file__)), "__pycache__")]


def _open(path: str) -> int | None:
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, name, 0)
    try:
        return os.open(path, flags)
    except OSError:
        return None


def _index(handle: int) -> Any:
    """The two parts of the index. Raises ValueError if the file is incomplete or not ours: it is
    not given to marshal then, which trusts what it gets."""
    info = os.fstat(handle)
    if not _is_ours(info) or info.st_size > LIMIT_BYTES:
        raise ValueError("not ours")
    head = os.read(handle, len(HEAD) + 8)
    place = int.from_bytes(head[len(HEAD) :], "big")
    if not head.startswith(HEAD) or not len(head) <= place < info.st_size:
        raise ValueError("no snapshot")
    os.lseek(handle, place, os.SEEK_SET)
    tail = os.read(handle, info.st_size - place)
    if len(tail) != info.st_size - place or tail[-8:] != info.st_size.to_bytes(8, "big"):
        raise ValueError("not whole")
    modules, kept = loads(tail[:-8])  # noqa: S302 (our own file)
    return modules, kept


def _is_ours(info: os.stat_result) -> bool:
    if info.st_mode & 0o170000 != 0o100000:
        return False
    if os.name == "nt":
        return True
    return info.st_uid in (os.geteuid(), 0) and not info.st_mode & 0o022


def write_whole(folder: str, name: str, data: bytes) -> bool:
    """Write the complete file under another name first, so that no reader sees half of it."""
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
