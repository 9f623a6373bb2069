"""resolve: the user or machine of a pseudonym, for the holder of the key."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Annotated

import typer

from hookstream.core.errors import HookstreamError
from hookstream.core.logs import say

PSEUDONYM = re.compile(r"(user|machine)-[0-9a-f]{16}\Z")
ROSTER_BYTES = 64 << 20


def resolve(
    pseudonyms: Annotated[list[str], typer.Argument(help="user-<16 hex> or machine-<16 hex>.")],
    roster: Annotated[
        Path | None, typer.Option(help="Names to try: users and hosts, one or more per line.")
    ] = None,
    pseudonym_key_file: Annotated[
        Path | None, typer.Option(help="The fleet's key (default: as configured).")
    ] = None,
) -> None:
    """Name the user or machine of a pseudonym.

    A pseudonym is a keyed digest, so names are tried: those of the roster, and the accounts and
    host name of this machine. Exit 1 if one of them stays unknown.
    """
    from hookstream.cli.configured import fleet_key
    from hookstream.redaction.digest import pseudonym

    for given in pseudonyms:
        if PSEUDONYM.match(given) is None:
            raise HookstreamError(f"{given!r} is not a pseudonym; write user-... or machine-...")
    key = fleet_key(pseudonym_key_file)
    if key is None:
        raise HookstreamError("no pseudonym key here: name the fleet's with --pseudonym-key-file")
    names = sorted(candidates(roster))
    found = {pseudonym(kind, name, key): name for kind in ("user", "machine") for name in names}
    unknown = [given for given in pseudonyms if given not in found]
    for given in pseudonyms:
        if given in found:
            print(f"{given}\t{found[given]}")
    if unknown:
        tried = f"{len(names)} names tried" + ("" if roster else "; give more with --roster FILE")
        say(f"hookstream: unknown: {', '.join(unknown)} ({tried})")
        raise typer.Exit(1)


def candidates(roster: Path | None) -> set[str]:
    """The names of a roster (words between spaces, commas, tabs or semicolons), and this
    machine's. Raises HookstreamError if the roster cannot be read."""
    names = {socket.gethostname(), socket.gethostname().partition(".")[0]}
    try:
        import pwd

        names.update(entry.pw_name for entry in pwd.getpwall())
    except ImportError:  # Windows
        pass
    if roster is not None:
        try:
            with roster.open("rb") as file:
                text = file.read(ROSTER_BYTES).decode("utf-8", "replace")
        except OSError as error:
            raise HookstreamError(f"{roster}: {error.strerror}") from None
        names.update(word.strip("\"'") for word in re.split(r"[\s,;]+", text))
    return {name for name in names if name}
