"""`cloudevents:DIR` and `cloudevents:http(s)://...`: structured CloudEvents 1.0.

DIR gets cloudevents.jsonl, one event a line. Over HTTP `mode` says how they travel: "structured",
one a request, or "batch", an array a request. A record that is two CloudEvents (one a standard) is
delivered when both are.
"""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.sinks.base import DELIVERED, Receipt, SinkError, retry
from hookstream.sinks.delivery import (
    deliver,
    in_order,
    merged,
    portions,
    rendering,
    worst,
)
from hookstream.sinks.files import Folder, LineFile
from hookstream.sinks.formats.cloudevents import CloudEvents
from hookstream.sinks.grammar import flaw
from hookstream.sinks.http import Client, Unreachable, meaning, unreachable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hookstream.sinks.base import Rendered, Sink

NAME = "cloudevents.jsonl"
MODES = ("structured", "batch")
STRUCTURED = "application/cloudevents+json; charset=utf-8"
BATCH = "application/cloudevents-batch+json; charset=utf-8"
MAX_BATCH = 512
MAX_BATCH_BYTES = 4 << 20
WAIT_S = 5.0


def system_clock() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def open_sink(
    uri: str,
    target: str,
    *,
    standard: str,
    now: Callable[[], str] = system_clock,
    installation: str | None = None,
    mode: str = "structured",
    token: str | None = None,
    headers: Mapping[str, str] | None = None,
    timeout_s: float = 10.0,
    ca_file: str | None = None,
    cert_file: str | None = None,
    key_file: str | None = None,
) -> Sink:
    form = CloudEvents(standard, now, installation)
    if "://" not in target:
        return CloudEventsFile(uri, target, form)
    if mode not in MODES:
        raise SinkError(f"cloudevents: {mode!r} is no mode; one of {', '.join(MODES)}")
    client = Client(
        uri,
        target,
        headers=headers,
        token=token,
        timeout_s=timeout_s,
        ca_file=ca_file,
        cert_file=cert_file,
        key_file=key_file,
    )
    return CloudEventsHttp(uri, client, form, mode)


def open_segment(
    target: str,
    folder: str,
    *,
    standard: str,
    now: Callable[[], str] = system_clock,
    installation: str | None = None,
) -> Sink:
    if "://" in target:
        raise SinkError("cloudevents: only a folder can be written by several processes")
    form = CloudEvents(standard, now, installation)
    return CloudEventsFile(f"cloudevents:{folder}", folder, form, durable=False)


class CloudEventsFile:
    """One file of structured events, one a line, in the strict grammar."""

    def __init__(self, uri: str, target: str, form: CloudEvents, *, durable: bool = True) -> None:
        self.uri = uri
        self._form = form
        self._folder = Folder(target)
        try:
            self._file = LineFile(self._folder.path / NAME, durable=durable)
        except SinkError:
            self._folder.close()
            raise
        self._closed = False

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        made, refused = rendering(batch, self._lines)
        receipt = DELIVERED
        try:
            self._file.append(b"".join(line + b"\n" for lines in made for line in lines))
        except OSError as error:
            receipt = retry(error.strerror or str(error), WAIT_S)
        return merged([receipt] * len(made), refused)

    def _lines(self, item: Rendered) -> list[bytes]:
        lines = self._form.structured(item)
        for line in lines:
            if (found := flaw(line)) is not None:
                raise ValueError(found)
        return lines

    def adopt(self, folder: str) -> Receipt:
        """Append the file of a closed segment and remove it."""
        path = Path(folder) / NAME
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
        """A rejection is no event."""

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


class CloudEventsHttp:
    """Structured or batched events to one address; an answer 2xx is the delivery."""

    def __init__(self, uri: str, client: Client, form: CloudEvents, mode: str) -> None:
        self.uri = uri
        self._client = client
        self._form = form
        self._mode = mode

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        made, refused = rendering(batch, self._form.structured)
        if self._mode == "batch":
            parts = portions(made, lambda lines: sum(map(len, lines)), MAX_BATCH, MAX_BATCH_BYTES)
            receipts = in_order(parts, lambda part: deliver(part, self._array), len(made))
        else:
            receipts = in_order(portions(made, len, 1, 1), self._singly, len(made))
        return merged(receipts, refused)

    def _array(self, records: list[list[bytes]]) -> Receipt:
        lines = [line for lines in records for line in lines]
        return self._post(b"[%s]" % b",".join(lines), BATCH) if lines else DELIVERED

    def _singly(self, records: list[list[bytes]]) -> list[Receipt]:
        answers: list[Receipt] = []
        for line in records[0]:
            answers.append(self._post(line, STRUCTURED))
            if answers[-1].status == "retry":
                break
        return [worst(answers)]

    def _post(self, body: bytes, content_type: str) -> Receipt:
        try:
            return meaning(self._client.post(body, content_type))
        except Unreachable as error:
            return unreachable(error)

    def reject(self, lines: list[bytes]) -> None:
        """A rejection is no event."""

    def flush(self) -> None:
        """Nothing waits here: what was answered 2xx is the far end's."""

    def close(self) -> None:
        self._client.close()
