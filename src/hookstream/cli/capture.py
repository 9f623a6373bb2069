"""install, uninstall, bundle: hookstream in the clients' own configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hookstream.capture.install.registration import DEFAULT_TELEMETRY, agent_named
from hookstream.cli.next_steps import hint

__all__ = ["Vendors", "agent_named"]

Vendors = Annotated[
    list[str] | None,
    typer.Argument(help="Clients (default: with --all, every one found).", show_default=False),
]
All = Annotated[bool, typer.Option("--all", help="Every client found on this machine.")]
Scope = Annotated[
    str, typer.Option(help="user | project (this folder) | managed (the whole machine, as root)")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the changes without making them.")]


def install(
    vendors: Vendors = None,
    every: All = False,
    scope: Scope = "user",
    dry_run: DryRun = False,
    wrap: Annotated[
        bool, typer.Option("--wrap", help="Wrap existing policy hooks to record their decisions.")
    ] = False,
    telemetry: Annotated[
        bool, typer.Option("--telemetry", help="Switch the client's own telemetry on, too.")
    ] = False,
    telemetry_url: Annotated[
        str, typer.Option(help="The collector's address for telemetry.")
    ] = DEFAULT_TELEMETRY,
    mod: Annotated[
        bool | None,
        typer.Option(
            "--mod/--no-mod",
            help="Claude Code: observe from inside, too. Default: where it loads mods.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Add observe-only hooks to your agents' settings. Existing hooks are kept."""
    from hookstream.capture.install import registration

    _leave(
        registration.install(vendors, every, scope, dry_run, wrap, telemetry, telemetry_url, mod)
    )
    hint("without --dry-run to install" if dry_run else "use your agent, then hookstream status")


def uninstall(
    vendors: Vendors = None,
    every: All = False,
    scope: Scope = "user",
    dry_run: DryRun = False,
    purge: Annotated[
        bool, typer.Option("--purge", help="With --all: remove hookstream's state and cache, too.")
    ] = False,
    purge_log: Annotated[
        bool, typer.Option("--purge-log", help="As --purge, and the log and its keys.")
    ] = False,
) -> None:
    """Remove hookstream's hooks and restore each file. One edited since only loses our entries."""
    from hookstream.capture.install import registration

    _leave(registration.uninstall(vendors, every, scope, dry_run, purge, purge_log))


def _leave(code: int) -> None:
    if code:
        raise typer.Exit(code)


def bundle(
    file: Annotated[Path, typer.Argument(help="The file to write, such as hookstream.pyz.")],
) -> None:
    """Write one file for laptops, which needs only Python 3.11.

    It holds hook, wrap, installer, collector and shipper.
    """
    from hookstream.bundle.build import build

    manifest = build(file)
    size = file.stat().st_size
    print(f"{file}: hookstream {manifest.version}, {len(manifest.files)} files, {size} bytes")
    print(f"sha256:{manifest.digest}  (hookstream.pyz --version prints it)")
