"""Read credentials from the environment or a file when a sink is opened; never from a URI."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from hookstream.core.errors import SinkError
from hookstream.delivery.lakes import LakeSink
from hookstream.sinks import Adopting, Sink, open_sink, read_uri

SECRET_BYTES = 64 << 10


@dataclass(eq=False)
class From:
    """The place of a credential: an environment variable or a file."""

    kind: str
    name: str
    where: str

    def read(self) -> str:
        if self.kind == "env":
            value = os.environ.get(self.name)
            if not value:
                raise SinkError(f"{self.where}: the environment has no {self.name}")
            return value
        try:
            with Path(self.name).expanduser().open("rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                if not stat.S_ISREG(mode) or (os.name != "nt" and mode & 0o022):
                    raise SinkError(f"{self.where}: {self.name}: others can write it")
                value = file.read(SECRET_BYTES).decode("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            said = getattr(error, "strerror", None) or "is not text"
            raise SinkError(f"{self.where}: {self.name}: {said}") from None
        if not value:
            raise SinkError(f"{self.where}: {self.name}: is empty")
        return value


def known(value: Any) -> Any:
    """The value with every credential read. SinkError says which is missing."""
    if isinstance(value, From):
        return value.read()
    if isinstance(value, dict):
        return {name: known(one) for name, one in value.items()}
    return value


def open_at(
    uri: str, refresh: Callable[[Path, bool], object] | None = None, /, **options: Any
) -> Sink:
    """Open as `open_sink` does, `refresh` to derive the tables of a lake. SinkError too if the path
    of the address is a credential, as a chat's webhook is: addresses appear in reports, states and
    dead letters."""
    path = uri.find("/", uri.find("://") + 3) if "://" in uri else -1
    if path >= 0:
        from hookstream.redaction.rules import HIGH, PERSONAL
        from hookstream.redaction.scanner import Scanner

        scanner = Scanner("python")
        formats = {rule.id for rule in scanner.rules if rule.confidence == HIGH} - PERSONAL
        for start, end, rule in scanner.scan(uri):
            if rule in formats and start >= uri.find("://") + 3 and end > path:
                kind = read_uri(uri).kind
                has_path = any(option.name == "path" for option in kind.options)
                way = "what follows the host as path" if has_path else "it as token"
                raise SinkError(
                    f"{kind.name}: the address holds a credential ({rule}); "
                    f"in a --config file, write {way} = {{env = ...}}"
                )
    sink = open_sink(uri, **options)
    lake = getattr(sink, "lake", None)
    if lake is None or refresh is None:
        return sink
    return LakeSink(cast("Adopting", sink), lake, refresh)
