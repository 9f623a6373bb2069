"""The writer's side of a sealed stream: leaves, statements, checkpoints, keys that evolve.

The order of writing is what makes a crash harmless: data first (by the sink), then statements,
hashes, the note; at an epoch's end the note, then the new seed. What no checkpoint covers was
never sealed, and the next start does not adopt it.
"""

from __future__ import annotations

import os
import shutil
import time
from abc import ABC, abstractmethod
from itertools import count
from typing import TYPE_CHECKING, Any

from hookstream.core.files import make_private, sync_folder, write_atomic
from hookstream.seal import SealError
from hookstream.seal.journal import (
    ENDING,
    NAME,
    Journal,
    Statement,
    canonical,
    epoch_of,
    note_line,
    statement_line,
)
from hookstream.seal.keys import EvolvingKey
from hookstream.seal.levels import Levels
from hookstream.seal.merkle import Tree, statement_leaf
from hookstream.seal.note import Checkpoint, Verifier, checkpoint_text, sign
from hookstream.seal.note import verify as verify_note
from hookstream.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from hookstream.seal.places import Places

FORMAT = "hookstream/seal/1"
EPOCH_S = 300
HOUR_S = 3600


class SealLog:
    """One log, open for writing. SealError if it cannot be opened or written."""

    def __init__(
        self,
        folder: Path,
        key_path: Path,
        clock: Callable[[], float] = time.time,
        places: Places | None = None,
    ) -> None:
        self.folder = folder
        self.key_path = key_path
        self.places = places
        self.clock = clock
        self.journal = Journal(folder / NAME)
        self.levels = Levels(folder)
        self.tree = Tree()
        self.is_new = False
        self.origin = ""
        self._leaves: list[bytes] = []
        self._lines: list[bytes] = []
        self._hour = 0
        self._hour_records = 0
        self._epoch_at = 0.0
        self._epoch_size = 0
        self._failed = ""

    @property
    def size(self) -> int:
        """Leaves, those included that the next checkpoint will cover."""
        return self.tree.size + len(self._leaves)

    # start

    def open(self, records: Callable[[], Iterable[bytes]] = tuple, **said: Any) -> None:
        """Begin the log, or continue at its last checkpoint; `said` goes into `open`.
        `records` gives the leaves of all records again, should a power cut have taken hashes.

        The caller sets aside what is not sealed before the next checkpoint: what is older than
        that and has no seal counts as put there.
        """
        try:
            make_private(self.folder.parent)
            if is_begun(self.folder):
                self._resume(records)
            else:
                self._begin(said)
        except OSError as error:
            raise SealError(f"{self.folder}: {error.strerror or error}") from None

    def _begin(self, said: dict[str, Any]) -> None:
        """Begin a log under another name: a crash leaves no half of a log."""
        final = self.folder
        self._move_to(final.with_name(f".{final.name}.new"))
        shutil.rmtree(self.folder, ignore_errors=True)
        make_private(self.folder)
        self.is_new = True
        self.key = EvolvingKey.create(self.key_path)
        self.origin = f"hookstream/{os.urandom(8).hex()}/{final.name}"
        verifier = Verifier(self.origin, self.key.public())
        write_atomic(self.folder / "vkey", f"{verifier}\n".encode("ascii"))
        self._hour = int(self.clock() // HOUR_S)
        self._epoch_at = self.clock()
        self.state(
            "open",
            format=FORMAT,
            origin=self.origin,
            key=self.key.public().hex(),
            hour=self._hour,
            version=__version__,
            **said,
        )
        self.checkpoint()
        self.release()
        self.folder.rename(final)
        sync_folder(final.parent)
        self._move_to(final)

    def _move_to(self, folder: Path) -> None:
        self.folder = self.levels.folder = folder
        self.journal.path = folder / NAME

    def _resume(self, records: Callable[[], Iterable[bytes]]) -> None:
        first = Verifier.parse((self.folder / "vkey").read_text("utf-8"))
        self.origin = first.name
        self.key = own_key(self.folder, self.key_path)
        self.journal.load()
        if self.journal.damage is not None:
            raise SealError(f"{self.folder}/{NAME}: changed; see hookstream verify")
        head = self._head(first)
        self.journal.cut(head.size)
        self.levels.cut(head.size)
        self.tree = self.levels.tree(head.size)
        if self.tree.root() != head.root:
            self._hash_again(head, records())
        self._evolve_to(epoch_of(head.size + 1, self.journal.statements))
        if self.places is not None:
            self.places.refuse_rollback(head)
        self._hour = max(
            int(statement.said["hour"])
            for statement in self.journal.statements
            if "hour" in statement.said
        )
        last = self.journal.statements[-1]
        self._epoch_at = self.clock()
        self._epoch_size = self.size
        self.state("resume", clean=last.kind == "close" and last.index == head.size - 1)

    def _hash_again(self, head: Checkpoint, records: Iterable[bytes]) -> None:
        """Make the hashes from the records again: they are synced at an epoch's end only."""
        by_index = {
            statement.index: statement_leaf(statement.text) for statement in self.journal.statements
        }
        rest = iter(records)
        leaves = [by_index.get(n) or next(rest, b"") for n in range(head.size)]
        self.tree = Tree()
        self.tree.extend(leaves)
        if self.tree.root() != head.root:
            raise SealError(f"{self.folder}: changed since it was signed; see hookstream verify")
        self.levels.cut(0)
        self.levels.append(leaves, self.tree)

    def _head(self, first: Verifier) -> Checkpoint:
        """The newest checkpoint: the file's, or that of an epoch's end whose file came no more."""
        statements = self.journal.statements
        newest: Checkpoint | None = None
        notes = [(self.folder / "checkpoint").read_text("utf-8")]
        notes += [note for _, _, note in self.journal.notes[-1:]]
        for note in notes:
            size = int(note.split("\n", 2)[1])
            found = verify_note(note, key_of(first, statements, size))
            if newest is None or found.size > newest.size:
                newest = found
        assert newest is not None
        return newest

    def _evolve_to(self, epoch: int) -> None:
        """Evolve the key. A crash between the note of an epoch's end and the seed leaves the seed
        one epoch back."""
        if self.key.epoch == epoch - 1:
            self.key.evolve()
        if self.key.epoch != epoch:
            raise SealError(
                f"{self.key_path}: the key of epoch {self.key.epoch}, the log is at {epoch}: "
                "one of them was put back from a backup"
            )

    # work

    def add(self, leaves: list[bytes]) -> None:
        """Add leaf hashes of records, covered by the next checkpoint."""
        self._leaves += leaves
        self._hour_records += len(leaves)

    def state(self, kind: str, **said: Any) -> None:
        """Add a statement as the next leaf."""
        said = {"kind": kind, "time": int(self.clock()), **said}
        text = canonical(said)
        self._lines.append(statement_line(self.size, text))
        self.journal.statements.append(Statement(self.size, text, said))
        self._leaves.append(statement_leaf(text))

    def checkpoint(self) -> None:
        """Cover what was added; signed and on disk when this returns."""
        if self._leaves:
            self._commit(ending=False)

    def aside(self, stem: str) -> Path:
        """A free name in the log's folder for what is set aside. A crash before the statement of it
        leaves the name taken, and the log no longer than it was."""
        for number in count():
            path = self.folder / f"{stem}{self.size}{f'.{number}' if number else ''}"
            if not path.exists():
                return path
        raise AssertionError

    def is_due(self) -> bool:
        """Return whether `tick` would end an epoch or an hour."""
        now = self.clock()
        is_over = now - self._epoch_at >= EPOCH_S and self.size > self._epoch_size
        return is_over or int(now // HOUR_S) > self._hour

    def tick(self) -> None:
        """End an epoch or an hour whose time is over, and visit the second places."""
        now = self.clock()
        hour = int(now // HOUR_S)
        if hour > self._hour:
            if hour > self._hour + 1:
                self.state("gap", **{"from": self._hour + 1, "to": hour - 1})
            self._end("hour", hour=hour, records=self._hour_records)
            self._hour = hour
            self._hour_records = 0
        elif now - self._epoch_at >= EPOCH_S and self.size > self._epoch_size:
            self._end("epoch")
        if self.places is not None:
            self.places.visit(now)

    def _end(self, kind: str, **said: Any) -> None:
        self.state(kind, epoch=self.key.epoch, next=self.key.next_public().hex(), **said)
        self._commit(ending=True)
        self._epoch_at = self.clock()
        self._epoch_size = self.size

    def _commit(self, *, ending: bool) -> None:
        if self._failed:
            raise SealError(self._failed)
        try:
            if self._lines:
                self.journal.append(b"".join(self._lines))
            self.tree.extend(self._leaves)
            self.levels.append(self._leaves, self.tree)
            if ending:
                self.levels.sync()
            self._leaves, self._lines = [], []
            root = self.tree.root()
            text = checkpoint_text(self.origin, self.tree.size, root)
            note = sign(text, Verifier(self.origin, self.key.public()), self.key.private())
            if ending:
                self.journal.append(note_line(note))
                self.key.evolve()
            write_atomic(self.folder / "checkpoint", note.encode("utf-8"))
        except OSError as error:
            # Half of it may be on disk: the next start goes back to the last checkpoint.
            self._failed = f"{self.folder}: {error.strerror or error}"
            raise SealError(self._failed) from None
        if self.places is not None:
            self.places.offer(Checkpoint(self.origin, self.tree.size, root, note), lasting=ending)

    def close(self) -> None:
        """End the epoch: what is written from now on needs another key."""
        if not self._failed:
            self._end("close")
            if self.places is not None:
                self.places.visit(float("inf"))
        self.release()

    def release(self) -> None:
        """Free the files; nothing is written."""
        self.journal.close()
        self.levels.close()


def key_of(first: Verifier, statements: list[Statement], size: int) -> Verifier:
    """The key that signs a checkpoint of that size: the first one, or the one that the last
    epoch's end before it names."""
    public = first.public
    for statement in statements:
        if statement.kind in ENDING and statement.index + 1 < size:
            public = bytes.fromhex(str(statement.said["next"]))
    return Verifier(first.name, public)


def own_key(folder: Path, path: Path) -> EvolvingKey:
    """The key of a log that was begun earlier. Raises SealError if it is not here."""
    key = EvolvingKey.load(path)
    if key is None:
        raise SealError(
            f"{folder}: its key {path} is not here: another machine or user "
            "has sealed this; write to a new folder"
        )
    return key


def is_begun(folder: Path) -> bool:
    """Return whether a folder holds a log already."""
    return (folder / "checkpoint").exists()


class SealedStore(ABC):
    """A file of lines, or the folder of a lake, at `path`, with its log."""

    def __init__(self, path: Path, log: SealLog) -> None:
        self.path = path
        self.log = log

    @abstractmethod
    def recover(self) -> None:
        """Open the log and bring the store back to what it covers. No other process writes
        meanwhile. SealError, OSError."""

    @abstractmethod
    def seal(self) -> None:
        """Seal all that is on disk and is not sealed yet. SealError, OSError."""

    def tick(self) -> None:
        """End an epoch or an hour whose time is over."""
        self.log.tick()

    def close(self) -> None:
        """End the epoch, and free the files."""
        self.log.close()
        self.release()

    def release(self) -> None:
        """Free the files; nothing is written."""
        self.log.release()
