"""install and uninstall as a whole: which clients, in which order, what is printed.

The command line (cli/capture.py) and the bundle (bundle/main.py) both run these; each returns the
exit status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.capture.install import printed
from hookstream.capture.install.homes import InstallFolders
from hookstream.core.errors import HookstreamError, invalid_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookstream.capture.install.telemetry import TelemetryTarget
    from hookstream.normalizers.client import Client

DEFAULT_TELEMETRY = "http://127.0.0.1:4318"
# The client whose own functions, mods, can act before any hook is asked.
KEY = "claude-code"


def install(
    vendors: Sequence[str] | None,
    every: bool,
    scope: str = "user",
    dry_run: bool = False,
    wrap: bool = False,
    telemetry: bool = False,
    telemetry_url: str = DEFAULT_TELEMETRY,
    mod: bool | None = None,
) -> int:
    """Register every event of the clients asked for. Raises HookstreamError for a wrong request,
    before anything is written; 2 where a file had to be left alone."""
    from hookstream.capture.install import engine, launcher
    from hookstream.capture.install.lost import settle_gone
    from hookstream.capture.install.mod import WithMod, make_ready
    from hookstream.capture.install.originals import Originals

    homes, chosen = chosen_clients(vendors, every, scope)
    originals = Originals()
    target = telemetry_target(telemetry, telemetry_url, scope, make=not dry_run)
    files = {agent.key: engine.files_of(agent, homes, scope, target, mod) for agent in chosen}
    if dry_run:
        planned = [
            (agent, engine.plan_install(file, originals, wrap))
            for agent in chosen
            for file in files[agent.key]
        ]
        return 2 if printed.show(planned, wrap) else 0
    problems = 0
    with originals.alone():
        # First, so that no client runs what is not there.
        launcher.write(scope == "managed")
        for agent in chosen:
            changes = [engine.apply_install(file, originals, wrap) for file in files[agent.key]]
            problems += printed.tell(agent, changes, "installed", "already installed")
            settle_gone(agent.key, originals)
            if target is not None:
                printed.tell_telemetry(agent, changes)
            if wrap:
                for change in changes:
                    printed.tell_unwrapped(change)
            is_changed = any(not one.is_none and one.problem is None for one in changes)
            if is_changed or scope == "managed":  # the policy may be another
                _prepare(agent)
            if agent.key == KEY:
                _tell_mods(agent, homes, scope, mod)
                if is_changed and any(isinstance(one.file, WithMod) for one in changes):
                    make_ready()
            if is_changed:
                for note in (agent.note, agent.project_note if scope == "project" else ""):
                    if note:
                        print(f"{agent.key}: {note}")
    return 2 if problems else 0


def _tell_mods(agent: Client, homes: InstallFolders, scope: str, wanted: bool | None) -> None:
    """Print why a mod that was asked for cannot load, and what mods of users may do."""
    from hookstream.capture.install.mod import forbidden, warning

    why = forbidden(homes, scope)
    if wanted and why is not None:
        print(f"{KEY}: the mod does not load, {why}")
    risk = warning(agent, homes)
    if risk is not None:
        print(f"{KEY}: {risk}")


def uninstall(
    vendors: Sequence[str] | None,
    every: bool,
    scope: str = "user",
    dry_run: bool = False,
    purge: bool = False,
    purge_log: bool = False,
) -> int:
    """Take hookstream out of the clients asked for; with `purge` its state as well, with
    `purge_log` the log too. Raises HookstreamError; 2 where a file had to be left alone."""
    from hookstream.capture.install import engine, launcher
    from hookstream.capture.install.originals import Originals
    from hookstream.capture.install.purge import named_log, purge_state, tell_left
    from hookstream.capture.install.unpack import prune

    purge = purge or purge_log
    if purge and not every:
        raise HookstreamError("--purge removes the state of every client: use it with --all")
    homes, chosen = chosen_clients(vendors, every, scope, found_only=False)
    originals = Originals()
    files = {agent.key: engine.files_of(agent, homes, scope) for agent in chosen}
    if dry_run:
        planned = [
            (agent, engine.plan_uninstall(file, originals))
            for agent in chosen
            for file in files[agent.key]
        ]
        problems = printed.show(planned)
        if purge:
            purge_state(purge_log, dry_run=True)
        return 2 if problems else 0
    problems = 0
    has_backup = False
    other_log = named_log() if purge and scope == "user" else None
    with originals.alone():
        for agent in chosen:
            # The other way round: the first file of several is the one whose folders were made.
            changes = [
                engine.apply_uninstall(file, originals) for file in reversed(files[agent.key])
            ]
            has_backup |= any(change.backup is not None for change in changes)
            problems += printed.tell(
                agent, changes, "uninstalled", "" if every else "not installed"
            )
        left = originals.all()
        if not left:
            prune([], scope == "managed")
            launcher.remove(scope == "managed")
    if purge:
        if problems or left:
            where = ", ".join(str(record.path) for record in left) or "the files named above"
            raise HookstreamError(f"nothing purged, hookstream is still installed in {where}")
        purge_state(purge_log, keep_backups=has_backup, other_log=other_log)
    elif every and not left:
        tell_left()
    return 2 if problems else 0


def telemetry_target(
    wanted: bool, url: str, scope: str, make: bool = True
) -> TelemetryTarget | None:
    """The destination of telemetry. The collector's token is made if it is missing."""
    from hookstream.capture.install import telemetry as settings
    from hookstream.capture.install.telemetry import TelemetryTarget

    if not wanted:
        return None
    if scope != "user":
        raise HookstreamError("--telemetry: only with --scope user; the settings hold a token")
    if not url.startswith(("http://", "https://")):
        raise HookstreamError(f"--telemetry-url: {url!r} is not an http address")
    token = settings.token()
    if not token and make:
        from hookstream.capture.collector.options import default_token_path
        from hookstream.redaction.keys import load_key

        token = load_key(default_token_path(), create=True).decode()
    folder = settings.outfiles()
    if make:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return TelemetryTarget(url, token or "made-at-install", folder, not settings.reads_protobuf())


def chosen_clients(
    vendors: Sequence[str] | None, every: bool, scope: str, found_only: bool = True
) -> tuple[InstallFolders, list[Client]]:
    """The clients asked for. Raises HookstreamError if none was named, or none is found."""
    from hookstream.capture.install.clients import evidence_of
    from hookstream.capture.install.homes import SCOPES
    from hookstream.capture.install.registered import installable

    if scope not in SCOPES:
        raise invalid_choice("--scope", scope, SCOPES)
    homes = InstallFolders()
    if vendors:
        return homes, list({agent.key: agent for agent in map(agent_named, vendors)}.values())
    if not every:
        raise HookstreamError("which clients? name them, or --all for every one found here")
    known = [agent for agent in installable() if scope in agent.files]
    chosen = [agent for agent in known if not found_only or evidence_of(agent, homes).found]
    if not chosen:
        names = ", ".join(agent.key for agent in known)
        raise HookstreamError(f"no client found here; name one to install anyway: {names}")
    return homes, chosen


def agent_named(name: str) -> Client:
    """The client of that name. Raises HookstreamError with the nearest known ones."""
    from hookstream.capture.install.registered import installable

    clients = {client.key: client for client in installable()}
    if name not in clients:
        raise invalid_choice("client", name, clients)
    return clients[name]


def _prepare(agent: Client) -> None:
    """Prepare the caches that make the first hook fast; else the first hook makes them."""
    from hookstream.capture.install.command import prepare

    prepare(agent.key)
