"""TOML for a hook: what a file says is kept in the hook's snapshot under the digest of its bytes,
for importing the parser takes longer than all else that a hook does."""

from __future__ import annotations

import sys
from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def parse_kept(data: bytes) -> dict[str, Any]:
    """The values of a TOML file, of another kind than JSON's as text. Raises ValueError."""
    light = sys.modules.get("hookstream.capture.startup.lazy_stdlib")
    snapshot: Any = getattr(light, "snapshot", None)
    if snapshot is None:
        return _parse(data)
    key = ("toml", int.from_bytes(sha256(data).digest()[:16], "big"))
    known = snapshot.recall(key)
    if known is None:
        try:
            known = (_parse(data), "")
        except ValueError as error:  # a broken file is not parsed at every start either
            known = ({}, str(error)[:200] or "broken")
        snapshot.keep(key, known)
    values, problem = known
    if problem:
        raise ValueError(problem)
    found: dict[str, Any] = values
    return found


def _parse(data: bytes) -> dict[str, Any]:
    from hookstream.configuration.files import parse_toml

    found: dict[str, Any] = _plain(parse_toml(data))
    return found


def _plain(value: Any) -> Any:
    if type(value) is dict:
        return {name: _plain(one) for name, one in value.items()}
    if type(value) is list:
        return [_plain(one) for one in value]
    return value if type(value) in (str, int, float, bool) else str(value)
