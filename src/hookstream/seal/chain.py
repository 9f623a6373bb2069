"""The chain of a log: statements and signed checkpoints, from the first key on.

Everything is checked that readers of the log rely on: exact form, signatures by the key of their
epoch, epochs and hours in sequence. Whether roots hold is seen when the leaves are there.
"""

from __future__ import annotations

from bisect import bisect_left
from pathlib import Path

from hookstream.seal import SealError
from hookstream.seal.journal import ENDING, NAME, Journal, Statement
from hookstream.seal.log import FORMAT
from hookstream.seal.note import Checkpoint, Verifier, read_checkpoint
from hookstream.seal.note import verify as verify_note
from hookstream.seal.operator import check as check_operator
from hookstream.seal.places import checkpoints_in


class BrokenSeal(SealError):
    """A sealed stream is not what was sealed: `place` and why."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}")


class Chain:
    """The checked statements of a log, and every checkpoint by its size."""

    def __init__(
        self, folder: Path, key: str | None = None, operators: set[str] | None = None
    ) -> None:
        self.folder = folder
        self.first = self._first_key(key)
        self.operators = operators  # whose statements of retention count; None: the first one named
        self.operator: str | None = None
        self.pruned: list[Statement] = []
        self.statements: list[Statement] = []
        self._ends: list[tuple[int, str]] = []  # what the epochs' ends cover, the key after each
        self._checked: set[tuple[str, Verifier]] = set()
        self.checkpoints: dict[int, list[tuple[str, bytes]]] = {}  # size -> (place, root)
        self._notes: dict[int, Checkpoint] = {}
        self.unended: int | None = None  # an epoch's end whose checkpoint never came
        self.gaps: list[tuple[int, int]] = []
        self.hours = 0
        self.unclean = 0  # starts after an end that was not clean
        self.lacking = 0  # ends of epochs that a second place does not have

    def _first_key(self, key: str | None) -> Verifier:
        path = self.folder / "vkey"
        try:
            text = path.read_text("utf-8")
            verifier = Verifier.parse(text)
        except (OSError, ValueError, SealError):
            raise BrokenSeal(str(path), "missing or no verifier key") from None
        if f"{verifier}\n" != text:
            raise BrokenSeal(str(path), "not in the form it was written in")
        if key is not None and Verifier.parse(key) != verifier:
            raise BrokenSeal(str(path), "not the key that was given")
        return verifier

    def load(self) -> Checkpoint:
        """Check journal and checkpoints; return the newest. Raises BrokenSeal at the first bad."""
        path = self.folder / NAME
        if not path.exists():
            raise BrokenSeal(str(path), "missing")
        note = self._head_note()  # first: a running writer adds to the journal before it
        journal = Journal(path)
        journal.load()
        if journal.damage is not None:
            raise BrokenSeal(f"{path}:{journal.damage[0]}", journal.damage[1])
        self.statements = journal.statements
        self._ends = [
            (statement.index + 1, str(statement.said.get("next")))
            for statement in self.statements
            if statement.kind in ENDING
        ]
        self._check_notes(journal, path)
        head = self._head(note)
        if self.unended is not None and self.unended < head.size:
            raise BrokenSeal(f"{path}: statement {self.unended}", "has no checkpoint behind it")
        self._walk(path, head)
        return head

    def _check_notes(self, journal: Journal, path: Path) -> None:
        """Check that each epoch's end has its note in the next line, except one cut off by a
        crash."""
        notes = iter(journal.notes)
        for statement in self.statements:
            if statement.kind in ENDING:
                number, index, note = next(notes, (0, -1, ""))
                if index != statement.index:
                    if statement is self.statements[-1] and index < 0:
                        self.unended = statement.index
                        return
                    raise BrokenSeal(
                        f"{path}: statement {statement.index}", "has no checkpoint behind it"
                    )
                if self._signed(note, f"{path}:{number}").size != index + 1:
                    raise BrokenSeal(f"{path}:{number}", "a checkpoint of another size")
        for number, _, _ in notes:
            raise BrokenSeal(f"{path}:{number}", "a checkpoint where no epoch ends")

    def _head_note(self) -> str:
        try:
            return (self.folder / "checkpoint").read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            raise BrokenSeal(str(self.folder / "checkpoint"), "missing or no text") from None

    def _head(self, note: str) -> Checkpoint:
        path = self.folder / "checkpoint"
        head = self._signed(note, str(path))
        newest = max(self.checkpoints)
        if newest > head.size:
            # A crash between an epoch's last note and the file: the note is the head.
            note_sizes = [size for size in self.checkpoints if size > head.size]
            if len(note_sizes) > 1:
                raise BrokenSeal(str(path), f"of {head.size} leaves, the journal has {newest}")
            return self._notes[newest]
        return head

    def _signed(self, note: str, place: str) -> Checkpoint:
        """A checkpoint by the key of its epoch."""
        try:
            checkpoint = read_checkpoint(note)
            signer = self._signer(checkpoint.size)
            if (note, signer) not in self._checked:  # a second place repeats notes from here
                verify_note(note, signer)
                self._checked.add((note, signer))
        except (SealError, KeyError, ValueError) as error:
            raise BrokenSeal(place, str(error)) from None
        if checkpoint.origin != self.first.name:
            raise BrokenSeal(place, "a checkpoint of another log")
        self._notes[checkpoint.size] = checkpoint
        self.checkpoints.setdefault(checkpoint.size, []).append((place, checkpoint.root))
        return checkpoint

    def _signer(self, size: int) -> Verifier:
        """As `key_of`, for many checkpoints."""
        at = bisect_left(self._ends, (size,)) - 1
        return (
            self.first._replace(public=bytes.fromhex(self._ends[at][1]))
            if at >= 0
            else (self.first)
        )

    def compare(self, path: Path, head: Checkpoint) -> int:
        """Check the checkpoints of a second place too; return how many it has of this log, and see
        what it lacks. Raises BrokenSeal if it has seen more than there is."""
        sizes: list[int] = []
        try:
            files = [path]
            if path.is_dir():
                files = sorted(
                    one
                    for one in path.rglob("*")
                    if one.suffix in (".json", ".jsonl") and one.is_file()
                )
            given = [
                checkpoint for file in files for checkpoint in checkpoints_in(file.read_bytes())
            ]
        except OSError as error:
            raise SealError(f"{path}: {error.strerror or error}") from None
        for found in given:
            if found.origin != self.first.name:
                continue
            sizes.append(found.size)
            if found.size > head.size:
                raise BrokenSeal(
                    str(self.folder / "checkpoint"),
                    f"rolled back: {path} has {found.size} leaves, here are {head.size}",
                )
            self._signed(found.note, str(path))
        # It gets each end of an epoch, from when it is named on.
        ends = {size for size, _ in self._ends if min(sizes, default=head.size) < size <= head.size}
        self.lacking = len(ends.difference(sizes))
        return len(sizes)

    def _walk(self, path: Path, head: Checkpoint) -> None:
        """Check statements in sequence: one beginning, epochs by number, no hour left out."""
        covered = [statement for statement in self.statements if statement.index < head.size]
        begins = covered[0] if covered else None
        if begins is None or begins.index != 0 or begins.kind != "open":
            raise BrokenSeal(str(path), "does not begin with the stream's beginning")
        said = begins.said
        if (said.get("format"), said.get("origin"), said.get("key")) != (
            FORMAT,
            self.first.name,
            self.first.public.hex(),
        ):
            raise BrokenSeal(str(path), "begins with another stream or key")
        hour, epoch, last = int(said.get("hour", 0)), 0, begins
        for one in covered[1:]:
            where = f"{path}: statement {one.index}"
            if one.kind in ENDING:
                if one.said.get("epoch") != epoch:
                    raise BrokenSeal(where, f"epoch {one.said.get('epoch')} follows {epoch - 1}")
                epoch += 1
            if one.kind == "gap":
                if one.said.get("from") != hour + 1:
                    raise BrokenSeal(where, "a gap that does not follow its hour")
                hour = one.said["to"]
                self.gaps.append((one.said["from"], one.said["to"]))
            elif one.kind == "hour":
                if one.said.get("hour") != hour + 1:
                    raise BrokenSeal(where, f"hour {one.said.get('hour')} follows {hour}")
                hour = one.said["hour"]
                self.hours += 1
            elif one.kind == "resume":
                self.unclean += not one.said.get("clean")
            elif one.kind in ("operator", "pruned"):
                self._operator(one, where)
            elif one.kind == "open":
                raise BrokenSeal(where, "a second beginning")
            last = one
        self.last_time = int(last.said.get("time", 0))

    def _operator(self, one: Statement, where: str) -> None:
        """Check that removals by retention are stated by the operator's key, and no other."""
        if one.kind == "operator":
            named = str(one.said.get("key"))
        else:
            try:
                named = str(check_operator(self.first.name, one))
            except SealError as error:
                raise BrokenSeal(where, str(error)) from None
            self.pruned.append(one)
        meant = self.operators or ({self.operator} if self.operator else {named})
        if named not in meant:
            raise BrokenSeal(where, "another operator's key")
        self.operator = self.operator or named
