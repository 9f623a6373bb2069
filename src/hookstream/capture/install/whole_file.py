"""Files that are hookstream's altogether: a hook script, a plugin."""

from __future__ import annotations

from pathlib import Path

from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.config_file import ConfigFile

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
            raise FileRefused(f"{self.path}: left alone, another's file of that name stands there")
        return self.content

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        return (before or None) if self.sign in data else data

    def registered(self, data: bytes | None) -> dict[str, bool]:
        return dict.fromkeys(self.events, data is not None and self.sign in data)
