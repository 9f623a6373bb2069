"""Random tampering of a sealed stream: what a thief, a failing disk or a clumsy admin may do."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from hookstream.seal import SealError, chain
from hookstream.seal.chain import BrokenSeal
from hookstream.seal.journal import Journal, canonical, epoch_of
from hookstream.seal.keys import EvolvingKey, next_seed
from hookstream.seal.layout import files_of, indices
from hookstream.seal.merkle import Tree, range_root, record_leaf, statement_leaf
from hookstream.seal.note import Verifier, checkpoint_text, sign
from hookstream.seal.sealed import SEALS, Sealing, key_path
from hookstream.seal.verify import verify

from .retaining import DAY_S, new_operator, retain
from .stage import NAME, Stage

ROTATED = f"{NAME}.1"

Tamper = Callable[[random.Random, Path, Path], str]


class Victim:
    """A sealed stream with closed epochs, an open one and an unsealed tail, as bytes. A file of it
    was rotated, and retention has removed a third of the records."""

    def __init__(self, tmp: Path) -> None:
        self.stage = Stage(tmp / "victim")
        self.stage.write(batches=4, count=17)
        self.stage.data.rename(self.stage.folder / ROTATED)
        self.stage.write(batches=6, count=17)
        self.older = self._taken(tmp / "victim" / "out")
        keys = key_path(self.stage.sealing.keys, self.stage.folder, NAME)
        self.older_key = keys.read_bytes()
        self.operator = new_operator(tmp / "operator.pem")
        retain(self.stage, self.operator, max_age_s=9 * DAY_S)
        self.stage.write(batches=6, count=17)
        sink = self.stage.open()
        sink.write(self.stage.batch(9))
        sink.flush()
        self.stage.clock.now += 11
        sink.tick()  # the newest checkpoint reaches the second place
        sink.inner.write(self.stage.batch(4))
        sink.inner.flush()
        self.now = self.stage.clock.now
        self.files = self._taken(tmp / "victim" / "out")
        self.sealed = self.files[NAME].count(b"\n") - 4
        self.key = keys.read_bytes()  # today's: what a thief finds
        sink.close()
        self.second = tmp / "victim" / "second.jsonl"
        # What the close added came after the bytes were taken.
        head = int(self.files[f"{SEALS}/{NAME}/checkpoint"].split(b"\n")[1])
        self.against = sizes_up_to(head, NAME, self.second, tmp / "against.jsonl")
        self.other = Stage(tmp / "other")
        self.other.write(batches=4, count=20)
        self.foreign = self._taken(tmp / "other" / "out")
        self.thief = new_operator(tmp / "thief.pem")

    def _taken(self, folder: Path) -> dict[str, bytes]:
        return {
            str(p.relative_to(folder)): p.read_bytes()
            for p in folder.rglob("*")
            if p.is_file() and "rejected" not in str(p) and p.name != "position"
        }

    def laid_out(self, folder: Path) -> Path:
        """The stream as it was, in a folder; only what is not so there is written."""
        for found, folders, names in os.walk(folder, topdown=False):
            for name in names:
                if os.path.relpath(f"{found}/{name}", folder) not in self.files:
                    os.unlink(f"{found}/{name}")
            if not folders and not os.listdir(found):
                os.rmdir(found)
        for name, data in self.files.items():
            path = folder / name
            try:
                if path.read_bytes() == data:
                    continue
            except FileNotFoundError:
                path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return folder


@contextmanager
def signatures_checked_once() -> Iterator[None]:
    """An Ed25519 check depends on its bytes alone: the same note by the same key is checked once,
    however many copies of a stream are verified."""
    kept = chain.verify_note
    chain.verify_note = cache(kept)
    try:
        yield
    finally:
        chain.verify_note = kept


def sizes_up_to(head: int, name: str, second: Path, against: Path) -> Path:
    """The checkpoints that a second place has of a log by the time its bytes were taken."""
    given = second.read_bytes().splitlines(keepends=True)
    ours = [one for one in given if json.loads(one)["origin"].endswith(f"/{name}")]
    against.write_bytes(b"".join(one for one in ours if json.loads(one)["size"] <= head))
    return against


class Tampering:
    """One random change at a time; `kinds` are those that there are. Here: of the seal."""

    log = NAME

    def __init__(self, victim: Victim, seed: str) -> None:
        self.victim = victim
        self.random = random.Random(seed)
        self.kinds = [getattr(self, name) for name in dir(type(self)) if name.startswith("by_")]

    def once(self, folder: Path) -> tuple[str, str]:
        """(kind, what verify says); empty where it says that all is whole."""
        self.victim.laid_out(folder)
        kind = self.random.choice(self.kinds)
        kind(folder)
        return kind.__name__, self.said(folder)

    def said(self, folder: Path) -> str:
        try:
            verify(
                folder,
                against=self.victim.against,
                now=self.victim.now,
                operators={str(self.victim.operator.verifier)},
            )
        except BrokenSeal as broken:
            return str(broken)
        except SealError as error:
            return str(error)
        return ""

    def _seal_file(self, folder: Path) -> Path:
        names = ("journal", "checkpoint", "vkey", "level-0")
        return folder / SEALS / self.log / self.random.choice(names)

    def by_editing_the_seal(self, folder: Path) -> None:
        path = self._seal_file(folder)
        data = bytearray(path.read_bytes())
        end = len(data)
        if path.name == "level-0":  # behind the head nothing is meant
            end = 32 * int((path.parent / "checkpoint").read_text().split("\n")[1])
        data[self.random.randrange(end)] ^= 1 << self.random.randrange(8)
        path.write_bytes(bytes(data))

    def by_cutting_off_the_seal(self, folder: Path) -> None:
        path = self._seal_file(folder)
        data = path.read_bytes()
        path.write_bytes(data[: self.random.randrange(len(data))])

    def by_removing_a_seal_file(self, folder: Path) -> None:
        self._seal_file(folder).unlink()

    def by_removing_the_seal(self, folder: Path) -> None:
        shutil.rmtree(folder / SEALS)

    def by_editing_a_statement(self, folder: Path) -> None:
        path = folder / SEALS / self.log / "journal"
        lines = path.read_bytes().splitlines(keepends=True)
        at = self.random.randrange(len(lines))
        self.random.choice(
            (
                lambda: lines.pop(at),
                lambda: lines.insert(at, lines[at]),
                lambda: lines.insert(at, lines.pop(self.random.randrange(len(lines)))),
                lambda: lines.__setitem__(at, lines[at].replace(b"1", b"2", 1)),
            )
        )()
        if b"".join(lines) == path.read_bytes():
            lines.pop(at)
        path.write_bytes(b"".join(lines))

    def by_another_streams_seal(self, folder: Path) -> None:
        for name, data in self.victim.foreign.items():
            if name.startswith(SEALS) or self.random.random() < 0.5:
                (folder / name).write_bytes(data)

    def by_an_older_state(self, folder: Path) -> None:
        shutil.rmtree(folder)
        for name, data in self.victim.older.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


class LineTampering(Tampering):
    """One random change of a sealed file of lines, its rotated files or its seal at a time."""

    # the records

    def _lines(self, folder: Path) -> list[bytes]:
        return (folder / NAME).read_bytes().splitlines(keepends=True)

    def _put(self, folder: Path, lines: list[bytes]) -> None:
        (folder / NAME).write_bytes(b"".join(lines))

    def _at(self) -> int:
        return self.random.randrange(self.victim.sealed)

    def by_flipping_a_bit(self, folder: Path) -> None:
        lines = self._lines(folder)
        data = bytearray(b"".join(lines[: self.victim.sealed]))
        data[self.random.randrange(len(data))] ^= 1 << self.random.randrange(8)
        (folder / NAME).write_bytes(bytes(data) + b"".join(lines[self.victim.sealed :]))

    def by_editing_a_line(self, folder: Path) -> None:
        lines = self._lines(folder)
        at = self._at()
        lines[at] = lines[at].replace(b"2026", b"2027", 1)
        self._put(folder, lines)

    def by_removing_lines(self, folder: Path) -> None:
        lines = self._lines(folder)
        at = self._at()
        del lines[at : at + self.random.choice((1, 1, 2, 20))]
        self._put(folder, lines)

    def by_removing_the_last(self, folder: Path) -> None:
        lines = self._lines(folder)
        self._put(folder, lines[: self.random.randrange(self.victim.sealed)])

    def by_swapping_lines(self, folder: Path) -> None:
        lines = self._lines(folder)
        one = self._at()
        other = (one + self.random.randrange(1, self.victim.sealed)) % self.victim.sealed
        lines[one], lines[other] = lines[other], lines[one]
        self._put(folder, lines)

    def by_repeating_a_line(self, folder: Path) -> None:
        lines = self._lines(folder)
        lines.insert(self._at(), lines[self._at()])
        self._put(folder, lines)

    def by_inserting_a_line(self, folder: Path) -> None:
        lines = self._lines(folder)
        lines.insert(self._at(), self.random.choice((b"{}\n", b"\n", b"\r\n")))
        self._put(folder, lines)

    def by_joining_lines(self, folder: Path) -> None:
        lines = self._lines(folder)
        at = self._at()
        lines[at] = lines[at][:-1] + self.random.choice((b"", b" "))
        self._put(folder, lines)

    def by_editing_the_rotated_file(self, folder: Path) -> None:
        path = folder / ROTATED
        lines = path.read_bytes().splitlines(keepends=True)
        at = self.random.randrange(len(lines))
        self.random.choice(
            (
                lambda: lines.pop(at),
                lambda: lines.insert(at, lines[at]),
                lambda: lines.__setitem__(at, lines[at].replace(b"2026", b"2027", 1)),
                lambda: lines.append(b"{}\n"),
            )
        )()
        path.write_bytes(b"".join(lines))

    def by_swapping_the_files(self, folder: Path) -> None:
        (folder / ROTATED).rename(folder / "x")
        (folder / NAME).rename(folder / ROTATED)
        (folder / "x").rename(folder / NAME)

    def by_removing_the_rotated_file(self, folder: Path) -> None:
        (folder / ROTATED).unlink()

    def by_putting_back_what_retention_removed(self, folder: Path) -> None:
        name = self.random.choice((NAME, ROTATED))
        lines = (folder / name).read_bytes().splitlines(keepends=True)
        gone = [
            line for line in self.victim.older[name].splitlines(keepends=True) if line not in lines
        ]
        lines.insert(self.random.randrange(self.victim.sealed), self.random.choice(gone))
        (folder / name).write_bytes(b"".join(lines))

    def by_removing_the_file(self, folder: Path) -> None:
        (folder / NAME).unlink()

    def by_adding_a_file(self, folder: Path) -> None:
        name = self.random.choice((f"{NAME}.1", "aarts.jsonl", "more.jsonl"))
        (folder / name).write_bytes(b"{}\n")

    def by_older_records_under_todays_seal(self, folder: Path) -> None:
        (folder / NAME).write_bytes(self.victim.older[NAME])

    # with the keys

    def by_sealing_a_closed_epoch_again(self, folder: Path) -> None:
        """The thief has the machine now, and writes history with the key that is there."""
        self._line_resealed(folder, self.random.randrange(60), self.victim.key)

    def by_sealing_the_open_epoch_again(self, folder: Path) -> None:
        at = self.victim.sealed - 1 - self.random.randrange(8)
        self._line_resealed(folder, at, self.victim.key)

    def by_yesterdays_key(self, folder: Path) -> None:
        """The thief had the machine before, kept a key, and signs each epoch since then anew."""
        self._line_resealed(folder, self._at(), self.victim.older_key)

    def by_moving_a_clock(self, folder: Path) -> None:
        """When something was sealed is said otherwise, and sealed again as far as a key goes."""
        journal = folder / SEALS / NAME / "journal"
        lines = journal.read_bytes().splitlines(keepends=True)
        head = int((journal.parent / "checkpoint").read_text().split("\n")[1])
        given = [(n, json.loads(line)) for n, line in enumerate(lines)]
        said = [(n, one) for n, one in given if one.get("index", head) < head]
        number, one = self.random.choice(said)
        names = {"time", "hour", "from", "to"} & set(one["statement"])
        moved = self.random.choice((-3600, -1, 1, 3600))
        one["statement"][self.random.choice(sorted(names))] += moved
        lines[number] = canonical(one) + b"\n"
        journal.write_bytes(b"".join(lines))
        key = self.random.choice((self.victim.key, self.victim.older_key))
        self._resealed(folder, one["index"], statement_leaf(canonical(one["statement"])), key)

    def by_a_retention_of_the_thiefs(self, folder: Path) -> None:
        """With the key of the log, and not that of the operator."""
        stage = Stage(folder.parent / "thief")
        stage.folder, stage.sealing = folder, Sealing(folder.parent / "thief" / "keys")
        stage.clock.now = self.victim.now + 1
        path = key_path(stage.sealing.keys, folder, NAME)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.victim.key)
        for name in ("rejected.jsonl",):
            shutil.rmtree(folder / SEALS / name, ignore_errors=True)
        retain(stage, self.victim.thief, max_age_s=self.random.choice((7, 8)) * DAY_S)

    def _line_resealed(self, folder: Path, at: int, key: bytes) -> None:
        lines = self._lines(folder)
        lines[at] = lines[at].replace(b"2026", b"2025", 1)
        self._put(folder, lines)
        log = folder / SEALS / NAME
        journal = Journal(log / "journal")
        journal.load()
        size = int((log / "checkpoint").read_text().split("\n")[1])
        index = list(indices(files_of(journal.statements, size)[-1]))[at]
        self._resealed(folder, index, record_leaf(lines[at][:-1]), key)

    def _resealed(self, folder: Path, index: int, leaf: bytes, key: bytes) -> None:
        """Another leaf, and every checkpoint over it that the key or a later one can sign."""
        log = folder / SEALS / NAME
        kept = bytearray((log / "level-0").read_bytes())
        kept[index * 32 : (index + 1) * 32] = leaf
        tree = Tree()
        tree.extend(bytes(kept[at : at + 32]) for at in range(0, len(kept), 32))
        (log / "level-0").write_bytes(bytes(kept))
        (log / "level-1").write_bytes(b"".join(tree.levels[1]))
        journal = Journal(log / "journal")
        journal.load()

        def signed(note: str) -> str:
            size = int(note.split("\n")[1])
            epoch = epoch_of(size, journal.statements)
            return note if size <= index else _signed_again(note, bytes(kept), epoch, key)

        lines = journal.path.read_bytes().splitlines(keepends=True)
        for number, _, note in journal.notes:
            lines[number - 1] = canonical({"note": signed(note)}) + b"\n"
        journal.path.write_bytes(b"".join(lines))
        (log / "checkpoint").write_text(signed((log / "checkpoint").read_text()))


def _signed_again(note: str, hashes: bytes, epoch: int, key: bytes) -> str:
    """A checkpoint of the same size over other leaves, if the key reaches that epoch."""
    given = json.loads(key)
    seed = bytes.fromhex(given["seed"])
    if epoch < given["epoch"]:
        return note
    for _ in range(epoch - given["epoch"]):
        seed = next_seed(seed)
    signer = EvolvingKey(Path(), epoch, seed)
    origin, size, _ = note.split("\n", 2)
    root = range_root([hashes[at : at + 32] for at in range(0, int(size) * 32, 32)])
    text = checkpoint_text(origin, int(size), root)
    return sign(text, Verifier(origin, signer.public()), signer.private())
