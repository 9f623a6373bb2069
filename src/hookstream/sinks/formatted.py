"""Write one file of formatted messages, one per line: ocsf.jsonl, ecs.jsonl, cef.log and so on."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import SinkError
from hookstream.core.files import Folder
from hookstream.sinks.base import DELIVERED, Receipt, retry
from hookstream.sinks.delivery import merged, rendering
from hookstream.sinks.files import LineFile

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.sinks.formats.render import Message
    from hookstream.sinks.kinds import Opening
    from hookstream.standards.rendered import Rendered

WAIT_S = 5.0


def file_name(format: str) -> str:
    return "cef.log" if format == "cef" else f"{format}.jsonl"


class FormattedFile:
    """A sink over one file of a private folder, or of one process's segment of it; a batch is
    written completely or not at all."""

    def __init__(self, at: Opening, name: str, render: Callable[[Rendered], list[Message]]) -> None:
        self.uri = at.uri
        self._name = name
        self._render = render
        self._folder = Folder(at.segment or at.target)
        try:
            self._file = LineFile(self._folder.path / name, durable=at.segment is None)
        except SinkError:
            self._folder.close()
            raise
        self._closed = False

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        made, refused = rendering(batch, self._render)
        receipt = DELIVERED
        try:
            self._file.append(b"".join(one.data + b"\n" for record in made for one in record))
        except OSError as error:
            receipt = retry(error.strerror or str(error), WAIT_S)
        return merged([receipt] * len(made), refused)

    def adopt(self, folder: str) -> Receipt:
        """Append the file of a closed segment and remove it."""
        path = Path(folder) / self._name
        before = self._file.size
        try:
            with path.open("rb") as stream:
                while chunk := stream.read(1 << 20):
                    self._file.append(chunk)
        except OSError as error:
            self._file.cut(before)
            return retry(error.strerror or str(error), WAIT_S)
        path.unlink()
        with contextlib.suppress(OSError):
            Path(folder).rmdir()
        return DELIVERED

    def reject(self, lines: list[bytes]) -> None:
        """Ignore rejections: they are not events."""

    def flush(self) -> None:
        try:
            self._file.sync()
        except OSError as error:
            raise SinkError(f"{self.uri}: {error.strerror or error}") from None

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            self.flush()
        finally:
            self._file.close()
            self._folder.close()
