"""The declaration of a client: all that is known of one client and of no other, in one object.

Each folder has its own as `CLIENT` in `client.py`. A hook loads none of them: its facts are in the
light module `hook.py` of the same folder, and `normalizers/index.py` has what every hook asks of
all clients.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from hookstream.core.jsons import JsonObject
from hookstream.core.places import Machine, Place
from hookstream.normalizers import VENDORS, WITHOUT_HOOKS
from hookstream.normalizers.hook_facts import HookFacts, hook_facts
from hookstream.normalizers.permission_rules import Listed

Entry = Callable[[str, str], JsonObject]
SCOPES = ("user", "project", "managed")


class ClientSettings(Machine, ABC):
    """A machine with settings of clients on it, as `Client.gaps` reads them; `capture` can."""

    @abstractmethod
    def json(self, path: Path, json5: bool = False) -> JsonObject:
        """The object in a file; empty if it does not exist or is broken."""

    @abstractmethod
    def toml(self, path: Path) -> JsonObject:
        """The tables of a file; empty if it does not exist or is broken."""

    @abstractmethod
    def is_ours(self, command: str | list[str]) -> bool:
        """Return whether a command line runs hookstream."""


def grouped(
    timeout: int,
    timeouts: Mapping[str, int] | None = None,
    matchers: Mapping[str, str] | None = None,
    **extra: Any,
) -> Entry:
    """Entries of the form that Claude Code began: a group with a matcher and its handlers."""

    def entry(event: str, command: str) -> JsonObject:
        limit = (timeouts or {}).get(event, timeout)
        handler = {"type": "command", "command": command, "timeout": limit}
        group: JsonObject = {"hooks": [{**handler, **extra}]}
        matcher = (matchers or {}).get(event)
        return {"matcher": matcher, **group} if matcher is not None else group

    return entry


# Forms of a registration: what is written into which file of a client.


@dataclass(frozen=True)
class HooksJson:
    """Entries in a JSON file with lists of hooks by event.

    `entry` makes one of an event and a command; a `{machine}` in its texts is a mark of the
    machine. `table` is the key of the lists, None where the file is the table itself. `head` is
    written into a new file, `own` marks a file that hookstream alone writes, `first` puts the entry
    before others. `pins` are settings that are held at a value, `runs_in` the shell of commands.
    """

    path: Place
    entry: Entry
    head: Mapping[str, Any] | None = None
    first: bool = False
    own: bool = False
    table: str | None = "hooks"
    runs_in: str = "sh"
    pins: Mapping[str, bool] = field(default_factory=dict)
    # Entries of an earlier version here are taken out, none is written.
    superseded: bool = False
    # Only where the file exists.
    optional: bool = False
    # Not where one of these exists, since the client then reads none of it; what is there is taken
    # out.
    hidden_by: tuple[Place, ...] = ()
    # Hooks of others in these files next to it may be wrapped.
    others: str = ""


@dataclass(frozen=True)
class HooksToml:
    """`[[hooks]]` tables in a TOML file; `key` holds the event."""

    path: Place
    entry: Entry
    key: str
    first: bool = False


@dataclass(frozen=True)
class RequirementsToml:
    """Hooks of the machine in a TOML file of requirements, which no user can switch off."""

    path: Place
    entry: Entry


@dataclass(frozen=True)
class NotifyProgram:
    """The line `notify = [...]` of a TOML file: one program, called after each turn."""

    path: Place
    event: str = "notify"


@dataclass(frozen=True)
class PluginModule:
    """A module of ours in a plug-in folder: `source` below capture/plugins with its bridge, as one
    file. `listed_in` is a JSON file that names it where the folder is not searched."""

    path: Place
    source: str
    listed_in: Place | None = None


@dataclass(frozen=True)
class PluginFolder:
    """A plug-in of several files in a folder of hookstream's state, and its entry in a JSON5
    settings file."""

    parts: tuple[str, ...]
    settings: Place


@dataclass(frozen=True)
class HookScripts:
    """Executables named after each event in the first of `folders`; an `ending` is taken where the
    plain name is another's. `reorder` is a test of the machine that turns the folders round."""

    folders: tuple[Place, ...]
    endings: tuple[str, ...] = ("",)
    ending_folder: str = ""
    answer: str = ""
    reorder: Callable[[Machine], bool] = lambda machine: False


Registration = (
    HooksJson | HooksToml | RequirementsToml | NotifyProgram | PluginModule | PluginFolder
    | HookScripts
)  # fmt: skip


@dataclass(frozen=True)
class Switch:
    """A setting that keeps registered hooks from running."""

    key: str
    value: bool
    files: tuple[Place, ...]
    effect: str = "no hook runs"


@dataclass(frozen=True)
class Permissions:
    """Files of permission rules (globs), and the reader of one: (data, path) -> rules."""

    read: Callable[[bytes, str], Iterator[Listed]]
    files: tuple[Place, ...]


# Forms of switching a client's telemetry on.


@dataclass(frozen=True)
class TelemetryObject:
    """An object of a JSON settings file. `{url}`, `{token}`, `{bearer}`, `{protocol}` and
    `{outfile}` in values are filled in; any other value of one of `keys` is an export elsewhere,
    and the first of them shows whose it is."""

    section: str
    values: Mapping[str, Any]
    keys: tuple[str, ...]


@dataclass(frozen=True)
class TelemetryTable:
    """A table of a TOML settings file: its name and lines, with the same places."""

    table: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class ClientTelemetry:
    """Marks of a client's telemetry: what names of scopes, events and services begin with; and how
    it is switched on, or why settings cannot do it."""

    scopes: str = ""
    events: str = ""
    services: str = ""
    switch: TelemetryObject | TelemetryTable | str = ""


# The longest such limit: a number in a settings file may be of any size.
MOST_DAYS = 1_000_000


@dataclass(frozen=True)
class SessionLimit:
    """The days for which a client keeps session files that are not continued: a setting, of the
    first of the files that has it."""

    key: str
    days: float
    files: tuple[Place, ...]

    def days_on(self, machine: ClientSettings) -> float:
        """The days on a machine."""
        for place in self.files:
            value = machine.json(place.path(machine)).get(self.key)
            if isinstance(value, int | float) and type(value) is not bool and value >= 0:
                return float(min(value, MOST_DAYS))
        return self.days


@dataclass(frozen=True)
class Unread:
    """Files that hold sessions and are not read (globs), and why."""

    why: str
    files: tuple[Place, ...]


@dataclass(frozen=True)
class Client:
    """One client.

    programs     names of its commands, divided by blanks; `products` are folders of an editor's
                 product file
    traces       what a home contains where it was used
    recorded     the newest version whose payloads were recorded; empty where none were
    events       native events that are safe to observe, divided by blanks; `left_out` the others
                 with the reason; `since` those that a version brought
    aliases      names in payloads that differ from the registered one by more than their case
    note         printed after an install, `project_note` after one for a project
    files        scope -> what is registered there, the file that names the others last
    switches     settings, and `variables` of the environment, that keep hooks from running; `gaps`
                 finds what neither can say
    sessions     files and folders in which it keeps sessions; `deletes` says for how long,
                 `unread` which of its sessions are named and not read
    documents    session files not in lines: patterns of the ends of paths, divided by blanks,
                 in which `/` means any divider and `*` a part of a name
    agents       files of agents (globs) whose front matter may register hooks of their own
    permissions  its permission rules
    mcp_files    files that name its MCP servers; `settings` further files that decide what it may
                 do. A place that ends with a stroke is a folder with all that is in it
    telemetry    marks and switch of its OpenTelemetry
    never_asks   its permission modes in which every call runs without a question, divided by
                 blanks; `asks_less` those in which edits do, or what a model judged
    input_includes_cache  its count of input tokens includes those read from or written to the cache
    windows_shell  what runs its hooks on Windows: powershell, git-bash, or "" where it is not known
    uncounted    calls to a model that its records lack, always ("partial") or sometimes
                 ("approximate"), and which they are
    proofs       what hooks, session file and telemetry prove (normalizers/proofs.py); `remark` says
                 what a reader has to know of that
    """

    key: str
    title: str
    programs: str = ""
    products: tuple[str, ...] = ()
    traces: tuple[str, ...] = ()
    home: Place | None = None
    recorded: str = ""
    events: tuple[str, ...] = ()
    since: Mapping[tuple[int, int], str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    project_note: str = ""
    files: Mapping[str, tuple[Registration, ...]] = field(default_factory=dict)
    switches: tuple[Switch, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    gaps: Callable[[ClientSettings], list[str]] = lambda machine: []
    sessions: tuple[Place, ...] = ()
    documents: str = ""
    deletes: SessionLimit | None = None
    unread: tuple[Unread, ...] = ()
    agents: tuple[Place, ...] = ()
    permissions: Permissions | None = None
    mcp_files: tuple[Place, ...] = ()
    settings: tuple[Place, ...] = ()
    telemetry: ClientTelemetry = ClientTelemetry()
    never_asks: str = ""
    asks_less: str = ""
    input_includes_cache: bool = False
    windows_shell: str = ""
    uncounted: tuple[str, str] = ("", "")
    proofs: str = ""
    remark: str = ""

    @property
    def folder(self) -> str:
        """The name of its folder below normalizers/."""
        return VENDORS.get(self.key) or WITHOUT_HOOKS[self.key]

    @property
    def hook(self) -> HookFacts:
        """The facts that a hook needs."""
        return hook_facts(self.key)

    def known_events(self, version: tuple[int, ...] | None) -> tuple[str, ...]:
        """The events of a version; all of them where it is unknown."""
        if version is None or not self.since:
            return self.events
        return tuple(
            e for since, names in self.since.items() if version >= since for e in names.split()
        )

    def places(self) -> tuple[Place, ...]:
        """Every place that is declared for its files."""
        home = () if self.home is None else (self.home,)
        return (*home, *self.settings_places(), *self.sessions)

    def settings_places(self) -> tuple[Place, ...]:
        """The places of files that decide what it may do, and what its hooks are."""
        rows = [row for scope in self.files.values() for row in scope]
        named = [getattr(row, name, None) for row in rows for name in ("path", "settings")]
        folders = [place / "" for row in rows for place in getattr(row, "folders", ())]
        switches = [place for switch in self.switches for place in switch.files]
        rules = self.permissions.files if self.permissions else ()
        return (
            *(place for place in named if isinstance(place, Place)),
            *(*folders, *switches, *rules, *self.agents, *self.mcp_files, *self.settings),
        )


@cache
def client_of(key: str) -> Client:
    """The declaration of a client. Raises KeyError for an unknown one."""
    folder = VENDORS.get(key) or WITHOUT_HOOKS[key]
    declared: Client = import_module(f"hookstream.normalizers.{folder}.client").CLIENT
    return declared


@cache
def clients() -> tuple[Client, ...]:
    """Every client, in the order of the index."""
    return tuple(client_of(key) for key in (*VENDORS, *WITHOUT_HOOKS))


# Folders of which a client runs or reads every file; variables of the system, not of a client.
OF_ALL_FILES = frozenset("hooks extensions plugin policy.d rules policies".split())
OF_SYSTEM = ("$XDG_", "$APPDATA", "$LOCALAPPDATA", "$PROGRAM")


@cache
def settings_pattern(kind: str) -> str:
    """Alternatives of a regular expression for the ends of paths: of all clients' `settings`, of
    their `mcp` files, or of the folders of the machine with settings (`managed`)."""
    patterns = set()
    for client in clients():
        places = client.mcp_files if kind == "mcp" else client.settings_places()
        for alternative in (
            part for place in places for text in place.texts for part in text.split(" or ")
        ):
            head, _, below = alternative.partition("/")
            *folders, name = below.split("/")
            is_managed = head in ("", "C:")
            if kind == "managed":
                patterns.add(
                    _path_pattern(folders[: 3 if folders[:1] == ["Library"] else 2]) * is_managed
                )
            elif not below or (head[:1] == "$" and not (folders and head.startswith(OF_SYSTEM))):
                continue
            elif is_managed or not name or (folders and folders[-1] in OF_ALL_FILES):
                patterns.add(_path_pattern([*folders, ""]) + ".{1,200}")
            else:
                patterns.add(_path_pattern([*folders, name]))
    return "|".join(sorted(patterns - {""}))


def _path_pattern(parts: list[str]) -> str:
    return r"[/\\]".join(re.escape(part).replace(r"\*", r"[^/\\]{1,200}") for part in parts)
