"""Lost wraps: an upgrade of a client has moved or rewritten the file that held them.

The guard still runs, from wherever it is now, and its decisions are not recorded. Only the record
of the install knows that it was wrapped.
"""

from __future__ import annotations

from pathlib import Path

from hookstream.capture.install import atomic
from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.originals import Originals
from hookstream.capture.install.script_wrap import BY_HAND, is_wrapper
from hookstream.core import folders


def lost_wraps(vendor: str, scopes: dict[Path, str]) -> list[str]:
    """The message for each file that install wrapped hooks in and that has none now; `scopes`
    maps a file to its scope."""
    if folders.state_folder() is None:
        return []
    wraps = []
    for record in Originals().all():
        if record.vendor != vendor or not record.wrapped:
            continue
        how = _what_happened(record.path)
        if how is not None:
            scope = scopes.get(record.path, "user")
            also = "" if scope == "user" else f" --scope {scope}"
            wraps.append(
                f"wraps lost, {record.path} {how} since install: what its hooks decide is not "
                f"recorded; run hookstream install {vendor} --wrap{also}"
            )
    return wraps


def _what_happened(path: Path) -> str | None:
    """`is gone` or `was rewritten`; None if a wrap is still there, or it cannot be known."""
    try:
        data = atomic.read(path)
    except FileRefused:
        return None
    if data is None:
        return "is gone"
    return None if is_wrapper(data) or BY_HAND.search(data) else "was rewritten"


def settle(path: Path, originals: Originals) -> None:
    """After an install that had nothing to change: what is not wrapped now is not missed."""
    record = originals.load(path)
    if record is not None and record.wrapped and _what_happened(path) is not None:
        record.wrapped = 0
        originals.save(record)


def settle_gone(vendor: str, originals: Originals) -> None:
    """After an install: files of the client that are no more are not missed."""
    for record in originals.all():
        if record.vendor == vendor and record.wrapped and not record.path.exists():
            record.wrapped = 0
            originals.save(record)
