"""A lake as its tables see it: its folder, its parts, and the folder of the tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hookstream.tables.manifest import folder_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True)
class Lake:
    """`parts` are those that are read: path below the lake -> size; `tables` is the folder that is
    read and written."""

    path: Path
    parts: dict[str, int]
    tables: Path

    @classmethod
    def at(cls, path: Path, parts: dict[str, int], tables: Path | None = None) -> Lake:
        """The lake of a folder, whose tables are next to it unless others are named."""
        return cls(path.resolve(), parts, tables or folder_of(path))

    def files(self, parts: Iterable[str] | None = None) -> list[str]:
        """The files of some parts, of all by default."""
        return [str(self.path / part) for part in (self.parts if parts is None else parts)]
