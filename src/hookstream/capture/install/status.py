"""The state of the registrations, what arrived from them, and what cannot arrive."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from hookstream.capture.install import atomic, launcher
from hookstream.capture.install.clients import evidence_of
from hookstream.capture.install.engine import scoped_files
from hookstream.capture.install.homes import SCOPES, InstallFolders
from hookstream.capture.install.lost import lost_wraps
from hookstream.capture.install.registered import config_files
from hookstream.capture.install.registered import gaps as gaps_of
from hookstream.capture.install.seen import SeenEvents, look
from hookstream.core.errors import HookstreamError
from hookstream.core.jsons import JsonObject
from hookstream.core.times import micros
from hookstream.normalizers.client import Client
from hookstream.transcripts.expiring import expiring, newest

ERRORS_SHOWN = 20
# A session file that is so much newer than the last record of a hook shows that none ran.
QUIET_S = 600


def report(agents: Iterable[Client], homes: InstallFolders) -> JsonObject:
    """{"log": {"path", "bytes", "files", "events_read", "whole", "problem", "last_event"},
    "agents": [...], "errors": [...], "deliveries": []}; see `of_agent` for an agent."""
    seen = look()
    times = [when for events in seen.last.values() for when in events.values()]
    log = {
        "path": seen.log,
        "bytes": seen.size,
        "files": seen.files,
        "events_read": seen.events,
        "whole": seen.whole,
        "last_event": max(times, default=None),
        "problem": seen.problem,
    }
    return {
        "log": log,
        "agents": [of_agent(agent, homes, seen) for agent in agents],
        "errors": seen.errors[-ERRORS_SHOWN:],
        # What each sink still has to get; filled by the command, which knows of deliveries.
        "deliveries": [],
    }


def of_agent(agent: Client, homes: InstallFolders, seen: SeenEvents) -> JsonObject:
    """{"vendor", "title", "client": {"found", "program", "version"}, "registered": [scope],
    "files": [{"path", "scope", "events", "current", "wrapped", "not_wrapped": [text],
    "foreign": [text], "problem"}],
    "events": [{"event", "registered": [scope], "last_seen", "left_out"}], "gaps": [text],
    "errors": n}."""
    client = evidence_of(agent, homes)
    files, scopes = _files(agent, homes)
    last = _last_of(agent, seen)
    events = [
        {
            "event": event,
            "registered": scopes.get(event, []),
            "last_seen": last.get(event),
            "left_out": agent.left_out.get(event),
        }
        for event in dict.fromkeys([*agent.events, *agent.left_out, *last])
    ]
    registered = [s for s in SCOPES if any(s in found for found in scopes.values())]
    return {
        "vendor": agent.key,
        "title": agent.title,
        "client": {
            "found": client.found,
            "program": client.program,
            "version": client.version or seen.versions.get(agent.key),
        },
        "registered": registered,
        "files": files,
        "events": events,
        "gaps": _gaps(agent, homes, events, bool(registered), seen)
        + _of_files(files)
        + _of_launcher(files)
        + lost_wraps(
            agent.key,
            {f.path: scope for scope in SCOPES for f in config_files(agent, homes, scope)},
        )
        + _of_sessions(agent, homes)
        + _of_runs(agent, homes, files, last, seen),
        "errors": sum(error.get("vendor") == agent.key for error in seen.errors),
    }


def _files(agent: Client, homes: InstallFolders) -> tuple[list[JsonObject], dict[str, list[str]]]:
    """The files of all scopes that say something, and each event's scopes."""
    files: list[JsonObject] = []
    scopes: dict[str, list[str]] = {}
    users = {file.path for file in scoped_files(agent, homes, "user")}
    for scope in SCOPES:
        for file in scoped_files(agent, homes, scope):
            if scope == "project" and file.path in users:
                continue  # the home folder: its file is the user's
            problem, found, wrapped, others = None, {}, 0, list[str]()
            foreign: list[str] = []
            current = True
            try:
                data = atomic.read(file.path)
                if data is not None:
                    found, wrapped = file.registered(data), file.wrapped(data)
                    others = file.not_wrapped(data)
                    foreign = file.foreign(data)
                    current = not any(found.values()) or file.with_ours(data) == data
            except HookstreamError as error:
                problem = str(error)
            ours = [event for event, is_there in found.items() if is_there]
            for event in ours:
                if scope not in scopes.setdefault(event, []):
                    scopes[event].append(scope)
            if ours or wrapped or problem or foreign:
                row = {"path": str(file.path), "scope": scope, "events": len(ours)}
                row |= {
                    "current": current,
                    "wrapped": wrapped,
                    "not_wrapped": others,
                    "foreign": foreign,
                    "problem": problem,
                }
                files.append(row)
    return files, scopes


def _of_files(files: list[JsonObject]) -> list[str]:
    """The registrations of another version or place, and hooks whose decisions are not recorded,
    if some are wrapped."""
    old = [
        f"registered by another version or installation: {file['path']}; run hookstream install"
        for file in files
        if not file["current"]
    ]
    old += [
        f"runs hookstream, is not a line that install writes, stays: {command} in {file['path']}"
        for file in files
        for command in file["foreign"]
    ]
    if not any(file["wrapped"] for file in files):
        return old
    return old + [
        f"not wrapped in {file['path']}: {'; '.join(dict.fromkeys(file['not_wrapped']))}"
        for file in files
        if file["not_wrapped"]
    ]


def _of_sessions(agent: Client, homes: InstallFolders) -> list[str]:
    """The sessions that the client will delete."""
    text = expiring(agent, homes, time.time())
    return [] if text is None else [text]


def _of_runs(
    agent: Client,
    homes: InstallFolders,
    files: list[JsonObject],
    last: dict[str, str],
    seen: SeenEvents,
) -> list[str]:
    """A run of the client without its hooks: a session file that it wrote after hooks were
    registered, and long after the last record of one."""
    registered = [os.stat(file["path"]).st_mtime for file in files if file["events"]]
    if not registered or not (last or seen.whole):
        return []
    written, when = newest(agent, homes), max(last.values(), default="")
    heard = (micros(when) or 0) / 1e6
    if written is None or written[0] < max(heard, *registered) + QUIET_S:
        return []
    at = datetime.fromtimestamp(written[0], UTC).isoformat(" ", "minutes").removesuffix("+00:00")
    known = f"the last record of a hook is of {when}" if when else "no hook has written a record"
    return [
        f"ran without its hooks: {written[1]} was written at {at} UTC, and {known}; see whether "
        "they are trusted, and what the client's shell makes of their line"
    ]


def _last_of(agent: Client, seen: SeenEvents) -> dict[str, str]:
    """Each registered name's last event; a client may spell it otherwise in what it sends."""
    spelled = {name.lower(): name for name in agent.events}
    spelled.update({other.lower(): name for other, name in agent.aliases.items()})
    found: dict[str, str] = {}
    for native, when in seen.last.get(agent.key, {}).items():
        name = spelled.get(native.lower(), native)
        found[name] = max(when, found.get(name, ""))
    return found


def _of_launcher(files: list[JsonObject]) -> list[str]:
    """The faults that keep registered commands from running: the launcher is gone or another's."""
    found = []
    for managed in sorted({file["scope"] == "managed" for file in files if file["events"]}):
        for program in launcher.PROGRAMS if os.name != "nt" else ():
            path = launcher.path(program, managed)
            data = atomic.read(Path(path))
            places = launcher.read_folders(Path(path)) or {}
            if data != launcher.script(program, managed, places.get("log")):
                what = "is gone" if data is None else "is of another version, or of other folders"
                found.append(f"{path} {what}; run hookstream install")
    return found


def _gaps(
    agent: Client,
    homes: InstallFolders,
    events: list[JsonObject],
    registered: bool,
    seen: SeenEvents,
) -> list[str]:
    if not registered:
        return []
    gaps = gaps_of(agent, homes)
    missing = [e["event"] for e in events if not e["registered"] and not e["left_out"]]
    missing = [event for event in missing if event in agent.events]
    if missing:
        gaps.append(f"not registered: {', '.join(missing)}")
    silent = [e["event"] for e in events if e["registered"] and not e["last_seen"]]
    what = "ever" if seen.whole else f"in the last {seen.events} events"
    if silent and any(e["last_seen"] for e in events):
        gaps.append(f"not seen {what}: {', '.join(silent)}")
    elif silent and not seen.whole:  # else it may not have been used since hooks were registered
        gaps.append(f"no event seen {what}")
    return gaps
