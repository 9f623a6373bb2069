"""The clients, and what every hook asks of all of them: whose a payload is by its marks.

`core/clients.py` is made of the clients' folders, so that a hook does not load each of them. A
folder that it does not list yet is read as it is.
"""

# ruff: noqa: PTH113, PTH120, PTH208  the hook loads this without pathlib
from __future__ import annotations

import os
from functools import lru_cache
from importlib import import_module

from hookstream.core.clients import (
    FOLDERS,
    FORKS,
    MARKS,
    RUN_BY,
    UNATTENDED,
    VARIABLES,
    VENDORS,
    WITHOUT_HOOKS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.hook_facts import HookFacts


# Characters of a path that is worth keeping: paths repeat with every payload of a session.
LONG = 512


def marked(payload: dict[str, Any]) -> list[str]:
    """The clients of which the payload has a mark that no other client's have."""
    if payload.keys().isdisjoint(_LAST_FIELDS):
        return []
    keys = []
    for fields, start, key in MARKS:
        if fields[-1] in payload and all(field in payload for field in fields):
            value = payload[fields[0]]
            if not start or (type(value) is str and value.startswith(start)):
                keys.append(key)
    return keys


def keeper(payload: dict[str, Any]) -> str | None:
    """The client in whose folder the payload's session file is; None without a file, for one in
    another place, and where the place names two."""
    path = payload.get("transcript_path")
    if type(path) is not str:
        return None
    return keeper_of(path) if len(path) <= LONG else keeper_of.__wrapped__(path)


@lru_cache(maxsize=1024)
def keeper_of(path: str) -> str | None:
    """The client in whose folder a session file is."""
    place = path.replace("\\", "/").lower()
    name = place.rpartition("/")[2]
    keys = {
        key
        for part, key in FOLDERS
        if (name.startswith(part[:-1]) if part.endswith("*") else part in place)
    }
    return keys.pop() if len(keys) == 1 else None


def add(key: str, facts: HookFacts) -> None:
    """Take the marks of a client into the tables above."""
    for mark in facts.marks.split():
        fields, _, start = mark.partition("=")
        MARKS.append((tuple(fields.split("+")), start, key))
    VARIABLES.update(dict.fromkeys(facts.variables.split(), key))
    FOLDERS.extend((part, key) for part in facts.folders.split())
    for command in filter(None, facts.unattended.split("; ")):
        program, *words = command.split()
        UNATTENDED[program] = tuple(words)
    for other in facts.runs_hooks_of.split():
        RUN_BY[other] = (*RUN_BY.get(other, ()), key)
    for other in facts.fork_of.split():
        FORKS[other] = (*FORKS.get(other, ()), key)


def _add_unlisted() -> None:
    """Read the folders of clients that the register does not list."""
    listed = {*VENDORS.values(), *WITHOUT_HOOKS.values()}
    here = os.path.dirname(__file__)
    try:
        names = sorted(set(os.listdir(here)) - listed)
    except OSError:  # in an archive, which is made of a complete register
        return
    for name in names:
        if "." in name or not os.path.isfile(f"{here}/{name}/table.py"):
            continue
        key = name.replace("_", "-")
        VENDORS[key] = name
        if os.path.isfile(f"{here}/{name}/hook.py"):
            add(key, import_module(f"hookstream.normalizers.{name}.hook").HOOK)


_add_unlisted()
# One of these is in every payload with a mark: the first fields of marks are common.
_LAST_FIELDS = frozenset(fields[-1] for fields, _, _ in MARKS)
