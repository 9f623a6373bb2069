"""The allow-list that the configuration names, for the hook, a wrap and the collector.

The file is the one of `run --allow` (redaction/allow.py). An unusable list allows nothing.
"""

from __future__ import annotations

from hookstream.core.errors import HookstreamError
from hookstream.core.folders import full_path
from hookstream.redaction.allow import read_allow_list
from hookstream.redaction.rules import ids


def read_allowed(path: str) -> tuple[tuple[str, ...], str | None]:
    """The list's entries, and why it is empty if it cannot be used."""
    path = full_path(path)
    try:
        return read_allow_list(path, ids()), None
    except HookstreamError as error:
        return (), str(error)
    except ValueError:  # a path that no file can have
        return (), "allow-list: is not a path"
