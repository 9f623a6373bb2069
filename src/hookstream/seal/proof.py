"""A proof that one record is in a sealed stream: a C2SP tlog-proof file, checked offline."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from hookstream.core.jsons import loads_text
from hookstream.seal import SealError
from hookstream.seal.index import WRONG, Index, event_id_of
from hookstream.seal.journal import ENDING, NAME
from hookstream.seal.levels import Levels
from hookstream.seal.merkle import inclusion, record_leaf, verify_inclusion
from hookstream.seal.note import Checkpoint, Verifier, read_checkpoint
from hookstream.seal.note import verify as verify_note
from hookstream.seal.parts import text_of
from hookstream.seal.sealed import LAKE
from hookstream.seal.segments import line_at, rotated

HEADER = "c2sp.org/tlog-proof@v1"
BLOCK = 1 << 16


class Proof(NamedTuple):
    """A proof's text, the key that signs it, and the line (of a lake: the row's JSON)."""

    text: str
    signer: Verifier
    line: bytes


def prove(data: Path, log: Path, event_id: str) -> Proof | None:
    """The proof that an event is in a sealed stream; None if it is not there, or not sealed.
    The key that signs is the one that the journal names: `verify` checks that the first key vouches
    for it. SealError if the stored hashes are not what was signed."""
    try:
        head, signer = _head(log)
        index, levels = Index(data, log), Levels(log)
        try:
            found = _found(index, levels, head.size, event_id)
            if found is None:
                return None
            leaf, line = found
            hashes = inclusion(leaf, head.size, levels.root_of)
        finally:
            levels.close()
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise SealError(f"{log}: changed ({error}); see hookstream verify") from None
    if not verify_inclusion(record_leaf(line), leaf, head.size, hashes, head.root):
        raise SealError(f"{log}: hashes that were not signed; see hookstream verify")
    proof = [HEADER, f"index {leaf}", *(b64encode(digest).decode("ascii") for digest in hashes)]
    return Proof("\n".join(proof) + "\n\n" + head.note, signer, line)


def _head(log: Path) -> tuple[Checkpoint, Verifier]:
    """The newest checkpoint and the key that signed it."""
    note = (log / "checkpoint").read_text("utf-8")
    signer = Verifier.parse((log / "vkey").read_text("utf-8"))
    key = _named_before(log / NAME, read_checkpoint(note).size)
    if key is not None:
        signer = signer._replace(public=bytes.fromhex(key))
    return verify_note(note, signer), signer


def _named_before(journal: Path, size: int) -> str | None:
    """The key that the last end of an epoch names before a checkpoint of that size. Read from the
    journal's end: there are a hundred thousand epochs in a year."""
    with journal.open("rb") as file:
        end, rest = file.seek(0, 2), b""
        while end > 0:
            first = max(0, end - BLOCK)
            file.seek(first)
            lines = (file.read(end - first) + rest).split(b"\n")
            end, rest = first, lines.pop(0) if first else b""
            for line in filter(None, reversed(lines)):
                document = loads_text(line.decode("utf-8"))
                if (
                    document.get("index", size) + 1 < size
                    and document["statement"]["kind"] in ENDING
                ):
                    return str(document["statement"]["next"])
    return None


def _found(index: Index, levels: Levels, size: int, event_id: str) -> tuple[int, bytes] | None:
    """(leaf, line) of an event: by the index as it is, as it should be, and made again."""
    for tries in range(3):
        if tries:
            index.refresh(size, again=tries == 2)
        for leaf, place in index.places_of(event_id):
            if leaf < size:
                for line in _lines_at(index, leaf, place):
                    if levels.read(0, leaf, 1) == [record_leaf(line)] and _is(line, event_id):
                        return leaf, line
    return None


def _is(line: bytes, event_id: str) -> bool:
    return event_id_of(line) == event_id


def _lines_at(index: Index, leaf: int, place: int) -> Iterator[bytes]:
    """The lines at a place: in the open file, or in one that was rotated since."""
    if index.log.name == LAKE:
        with suppress(*WRONG, SealError):
            said = loads_text(line_at(index.log / NAME, place).decode("utf-8"))["statement"]
            yield text_of(index.data / said["path"], leaf - said["first"])
        return
    for file in (index.data, *rotated(index.data)):
        with suppress(*WRONG):
            yield line_at(file, place)


def check(proof: str, line: bytes, verifier: Verifier) -> None:
    """Check a proof. SealError unless it shows the line in the log of that key."""
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
