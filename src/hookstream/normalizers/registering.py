"""Write `core/clients.py` again: `python -m hookstream.normalizers.registering`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from hookstream.core import clients
from hookstream.normalizers import index
from hookstream.normalizers.client import client_of
from hookstream.normalizers.hook_facts import hook_facts

TARGET = Path(__file__).parents[1] / "core" / "clients.py"
HEAD = '''"""The clients, and what every hook asks of all of them, from their folders.

Made by `python -m hookstream.normalizers.registering`; not to be edited. `MARKS`: fields of a
payload, the beginning of the first one's text, the client. `VARIABLES`: of a hook's environment.
`FOLDERS`: parts of the places of session files, in lower case. `RUN_BY`: a client and those that
run the hooks of its settings files. `FORKS`: a client and those whose payloads look like its.
`UNATTENDED`: a program and the words with which it runs
without a person. `NEVER_ASKS`, `ASKS_LESS`: a client and its permission modes in which all runs
without a question, or a part. `INPUT_INCLUDES_CACHE`: clients whose input tokens include what was
cached. `DOCUMENTS`: patterns of the ends of paths of session files not in lines.
"""
'''
TYPES = {
    "VENDORS": "dict[str, str]",
    "WITHOUT_HOOKS": "dict[str, str]",
    "MARKS": "list[tuple[tuple[str, ...], str, str]]",
    "VARIABLES": "dict[str, str]",
    "FOLDERS": "list[tuple[str, str]]",
    "RUN_BY": "dict[str, tuple[str, ...]]",
    "FORKS": "dict[str, tuple[str, ...]]",
    "UNATTENDED": "dict[str, tuple[str, ...]]",
    "NEVER_ASKS": "dict[str, tuple[str, ...]]",
    "ASKS_LESS": "dict[str, tuple[str, ...]]",
    "INPUT_INCLUDES_CACHE": "list[str]",
    "PROGRAMS": "list[str]",
    "DOCUMENTS": "list[str]",
}


def register_text() -> str:
    """The text of the register, in the order of the clients in it, new ones last."""
    for table in (
        clients.MARKS,
        clients.VARIABLES,
        clients.FOLDERS,
        clients.RUN_BY,
        clients.FORKS,
        clients.UNATTENDED,
        clients.NEVER_ASKS,
        clients.ASKS_LESS,
    ):
        table.clear()
    for key in clients.VENDORS:
        index.add(key, hook_facts(key))
        client = client_of(key)
        for words, modes in (
            (client.never_asks, clients.NEVER_ASKS),
            (client.asks_less, clients.ASKS_LESS),
        ):
            if words:
                modes[key] = tuple(words.split())
    clients.INPUT_INCLUDES_CACHE[:] = [
        key for key in clients.VENDORS if client_of(key).input_includes_cache
    ]
    clients.PROGRAMS[:] = [
        name for key in clients.VENDORS for name in client_of(key).programs.split()
    ]
    clients.DOCUMENTS[:] = [
        re.escape(name).replace("/", r"[/\\]").replace(r"\*", r"[^/\\]+")
        for key in (*clients.VENDORS, *clients.WITHOUT_HOOKS)
        for name in client_of(key).documents.split()
    ]
    text = f"{HEAD}\nfrom __future__ import annotations\n"
    for name, kind in TYPES.items():
        table = getattr(clients, name)
        rows = (
            [f"{_literal(key)}: {_literal(value)}" for key, value in table.items()]
            if isinstance(table, dict)
            else map(_literal, table)
        )
        left, right = "{}" if isinstance(table, dict) else "[]"
        text += (
            f"\n{name}: {kind} = {left}\n" + "".join(f"    {row},\n" for row in rows) + right + "\n"
        )
    return text


def _literal(value: Any) -> str:
    """A text or a tuple of literals as Python with double quotes."""
    if isinstance(value, str):
        return json.dumps(value)
    return f"({', '.join(map(_literal, value))}{',' if len(value) == 1 else ''})"


if __name__ == "__main__":
    TARGET.write_text(register_text(), "utf-8")
