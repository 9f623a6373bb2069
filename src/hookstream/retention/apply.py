"""One folder after a policy: planned, staged, committed, and finished."""

from __future__ import annotations

import time
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookstream.errors import HookstreamError
from hookstream.retention import ledger
from hookstream.retention.lake import Lake
from hookstream.retention.lines import (
    Change,
    LineFiles,
    Sessions,
    Wrappers,
    indices_of,
    stage,
)
from hookstream.retention.policy import CONTENT, DROP, Counts
from hookstream.retention.records import Without
from hookstream.seal.layout import indices, ranges
from hookstream.seal.levels import HASH, path_of
from hookstream.seal.lines import POSITION, SealedFile
from hookstream.seal.log import Log
from hookstream.seal.merkle import record_leaf
from hookstream.seal.parts import PARTS, SealedLake, digest_of, leaves_of
from hookstream.seal.places import Places, open_place
from hookstream.seal.pruning import state_pruned
from hookstream.seal.sealed import LAKE, SEALS, key_path
from hookstream.sinks import staged as staging
from hookstream.sinks.compaction import alone
from hookstream.sinks.files import Folder
from hookstream.sinks.jsonl import AARTS, AGENT_HOOKS
from hookstream.sinks.staged import Staged

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hookstream.redaction import Redactor
    from hookstream.retention.policy import Policy
    from hookstream.seal.operator import Operator


@dataclass
class Retention:
    """How a folder is gone through. `operator` signs for sealed folders, `places` get checkpoints,
    `keys` is the folder of the keys that seal."""

    policy: Policy
    redactor: Redactor
    keys: Path
    operator: Operator | None = None
    places: tuple[str, ...] = ()
    clock: Callable[[], float] = time.time
    counts: Counts = field(default_factory=Counts)

    def apply(self, folder: Path, *, dry_run: bool = False) -> Counts:
        """Counts of what went, or would go. SinkError, SealError, HookstreamError, OSError; after
        any of them, or a kill, it may be called again."""
        if next(folder.glob(PARTS), None) is not None or (folder / SEALS / LAKE).is_dir():
            work: Any = _Parts(self, folder)
        else:
            work = _Files(self, folder)
        if dry_run:
            work.plan()
            return self.counts
        if (folder / SEALS).is_dir() and self.operator is None:
            raise HookstreamError(
                f"{folder}: sealed; name the operator's key with --operator-key, which signs what "
                "is removed"
            )
        writer = Folder(str(folder))
        try:
            staging.finish(folder)
            work.run()
        finally:
            writer.close()
        return self.counts

    def log_of(self, folder: Path, name: str) -> Log | None:
        """The log of a sealed file or lake, not opened yet; None where it is not sealed."""
        if not (folder / SEALS / name).is_dir():
            return None
        log = Log(folder / SEALS / name, key_path(self.keys, folder, name), self.clock)
        log.places = Places([open_place(one) for one in self.places])
        return log

    def commit(self, staged: Staged, log: Log | None, new: list[bytes], **said: Any) -> None:
        """All that is staged takes its place."""
        commit = staged.commit(sealed=log is not None)
        if log is not None:
            assert self.operator is not None
            state_pruned(log, self.operator, new, policy=self.policy.said(), commit=commit, **said)
        staged.finish()


class _Files:
    """A folder of agent-hooks.jsonl and aarts.jsonl."""

    def __init__(self, given: Retention, folder: Path) -> None:
        self.given = given
        self.folder = folder
        self.without = Without(given.redactor)
        self.done = ledger.content_done(folder)
        self.sessions = Sessions()
        files = {name: _rotated(folder / name) for name in (AGENT_HOOKS, AARTS)}
        if not any(files.values()):
            raise HookstreamError(f"{folder}: no agent-hooks.jsonl, aarts.jsonl or Parquet in it")
        events = LineFiles(files[AGENT_HOOKS], given.policy, self.without)
        wrappers = Wrappers(files[AARTS], files[AGENT_HOOKS], given.policy, self.without)
        # First what depends on the other.
        self.kinds: list[tuple[str, LineFiles | Wrappers]] = [(AARTS, wrappers)]
        self.kinds.append((AGENT_HOOKS, events))
        if given.policy.users and files[AARTS] and not files[AGENT_HOOKS]:
            given.counts.left.append(f"{folder / AARTS}: names no users; none is found in it")
        for path in sorted(folder.glob("*.jsonl")):
            if path.name not in files and path.stat().st_size:
                given.counts.left.append(f"{path}: not reached by retention")

    def plan(self) -> None:
        for name, files in self.kinds:
            files.plan(self._counts(name), self.done, self.sessions)

    def _counts(self, name: str) -> Counts:
        """A wrapper is no record of its own where its event is there."""
        if name == AARTS and self.kinds[1][1].files:
            return Counts()
        return self.given.counts

    def run(self) -> None:
        for name, files in self.kinds:
            if files.files:
                log = self.given.log_of(self.folder, name)
                try:
                    self._kind(name, files, log)
                finally:
                    if log is not None:
                        log.release()
        ledger.note_content(self.folder, self.done)

    def _kind(self, name: str, files: LineFiles | Wrappers, log: Log | None) -> None:
        meant: dict[Path, array[int]] = {}
        check = None
        if log is not None:
            stream = SealedFile(self.folder / name, log)
            stream.recover()
            meant = _sealed_files(stream, files.files)
            files.files = list(meant)
            check = _check(log, meant)
        sessions = self.sessions if name == AGENT_HOOKS else Sessions()
        changes = files.plan(self._counts(name), self.done, sessions, check)
        for change in changes:
            if log is not None and len(change.actions) != len(meant[change.path]):
                raise HookstreamError(f"{change.path}: cut off; see hookstream verify")
        if any(change.is_any for change in changes):
            self._commit(name, files, changes, log, meant)
        for change in changes:
            self._note(change)
        if log is not None:
            log.close()

    def _commit(
        self,
        name: str,
        files: LineFiles | Wrappers,
        changes: list[Change],
        log: Log | None,
        meant: dict[Path, array[int]],
    ) -> None:
        staged = Staged(self.folder, name)
        staged.begin()
        said: dict[str, list[list[int]]] = {"dropped": [], "replaced": []}
        for change in changes:
            if change.is_any:
                stage(staged, change, files.render, live=change.path.name == name)
            if log is not None:
                dropped, replaced = indices_of(change, meant[change.path])
                said["dropped"] += dropped
                said["replaced"] += replaced
        if name == AGENT_HOOKS:
            _stage_sessions(staged, self.sessions, self.given.policy.now)
        new = [leaf for change in changes for leaf in change.new]
        self.given.commit(staged, log, new, **said)
        if log is not None:
            (log.folder / POSITION).unlink(missing_ok=True)

    def _note(self, change: Change) -> None:
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
    from hookstream.sources import rotated_from

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


def _check(log: Log, meant: dict[Path, array[int]]) -> Callable[[Path, int, bytes], None]:
    """Nothing is removed from what is not as it was sealed: that would hide where."""
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


class _Parts:
    """A lake."""

    def __init__(self, given: Retention, folder: Path) -> None:
        self.given = given
        self.folder = folder
        self.lake = Lake(folder, given.policy, Without(given.redactor))
        self.done = ledger.content_done(folder)
        self.sessions = Sessions()

    def plan(self) -> list[Any]:
        return self.lake.plan(self.given.counts, self.done, self.sessions)

    def run(self) -> None:
        log = self.given.log_of(self.folder, LAKE)
        stream = None if log is None else SealedLake(self.folder, log)
        try:
            if stream is not None:
                stream.recover()
            with alone(self.folder):
                changes = [part for part in self.plan() if part.is_any]
                if changes:
                    self._commit(changes, stream)
            self._note()
            if log is not None:
                log.close()
        finally:
            if log is not None:
                log.release()

    def _commit(self, changes: list[Any], stream: SealedLake | None) -> None:
        staged = Staged(self.folder, LAKE)
        staged.begin()
        mark = f"retained {self.given.policy.now}"
        made = [(part, self.lake.stage(part, staged, mark)) for part in changes]
        targets = {name: target for name, target, _ in staged.put}
        _stage_sessions(staged, self.sessions, self.given.policy.now)
        if stream is None:
            self.given.commit(staged, None, [])
            return
        said: dict[str, Any] = {"dropped": [], "replaced": [], "by": [], "new": []}
        said["parts"] = [part.path.relative_to(self.folder).as_posix() for part in changes]
        for (part, path), old in zip(made, said["parts"], strict=True):
            first = stream.first_of(old, digest_of(part.path))
            _add(said, part.actions, first, DROP, "dropped")
            _add(said, part.actions, first, CONTENT, "replaced")
            if path is not None:
                new = stream.state_part(targets[path.name], digest_of(path), leaves_of(path))
                said["new"].append(targets[path.name])
                left = bytearray(action for action in part.actions if action != DROP)
                _add(said, left, new, CONTENT, "by")
        self.given.commit(staged, stream.log, [], **said)

    def _note(self) -> None:
        border = self.given.policy.content_border
        if border is not None:
            parts = self.folder.glob(PARTS)
            done = {path.relative_to(self.folder).as_posix(): border for path in parts}
            ledger.note_content(self.folder, done)


def _add(
    said: dict[str, Any], actions: bytearray, first: int, action: int, name: str
) -> None:
    said[name] += ranges(first + row for row, one in enumerate(actions) if one == action)


def _stage_sessions(staged: Staged, sessions: Sessions, now: float) -> None:
    """Which sessions are cut is committed with what cuts them."""
    known = ledger.sessions(staged.folder)
    text = ledger.sessions_text(known, sessions.dropped, sessions.kept, now)
    path = staged.file()
    path.write_bytes(text)
    path.chmod(0o600)
    staged.add(path, staged.folder / staging.PLACE / ledger.SESSIONS)
