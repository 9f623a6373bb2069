"""Light replacements of `re`, `functools`, `hashlib` and `hmac` in the hook's own process.

Importing `re` costs more than starting Python (it brings enum, functools and collections), and
compiling the rules' patterns a hundred times that. A pattern's program is a pure function of its
text, its flags and the version of the engine, so the snapshot keeps it, as Python keeps a module's
bytecode, and it is handed to the engine directly. Whatever the replacements lack comes from the
real module, which then takes their place: only speed depends on this file.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import sys

from hookstream.capture.startup.snapshot import Snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

FLAGS = {"NOFLAG": 0, "A": 256, "I": 2, "M": 8, "S": 16, "U": 32, "X": 64}
FLAGS |= {"ASCII": 256, "IGNORECASE": 2, "MULTILINE": 8, "DOTALL": 16, "UNICODE": 32, "VERBOSE": 64}
SHORTCUTS = ("match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn")

_reals: dict[str, ModuleType] = {}
snapshot: Snapshot | None = None
patterns: Patterns | None = None


def _real(name: str) -> ModuleType:
    """The real module. It takes the replacement's place, except for `re`: the next import of that
    shall have its patterns kept as well."""
    module = _reals.get(name)
    if module is None:
        stand_in = sys.modules.get(name)
        # hmac imports hashlib in turn: both replacements are removed first.
        for one in ("hashlib", "hmac") if name == "hmac" else (name,):
            sys.modules.pop(one, None)
        module = _reals[name] = __import__(name)
        if name == "re" and stand_in is not None:
            sys.modules[name] = stand_in
    return module


class LazyPattern:
    """A pattern that is compiled when it is first asked for anything: most are not, in one run."""

    def __init__(self, patterns: Patterns, key: tuple[Any, int]) -> None:
        self._patterns = patterns
        self._key = key

    def __getattr__(self, name: str) -> Any:
        made = self.__dict__.get("_made")
        if made is None:
            made = self.__dict__["_made"] = self._patterns.make(*self._key)
        value = self.__dict__[name] = getattr(made, name)
        return value

    def __copy__(self) -> LazyPattern:
        return self

    def __deepcopy__(self, memo: Any) -> LazyPattern:
        return self


class Patterns:
    """`re.compile` over the snapshot's programs."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.made: dict[tuple[Any, int], Any] = {}

    def compile(self, pattern: Any, flags: int = 0) -> Any:
        if type(pattern) is LazyPattern:
            return pattern
        if type(pattern) is not str and type(pattern) is not bytes:
            return _real("re").compile(pattern, flags)
        key = (pattern, int(flags))
        made = self.made.get(key)
        if made is None:
            made = self.made[key] = LazyPattern(self, key)
        return made

    def make_all(self) -> None:
        """Every pattern so far, so that the snapshot holds their programs."""
        for pattern in list(self.made.values()):
            pattern.flags  # noqa: B018

    def make(self, pattern: Any, flags: int) -> Any:
        program = self.snapshot.recall((pattern, flags))
        if program is None or program[0] != _sre.MAGIC:
            from hookstream.capture.startup.regex_compile import make_program

            real = _real("re")
            program = make_program(pattern, flags)
            if program is None:
                return real.compile(pattern, flags)
            self.snapshot.keep((pattern, flags), program)
        _, full_flags, code, groups, names, by_index = program
        words = memoryview(code).cast("I").tolist()
        try:
            return _sre.compile(pattern, full_flags, words, groups, names, by_index)
        except Exception:  # an engine that wants something else
            return _real("re").compile(pattern, flags)

    def shortcut(self, method: str) -> Any:
        """`re.search` and its like: the pattern's own method."""
        most = 2 if method in ("sub", "subn") else 1

        def call(pattern: Any, *rest: Any, **named: Any) -> Any:
            if len(rest) > most:  # counts and flags by position: the real module knows how
                return getattr(_real("re"), method)(pattern, *rest, **named)
            flags = named.pop("flags", 0)
            return getattr(self.compile(pattern, flags), method)(*rest, **named)

        return call


SPECIAL = {ord(mark): "\\" + mark for mark in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"}


def _escape(pattern: Any) -> Any:
    if type(pattern) is str:
        return pattern if pattern.isalnum() else pattern.translate(SPECIAL)
    return _real("re").escape(pattern)


def template_parts(template: Any) -> list[Any] | None:
    """[text, group number, text, ...] of a replacement whose only escapes are \\1 to \\9."""
    if type(template) is not str:
        return None
    first, *rest = template.split("\\")
    parts: list[Any] = [first]
    for piece in rest:
        if piece[:1] not in "123456789" or not piece or piece[1:2].isdigit():
            return None
        parts += [int(piece[0]), piece[1:]]
    return parts


def _subx(pattern: Any, template: Any) -> Any:
    """A template as a function of the match, as Python 3.11's engine asks `re` for it."""
    parts = template_parts(template)
    if parts is None:
        return _real("re")._subx(pattern, template)

    def fill(match: Any) -> str:
        return "".join(part if type(part) is str else match[part] or "" for part in parts)

    return fill


def _compile_template(pattern: Any, template: Any) -> Any:
    """A template in the form that the engine of later Pythons asks `re` for."""
    parts = template_parts(template)
    if parts is None:
        return _real("re")._compile_template(pattern, template)
    return _sre.template(pattern, parts)


def _lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
    from _functools import _lru_cache_wrapper  # type: ignore[import-not-found]

    if callable(maxsize):
        return _lru_cache_wrapper(maxsize, 128, typed, tuple)
    return lambda function: _lru_cache_wrapper(function, maxsize, typed, tuple)


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


def install(vendor: str = "") -> Snapshot:
    """Import from now on through the vendor's snapshot, with the replacements. The caller is to
    save the snapshot when the answer is out."""
    global snapshot, patterns
    snapshot = Snapshot(vendor)
    snapshot.load()
    snapshot.install()
    patterns = Patterns(snapshot)
    members: dict[str, Any] = {"compile": patterns.compile, **FLAGS}
    members |= {"escape": _escape, "_subx": _subx, "_compile_template": _compile_template}
    for method in SHORTCUTS:
        members[method] = patterns.shortcut(method)
    _stand_in("re", members)
    _stand_in("functools", {"cache": _lru_cache(None), "lru_cache": _lru_cache})
    sha256 = _sha256()
    if sha256 is not None and "hmac" not in sys.modules:
        _stand_in("hashlib", {"sha256": sha256})
        _stand_in("hmac", {"digest": _hmac_digest(sha256)})
    return snapshot
