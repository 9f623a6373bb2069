"""Persist pipeline state (sessions, detectors) across restarts, as incremental changes.

The state may be large and a commit is frequent, so every table of the state is watched: a commit
saves the entries that were touched, in the order in which the table holds them, and the small rest
completely. Putting the changes back in order gives the same tables, down to which entry falls out
next.

The saved state holds inputs of open calls as they came, so it is encrypted: AES-256-GCM under a key
derived from the pseudonym key (0600). Nothing is unpickled that the key does not authenticate.
"""

from __future__ import annotations

import io
import os
import pickle
from functools import cache
from hashlib import sha256
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import ItemsView, Iterator, ValuesView

    from hookstream.pipeline.stages import Pipeline


NONCE = 12
INFO = b"hookstream delivery state v2"


class DecryptionError(ValueError):
    """The bytes are not what this key encrypted."""


def _cipher(key: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return AESGCM(HKDF(SHA256(), 32, None, INFO).derive(key))


def encrypt(data: bytes, key: bytes, about: bytes = b"") -> bytes:
    """Encrypt to nonce, ciphertext and tag. `about` is authenticated with them, not included."""
    nonce = os.urandom(NONCE)
    hidden: bytes = _cipher(key).encrypt(nonce, data, INFO + about)
    return nonce + hidden


def decrypt(data: bytes, key: bytes, about: bytes = b"") -> bytes:
    """Return the decrypted data. Raises DecryptionError."""
    from cryptography.exceptions import InvalidTag

    try:
        plain: bytes = _cipher(key).decrypt(data[:NONCE], data[NONCE:], INFO + about)
    except (InvalidTag, ValueError):
        raise DecryptionError("encrypted with another key, or changed since") from None
    return plain


# The only places whose classes a saved state may hold.
PLACES = ("hookstream.core.event", "hookstream.sessions", "hookstream.detect")
# Modules of telemetry: loaded only if some is read, so not part of the state's `shape`.
TELEMETRY = ("hookstream.otlp.", "hookstream.core.records")
PLAIN = {("builtins", "set"), ("builtins", "frozenset")}


class TrackedTable(dict[Any, Any]):
    """A dict that records what was read or changed since the last commit."""

    def __init__(self, given: dict[Any, Any]) -> None:
        super().__init__(given)
        # key -> whether it is there now; in the order of the last change of place
        self.moved: dict[Any, bool] = {}
        self.touched: dict[Any, None] = {}

    def __getitem__(self, key: Any) -> Any:
        self.touched[key] = None
        return super().__getitem__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        self.touched[key] = None
        return super().get(key, default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        if key not in self:
            self.moved.pop(key, None)
            self.moved[key] = True
        self.touched[key] = None
        super().__setitem__(key, value)

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        self.moved.pop(key, None)
        self.moved[key] = False

    def pop(self, key: Any, *default: Any) -> Any:
        if key in self:
            self.moved.pop(key, None)
            self.moved[key] = False
        return super().pop(key, *default)

    def clear(self) -> None:
        for key in list(self):
            del self[key]

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        self.touched.update(dict.fromkeys(self))
        return super().values()

    def items(self) -> ItemsView[Any, Any]:  # type: ignore[override]
        self.touched.update(dict.fromkeys(self))
        return super().items()

    def changes(self) -> tuple[dict[Any, bool], dict[Any, Any]]:
        """Return the changes since the last call: keys, then values of those still present."""
        have = super().get
        values = {key: have(key) for key in self.touched if key in self}
        moved = self.moved
        self.moved, self.touched = {}, {}
        return moved, values

    def apply(self, moved: dict[Any, bool], values: dict[Any, Any]) -> None:
        for key, there in moved.items():
            super().pop(key, None)
            if there:
                super().__setitem__(key, values[key])
        for key, value in values.items():
            super().__setitem__(key, value)


class Memory:
    """The tables and small values of one pipeline's state."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self.tables: dict[str, TrackedTable] = {}
        self.owners: dict[str, Any] = {}
        for name in ("sessions", "detectors", "agent_tools"):
            self._walk(name, getattr(pipeline, name))
        # The source on which a session was first seen: it continues from others.
        met = self.tables["machines.sessions"] = TrackedTable(pipeline.machines.sessions)
        pipeline.machines.sessions = met

    def _walk(self, path: str, owner: Any) -> None:
        self.owners[path] = owner
        for name in names_of(owner):
            value = getattr(owner, name, None)
            if type(value) is dict:
                table = self.tables[f"{path}.{name}"] = TrackedTable(value)
                setattr(owner, name, table)
            elif is_ours(value) and not is_frozen(value):
                self._walk(f"{path}.{name}", value)

    def _small(self) -> dict[str, dict[str, Any]]:
        values: dict[str, dict[str, Any]] = {}
        for path, owner in self.owners.items():
            values[path] = {
                name: value
                for name in names_of(owner)
                if not isinstance(value := getattr(owner, name, None), dict) and not is_ours(value)
            }
        return values

    def changes(self) -> bytes:
        """Return the changes since the last call, to be applied in order."""
        tables = {path: table.changes() for path, table in self.tables.items()}
        changed = {path: change for path, change in tables.items() if change[0] or change[1]}
        return pack((False, changed, self._small()))

    def everything(self) -> bytes:
        """Return the entire state; changes start again from here."""
        tables: dict[str, tuple[dict[Any, bool], dict[Any, Any]]] = {}
        for path, table in self.tables.items():
            table.changes()
            tables[path] = ({}, dict(dict.items(table)))
        return pack((True, tables, self._small()))

    def apply(self, data: bytes) -> None:
        """Restore what `everything` or `changes` gave. Raises DecryptionError."""
        whole, tables, small = unpack(data)
        if whole:
            for table in self.tables.values():
                dict.clear(table)
        for path, (moved, values) in tables.items():
            if path in self.tables:
                self.tables[path].apply(moved, values)
        for path, given in small.items():
            for name, value in given.items():
                setattr(self.owners[path], name, value)


def turn_to(pipeline: Pipeline, source: str) -> None:
    """Turn to a source: what belongs to another alone waits until it is read again."""
    sessions, detectors = pipeline.sessions, pipeline.detectors
    if source == sessions.source:
        return
    pipeline.agent_tools.source = source
    parked = sessions.park()
    parked.detectors = detectors.park(list(parked.sessions))
    back = sessions.unpark(source)
    if back is not None:
        detectors.unpark(back.detectors)


def names_of(owner: Any) -> Iterator[str]:
    yield from getattr(owner, "__dict__", ())
    for base in type(owner).__mro__:
        slots = getattr(base, "__slots__", ())
        yield from (slots,) if isinstance(slots, str) else slots


def is_frozen(value: Any) -> bool:
    """Return whether it is a setting: the next run has its own, and nothing of it is state."""
    return bool(getattr(getattr(value, "__dataclass_params__", None), "frozen", False))


def is_ours(value: Any) -> bool:
    return type(value).__module__.startswith("hookstream.")


@cache
def shape() -> str:
    """A mark of the saved classes: the state of another build is not poured into this one.

    All modules count, and not those that this process happens to have loaded.
    """
    classes = []
    for name in sorted(_modules()):
        for cls in vars(import_module(name)).values():
            if isinstance(cls, type) and cls.__module__ == name:
                classes.append((name, cls.__name__, sorted(getattr(cls, "__slots__", ()))))
    return sha256(repr(sorted(classes)).encode()).hexdigest()[:16]


def _modules() -> Iterator[str]:
    for package in PLACES:
        yield package
        for module in iter_modules(getattr(import_module(package), "__path__", ())):
            yield f"{package}.{module.name}"


def belongs(module: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in PLACES)


def pack(value: Any) -> bytes:
    return pickle.dumps(value, protocol=5)


class Opener(pickle.Unpickler):
    """An unpickler of the state's own classes and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        ours = belongs(module) or module.startswith(TELEMETRY)
        if ours or (module, name) in PLAIN:
            cls = getattr(import_module(module), name)
            if isinstance(cls, type):
                return cls
        raise DecryptionError(f"{module}.{name} does not belong in a state")


def unpack(data: bytes) -> Any:
    """Return the unpacked object. Raises DecryptionError."""
    try:
        return Opener(io.BytesIO(data)).load()
    except DecryptionError:
        raise
    except Exception as error:  # a pickle can fail in any way
        raise DecryptionError(f"{type(error).__name__} in the saved state") from None
