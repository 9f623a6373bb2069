"""A proof that one record is in a sealed stream: a C2SP tlog-proof file, checked offline."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING

from hookstream.seal import SealError
from hookstream.seal.chain import Chain
from hookstream.seal.layout import files_of
from hookstream.seal.levels import Levels
from hookstream.seal.log import key_of
from hookstream.seal.merkle import inclusion, record_leaf, verify_inclusion
from hookstream.seal.note import Verifier, read_checkpoint
from hookstream.seal.note import verify as verify_note
from hookstream.seal.segments import lines, rotated

if TYPE_CHECKING:
    from pathlib import Path

    from hookstream.seal.layout import Run

HEADER = "c2sp.org/tlog-proof@v1"


def prove(log: Path, number: int, line: bytes) -> tuple[str, Verifier]:
    """The proof of a line, `number` (from 0) of its file, and the key that signs it, for which the
    first key vouches. SealError where the line is not sealed."""
    chain = Chain(log)
    head = chain.load()
    levels = Levels(log)
    try:
        leaf = record_leaf(line)
        places = (_place(runs, number) for runs in files_of(chain.statements, head.size))
        index = next((one for one in places if one >= 0 and levels.read(0, one, 1) == [leaf]), None)
        if index is None:
            raise SealError(f"{log}: line {number + 1} is not sealed yet, or was changed")
        hashes = inclusion(index, head.size, levels.root_of)
    finally:
        levels.close()
    proof = [HEADER, f"index {index}", *(b64encode(one).decode("ascii") for one in hashes)]
    signer = key_of(chain.first, chain.statements, head.size)
    return "\n".join(proof) + "\n\n" + head.note, signer


def _place(runs: list[Run], number: int) -> int:
    """The leaf of a file's line; -1 where it has no such line."""
    for first, count in runs:
        if number < count:
            return first + number
        number -= count
    return -1


def find(path: Path, event_id: str) -> tuple[int, bytes]:
    """(number in its file, line) of an event in a sealed file of lines or one that it was rotated
    to. SealError where it is not there."""
    mark = event_id.encode("utf-8")
    for file in [path, *rotated(path)]:
        for number, line in enumerate(lines(file) if file.exists() else ()):
            if mark in line:
                return number, line
    raise SealError(f"{path}: holds no {event_id}")


def check(proof: str, line: bytes, verifier: Verifier) -> None:
    """SealError unless the proof shows the line in the log of that key."""
    head, _, note = proof.partition("\n\n")
    given = head.split("\n")
    try:
        if given[0] != HEADER or not given[1].startswith("index "):
            raise ValueError
        index = int(given[1][6:])
        hashes = [b64decode(one, validate=True) for one in given[2:]]
        checkpoint = read_checkpoint(note)
    except (ValueError, IndexError):
        raise SealError("not a proof") from None
    verify_note(note, verifier)
    if not verify_inclusion(record_leaf(line), index, checkpoint.size, hashes, checkpoint.root):
        raise SealError("the proof does not lead from this line to the signed root")
