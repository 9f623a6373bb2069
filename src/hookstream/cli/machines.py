"""machines: credentials of a fleet's machines, and what each has shipped."""

from __future__ import annotations

import json
import secrets
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from hookstream.errors import HookstreamError, invalid_choice

TOKEN_BYTES = 32
COLUMNS = ("machine", "last_seen", "version", "lines", "skipped", "duplicates", "foreign_lines")

app = typer.Typer(
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
    rows = [COLUMNS, *(tuple(str(one[name]) for name in COLUMNS) for one in found)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(COLUMNS))]
    for row in rows:
        print(
            "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        )


@app.command()
def add(
    file: Annotated[Path, typer.Argument(help="File that serve --machines reads.")],
    name: Annotated[str, typer.Argument(help="Name of the machine, or * for a shared token.")],
) -> None:
    """Make a token for a machine. The file gets its digest, standard output the token, once."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    from hookstream.capture.collector.fleet.senders import digest_of, read_senders

    line = f"{name} {digest_of(token.encode())}\n"
    read_senders(line, "NAME")
    before = file.read_text("utf-8") if file.exists() else ""
    read_senders(before, str(file))
    _write(file, before + ("" if before.endswith("\n") or not before else "\n") + line)
    print(token)


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
        found = read_senders(text, f"{file}:{number}")
        if found and found[0].machine == name and found[0].revoked is None:
            text = f"{text.rstrip()} {REVOKED} {at}" + (" " if sign else "")
            count += 1
        lines.append(f"{text}{sign}{note}\n")
    if not count:
        raise HookstreamError(f"{file}: no credential of {name!r} that is not revoked already")
    _write(file, "".join(lines))
    print(f"{count} revoked")


def _write(file: Path, text: str) -> None:
    from hookstream.delivery.durable import write_atomic

    write_atomic(file, text.encode())
