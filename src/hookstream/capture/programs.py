"""The file of compiled pattern programs: made at install or by the first run, read by the rest.

It lies beside the package's own bytecode where that folder can be written, else in the user's
cache. It holds no facts: lost or damaged, it is made anew.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Programs = dict[tuple[Any, int], tuple[Any, ...]]

LIMIT_BYTES = 8 * 1024 * 1024
HEAD = b"hookstream programs 1\n"


def make_program(pattern: Any, flags: int) -> tuple[Any, ...] | None:
    """What `_sre.compile` takes for a pattern, or None where this Python does it otherwise."""
    try:
        from array import array
        from re import _compiler, _parser  # type: ignore[attr-defined]

        tree = _parser.parse(pattern, flags)
        code = array("I", _compiler._code(tree, flags))
        state = tree.state
        by_index: list[str | None] = [None] * state.groups
        for name, index in state.groupdict.items():
            by_index[index] = name
    except (ImportError, AttributeError, OverflowError, TypeError):
        return None
    full_flags = flags | state.flags
    return (full_flags, code.tobytes(), state.groups - 1, dict(state.groupdict), tuple(by_index))


def _name() -> str:
    import _sre  # type: ignore[import-not-found]

    return f"programs.{sys.implementation.cache_tag}-{_sre.MAGIC}.bin"


def _folders() -> list[str]:
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__pycache__")
    from hookstream.capture.place import cache_folder

    cache = cache_folder()
    return [here, cache] if cache else [here]


def read_programs() -> Programs:
    """The programs of this Python's engine; empty where there is no file or it is damaged."""
    from marshal import loads

    for folder in _folders():
        try:
            handle = os.open(
                os.path.join(folder, _name()),
                os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0),
            )
        except OSError:
            continue
        try:
            info = os.fstat(handle)
            if not _is_ours(info) or info.st_size > LIMIT_BYTES:
                continue
            data = os.read(handle, info.st_size)
        finally:
            os.close(handle)
        # The tail repeats the length: a file cut short is not given to marshal, which trusts it.
        if data.startswith(HEAD) and data[-8:] == len(data).to_bytes(8, "big"):
            try:
                known: Programs = loads(data[len(HEAD) : -8])  # noqa: S302 (a file of our own)
            except (ValueError, EOFError, TypeError):
                continue
            if type(known) is dict:
                return known
    return {}


def _is_ours(info: os.stat_result) -> bool:
    if info.st_mode & 0o170000 != 0o100000:
        return False
    if os.name == "nt":
        return True
    return info.st_uid in (os.geteuid(), 0) and not info.st_mode & 0o022


def write_programs(known: Programs) -> bool:
    """Writes the file whole in the first folder that takes it; says whether one did."""
    from marshal import dumps

    body = HEAD + dumps(known)
    data = body + (len(body) + 8).to_bytes(8, "big")
    if len(data) > LIMIT_BYTES:
        return False
    return any(_write(folder, data) for folder in _folders())


def _write(folder: str, data: bytes) -> bool:
    draft = os.path.join(folder, f".{_name()}.{os.getpid()}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        handle = os.open(draft, flags, 0o644)
        try:
            whole = os.write(handle, data) == len(data)
        finally:
            os.close(handle)
        if whole:
            os.replace(draft, os.path.join(folder, _name()))
        else:
            os.unlink(draft)
    except OSError:
        return False
    return whole
