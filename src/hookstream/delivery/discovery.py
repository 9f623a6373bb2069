"""File discovery: which files to follow, across renames by rotation.

renamed       the inode is known: it is read to its end under the new name
copied and truncated, or compressed
              the copy begins with what was read: reading continues where the original was left
deleted       what is open is read to its end; a new file of that name is another file
rotated while not running
              a numbered or dated sibling that is not known is read from its start; those that
              were there when a file was first followed are read if the source is their folder
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from hookstream.core.errors import NothingToRead
from hookstream.core.sources import find
from hookstream.delivery.content import ComparisonStopped, begins_with, go_on, prefix_crc
from hookstream.delivery.relatives import Relatives, original_names
from hookstream.delivery.tail import Tail

# A file unchanged for this long is looked at by scans only, and closed.
IDLE_S = 60.0
# A removed file is remembered for this long, should a compressed copy of it appear.
GONE_S = 600.0


class Discovery:
    """All followed files. `counts` says what happened to them: rotated, truncated, vanished."""

    def __init__(self, sources: list[str], stopped: Callable[[], bool] = go_on) -> None:
        self.sources = sources
        self.stopped = stopped
        self.tails: list[Tail] = []
        self.known: set[str] = set()  # files that were followed once, by path
        self.counts = {"rotated": 0, "truncated": 0, "vanished": 0}
        self._order: dict[Path, tuple[int, str, int, int]] = {}
        self._asked: set[Path] = set()  # rotated files that a source names, as a folder does
        self._removed: list[int] = []
        self._next = 1
        self._said = 0

    def saved(self, whole: bool) -> dict[str, Any]:
        """Return everything, or what has changed since the last call."""
        fields: dict[str, Any] = {
            "whole": whole,
            "tails": [tail.saved() for tail in self.tails if whole or tail.is_dirty],
            "removed": self._removed,
            "counts": self.counts,
        }
        if whole or len(self.known) != self._said:
            fields["known"] = sorted(self.known)
            self._said = len(self.known)
        self._removed = []
        for tail in self.tails:
            tail.is_dirty = False
        return fields

    def restore(self, given: dict[str, Any]) -> None:
        """Restore what `saved` gave. KeyError, TypeError or ValueError for anything else."""
        by_number = {} if given["whole"] else {tail.number: tail for tail in self.tails}
        for one in given["tails"]:
            tail = Tail.restored(one)
            by_number[tail.number] = tail
        for number in given["removed"]:
            by_number.pop(number, None)
        self.tails = list(by_number.values())
        self._next = max(self._next, 1 + max(by_number, default=0))
        self.known |= set(map(str, given.get("known", ())))
        self._said = len(self.known)
        self.counts.update({name: int(n) for name, n in given["counts"].items()})

    def scan(self) -> bool:
        """Look at the names again; False if interrupted: what was not looked at by then is new to
        the next look."""
        try:
            self._scan()
        except ComparisonStopped:
            return False
        return True

    def _check(self) -> None:
        if self.stopped():
            raise ComparisonStopped

    def _scan(self) -> None:
        found = self._found()
        by_key = {tail.key: tail for tail in self.tails if tail.gone_at is None}
        there: set[tuple[int, int]] = set()
        fresh: list[tuple[Path, os.stat_result, bool]] = []
        for path, proper in found.items():
            self._check()
            try:
                info = path.stat()
            except OSError:
                continue
            if not stat.S_ISREG(info.st_mode):
                continue
            key = (info.st_dev, info.st_ino)
            if key in there:
                continue
            there.add(key)
            tail = by_key.get(key)
            if tail is None:
                fresh.append((path, info, proper))
            elif tail.path != path:
                self.counts["rotated"] += 1
                tail.path = path
                tail.is_dirty = True
        now = time.monotonic()
        relatives: Relatives | None = None
        for tail in self.tails:
            if tail.key not in there and tail.gone_at is None:
                tail.gone_at = now
                relatives = relatives or Relatives(self.tails)
                if not (tail.is_open or tail.skipped or self._recover(tail, relatives)):
                    self.counts["vanished"] += 1
        if fresh:
            relatives = Relatives(self.tails)
            for path, info, proper in fresh:
                self._check()
                self._add(path, info, proper, relatives)
        self._forget(now)
        first = {str(path) for path, proper in found.items() if proper}
        self.known |= first
        self.tails.sort(key=self._place)

    def has_older(self, tail: Tail) -> bool:
        """Return whether a look at the names finds a file whose lines come before this one's."""
        before, offset = {one.number for one in self.tails}, tail.offset
        if not self.scan():
            return True
        if tail.offset != offset:
            return False  # its own copy, where reading continues
        return any(one.number not in before and not one.skipped for one in self.tails)

    def _found(self) -> dict[Path, bool]:
        """path -> whether a source names it (else it is a rotated sibling), in reading order."""
        proper: dict[Path, int] = {}
        for number, source in enumerate(self.sources):
            self._check()
            try:
                files = find([source], self._check)
            except (NothingToRead, OSError):
                continue
            for file in files:
                if file is not None:
                    proper.setdefault(file, number)
        found: dict[Path, bool] = {}
        self._order = {}
        self._asked = set()
        for path in proper:
            self._check()
            if any(path.with_name(base) in proper for base in original_names(path.name)):
                self._asked.add(path)
        proper = {path: number for path, number in proper.items() if path not in self._asked}
        for folder in dict.fromkeys([path.parent for path in proper] + self._folders()):
            self._check()
            for path, base in self._siblings(folder, proper):
                found[path] = False
                self._order[path] = (proper.get(base, 0), str(base), 0, _age(path))
        for path, number in proper.items():
            found[path] = True
            self._order[path] = (number, str(path), 1, 0)
        return found

    def _folders(self) -> list[Path]:
        """The folders of all files that were ever followed."""
        return list({Path(name.rpartition(os.sep)[0]) for name in self.known})

    def _siblings(self, folder: Path, proper: dict[Path, int]) -> list[tuple[Path, Path]]:
        siblings = []
        try:
            names = [path.name for path in folder.iterdir()]
        except OSError:
            return []
        for name in names:
            path = folder / name
            if path in proper:
                continue
            for base in original_names(name):
                if folder / base in proper or str(folder / base) in self.known:
                    siblings.append((path, folder / base))
                    break
        return siblings

    def _place(self, tail: Tail) -> tuple[int, str, int, int]:
        return self._order.get(tail.path, (0, str(tail.path), 0, 0))

    def _add(self, path: Path, info: os.stat_result, proper: bool, relatives: Relatives) -> None:
        tail = Tail(path, info, self._next)
        origin = twin = None
        try:
            if not proper:
                twin = self._growing_copy_of(tail, relatives)
                if not info.st_size or (twin is not None and not twin.offset):
                    return  # a copy that has just begun, or of what is still unread: wait
            origin = self._copied_from(tail, relatives)
        except EOFError:
            return  # still being compressed
        except OSError:
            pass
        self._next += 1
        if origin is not None:
            self._copy(tail, origin)
        elif not proper:
            # Siblings that were there before are not what was asked for; nor half a copy, which
            # is rescued when it is complete and its original is cut off.
            tail.skipped = twin is not None or not (
                path in self._asked
                or any(str(path.parent / base) in self.known for base in original_names(path.name))
            )
        self.tails.append(tail)
        relatives.add(tail)

    def _growing_copy_of(self, tail: Tail, relatives: Relatives) -> Tail | None:
        """The file that begins with everything this one has. OSError or EOFError."""
        if tail.packed:
            return None
        for other in relatives.beginning_like(tail):
            with suppress(OSError):
                if begins_with(other.path, tail.path, self.stopped):
                    return other
        return None

    def _copied_from(self, tail: Tail, relatives: Relatives) -> Tail | None:
        """The file of which this one is a copy, by its name and by all bytes read so far."""
        for other in relatives.read_like(tail):
            if prefix_crc(tail.path, other.offset, self.stopped) == other.crc:
                return other
        return None

    def _copy(self, tail: Tail, origin: Tail) -> None:
        """Continue reading in a copy only if its original is gone or cut off."""
        if origin.gone_at is not None and not origin.is_open:
            tail.take_over(origin)
            self.tails.remove(origin)
            self._removed.append(origin.number)
        elif not _is_intact(origin):
            tail.take_over(origin)
            self.truncated(origin)
        else:
            tail.skipped = True

    def truncated(self, tail: Tail) -> None:
        """Handle a truncated or rewritten file; what it had may be left in a copy."""
        self.counts["truncated"] += 1
        tail.restart()

    def recover_copy(self, tail: Tail) -> bool:
        """Before a file is read from its beginning again: is what it had in a copy? Raises
        ComparisonStopped."""
        return self._recover(tail, Relatives(self.tails))

    def _recover(self, tail: Tail, relatives: Relatives) -> bool:
        """Continue reading a file's former content in a copy of it, if one exists."""
        for other in relatives.copies_of(tail):
            if other is tail or not other.skipped:
                continue
            try:
                if tail.offset and prefix_crc(other.path, tail.offset, self.stopped) == tail.crc:
                    other.take_over(tail)
                    return True
            except (OSError, EOFError):
                continue
        return False

    def _forget(self, now: float) -> None:
        kept = []
        for tail in self.tails:
            if tail.gone_at is None or now - tail.gone_at < GONE_S:
                kept.append(tail)
                continue
            tail.close()
            self._removed.append(tail.number)
        self.tails = kept


def _age(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _is_intact(tail: Tail) -> bool:
    try:
        tail.open()
        return tail.is_same(tail.stat())
    except OSError:
        return False
