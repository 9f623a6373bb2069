"""Session files that are followed: each line as it comes, with the state of the lines before it.

That state is not kept over a restart: its lines up to the place are read again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.core.sources import UNREADABLE, lines
from hookstream.transcripts.files import LINES, SessionFile, client_of

if TYPE_CHECKING:
    from pathlib import Path

    from hookstream.core.records import Rejection
    from hookstream.pipeline.stages import Given

    Line = tuple[int, bytes | Rejection]

# Files whose state is held at once; one unused for long is read again when it grows.
OPEN_LIMIT = 512


class Following:
    """The session files among the files that are followed, by path."""

    def __init__(self) -> None:
        self.files: dict[Path, SessionFile | None] = {}

    def given(self, path: Path, source: str, found: list[Line]) -> list[Given]:
        """The lines as they are, or, of a session file, what they say."""
        file = self._file(path, source, found[0][0]) if found else None
        if file is None:
            return [(line, source, offset) for offset, line in found]
        return [one for offset, line in found for one in file.take(line, offset)]

    def _file(self, path: Path, source: str, offset: int) -> SessionFile | None:
        if path in self.files and (offset or self.files[path] is None):
            self.files[path] = file = self.files.pop(path)
            return file
        client = client_of(path) if LINES(path.name) else None
        file = None if client is None else SessionFile(path, client, source)
        if len(self.files) >= OPEN_LIMIT:
            del self.files[next(iter(self.files))]
        self.files[path] = file
        if file is not None and offset:
            self._catch_up(file, offset)
        return file

    def _catch_up(self, file: SessionFile, end: int) -> None:
        """Read the file's earlier content, for its state alone."""
        try:
            for offset, line in lines(file.path, file.source):
                if offset >= end:
                    return
                for _ in file.take(line, offset):
                    pass
        except UNREADABLE:
            return
