"""A sealed store: a file of lines or a lake, with its log. The two adapters (`lines`, `parts`) say
how it is brought back to what is sealed, and what has come since."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from hookstream.seal.log import SealLog


class SealedStore(ABC):
    """A file of lines, or the folder of a lake, at `path`, with its log."""

    def __init__(self, path: Path, log: SealLog) -> None:
        self.path = path
        self.log = log

    @abstractmethod
    def recover(self) -> None:
        """Open the log and bring the store back to what it covers. No other process writes
        meanwhile. SealError, OSError."""

    @abstractmethod
    def seal(self) -> None:
        """Seal all that is on disk and is not sealed yet. SealError, OSError."""

    def tick(self) -> None:
        """End an epoch or an hour whose time is over."""
        self.log.tick()

    def close(self) -> None:
        """End the epoch, and free the files."""
        self.log.close()
        self.release()

    def release(self) -> None:
        """Free the files; nothing is written."""
        self.log.release()
