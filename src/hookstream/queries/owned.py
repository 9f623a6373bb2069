"""The machine of a file in a fleet's folder, named in a question's rows as `run` writes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.folders import pseudonym_key_file
from hookstream.core.owners import Owner

if TYPE_CHECKING:
    from collections.abc import Callable


def own_key() -> bytes | None:
    """This user's key of pseudonyms, None if it does not exist yet."""
    path = pseudonym_key_file()
    if not Path(path).exists():
        return None
    from hookstream.redaction.keys import load_key

    return load_key(path)


_key: list[Callable[[], bytes | None]] = [own_key]


def use_key(key: Callable[[], bytes | None]) -> None:
    """Set for this process what gives the key, called when the first file of a fleet is read."""
    _key[:] = [key]


def key_in_use() -> Callable[[], bytes | None]:
    """A function that returns the key, for another process that asks."""
    return _key[0]


def as_written(owner: Owner | None) -> Owner | None:
    """The owner under the name that is written: the registered id, else the pseudonym, else (no
    key, so nothing was ever written under one) the plain name. HookstreamError for a bad key."""
    if owner is None:
        return None
    name = owner.machine_id or owner.name
    key = _key[0]()
    if not key:
        return Owner(name)
    from hookstream.redaction.digest import pseudonym

    return Owner(pseudonym("machine", name, key))
