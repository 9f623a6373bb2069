"""`jsonl:DIR` and `jsonl:-`: one line per event, in the strict grammar of `grammar`.

DIR gets agent-hooks.jsonl, aarts.jsonl and rejected.jsonl (0600); standard output gets Agent
Hooks lines, or AARTS wrappers with `standard="aarts"`. Another `format` (ocsf, ecs, cloudevents,
cef) makes DIR hold that one file instead. A batch is written whole or not at all: on a
full disk the files go back to the length they had. `flush` syncs files and folder.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hookstream.core.errors import SinkError
from hookstream.core.files import Folder
from hookstream.lake.staged import finish
from hookstream.sinks.base import DELIVERED, NEVER, Receipt, Sink, rejected, retry
from hookstream.sinks.files import LineFile
from hookstream.sinks.formats.render import renderer_at
from hookstream.sinks.formatted import FormattedFile, file_name
from hookstream.sinks.kinds import (
    ARGUMENTS,
    FORMATS,
    OCSF_VERSION,
    SIGNING_KEY,
    Opening,
    SinkKind,
    format_option,
    local_folder,
)
from hookstream.standards.grammar import flaw
from hookstream.standards.rendered import Rendered

AGENT_HOOKS = "agent-hooks.jsonl"
AARTS = "aarts.jsonl"
REJECTED = "rejected.jsonl"
WAIT_S = 5.0
_CHUNK = 1 << 20


def open_sink(
    at: Opening, *, format: str, arguments: bool | None, version: str, signing_key_file: str | None
) -> Sink:
    is_durable = at.segment is None
    if format != "native":
        if at.target == "-" and is_durable:
            raise SinkError("jsonl: standard output takes the native format only")
        render = renderer_at(
            at, format, arguments=arguments, version=version, signing_key_file=signing_key_file
        )
        return FormattedFile(at, file_name(format), render)
    standard = at.standard
    if at.target == "-":
        standard = "aarts" if standard == "aarts" else "agent-hooks"
        if is_durable:
            if sys.stdout is None:
                raise SinkError("jsonl:-: standard output is closed")
            return JsonlSink(at.uri, dict.fromkeys(files(standard, {})[:1], Output()))
    folder = at.segment or at.target
    return JsonlSink(at.uri, *_files(folder, standard, durable=is_durable))


def files(standard: str, options: dict[str, Any]) -> list[str]:
    """The names of the files for a standard and a format."""
    format = options.get("format", "native")
    if format != "native":
        return [file_name(format)]
    owners = ((AGENT_HOOKS, "agent-hooks"), (AARTS, "aarts"), (REJECTED, standard))
    return [name for name, owner in owners if standard in (owner, "both")]


def _files(path: str, standard: str, *, durable: bool) -> tuple[dict[str, LineFile], Folder]:
    folder = Folder(path)
    opened: dict[str, LineFile] = {}
    try:
        if durable:
            finish(folder.path)
        for name in files(standard, {}):
            opened[name] = LineFile(folder.path / name, durable=durable)
    except (SinkError, OSError) as error:
        for file in opened.values():
            file.close()
        folder.close()
        if isinstance(error, OSError):
            raise SinkError(f"{path}: {error.strerror or error}") from None
        raise
    return opened, folder


KIND = SinkKind(
    name="jsonl",
    open=open_sink,
    options=(format_option(*FORMATS), ARGUMENTS, OCSF_VERSION, SIGNING_KEY),
    targets="folder, or `-`",
    delivered="the lines are synced to disk",
    duplicates="what was in flight",
    example='uri = "jsonl:audit"\n',
    place=local_folder,
    files=files,
    is_queried=True,
    has_segments=True,
)


class Output:
    """Standard output as a file of lines. What it took cannot be taken back."""

    size = 0

    def append(self, data: bytes) -> None:
        sys.stdout.flush()
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(1, rest) :]
            except BlockingIOError:
                select.select([], [1], [])

    def cut(self, size: int) -> None: ...

    def sync(self) -> None: ...

    def close(self) -> None: ...


class JsonlSink:
    """The files of one folder, or standard output."""

    def __init__(
        self, uri: str, files: dict[str, LineFile] | dict[str, Output], folder: Folder | None = None
    ) -> None:
        self.uri = uri
        self._folder = folder
        self._files: dict[str, LineFile | Output] = dict(files)
        self._agent_hooks = AGENT_HOOKS in files
        self._aarts = AARTS in files
        self._refused: list[bytes] = []
        self._closed = False

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        receipts: list[Receipt] = []
        events: list[bytes] = []
        wrappers: list[bytes] = []
        takes_events, takes_wrappers = self._agent_hooks, self._aarts
        for item in batch:
            event = item.agent_hooks if takes_events else None
            wrapper = item.aarts if takes_wrappers else None
            reason = (event and item.flaw(event)) or (wrapper and item.flaw(wrapper))
            if reason:
                receipts.append(rejected(str(reason)))
                continue
            if event is not None:
                events.append(event)
            if wrapper is not None:
                wrappers.append(wrapper)
            receipts.append(DELIVERED)
        trouble = self._append({AGENT_HOOKS: _joined(events), AARTS: _joined(wrappers)})
        if trouble is None:
            return receipts
        return [trouble if receipt is DELIVERED else receipt for receipt in receipts]

    def _append(self, parts: dict[str, bytes]) -> Receipt | None:
        """Append all parts or none; return the receipt if none."""
        return self._all_or_none(
            lambda name, file: file.append(parts[name]) if parts.get(name) else None
        )

    def _all_or_none(self, append: Callable[[str, LineFile | Output], None]) -> Receipt | None:
        before = {name: file.size for name, file in self._files.items()}
        try:
            for name, file in self._files.items():
                append(name, file)
        except OSError as error:
            for name, file in self._files.items():
                file.cut(before[name])
            gone = isinstance(error, BrokenPipeError)
            return retry(error.strerror or str(error), NEVER if gone else WAIT_S)
        return None

    def reject(self, lines: list[bytes]) -> None:
        """Keep rejections until they are written: here, or at the latest by `flush`."""
        if REJECTED in self._files:
            self._refused += [line for line in lines if flaw(line) is None]
            self._settle()

    def _settle(self) -> Receipt | None:
        trouble = self._append({REJECTED: _joined(self._refused)}) if self._refused else None
        if trouble is None:
            self._refused = []
        return trouble

    def adopt(self, folder: str) -> Receipt:
        """Append the files of a closed segment, in the order of the calls, and remove it."""
        trouble = self._all_or_none(lambda name, file: _copy(Path(folder) / name, file))
        if trouble is not None:
            return trouble
        for name in (AGENT_HOOKS, AARTS, REJECTED):
            (Path(folder) / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            Path(folder).rmdir()
        return DELIVERED

    def flush(self) -> None:
        trouble = self._settle()
        if trouble is not None:
            raise SinkError(f"{self.uri}: {trouble.reason}")
        try:
            for file in self._files.values():
                file.sync()
        except OSError as error:
            raise SinkError(f"{self.uri}: {error.strerror or error}") from None

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            self.flush()
        finally:
            for file in self._files.values():
                file.close()
            if self._folder is not None:
                self._folder.close()


def _joined(lines: list[bytes]) -> bytes:
    return b"\n".join(lines) + b"\n" if lines else b""


def _copy(source: Path, file: LineFile | Output) -> None:
    if source.exists():
        with source.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                file.append(chunk)
