"""RFC 6962 Merkle trees: hashes of leaves and nodes, roots of a growing tree, inclusion proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256

EMPTY = sha256(b"").digest()
TILE = 256  # hashes of one level-L tile; its root is one hash of level L + 1
TILE_HEIGHT = 8


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def record_leaf(line: bytes) -> bytes:
    """The leaf hash of a record: its entry is 00 and the SHA-256 of the line."""
    return sha256(b"\0\0" + sha256(line).digest()).digest()


def record_leaves(lines: Iterable[bytes]) -> list[bytes]:
    """`record_leaf` of each line, without a call for each."""
    digest = sha256
    return [digest(b"\0\0" + digest(line).digest()).digest() for line in lines]


def statement_leaf(text: bytes) -> bytes:
    """The leaf hash of a statement: its entry is 01 and the canonical JSON."""
    return sha256(b"\0\1" + text).digest()


class Tree:
    """A growing tree, as the roots of its perfect subtrees from left to right.

    `levels` collects the tile hashes that were completed: level -> hashes, taken by the caller.
    """

    def __init__(self, size: int = 0, roots: list[bytes] | None = None) -> None:
        self.size = size
        self.levels: dict[int, list[bytes]] = {}
        self._roots = list(roots or ())

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Add leaf hashes in order."""
        roots = self._roots
        size = self.size
        for leaf in leaves:
            roots.append(leaf)
            odd = size
            height = 0
            while odd & 1:
                right = roots.pop()
                roots[-1] = sha256(b"\1" + roots[-1] + right).digest()
                odd >>= 1
                height += 1
                if height % TILE_HEIGHT == 0:
                    self.levels.setdefault(height // TILE_HEIGHT, []).append(roots[-1])
            size += 1
        self.size = size

    def root(self) -> bytes:
        if not self._roots:
            return EMPTY
        right = self._roots[-1]
        for left in reversed(self._roots[:-1]):
            right = sha256(b"\1" + left + right).digest()
        return right


def split(count: int) -> int:
    """The largest power of two below `count` (at least 2)."""
    return 1 << ((count - 1).bit_length() - 1)


def range_root(leaves: list[bytes]) -> bytes:
    """The root over the leaf hashes of one subtree."""
    tree = Tree()
    tree.extend(leaves)
    return tree.root()


def inclusion(index: int, size: int, root_of: Callable[[int, int], bytes]) -> list[bytes]:
    """The sibling hashes of a leaf, leaf upwards; `root_of(first, end)` gives a subtree's root."""
    siblings: list[tuple[int, int]] = []
    first, end = 0, size
    while end - first > 1:
        middle = first + split(end - first)
        if index < middle:
            siblings.append((middle, end))
            end = middle
        else:
            siblings.append((first, middle))
            first = middle
    return [root_of(*sibling) for sibling in reversed(siblings)]


def verify_inclusion(leaf: bytes, index: int, size: int, proof: list[bytes], root: bytes) -> bool:
    """Return whether the proof leads from the leaf to the root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    position, last = index, size - 1
    found = leaf
    for sibling in proof:
        if last == 0:
            return False
        if position & 1 or position == last:
            found = node_hash(sibling, found)
            while not position & 1 and position:
                position >>= 1
                last >>= 1
        else:
            found = node_hash(found, sibling)
        position >>= 1
        last >>= 1
    return last == 0 and found == root
