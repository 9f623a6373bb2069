"""Plan, show, apply: what install and uninstall change, one file at a time.

A plan is made of bytes alone. Applying it keeps the file's bytes first (see originals), then puts
the new file in its place; a file that changed in between is planned again.
"""

from __future__ import annotations

import contextlib
import difflib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hookstream.capture.install import atomic, lost
from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.mod import with_mod
from hookstream.capture.install.originals import OriginalFile, Originals, digest
from hookstream.capture.install.registered import config_files
from hookstream.capture.install.telemetry import TelemetryTarget, with_telemetry
from hookstream.core.errors import HookstreamError
from hookstream.normalizers.client import Client

TRIES = 5
# The bytes of a file from before, without a record: it held nothing that has to stay.
UNKNOWN = b""


@dataclass
class FileChange:
    """One file: `old` and `new` are its bytes, None if it does not exist; `problem` says why it
    is left alone; `wrap` whether hooks of others are wrapped in `new`."""

    file: ConfigFile
    old: bytes | None
    new: bytes | None
    base: bytes | None = None
    wrap: bool = False
    problem: str | None = None
    # the path of the bytes of a file that was not simply restored
    backup: Path | None = None

    @property
    def is_none(self) -> bool:
        return self.problem is None and self.old == self.new

    def events(self) -> int:
        """Return how many events are registered that were not, or no more."""
        before, after = (
            {event for event, is_there in self.file.registered(data).items() if is_there}
            for data in (self.old, self.new)
        )
        return len(before ^ after)

    def diff(self) -> str:
        """The change as a unified diff; empty where nothing changes."""
        if self.is_none or self.problem is not None:
            return ""
        name = str(self.file.path)
        before = "/dev/null" if self.old is None else name
        after = "/dev/null" if self.new is None else name
        lines = list(
            difflib.unified_diff(_lines(self.old), _lines(self.new), before, after, lineterm="")
        )
        return "".join(line + "\n" for line in lines)


def _lines(data: bytes | None) -> list[str]:
    return [] if data is None else data.decode("utf-8", "replace").splitlines()


def files_of(
    agent: Client,
    homes: InstallFolders,
    scope: str,
    target: TelemetryTarget | None = None,
    mod: bool | None = False,
) -> list[ConfigFile]:
    """The files of a client's scope; with a `target` its telemetry goes there, with a `mod` one of
    ours is loaded (None: where the client and its policy let it). Raises HookstreamError where it
    has no such scope."""
    files = scoped_files(agent, homes, scope)
    if not files:
        raise HookstreamError(f"{agent.title} has no {scope} configuration for hooks")
    if scope == "user":
        files = with_telemetry(files, agent, target)
    files = with_mod(files, agent, homes, scope, mod)
    for file in files:
        file.scope = scope
    return files


def scoped_files(agent: Client, homes: InstallFolders, scope: str) -> list[ConfigFile]:
    """The same, empty where it has no such scope."""
    files = config_files(agent, homes, scope)
    for file in files:
        file.scope = scope
    return files


def plan_install(file: ConfigFile, originals: Originals, wrap: bool = False) -> FileChange:
    """The changes that register every event. A wrapped file stays wrapped."""
    try:
        old = atomic.read(file.path)
        atomic.target_of(file.path)
        record = originals.load(file.path)
        wrap = wrap or (record is not None and record.wrap)
        base = _base(file, old, record)
        new = file.with_ours(old, wrap)
        if new != old and base != old:
            # Ours of an older kind: from the file as it was, so that nothing old is left.
            new = file.with_ours(base, wrap)
        return FileChange(file, old, new, base, wrap)
    except FileRefused as error:
        return FileChange(file, None, None, problem=str(error))


def _base(file: ConfigFile, old: bytes | None, record: OriginalFile | None) -> bytes | None:
    """The file without ours: its original bytes if it did not change since."""
    if old is None:
        return None
    if record is not None and record.after == digest(old):
        return record.before
    return file.without_ours(old, record.before if record is not None else UNKNOWN)


def plan_uninstall(file: ConfigFile, originals: Originals) -> FileChange:
    """The changes that remove hookstream: the original bytes if the file did not change since,
    else only what is hookstream's."""
    try:
        old = atomic.read(file.path)
        if old is None:
            return FileChange(file, None, None)
        record = originals.load(file.path)
        if record is not None and record.after == digest(old):
            return FileChange(file, old, file.original(record.before))
        before = record.before if record is not None else UNKNOWN
        return FileChange(file, old, file.without_ours(old, before))
    except FileRefused as error:
        return FileChange(file, None, None, problem=str(error))


def apply_install(file: ConfigFile, originals: Originals, wrap: bool = False) -> FileChange:
    """Register every event in one file. The change says what was done, or the problem."""
    change = plan_install(file, originals, wrap)
    made: list[str] = []
    problem = f"{file.path}: left alone, another keeps changing it"
    for _ in range(TRIES):
        if change.problem is not None:
            return change
        if change.is_none:
            lost.settle(file.path, originals)
            return change
        try:
            made += [str(path) for path in atomic.make_folders(file.path.parent)]
            if atomic.read(file.path) == change.old:
                _install(change, originals, made)
                return change
        except HookstreamError as error:
            problem = str(error)
            break
        change = plan_install(file, originals, wrap)
    remove_folders(made)
    return FileChange(file, None, None, problem=problem)


def _install(change: FileChange, originals: Originals, made: list[str]) -> None:
    assert change.new is not None
    file = change.file
    known = originals.load(file.path)
    # Also those that another client's file was the first to need: the last one removes them.
    others = (name for record in originals.all() for name in record.folders)
    folders = made + [name for name in dict.fromkeys(others) if Path(name) in file.path.parents]
    after = digest(change.new)
    wrapped = file.wrapped(change.new)
    record = OriginalFile(file.path, file.vendor, change.base, after, folders, change.wrap, wrapped)
    originals.save(record)
    try:
        atomic.replace(file.path, change.new, file.mode)
        if file.managed:
            for_all(file.path, made)
    except HookstreamError:
        if known is None:
            originals.drop(file.path)
        else:
            originals.save(known)
        raise


def apply_uninstall(file: ConfigFile, originals: Originals) -> FileChange:
    """Take hookstream out of one file. The change says what was done, or the problem."""
    change = plan_uninstall(file, originals)
    for _ in range(TRIES):
        if change.problem is not None:
            return change
        try:
            record = originals.load(file.path)
            if change.is_none or atomic.read(file.path) == change.old:
                if not change.is_none:
                    if record is None or change.new != record.before:
                        change.backup = originals.back_up(file.path, change.old)
                    _write_back(change)
                originals.drop(file.path)
                remove_folders(record.folders if record is not None else [])
                return change
        except HookstreamError as error:
            return FileChange(file, None, None, problem=str(error))
        change = plan_uninstall(file, originals)
    return FileChange(
        file, None, None, problem=f"{file.path}: left alone, another keeps changing it"
    )


def _write_back(change: FileChange) -> None:
    if change.new is None:
        atomic.remove(change.file.path)
    else:
        atomic.replace(change.file.path, change.new, change.file.mode)


def for_all(path: Path, folders: list[str]) -> None:
    """Let every user read a file of the machine's, whatever the umask was, and only its owner
    write it: Copilot silently ignores a file that others can write."""
    if os.name != "nt":
        with contextlib.suppress(OSError):
            for folder in folders:
                Path(folder).chmod(0o755)
            path.chmod((path.stat().st_mode | 0o444) & ~0o022)


def remove_folders(folders: Iterable[str]) -> None:
    """Remove the folders that install made, innermost first, as long as they are empty."""
    for name in sorted(folders, key=len, reverse=True):
        with contextlib.suppress(OSError):
            Path(name).rmdir()
