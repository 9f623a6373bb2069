"""vendors: coverage read off the tables, as a table, JSON or Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hookstream.cli.answers import Look, write
from hookstream.cli.options import Columns, Vertical
from hookstream.core.errors import HookstreamError, invalid_choice


def vendors(
    name: Annotated[
        str | None, typer.Argument(help="One vendor in detail (default: all, in short).")
    ] = None,
    format: Annotated[str, typer.Option("--format", help="table | json | markdown")] = "table",
    witness: Annotated[
        bool, typer.Option("--witness", help="Which witness proves which fact of a client.")
    ] = False,
    installed: Annotated[
        bool,
        typer.Option("--installed", help="Versions on this machine next to those recorded."),
    ] = False,
    standards: Annotated[
        bool, typer.Option("--standards", help="Standards and conventions, with their versions.")
    ] = False,
    columns: Columns = None,
    vertical: Vertical = None,
    draft_from: Annotated[
        Path | None,
        typer.Option(
            help="A stream: print an issue and table rows for what NAME does not map; no values."
        ),
    ] = None,
) -> None:
    """Show what is captured of each vendor.

    Of one vendor: its events, their types in both standards, and which facts are native, derived
    or absent.
    """
    from hookstream.normalizers import VENDORS
    from hookstream.normalizers.proofs import PROOFS, proofs
    from hookstream.pipeline.coverage import events_of, overview
    from hookstream.queries.runner import Result

    if name is not None and name not in {**VENDORS, **PROOFS}:
        raise invalid_choice("vendor", name, {**VENDORS, **PROOFS})
    if draft_from is not None:
        print_draft(name, draft_from)
        return
    if standards:
        from hookstream.standards.followed import FOLLOWED

        rows = list(FOLLOWED)
    elif installed:
        rows = installed_rows(name)
    elif witness or (name is not None and name not in VENDORS):
        rows = proofs(name)
        if not rows:
            raise HookstreamError(f"{name}: only its hooks are read")
    else:
        rows = overview() if name is None else events_of(name)
    if format == "json":
        import json

        print(json.dumps(rows, indent=1))
    elif format == "markdown":
        print(markdown(rows))
    elif format == "table":
        cells = (tuple(value or None for value in row.values()) for row in rows)
        write(Result.of(rows[0], cells), Look(columns=columns, vertical=vertical, pages=False))
    else:
        raise invalid_choice("--format", format, ("table", "json", "markdown"))


def print_draft(name: str | None, stream: Path) -> None:
    from hookstream.pipeline.coverage import events_named
    from hookstream.queries.draft import draft

    if name is None:
        raise HookstreamError("--draft-from needs the name of a vendor")
    text = draft(stream, name, events_named(name))
    print(text or f"{name}: its table maps every event and field of {stream}")


def installed_rows(name: str | None) -> list[dict[str, str]]:
    """The clients on this machine (or the one of this name), their versions, those recorded."""
    from hookstream.capture.install.clients import evidence_of, is_newer
    from hookstream.capture.install.homes import InstallFolders
    from hookstream.capture.install.registered import installable

    homes = InstallFolders()
    rows = []
    for agent in installable():
        client = evidence_of(agent, homes)
        if name not in (None, agent.key) or not (client.found or name):
            continue
        has, known = client.version, agent.recorded
        state = "not installed" if not client.found else "unknown"
        if not known:
            state = "not recorded"
        elif has:
            state = "recorded" if has == known else "newer" if is_newer(has, known) else "older"
        rows.append(
            {"vendor": agent.key, "installed": has or "-", "recorded": known or "-", "state": state}
        )
    if not rows:
        raise HookstreamError("no client of hookstream's vendors is on this machine")
    return rows


def markdown(rows: list[dict[str, str]]) -> str:
    names = list(rows[0])
    lines = [" | ".join(names), " | ".join("---" for _ in names)]
    lines += [" | ".join(row[name].replace("|", "\\|") for name in names) for row in rows]
    return "\n".join(f"| {line} |" for line in lines)
