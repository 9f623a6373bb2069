"""The last event of each kind per client in the log, read from its end backwards."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hookstream.capture.allowed import read_allowed
from hookstream.capture.hook.failures import read_failures
from hookstream.capture.install import launcher
from hookstream.capture.log import place
from hookstream.capture.log.rotation import numbered
from hookstream.capture.settings import CaptureSettings, read_settings
from hookstream.core import folders
from hookstream.core.errors import HookstreamError
from hookstream.core.jsons import loads
from hookstream.standards.agent_hooks import METADATA_KEY

REACH_BYTES = 8 * 1024 * 1024
STEP_BYTES = 1024 * 1024


@dataclass
class SeenEvents:
    """`last` is vendor -> native event -> when it last came; `events` how many lines were looked
    at, of which `whole` says whether they are all there are; `versions` vendor -> the client's."""

    log: str | None = None
    size: int = 0
    files: int = 0
    events: int = 0
    whole: bool = True
    problem: str | None = None
    last: dict[str, dict[str, str]] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    errors: list[dict[str, Any]] = field(default_factory=list)

    def add(self, line: bytes) -> None:
        """Take one line; lines come newest first."""
        try:
            event = loads(line)
        except (ValueError, RecursionError):
            return
        if type(event) is not dict or type(event.get("metadata")) is not dict:
            return
        own = event["metadata"].get(METADATA_KEY)
        source = event.get("source")
        if type(own) is not dict or type(source) is not dict:
            return
        vendor, native = source.get("tool"), own.get("native_event")
        if type(vendor) is not str or type(native) is not str:
            return
        self.events += 1
        when = str(own.get("received_at") or event.get("timestamp") or "")
        self.last.setdefault(vendor, {}).setdefault(native, when)
        version = source.get("tool_version") or event.get("tool_version")
        if type(version) is str:
            self.versions.setdefault(vendor, version)


def look() -> SeenEvents:
    """The log that the hook program writes, its errors included. Never raises for what it finds."""
    seen = SeenEvents()
    settings = read_settings()
    said = [settings.problem, *(one.text() for one in settings.refused)]
    seen.problem = "; ".join(one for one in said if one) or None
    if settings.allow is not None:
        _, wrong = read_allowed(settings.allow)
        seen.problem = seen.problem or wrong
    try:
        target = _target(settings)
    except (OSError, HookstreamError) as error:
        seen.problem = str(error)
        return seen
    if target is None:
        seen.problem = "capture is switched off (AGENT_HOOKS_LOG or the configuration)"
        return seen
    seen.log = target.path
    folder, name = os.path.split(target.path)
    state = folders.state_folder()
    for where in dict.fromkeys([state, folder]):
        if where is not None:
            seen.errors += read_failures(where)
    left = REACH_BYTES
    for path in _files(folder, name):
        try:
            size = path.stat().st_size
        except OSError:
            continue
        seen.size += size
        seen.files += 1
        if left > 0:
            taken = min(left, size)
            _tail(path, size, taken, seen)
            left -= taken
            seen.whole = seen.whole and taken == size
        else:
            seen.whole = seen.whole and size == 0
    return seen


def _target(settings: CaptureSettings) -> place.LogTarget | None:
    """The logs of registered hooks or, if none is registered, of those started by hand."""
    registered = launcher.read_folders(Path(launcher.path("hook")))
    if registered is None:
        return place.target(None, settings.log)
    value = os.environ.get(place.VARIABLE)
    may_replace = settings.environment == "replace"
    locked = settings.is_log_locked
    chosen = place.destinations(registered["log"], value, settings.log, may_replace, locked)
    return chosen.targets[0] if chosen.targets else None


def _files(folder: str, name: str) -> list[Path]:
    """The log and its rotated files, newest first."""
    stem, ending = Path(name).stem, Path(name).suffix
    try:
        numbers = numbered(folder, stem, ending)
    except OSError:
        numbers = []
    older = [Path(folder, f"{stem}.{number:06d}{ending}") for number in reversed(numbers)]
    return [path for path in (Path(folder, name), *older) if path.is_file()]


def _tail(path: Path, size: int, reach: int, seen: SeenEvents) -> None:
    """The last `reach` bytes of a file, line by line from its end."""
    rest = b""
    at = size
    with path.open("rb") as file:
        while at > size - reach:
            step = min(STEP_BYTES, at - (size - reach))
            at -= step
            file.seek(at)
            first, *lines = (file.read(step) + rest).split(b"\n")
            for line in reversed(lines):
                if line:
                    seen.add(line)
            rest = first
    if at == 0 and rest:
        seen.add(rest)
