"""A folder of agent-hooks.jsonl and aarts.jsonl after a policy, with its logs if it is sealed."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from hookstream.core.errors import HookstreamError
from hookstream.lake.staged import Staged
from hookstream.retention import ledger
from hookstream.retention.lines import (
    FilePlan,
    LineFiles,
    SessionRecords,
    Wrappers,
    indices_of,
    stage,
)
from hookstream.retention.policy import DROP, Counts
from hookstream.retention.records import Without
from hookstream.seal.layout import indices
from hookstream.seal.levels import HASH, path_of
from hookstream.seal.lines import SealedFile
from hookstream.seal.merkle import record_leaf
from hookstream.sinks.jsonl import AARTS, AGENT_HOOKS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hookstream.retention.apply import Retention
    from hookstream.seal.log import SealedStore, SealLog


class FileRetention:
    """A folder of agent-hooks.jsonl and aarts.jsonl."""

    def __init__(self, given: Retention, folder: Path) -> None:
        self.given = given
        self.folder = folder
        self.without = Without(given.redactor)
        self.done = ledger.content_done(folder)
        self.sessions = SessionRecords()
        files = {name: _rotated(folder / name) for name in (AGENT_HOOKS, AARTS)}
        if not any(files.values()):
            raise HookstreamError(f"{folder}: no agent-hooks.jsonl, aarts.jsonl or Parquet in it")
        events = LineFiles(files[AGENT_HOOKS], given.policy, self.without)
        wrappers = Wrappers(files[AARTS], files[AGENT_HOOKS], given.policy, self.without)
        # First what depends on the other.
        self.kinds: list[tuple[str, LineFiles]] = [(AARTS, wrappers)]
        self.kinds.append((AGENT_HOOKS, events))
        if given.policy.users and files[AARTS] and not files[AGENT_HOOKS]:
            given.counts.left.append(f"{folder / AARTS}: names no users; none is found in it")
        for path in sorted(folder.glob("*.jsonl")):
            if path.name not in files and path.stat().st_size:
                given.counts.left.append(f"{path}: not reached by retention")

    def plan(self) -> None:
        for name, files in self.kinds:
            files.plan(self._counts(name), self.done, self._sessions(name))

    def _sessions(self, name: str) -> SessionRecords:
        return self.sessions if name == AGENT_HOOKS else SessionRecords()

    def _counts(self, name: str) -> Counts:
        """Counts for a file: a wrapper is not a separate record if its event is there."""
        if name == AARTS and self.kinds[1][1].files:
            return Counts()
        return self.given.counts

    def run(self) -> None:
        for name, files in self.kinds:
            if files.files:
                with self.given.sealed(self.folder, name) as store:
                    self._kind(name, files, store)
        ledger.note_content(self.folder, self.done)

    def _kind(self, name: str, files: LineFiles, store: SealedStore | None) -> None:
        meant: dict[Path, array[int]] = {}
        check = log = None
        if isinstance(store, SealedFile):
            log = store.log
            meant = _sealed_files(store, files.files)
            files.files = list(meant)
            check = _check(log, meant)
        changes = files.plan(self._counts(name), self.done, self._sessions(name), check)
        for change in changes:
            if log is not None and len(change.actions) != len(meant[change.path]):
                raise HookstreamError(f"{change.path}: cut off; see hookstream verify")
        if any(change.is_any for change in changes):
            self._commit(name, files, changes, log, meant)
        for change in changes:
            self._note(change)

    def _commit(
        self,
        name: str,
        files: LineFiles,
        changes: list[FilePlan],
        log: SealLog | None,
        meant: dict[Path, array[int]],
    ) -> None:
        staged = Staged(self.folder, name)
        staged.begin()
        fields: dict[str, list[list[int]]] = {"dropped": [], "replaced": []}
        for change in changes:
            if change.is_any:
                stage(staged, change, files.render, live=change.path.name == name)
            if log is not None:
                dropped, replaced = indices_of(change, meant[change.path])
                fields["dropped"] += dropped
                fields["replaced"] += replaced
        if name == AGENT_HOOKS:
            ledger.stage_sessions(
                staged, self.sessions.dropped, self.sessions.kept, self.given.policy.now
            )
        new = [leaf for change in changes for leaf in change.new]
        self.given.commit(staged, log, new, **fields)

    def _note(self, change: FilePlan) -> None:
        border = self.given.policy.content_border
        if border is not None:
            self.done[change.path.name] = [
                len(change.actions) - change.actions.count(DROP),
                border,
            ]
        else:
            self.done.pop(change.path.name, None)


def _rotated(path: Path) -> list[Path]:
    """A file and those that rotation has renamed, which come first."""
    from hookstream.core.sources import rotated_from

    if not path.parent.is_dir():
        return []
    found = [one for one in path.parent.iterdir() if rotated_from(one.name) == path.name]
    return [*sorted(found), *([path] if path.exists() else [])]


def _sealed_files(stream: SealedFile, files: list[Path]) -> dict[Path, array[int]]:
    """Each file and the leaves of its lines, in the order of the log."""
    from hookstream.seal.segments import lines

    *closed, last = stream.files()
    firsts = {
        record_leaf(line): path
        for path in files
        if path != stream.path
        for line in [next(lines(path), None)]
        if line is not None
    }
    found: dict[Path, array[int]] = {}
    for runs in closed:
        meant = array("q", indices(runs))
        if meant:
            (first,) = stream.log.levels.read(0, meant[0], 1)
            if first not in firsts:
                raise HookstreamError(
                    f"{stream.path}: a rotated file is missing or changed; see hookstream verify"
                )
            found[firsts[first]] = meant
    if stream.path.exists():
        found[stream.path] = array("q", indices(last))
    return found


def _check(log: SealLog, meant: dict[Path, array[int]]) -> Callable[[Path, int, bytes], None]:
    """Check the seal: removing from a changed file would hide where it was changed."""
    leaves = path_of(log.folder, 0).read_bytes()

    def check(path: Path, number: int, line: bytes) -> None:
        known = meant[path]
        at = known[number] * HASH if number < len(known) else -1
        if at < 0 or leaves[at : at + HASH] != record_leaf(line):
            raise HookstreamError(
                f"{path}:{number + 1}: not what was sealed; nothing was removed, see hookstream "
                "verify"
            )

    return check
