"""Lighter stand-ins for `re`, `hashlib` and `hmac` in the hook's own process.

Importing `re` costs more than starting Python (it brings enum, functools and collections), and
compiling the rules' patterns a hundred times that. A pattern's program is a pure function of its
text, its flags and the version of the engine, so the image keeps it, as Python keeps a module's
bytecode, and it is handed to the engine directly. Whatever the stand-ins lack comes from the real
module, which then takes their place: only speed depends on this file.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import sys

from hookstream.capture.image import Image

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

FLAGS = {"NOFLAG": 0, "A": 256, "I": 2, "M": 8, "S": 16, "U": 32, "X": 64}
FLAGS |= {"ASCII": 256, "IGNORECASE": 2, "MULTILINE": 8, "DOTALL": 16, "UNICODE": 32, "VERBOSE": 64}
SHORTCUTS = ("match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn")

_reals: dict[str, ModuleType] = {}


def _real(name: str) -> ModuleType:
    """The real module, which takes the stand-in's place."""
    module = _reals.get(name)
    if module is None:
        # hmac imports hashlib in turn: neither may find a stand-in half replaced.
        for one in ("hashlib", "hmac") if name == "hmac" else (name,):
            sys.modules.pop(one, None)
        module = _reals[name] = __import__(name)
    return module


class Patterns:
    """`re.compile` over the image's programs."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.made: dict[tuple[Any, int], Any] = {}

    def compile(self, pattern: Any, flags: int = 0) -> Any:
        if type(pattern) is not str and type(pattern) is not bytes:
            return _real("re").compile(pattern, flags)
        key = (pattern, int(flags))
        made = self.made.get(key)
        if made is None:
            made = self.made[key] = self._compile(pattern, int(flags))
        return made

    def _compile(self, pattern: Any, flags: int) -> Any:
        program = self.image.programs.get((pattern, flags))
        if program is None or program[0] != _sre.MAGIC:
            from hookstream.capture.programs import make_program

            real = _real("re")
            program = make_program(pattern, flags)
            if program is None:
                return real.compile(pattern, flags)
            self.image.programs[pattern, flags] = program
            self.image.stale = True
        _, full_flags, code, groups, names, by_index = program
        words = memoryview(code).cast("I").tolist()
        return _sre.compile(pattern, full_flags, words, groups, names, by_index)

    def shortcut(self, method: str) -> Any:
        """`re.search` and its like: the pattern's own method."""
        most = 2 if method in ("sub", "subn") else 1

        def call(pattern: Any, *rest: Any, flags: int = 0, **named: Any) -> Any:
            if len(rest) > most:  # counts and flags by position: the real module knows how
                return getattr(_real("re"), method)(pattern, *rest, flags=flags, **named)
            return getattr(self.compile(pattern, flags), method)(*rest, **named)

        return call


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


def _sha256() -> Any:
    try:
        from _sha2 import sha256  # type: ignore[import-not-found]
    except ImportError:
        try:
            from _sha256 import sha256  # type: ignore[import-not-found]
        except ImportError:
            return None
    return sha256


def _hmac_digest(sha256: Any) -> Any:
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


def install(vendor: str = "") -> Image:
    """What is imported from now on comes through the vendor's image and meets the stand-ins. The
    image is the caller's to save when the answer is out."""
    image = Image(vendor)
    image.load()
    image.install()
    patterns = Patterns(image)
    members: dict[str, Any] = {"compile": patterns.compile, **FLAGS}
    for method in SHORTCUTS:
        members[method] = patterns.shortcut(method)
    _stand_in("re", members)
    sha256 = _sha256()
    if sha256 is not None and "hmac" not in sys.modules:
        _stand_in("hashlib", {"sha256": sha256})
        _stand_in("hmac", {"digest": _hmac_digest(sha256)})
    return image
