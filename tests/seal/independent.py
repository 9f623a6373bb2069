"""A verifier that knows only the published formats: hashlib and an Ed25519 library.

RFC 6962 hashing, C2SP signed notes and checkpoints, tlog-proof. It takes over nothing of
hookstream: what it accepts, any other implementation accepts.
"""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def key_of(vkey: str) -> tuple[str, bytes, bytes]:
    """(name, key id, public key) of a C2SP verifier key."""
    name, mark, text = vkey.strip().split("+", 2)
    key = base64.b64decode(text, validate=True)
    assert key[0] == 1 and len(key) == 33
    assert bytes.fromhex(mark) == sha(name.encode() + b"\n" + key)[:4]
    return name, bytes.fromhex(mark), key[1:]


def checkpoint(note: str, name: str, public: bytes) -> tuple[int, bytes]:
    """(size, root) of a signed checkpoint; raises unless this key has signed it."""
    text, signatures = note.rsplit("\n\n", 1)
    mark = sha(name.encode() + b"\n\x01" + public)[:4]
    for line in signatures.splitlines():
        dash, signer, data = line.split(" ")
        assert dash == "\u2014"
        signature = base64.b64decode(data, validate=True)
        if (signer, signature[:4]) == (name, mark):
            Ed25519PublicKey.from_public_bytes(public).verify(signature[4:], text.encode() + b"\n")
            break
    else:
        raise AssertionError("not signed by this key")
    origin, size, root = text.split("\n")
    assert origin == name
    return int(size), base64.b64decode(root, validate=True)


def root_of(leaves: list[bytes]) -> bytes:
    """MTH of RFC 6962 over leaf hashes."""
    if not leaves:
        return sha(b"")
    if len(leaves) == 1:
        return leaves[0]
    k = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha(b"\1" + root_of(leaves[:k]) + root_of(leaves[k:]))


def inclusion_root(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """RFC 9162, 2.1.3.2."""
    fn, sn, r = index, size - 1, leaf
    for p in path:
        assert sn
        if fn & 1 or fn == sn:
            r = sha(b"\1" + p + r)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            r = sha(b"\1" + r + p)
        fn, sn = fn >> 1, sn >> 1
    assert sn == 0
    return r


def live(statements: dict[int, dict[str, Any]], size: int) -> list[int]:
    """The leaf of each line that is to be there: what retention removed is not, what it wrote
    anew has the leaves right before its statement."""
    found: list[int] = []
    for index in range(size):
        said = statements.get(index)
        if said is None:
            found.append(index)
        elif said["kind"] == "pruned":
            old = [n for first, count in said["replaced"] for n in range(first, first + count)]
            new = dict(zip(old, range(index - len(old), index), strict=True))
            gone = {n for first, count in said["dropped"] for n in range(first, first + count)}
            kept = found[: len(found) - len(old)]
            assert gone | set(old) <= set(kept)
            found = [new.get(n, n) for n in kept if n not in gone]
    return found


def operator_signed(origin: str, index: int, said: dict[str, Any]) -> None:
    """Raises unless the operator's key that it names has signed a statement, at this place."""
    rest = {name: value for name, value in said.items() if name != "signature"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()
    place = b"hookstream retention v1\0" + origin.encode() + b"\0%d\0" % index
    _, _, public = key_of(said["operator"])
    signature = base64.b64decode(said["signature"], validate=True)
    Ed25519PublicKey.from_public_bytes(public).verify(signature, place + text)


def check_stream(data: Path, log: Path) -> int:
    """Every checkpoint of a sealed file of lines, from the first key on; how many there are."""
    name, _, public = key_of((log / "vkey").read_text())
    journal: list[dict[str, Any]] = [
        json.loads(x) for x in (log / "journal").read_text().splitlines()
    ]
    statements = {one["index"]: one["statement"] for one in journal if "index" in one}
    size = int((log / "checkpoint").read_text().split("\n")[1])
    kept = (log / "level-0").read_bytes()
    # What retention removed is known by its stored hash alone; the roots say whether that holds.
    leaves = [kept[at : at + 32] for at in range(0, size * 32, 32)]
    for index, statement in statements.items():
        if statement["kind"] == "pruned":
            operator_signed(name, index, statement)
        if index < size:
            text = json.dumps(statement, sort_keys=True, separators=(",", ":")).encode()
            leaves[index] = sha(b"\0\1" + text)
    lines = data.read_bytes().split(b"\n")[:-1]
    for index, line in zip(live(statements, size), lines, strict=False):
        leaves[index] = sha(b"\0\0" + sha(line))
    assert len(lines) >= len(live(statements, size))
    count = 0
    notes = [one["note"] for one in journal if "note" in one]
    for note in [*notes, (log / "checkpoint").read_text()]:
        end = int(note.split("\n")[1])
        keys = [s["next"] for n, s in sorted(statements.items()) if "next" in s and n + 1 < end]
        signer = bytes.fromhex(keys[-1]) if keys else public
        assert checkpoint(note, name, signer) == (end, root_of(leaves[:end]))
        count += 1
    return count


def check_proof(proof: str, line: bytes, vkey: str) -> None:
    """A tlog-proof file of one line; raises unless it holds."""
    name, _, public = key_of(vkey)
    head, note = proof.split("\n\n", 1)
    kind, index, *path = head.split("\n")
    assert kind == "c2sp.org/tlog-proof@v1" and index.startswith("index ")
    size, root = checkpoint(note, name, public)
    hashes = [base64.b64decode(one, validate=True) for one in path]
    leaf = sha(b"\0" + b"\0" + sha(line))
    assert inclusion_root(leaf, int(index[6:]), size, hashes) == root
