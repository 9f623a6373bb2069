"""machines: credentials of a fleet's machines, and what each has shipped."""

from __future__ import annotations

import json
import secrets
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from hookstream.cli.help import HelpOfGroup, Part
from hookstream.core.errors import HookstreamError, invalid_choice
from hookstream.core.logs import say

TOKEN_BYTES = 32
COLUMNS = ("machine", "last_seen", "version", "lines", "skipped", "duplicates", "foreign_lines")

app = Part(
    cls=HelpOfGroup,
    help="Manage credentials of machines that may ship.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="machines")


@app.command("list")
def list_machines(
    fleet: Annotated[Path, typer.Argument(help="Folder that serve --fleet writes to.")],
    format: Annotated[str, typer.Option(help="table | json")] = "table",
) -> None:
    """Show when each machine was last seen and what it has shipped."""
    from hookstream.capture.collector.fleet.seen import NAME, machines
    from hookstream.cli.answers import Look, write
    from hookstream.queries.runner import Result

    if format not in ("table", "json"):
        raise invalid_choice("--format", format, ("table", "json"))
    if not (fleet / NAME).exists():
        raise HookstreamError(f"{fleet}: no {NAME} here; name the folder of serve --fleet")
    try:
        found = machines(str(fleet / NAME))
    except sqlite3.Error as error:
        raise HookstreamError(f"{fleet / NAME}: {error}") from None
    for one in found:
        for name in ("first_seen", "last_seen"):
            at = datetime.fromtimestamp(one[name], UTC)
            one[name] = at.isoformat(timespec="seconds").replace("+00:00", "Z")
    if format == "json":
        print(json.dumps(found, indent=1))
        return
    for place in sorted(fleet.iterdir()):
        if place.is_symlink():
            say(f"hookstream: {place}: a link; nothing is written or read there")
    rows = (tuple(one[name] for name in COLUMNS) for one in found)
    write(Result.of(COLUMNS, rows, COLUMNS), Look())


@app.command()
def add(
    file: Annotated[Path, typer.Argument(help="File that serve --machines reads.")],
    name: Annotated[str, typer.Argument(help="Name of the machine, or * for a shared token.")],
    id: Annotated[
        list[str] | None, typer.Option(help="Id that its lines carry (repeat for several).")
    ] = None,
) -> None:
    """Make a token for a machine. The file gets its digest, standard output the token, once."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    from hookstream.capture.collector.fleet.senders import digest_of

    ids = f" id={','.join(id)}" if id else ""
    line = f"{name} {digest_of(token.encode())}{ids}\n"
    before = file.read_text("utf-8") if file.exists() else ""
    _checked(line, "NAME")
    _checked(before, str(file))
    _write(file, before + ("" if before.endswith("\n") or not before else "\n") + line)
    print(token)


@app.command("register")
def register_ids(
    file: Annotated[Path, typer.Argument(help="File that serve --machines reads.")],
    name: Annotated[str, typer.Argument(help="Name of the machine.")],
    ids: Annotated[list[str], typer.Argument(help="Ids that its lines carry.")],
) -> None:
    """Register ids of a machine.

    No other machine may name one, and the first is written for all its lines.
    `hookstream machines ids DIR` shows which ids lines carry.
    """
    from hookstream.capture.collector.fleet.senders import read_senders

    lines = file.read_text("utf-8").splitlines(keepends=True)
    for number, line in enumerate(lines):
        text, sign, note = line.rstrip("\n").partition("#")
        senders = read_senders(text, f"{file}:{number + 1}")
        if senders and senders[0].machine == name:
            known = ",".join(dict.fromkeys((*senders[0].ids, *ids)))
            words = [word for word in text.split() if not word.startswith("id=")]
            words.insert(2, f"id={known}")
            lines[number] = " ".join(words) + (f"  {sign}{note}" if sign else "") + "\n"
            _write(file, "".join(lines))
            return
    raise HookstreamError(f"{file}: no machine {name!r}; add it first")


@app.command("ids")
def list_ids(
    fleet: Annotated[Path, typer.Argument(help="Folder that serve --fleet writes to.")],
) -> None:
    """Show the ids in machines' lines that are not registered.

    It also shows which machines share one. Their lines are kept under the machine's own name;
    register an id to have it written instead.
    """
    from hookstream.capture.collector.fleet.seen import NAME, claims

    if not (fleet / NAME).exists():
        raise HookstreamError(f"{fleet}: no {NAME} here; name the folder of serve --fleet")
    try:
        rows = claims(str(fleet / NAME))
    except sqlite3.Error as error:
        raise HookstreamError(f"{fleet / NAME}: {error}") from None
    users: dict[str, list[str]] = {}
    for machine, machine_id in rows:
        users.setdefault(machine_id, []).append(machine)
    for machine, machine_id in rows:
        others = [other for other in users[machine_id] if other != machine]
        shared = f"  also carried by {', '.join(others)}: look who may" if others else ""
        print(f"{machine}  {_plain(machine_id)}{shared}")


@app.command()
def revoke(
    file: Annotated[Path, typer.Argument(help="File that serve --machines reads.")],
    name: Annotated[str, typer.Argument(help="Name of the machine.")],
) -> None:
    """Revoke every credential of a machine. A running collector refuses it from then on."""
    from hookstream.capture.collector.fleet.senders import REVOKED, read_senders

    at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    lines = []
    count = 0
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        text, sign, note = line.partition("#")
        senders = read_senders(text, f"{file}:{number}")
        if senders and senders[0].machine == name and senders[0].revoked is None:
            text = f"{text.rstrip()} {REVOKED} {at}" + (" " if sign else "")
            count += 1
        lines.append(f"{text}{sign}{note}\n")
    if not count:
        raise HookstreamError(f"{file}: no credential of {name!r} that is not revoked already")
    _write(file, "".join(lines))
    print(f"{count} revoked")


def _plain(text: str) -> str:
    """A text of a sender as it may be shown on a terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)


def _checked(text: str, where: str) -> None:
    """HookstreamError for a file that a collector would refuse."""
    from hookstream.capture.collector.fleet.senders import read_senders, registered_ids

    registered_ids(read_senders(text, where), where)


def _write(file: Path, text: str) -> None:
    from hookstream.core.files import write_atomic

    _checked(text, str(file))
    write_atomic(file, text.encode())
