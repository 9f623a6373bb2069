"""`run --seal`: a sink whose files are sealed each time it has flushed.

A folder that is sealed once stays so: every later writer seals what is written. Sinks that
send their records away have nothing here to seal.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import SinkError
from hookstream.core.files import Folder
from hookstream.core.folders import state_path
from hookstream.seal import SealError
from hookstream.sinks import files_of
from hookstream.sinks.files import check_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hookstream.seal.log import SealedStore
    from hookstream.seal.places import SecondPlace
    from hookstream.sinks.base import Receipt, Sink
    from hookstream.standards.rendered import Rendered

SEALS = ".seal"
LAKE = "lake"


@dataclass(frozen=True)
class Sealing:
    """The settings of sealing: the folder that keeps the keys, and the second places."""

    keys: Path
    places: tuple[str, ...] = ()


def seal_keys() -> Path:
    """The folder of the keys that seal."""
    return state_path("seal")


def open_sealed(
    uri: str,
    make: Callable[[], Sink],
    sealing: Sealing | None,
    keys: Path,
    standard: str = "both",
    options: dict[str, Any] | None = None,
    clock: Callable[[], float] = time.time,
) -> Sink:
    """The sink of `make`, sealed if asked for or if the folder is sealed already; `keys` is
    the folder of keys for the latter. SinkError."""
    target = files_of(uri, standard, options or {})
    if target is None or (sealing is None and not (target[0] / SEALS).is_dir()):
        return make()
    folder, names = target
    streams: list[SealedStore] = []
    try:
        # No other process may write while the files are brought back to what is sealed.
        lock = Folder(str(folder))
        try:
            for name in names or [LAKE]:
                streams.append(store_of(folder, name, sealing or Sealing(keys), clock))
                streams[-1].recover()
        finally:
            lock.close()
        return Sealed(make(), streams)
    except BaseException as error:
        for stream in streams:
            stream.release()
        if isinstance(error, SealError | OSError):
            raise SinkError(f"{uri}: seal: {error}") from None
        raise


def store_of(
    folder: Path, name: str, sealing: Sealing, clock: Callable[[], float] = time.time
) -> SealedStore:
    """The sealed store of a folder's lake (LAKE) or file of that name; its log is not open yet.
    SealError."""
    # A run that seals nothing starts without them.
    from hookstream.seal.lines import SealedFile
    from hookstream.seal.log import SealLog
    from hookstream.seal.parts import SealedLake
    from hookstream.seal.places import Places

    key = key_path(sealing.keys, folder, name)
    log = SealLog(folder / SEALS / name, key, clock, Places(places_of(sealing)))
    return SealedLake(folder, log) if name == LAKE else SealedFile(folder / name, log)


def rehearse_sealed(
    uri: str,
    make: Callable[[], Sink],
    sealing: Sealing | None,
    keys: Path,
    standard: str,
    options: dict[str, Any],
) -> None:
    """Refuse what `open_sealed` would refuse for what is asked, and make nothing: `make` opens the
    sink elsewhere. SinkError."""
    target = files_of(uri, standard, options)
    if target is not None:
        sealing = sealing or Sealing(keys)
        try:
            places_of(sealing)
            _demand_keys(*target, sealing.keys)
        except (SealError, OSError) as error:
            raise SinkError(f"{uri}: seal: {error}") from None
    make().close()
    if target is not None:
        check_files(*target)


def _demand_keys(folder: Path, names: Iterable[str], keys: Path) -> None:
    from hookstream.seal.log import is_begun, own_key

    for name in names or [LAKE]:
        if is_begun(folder / SEALS / name):
            own_key(folder / SEALS / name, key_path(keys, folder, name))


def places_of(sealing: Sealing) -> list[SecondPlace]:
    """The second places, open. SealError."""
    from hookstream.seal.places import open_place

    return [open_place(one) for one in sealing.places]


def key_path(keys: Path, folder: Path, name: str) -> Path:
    mark = sha256(f"{folder.resolve()}\0{name}".encode("utf-8", "surrogateescape")).hexdigest()
    return keys / f"{mark[:24]}.key"


class Sealed:
    """A sink and the logs of its files. Delivered and flushed means sealed, too."""

    def __init__(self, inner: Sink, streams: list[SealedStore]) -> None:
        self.inner = inner
        self.uri = inner.uri
        self._streams = streams
        self._closed = False

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        return self.inner.write(batch)

    @property
    def notes(self) -> list[str]:
        return list(getattr(self.inner, "notes", ()))

    def reject(self, lines: list[bytes]) -> None:
        self.inner.reject(lines)

    def adopt(self, folder: str) -> Receipt:
        receipt: Receipt = self.inner.adopt(folder)  # type: ignore[attr-defined]
        return receipt

    def flush(self) -> None:
        self.inner.flush()
        try:
            for stream in self._streams:
                stream.seal()
                stream.tick()
        except (SealError, OSError) as error:
            raise SinkError(f"{self.uri}: seal: {error}") from None

    def tick(self) -> None:
        """Do pending work; called every few seconds, also when nothing comes. SinkError."""
        try:
            for stream in self._streams:
                stream.tick()
        except (SealError, OSError) as error:
            raise SinkError(f"{self.uri}: seal: {error}") from None

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            self.flush()
            for stream in self._streams:
                stream.close()
        except (SealError, OSError) as error:
            raise SinkError(f"{self.uri}: seal: {error}") from None
        finally:
            for stream in self._streams:
                stream.release()
            self.inner.close()
