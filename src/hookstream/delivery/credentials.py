"""Credentials from the environment or a file, read each time a sink is opened."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

from hookstream.sinks.base import SinkError

SECRET_BYTES = 64 << 10


class From:
    """Where a credential stands: an environment variable or a file."""

    def __init__(self, kind: str, name: str, where: str) -> None:
        self.kind = kind
        self.name = name
        self.where = where

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
            said = getattr(error, "strerror", None) or "is no text"
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
