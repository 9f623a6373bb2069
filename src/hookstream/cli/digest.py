"""digest: was this prompt or value seen? It is read from a file, standard input or a prompt, never
from the command line, where other users and the shell's history would see it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from hookstream.cli.options import takes
from hookstream.cli.places import local
from hookstream.core.errors import HookstreamError, invalid_choice
from hookstream.core.logs import say

MAX_BYTES = 64 << 20
FORMATS = ("table", "json", "csv", "markdown")
COLUMNS = tuple("timestamp tool session_id event_id event_type where".split())


@takes("hash_key_file")
def digest(
    lake: Annotated[
        Path | None,
        typer.Argument(help="Folder or file written by `hookstream run`: list matching events."),
    ] = None,
    file: Annotated[Path | None, typer.Option(help="File with the value (default: stdin).")] = None,
    pseudonym_key_file: Annotated[
        Path | None, typer.Option(help="Key of fingerprints (default: this user's).")
    ] = None,
    exact: Annotated[bool, typer.Option(help="Keep a trailing newline of the value.")] = False,
    format: Annotated[str, typer.Option("--format", help=" | ".join(FORMATS))] = "table",
    limit: Annotated[int | None, typer.Option(min=1, help="Maximum number of rows.")] = None,
    fail_on_rows: Annotated[bool, typer.Option(help="Exit 4 if there is any row.")] = False,
    **options: Any,
) -> None:
    """Find a known value (prompt, token, file) by its digest."""
    from hookstream.delivery.job import digest_key
    from hookstream.delivery.settings import job_of

    if format not in FORMATS:
        raise invalid_choice("--format", format, FORMATS)
    lake = local(lake) if lake is not None else None
    key = digest_key(job_of(options))
    value = read_value(file, exact)
    marks = digests_of(value, key, pseudonym_key_file)
    if lake is None:
        print(marks.pop("digest"))
    for name, mark in marks.items():
        say(f"{name} {mark}")
    if lake is not None and list_rows(lake, list(marks.values()), format, limit) and fail_on_rows:
        raise typer.Exit(4)


def read_value(file: Path | None, exact: bool) -> str:
    """The value as text; without --exact one line end at its end is the editor's or echo's."""
    if file is not None:
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    elif sys.stdin.isatty():
        from getpass import getpass

        return getpass("Value (not shown): ")
    else:
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise HookstreamError(f"the value is longer than {MAX_BYTES} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise HookstreamError("the value is not UTF-8 text") from None
    if not exact:
        text = text.removesuffix("\n").removesuffix("\r")
    if not text:
        raise HookstreamError("no value: give it on standard input or with --file")
    return text


def digests_of(value: str, key: bytes | None, pseudonyms: Path | None) -> dict[str, str]:
    """The digest of content and, where its key is at hand, the fingerprint of a secret."""
    from hookstream.cli.configured import fleet_key
    from hookstream.redaction.digest import digest as digest_of
    from hookstream.redaction.digest import fingerprint

    marks = {"digest": digest_of(value, key)}
    own = fleet_key(pseudonyms)
    if own is not None:
        marks["fingerprint"] = fingerprint(value, own)
    return marks


def list_rows(lake: Path, marks: list[str], format: str, limit: int | None) -> int:
    """Print the rows that hold one of the digests, and where in them; gives their number."""
    from hookstream.cli.answers import Look, write
    from hookstream.queries.runner import Filters, Result, ask_sql, read

    hexes = [mark.rpartition(":")[2] for mark in marks]  # nothing but digits goes into the SQL
    line = "coalesce(agent_hooks, aarts, '')"
    holds = " or ".join(f"contains({line}, '{digits}')" for digits in hexes)
    listed = ", ".join(f"'{digits}'" for digits in hexes)
    secret = f"len(list_filter(secrets, lambda s: s['fingerprint'] in ({listed}))) > 0"
    sql = (
        'select "timestamp", tool, session_id, event_id, event_type, '  # noqa: S608
        f"{line} as line, secrets from events where {holds} or {secret} "
        'order by "timestamp" desc, event_id'
    )
    found = read(lake, lambda stream: ask_sql(stream, sql, Filters(), limit=limit), sql)
    result = Result(list(COLUMNS), found.warnings)
    result.truncated = found.truncated
    for row in found.rows:
        result.rows.append((*row[:5], ", ".join(places(row[5], row[6], hexes))))
    write(result, Look(format))
    for warning in result.warnings or ([] if result.rows else ["no event has this value"]):
        say(f"hookstream: {warning}")
    return len(result.rows)


def places(line: str, secrets: Any, hexes: list[str]) -> list[str]:
    """The dotted paths under which a line holds one of the digests, and a secret's own path."""
    found = [str(secret["path"]) for secret in secrets or () if secret.get("fingerprint") in hexes]
    try:
        tree = json.loads(line)
    except ValueError:
        return found
    stack: list[tuple[str, Any]] = [("", tree)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict):
            stack += [(f"{path}.{name}" if path else name, item) for name, item in value.items()]
        elif isinstance(value, list):
            stack += [(f"{path}[{number}]", item) for number, item in enumerate(value)]
        elif isinstance(value, str) and any(digits in value for digits in hexes):
            found.append(path)
    return sorted(set(found))
