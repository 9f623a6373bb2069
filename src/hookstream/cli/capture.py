"""install, uninstall: hookstream in the clients' own configuration."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from hookstream.errors import HookstreamError, invalid_choice

if TYPE_CHECKING:
    from hookstream.capture.install.agent import Agent
    from hookstream.capture.install.engine import Change
    from hookstream.capture.install.homes import Homes
    from hookstream.capture.install.telemetry import Target

Vendors = Annotated[
    list[str] | None,
    typer.Argument(help="Clients (default: with --all, every one found).", show_default=False),
]
All = Annotated[bool, typer.Option("--all", help="Every client found on this machine.")]
Scope = Annotated[
    str, typer.Option(help="user | project (this folder) | managed (machine, experimental)")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the changes without making them.")]


def register(app: typer.Typer) -> None:
    app.command()(install)
    app.command()(uninstall)


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
    ] = "http://127.0.0.1:4318",
) -> None:
    """Add observe-only hooks to your agents' settings. Existing hooks are kept."""
    from hookstream.capture.install import engine, launcher
    from hookstream.capture.install.lost import settle_gone
    from hookstream.capture.install.originals import Originals

    homes, chosen = _chosen(vendors, every, scope)
    originals = Originals()
    problems = 0
    if dry_run:
        target = _target(telemetry, telemetry_url, scope, make=False)
        _each(
            chosen,
            homes,
            scope,
            lambda file: engine.plan_install(file, originals, wrap),
            wrap,
            target,
        )
        return
    target = _target(telemetry, telemetry_url, scope)
    files = {agent.key: engine.files_of(agent, homes, scope, target) for agent in chosen}
    with originals.alone():
        # First, so that no client runs what is not there.
        launcher.write(scope == "managed")
        for agent in chosen:
            changes = [engine.apply_install(file, originals, wrap) for file in files[agent.key]]
            problems += _tell(agent, changes, "installed", "already installed")
            settle_gone(agent.key, originals)
            if target is not None:
                _tell_telemetry(agent, changes)
            if wrap:
                for change in changes:
                    _tell_unwrapped(change)
            if any(not change.is_none and change.problem is None for change in changes):
                _prepare(agent)
                for note in (agent.note, agent.project_note if scope == "project" else ""):
                    if note:
                        print(f"{agent.key}: {note}")
    if problems:
        raise typer.Exit(2)


def _target(wanted: bool, url: str, scope: str, make: bool = True) -> Target | None:
    """Where telemetry is to go. The collector's token is made at need."""
    from hookstream.capture.install import telemetry as settings
    from hookstream.capture.install.telemetry import Target

    if not wanted:
        return None
    if scope != "user":
        raise HookstreamError("--telemetry: only with --scope user; the settings hold a token")
    if not url.startswith(("http://", "https://")):
        raise HookstreamError(f"--telemetry-url: {url!r} is no http address")
    token = settings.token()
    if not token and make:
        from hookstream.capture.collector.serve import default_token_path
        from hookstream.redaction.keys import load_key

        token = load_key(default_token_path(), create=True).decode()
    folder = settings.outfiles()
    if make:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Target(url, token or "made-at-install", folder)


def _tell_telemetry(agent: Agent, changes: list[Change]) -> None:
    """What became of a client's telemetry."""
    from hookstream.capture.install.telemetry import NOT_POSSIBLE, WithTelemetry

    for change in changes:
        if isinstance(change.file, WithTelemetry) and change.problem is None:
            other = change.file.elsewhere(change.new)
            if other:
                print(f"{agent.key}: telemetry left alone, it is exported already: {other}")
            return
    why = NOT_POSSIBLE.get(agent.key, "no telemetry of its own is known")
    print(f"{agent.key}: {why}")


def uninstall(
    vendors: Vendors = None, every: All = False, scope: Scope = "user", dry_run: DryRun = False
) -> None:
    """Remove hookstream's hooks and restore each file (only our entries if it was edited since)."""
    from hookstream.capture.install import engine, launcher
    from hookstream.capture.install.originals import Originals

    homes, chosen = _chosen(vendors, every, scope, found_only=False)
    originals = Originals()
    if dry_run:
        _each(chosen, homes, scope, lambda file: engine.plan_uninstall(file, originals))
        return
    problems = 0
    files = {agent.key: engine.files_of(agent, homes, scope) for agent in chosen}
    with originals.alone():
        for agent in chosen:
            # The other way round: the first file of several is the one whose folders were made.
            changes = [
                engine.apply_uninstall(file, originals) for file in reversed(files[agent.key])
            ]
            problems += _tell(agent, changes, "uninstalled", "" if every else "not installed")
        if not originals.all():
            launcher.remove(scope == "managed")
    if problems:
        raise typer.Exit(2)


def _chosen(
    vendors: list[str] | None, every: bool, scope: str, found_only: bool = True
) -> tuple[Homes, list[Agent]]:
    """The clients asked for. Raises HookstreamError where nobody was named, or nobody is found."""
    from hookstream.capture.install.agents import agents
    from hookstream.capture.install.clients import client_of
    from hookstream.capture.install.homes import SCOPES, Homes

    if scope not in SCOPES:
        raise invalid_choice("--scope", scope, SCOPES)
    homes = Homes()
    if vendors:
        return homes, list({agent.key: agent for agent in map(agent_named, vendors)}.values())
    if not every:
        raise HookstreamError("which clients? name them, or --all for every one found here")
    known = [agent for agent in agents() if agent.files(homes, scope)]
    chosen = [agent for agent in known if not found_only or client_of(agent, homes).found]
    if not chosen:
        names = ", ".join(agent.key for agent in known)
        raise HookstreamError(f"no client found here; name one to install anyway: {names}")
    return homes, chosen


def agent_named(name: str) -> Agent:
    from hookstream.capture.install.agents import MODULES, agent_of

    if name not in MODULES:
        raise invalid_choice("client", name, MODULES)
    return agent_of(name)


def _each(
    chosen: list[Agent],
    homes: Homes,
    scope: str,
    plan: Callable[..., Change],
    wrap: bool = False,
    target: Target | None = None,
) -> None:
    """Shows what would change."""
    from hookstream.capture.install.engine import files_of

    problems = 0
    files = ((agent, file) for agent in chosen for file in files_of(agent, homes, scope, target))
    changes = [(agent, plan(file)) for agent, file in files]
    for agent in chosen:
        mine = [change for one, change in changes if one is agent and not change.is_none]
        events = sum(change.events() for change in mine)
        if mine:
            print(f"# {agent.key}: {_count(events, 'event')} in {_count(len(mine), 'file')}")
    for _, change in changes:
        sys.stdout.write(change.diff())
        _tell_foreign(change)
        if wrap:
            _tell_unwrapped(change)
        if change.problem is not None:
            problems += 1
            print(f"hookstream: {change.problem}", file=sys.stderr)
    if problems:
        raise typer.Exit(2)


def _tell(agent: Agent, changes: list[Change], done: str, nothing: str) -> int:
    """One line a file that changed, or one line that nothing did; how many are left alone."""
    touched = [change for change in changes if not change.is_none and change.problem is None]
    wrong = [change for change in changes if change.problem is not None]
    if len(touched) > 3:
        folders = dict.fromkeys(str(change.file.path.parent) for change in touched)
        print(f"{agent.key}: {done}, {len(touched)} files in {', '.join(folders)}")
    else:
        for change in touched:
            print(f"{agent.key}: {done}, {change.file.path}")
    for change in changes:
        _tell_foreign(change)
        if change.backup is not None:
            print(f"{agent.key}: edited since it was installed; a copy lies at {change.backup}")
    for change in wrong:
        print(f"hookstream: {change.problem}", file=sys.stderr)
    if not touched and not wrong and nothing:
        print(f"{agent.key}: {nothing}")
    return len(wrong)


def _tell_foreign(change: Change) -> None:
    """Commands that run hookstream and that install has not written."""
    if change.problem is None:
        for text in change.file.foreign(change.new):
            print(f"left alone, no line that install writes, {change.file.path}: {text}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _tell_unwrapped(change: Change) -> None:
    """The hooks of others that --wrap leaves alone, and why."""
    if change.problem is None:
        for text in change.file.not_wrapped(change.new):
            print(f"not wrapped, {change.file.path}: {text}")


def _prepare(agent: Agent) -> None:
    """What makes the first hook a fast one; without it the first hook does it itself."""
    from hookstream.capture.install.command import prepare

    prepare(agent.key)
