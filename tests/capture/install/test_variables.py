"""Every variable of every client that moves its files, through install, status, uninstall,
backfill and rules: none of them looks where the client does not."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from reading import tree
from tests.transcripts.homes import DATA, home_of

from hookstream.capture.install.engine import apply_install, apply_uninstall, files_of
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.originals import Originals
from hookstream.core.places import SYSTEMS, VARIABLE, Machine, Place
from hookstream.normalizers.client import SCOPES, Client, client_of, clients
from hookstream.transcripts.permissions import settings_of
from hookstream.transcripts.places import find

Run = Callable[..., subprocess.CompletedProcess[str]]
WINDOWS = 2
SYSTEM = Machine(Path()).platform
HERE = SYSTEMS.index(SYSTEM) if SYSTEM in SYSTEMS else 0


def registered_in(client: Client, *scopes: str) -> Iterator[Place]:
    """The places of registrations."""
    for row in (row for scope in scopes for row in client.files.get(scope, ())):
        rows = [getattr(row, name, None) for name in ("path", "settings", "listed_in")]
        yield from (place for place in (*rows, *getattr(row, "folders", ())) if place is not None)


def rule_files(client: Client) -> list[Place]:
    """The files of rules but for the machine's."""
    files = client.permissions.files if client.permissions is not None else ()
    return [place for place in files if place.scope != "managed"]


def cases(places: Callable[[Client], Any], system: int = HERE) -> list[Any]:
    """The variables of each client's places on a system, as parameters (client, variable)."""
    pairs = dict.fromkeys(
        (client.key, name)
        for client in clients()
        for place in places(client)
        for name in VARIABLE.findall(place.texts[system])
    )
    return [pytest.param(client_of(key), name, id=f"{key}-{name}") for key, name in pairs]


def status_of(run: Run, key: str, **env: str) -> dict[str, Any]:
    (agent,) = json.loads(run("status", key, "--format", "json", **env).stdout)["agents"]
    assert isinstance(agent, dict)
    return agent


@pytest.mark.parametrize(("client", "name"), cases(lambda c: registered_in(c, "user")))
def test_hooks_are_registered_where_the_variable_points(
    home: Path, run: Run, client: Client, name: str
) -> None:
    elsewhere = home.parent / "elsewhere"
    elsewhere.mkdir()
    env = {name: str(elsewhere / "settings.json" if name.endswith("_PATH") else elsewhere)}
    done = run("install", client.key, **env)
    assert done.returncode == 0, done.stderr
    assert [path for path in elsewhere.rglob("*") if path.is_file()]
    assert tree(home, aside=(".local",)) == {}
    there = status_of(run, client.key, **env)
    assert there["registered"] == ["user"]
    assert any(file["path"].startswith(str(elsewhere)) for file in there["files"])
    assert not status_of(run, client.key)["registered"]
    assert run("uninstall", client.key, **env).returncode == 0
    assert not [path for path in elsewhere.rglob("*") if path.is_file()]


@pytest.mark.parametrize(("client", "name"), cases(lambda c: registered_in(c, *SCOPES), WINDOWS))
def test_hooks_are_registered_there_on_windows(home: Path, client: Client, name: str) -> None:
    elsewhere = home.parent / "elsewhere"
    folders = InstallFolders(env={"HOME": str(home), name: str(elsewhere)}, platform="win32")
    scopes = [s for s in SCOPES if any(name in p.variables for p in registered_in(client, s))]
    for scope in scopes:
        files = files_of(client, folders, scope)
        assert any(file.path.is_relative_to(elsewhere) for file in files)
        originals = Originals()
        assert [apply_install(file, originals).problem for file in files] == [None] * len(files)
        assert [apply_uninstall(file, originals).problem for file in files] == [None] * len(files)
        assert not [path for path in elsewhere.rglob("*") if path.is_file()]


def keep_sessions(client: Client, name: str, folder: Path) -> dict[str, str]:
    """Put a recording's session files where the variable points; the environment that says so."""
    env = {name: str(folder / "elsewhere" / name)}  # clients may share it
    there = next(place for place in client.sessions if name in place.variables)
    recorded = sorted((DATA / client.key).iterdir())[0]
    if (recorded / "home").is_dir():
        used = Machine(home_of(f"{client.key}/{recorded.name}", folder / client.key), env={})
        paths = (place.path(used) for place in client.sessions)
        recorded = next(path for path in paths if path.is_dir())
    shutil.copytree(recorded, there.path(Machine(folder, env=env)))
    return env


SESSIONS = cases(lambda client: client.sessions)


@pytest.mark.parametrize(("client", "name"), SESSIONS)
def test_session_files_are_found_where_the_variable_points(
    home: Path, client: Client, name: str
) -> None:
    env = keep_sessions(client, name, home.parent)
    assert find(home, (client.key,), env=env)[0]
    assert find(home, (client.key,), env={})[0] == []


@pytest.mark.long
def test_backfill_reads_session_files_where_the_variables_point(home: Path, run: Run) -> None:
    variables = {client.key: (client, name) for client, name in (p.values for p in SESSIONS)}
    env: dict[str, str] = {}
    for client, name in variables.values():
        env |= keep_sessions(client, name, home.parent)
    words = ("--to", f"jsonl:{home.parent / 'lake'}", "--since", "all", "--workers", "1")
    done = run("backfill", *words, **env)
    assert done.returncode == 0, done.stderr
    lines = (home.parent / "lake" / "agent-hooks.jsonl").read_text("utf-8").splitlines()
    tools = {json.loads(line)["source"]["tool"] for line in lines}
    assert tools == set(variables)


@pytest.mark.parametrize(("client", "name"), cases(rule_files))
def test_rules_are_read_where_the_variable_points(home: Path, client: Client, name: str) -> None:
    moved = Machine(home, env={name: str(home.parent / "elsewhere")})
    paths = [place.path(moved) for place in rule_files(client) if name in place.variables]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_name(path.name.replace("*", "a")).write_text("")
    listed = settings_of(home, [], moved.env, machine=False)
    assert len([*listed.files, *listed.unread]) == len(paths) > 0
    usual = settings_of(home, [], {}, machine=False)
    assert not [*usual.files, *usual.unread]


@pytest.mark.parametrize(
    ("client", "name"),
    [pytest.param(c, name, id=f"{c.key}-{name}") for c in clients() for name in c.variables],
)
def test_a_variable_that_stops_hooks_is_a_gap(
    home: Path, run: Run, client: Client, name: str
) -> None:
    run("install", client.key)
    reason = f"{name} is set: {client.variables[name]}"
    assert reason in status_of(run, client.key, **{name: "1"})["gaps"]
    assert reason not in status_of(run, client.key)["gaps"]
