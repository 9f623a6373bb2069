"""The interface of a file that hookstream writes into."""

from __future__ import annotations

import codecs
import tomllib
from abc import ABC, abstractmethod
from pathlib import Path

from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.splices import Document
from hookstream.core.jsonc import BrokenDocument
from hookstream.core.jsons import JsonObject

MARK = codecs.BOM_UTF8


class ConfigFile(ABC):
    """One file of one client. All methods are pure: bytes in, bytes out; None: no file."""

    mode = 0o644
    # user, project or managed (the whole machine's)
    scope = "user"

    def __init__(self, path: Path, vendor: str) -> None:
        self.path = path
        self.vendor = vendor

    @property
    def managed(self) -> bool:
        return self.scope == "managed"

    @abstractmethod
    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes | None:
        """The file with every event registered; `wrap` also wraps the hooks of others.

        Doing it twice changes nothing. Raises FileRefused where the file is broken.
        """

    def original(self, before: bytes | None) -> bytes | None:
        """The bytes that uninstall restores if the file did not change since."""
        return before

    def wrapped(self, data: bytes | None) -> int:
        """Return how many hooks of others are wrapped. Raises FileRefused."""
        return 0

    def not_wrapped(self, data: bytes | None) -> list[str]:
        """The hooks of others that are not, each as `EVENT: reason`. Raises FileRefused."""
        return []

    def foreign(self, data: bytes | None) -> list[str]:
        """Commands that run hookstream and are not those that install writes: they stay, each as
        `EVENT: command`. Raises FileRefused."""
        return []

    @abstractmethod
    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        """The file with nothing of hookstream's, for one that others changed since; `before` is
        what it was: None, no file; empty, nothing or not known. Raises FileRefused if broken.
        """

    @abstractmethod
    def registered(self, data: bytes | None) -> dict[str, bool]:
        """Each event this file can register, and whether it does. Raises FileRefused."""


class Around(ConfigFile):
    """A file with something more than what `inner` writes into it; all else is as in `inner`."""

    def __init__(self, inner: ConfigFile) -> None:
        super().__init__(inner.path, inner.vendor)
        self.inner = inner
        self.mode = inner.mode

    @property
    def scope(self) -> str:
        return self.inner.scope

    @scope.setter
    def scope(self, scope: str) -> None:
        self.inner.scope = scope

    def original(self, before: bytes | None) -> bytes | None:
        return self.inner.original(before)

    def wrapped(self, data: bytes | None) -> int:
        return self.inner.wrapped(data)

    def not_wrapped(self, data: bytes | None) -> list[str]:
        return self.inner.not_wrapped(data)

    def foreign(self, data: bytes | None) -> list[str]:
        return self.inner.foreign(data)

    def registered(self, data: bytes | None) -> dict[str, bool]:
        return self.inner.registered(data)


def decoded(path: Path, data: bytes | None) -> tuple[bytes, str]:
    """The byte-order mark, or b"", and the text. Raises FileRefused where it is not UTF-8."""
    if data is None:
        return b"", ""
    mark = MARK if data.startswith(MARK) else b""
    try:
        return mark, data[len(mark) :].decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileRefused(
            f"{path}: left alone, no UTF-8 at byte {error.start + len(mark)}"
        ) from None


def encoded(mark: bytes, text: str) -> bytes:
    return mark + text.encode("utf-8")


def newline_of(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def toml_values(path: Path, text: str) -> JsonObject:
    """The values of a TOML text. Raises FileRefused where it is broken."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FileRefused(f"{path}: left alone, no valid TOML: {error}") from None


def json_document(path: Path, text: str, json5: bool = False) -> Document:
    """A JSON text to edit. Raises FileRefused where it is broken."""
    try:
        return Document(text, json5)
    except BrokenDocument as error:
        name = "JSON5" if json5 else "JSON"
        raise FileRefused(f"{path}: left alone, no valid {name}: {error}") from None


def json_object(path: Path, text: str, json5: bool = False) -> Document:
    """A JSON object to edit. Raises FileRefused for anything else."""
    document = json_document(path, text, json5)
    if document.root.kind != "object":
        raise FileRefused(f"{path}: left alone, holds no object")
    return document


SIGN = b"hookstream"


class WholeFile(ConfigFile):
    """A file with fixed content. A file of that name without `sign` is another's: left alone."""

    def __init__(
        self,
        path: Path,
        vendor: str,
        content: bytes,
        events: tuple[str, ...] = (),
        mode: int = 0o644,
        sign: bytes = SIGN,
    ) -> None:
        super().__init__(path, vendor)
        self.sign = sign
        self.content = content
        self.events = events
        self.mode = mode

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes:
        if data is not None and data.strip() and self.sign not in data:
            raise FileRefused(f"{self.path}: left alone, another file of that name is there")
        return self.content

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        return (before or None) if self.sign in data else data

    def registered(self, data: bytes | None) -> dict[str, bool]:
        return dict.fromkeys(self.events, data is not None and self.sign in data)
