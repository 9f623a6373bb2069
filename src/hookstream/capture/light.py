"""Lighter stand-ins for `re`, `hashlib` and `hmac` in the hook's own process.

Importing `re` costs more than starting Python (it brings enum, functools and collections), and
compiling the patterns of the rules costs a hundred times that. A pattern's program is a pure
function of its text, its flags and the version of the engine, so it is kept in a file, as Python
keeps a module's bytecode, and handed to the engine directly. Whatever the stand-ins lack comes
from the real module, which then takes their place: only speed depends on this file.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

FLAGS = {
    "A": 256,
    "ASCII": 256,
    "I": 2,
    "IGNORECASE": 2,
    "M": 8,
    "MULTILINE": 8,
    "S": 16,
    "DOTALL": 16,
    "U": 32,
    "UNICODE": 32,
    "X": 64,
    "VERBOSE": 64,
    "NOFLAG": 0,
}
SHORTCUTS = ("match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn")


class Programs:
    """Compiled programs of patterns: (pattern, flags) -> what `_sre.compile` takes."""

    def __init__(self) -> None:
        self.known: dict[tuple[Any, int], tuple[Any, ...]] | None = None
        self.made: dict[tuple[Any, int], Any] = {}
        self.fresh = 0

    def compile(self, pattern: Any, flags: int = 0) -> Any:
        key = (pattern, int(flags))
        made = self.made.get(key)
        if made is None:
            made = self.made[key] = self._compile(pattern, int(flags), key)
        return made

    def _compile(self, pattern: Any, flags: int, key: tuple[Any, int]) -> Any:
        if type(pattern) is not str and type(pattern) is not bytes:
            return _real("re").compile(pattern, flags)
        if self.known is None:
            from hookstream.capture.programs import read_programs

            self.known = read_programs()
        program = self.known.get(key)
        if program is None:
            from hookstream.capture.programs import make_program

            real = _real("re")
            program = make_program(pattern, flags)
            if program is None:
                return real.compile(pattern, flags)
            self.known[key] = program
            self.fresh += 1
        full_flags, code, groups, names, by_index = program
        words = memoryview(code).cast("I").tolist()
        return _sre.compile(pattern, full_flags, words, groups, names, by_index)

    def save(self) -> None:
        """Keeps what this process had to compile itself; called when the answer is out."""
        if self.fresh and self.known is not None:
            from hookstream.capture.programs import write_programs

            write_programs(self.known)


programs = Programs()
_reals: dict[str, ModuleType] = {}


def _real(name: str) -> ModuleType:
    """The real module, which takes the stand-in's place."""
    module = _reals.get(name)
    if module is None:
        if name == "re":
            # hmac and others import it in turn; none may find a stand-in half replaced.
            sys.modules.pop("re", None)
        else:
            for other in ("hashlib", "hmac"):
                sys.modules.pop(other, None)
        module = _reals[name] = __import__(name)
    return module


def _stand_in(name: str, members: dict[str, Any]) -> None:
    if name in sys.modules:
        return
    module = type(sys)(name)
    vars(module).update(members)

    def other(member: str) -> Any:
        if member.startswith("__"):  # the import system asks for __path__
            raise AttributeError(member)
        return getattr(_real(name), member)

    vars(module)["__getattr__"] = other
    sys.modules[name] = module


def _shortcut(method: str) -> Any:
    def call(pattern: Any, *rest: Any, flags: int = 0, **named: Any) -> Any:
        at = 1 if method not in ("sub", "subn") else 2
        if len(rest) > at:  # counts and flags by position: the real module knows how
            return getattr(_real("re"), method)(pattern, *rest, flags=flags, **named)
        return getattr(programs.compile(pattern, flags), method)(*rest, **named)

    return call


def _sha256() -> Any:
    try:
        from _sha2 import sha256  # type: ignore[import-not-found]
    except ImportError:
        try:
            from _sha256 import sha256  # type: ignore[import-not-found]
        except ImportError:
            return None
    return sha256


def hmac_sha256(sha256: Any) -> Any:
    """RFC 2104 over SHA-256, with the signature of `hmac.digest`."""
    inner_pad = bytes(x ^ 0x36 for x in range(256))
    outer_pad = bytes(x ^ 0x5C for x in range(256))

    def digest(key: bytes, msg: bytes, digest: Any) -> bytes:
        if digest != "sha256":
            made: bytes = _real("hmac").digest(key, msg, digest)
            return made
        block = (sha256(key).digest() if len(key) > 64 else bytes(key)).ljust(64, b"\0")
        inner = sha256(block.translate(inner_pad) + msg).digest()
        out: bytes = sha256(block.translate(outer_pad) + inner).digest()
        return out

    return digest


def install() -> None:
    """Puts the stand-ins in place for what is imported from now on."""
    members: dict[str, Any] = {"compile": programs.compile, **FLAGS}
    for method in SHORTCUTS:
        members[method] = _shortcut(method)
    _stand_in("re", members)
    sha256 = _sha256()
    if sha256 is not None and "hmac" not in sys.modules:
        _stand_in("hashlib", {"sha256": sha256})
        _stand_in("hmac", {"digest": hmac_sha256(sha256)})
