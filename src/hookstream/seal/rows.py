"""Whether a lake holds the parts and rows of its log."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hookstream.seal import SealError
from hookstream.seal.chain import Broken
from hookstream.seal.levels import HASH
from hookstream.seal.parts import Part, digest_of, found_in, leaves_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from hookstream.seal.journal import Statement


def check_lake(lake: Path, statements: Iterable[Statement], leaves: bytes, log: Path) -> int:
    """Broken for the first part that is not what was sealed; else the rows not sealed yet."""
    known = _sealed_parts(statements, leaves, log)
    found = found_in(lake)
    unknown = sorted(found - set(known))
    rewritten = Counter(leaf for name in unknown for leaf in _leaves_of(lake / name))
    for name, part in sorted(known.items()):
        path = lake / name
        if not path.exists():
            meant = _kept(leaves, part)
            if not meant <= rewritten:
                raise Broken(str(path), f"missing, with {part.rows} rows")
            rewritten -= meant
        elif digest_of(path) != part.digest:
            raise Broken(str(path), _what(path, part, leaves))
    head = (log / "checkpoint").stat().st_mtime
    for name in unknown:
        if (lake / name).stat().st_mtime < head and rewritten:
            raise Broken(str(lake / name), "no seal covers this part")
    return sum(rewritten.values())


def _sealed_parts(statements: Iterable[Statement], leaves: bytes, log: Path) -> dict[str, Part]:
    """The parts that must be there. Broken where a part was said to be replaced whose rows are in
    no later one."""
    known: dict[str, Part] = {}
    fresh: Counter[bytes] = Counter()
    try:
        for one in statements:
            said = one.said
            if one.kind == "part":
                part = Part(said["sha256"], int(said["first"]), int(said["rows"]))
                known[said["path"]] = part
                fresh.update(_kept(leaves, part))
            elif one.kind == "replaced":
                for name in said["parts"]:
                    gone = _kept(leaves, known.pop(name))
                    fresh -= gone
                    if not gone <= fresh:
                        raise Broken(f"{log / 'journal'}: statement {one.index}", "rows are lost")
    except (KeyError, TypeError, ValueError):
        raise Broken(str(log / "journal"), "a part that cannot be") from None
    return known


def _kept(leaves: bytes, part: Part) -> Counter[bytes]:
    end = (part.first + part.rows) * HASH
    return Counter(leaves[at : at + HASH] for at in range(part.first * HASH, end, HASH))


def _leaves_of(path: Path) -> list[bytes]:
    try:
        return leaves_of(path)
    except SealError as error:
        raise Broken(str(path), str(error).partition(": ")[2]) from None


def _what(path: Path, part: Part, leaves: bytes) -> str:
    """A file with another digest: the first row that is not what was sealed."""
    made = _leaves_of(path)
    for row, leaf in enumerate(made[: part.rows], 1):
        at = (part.first + row - 1) * HASH
        if leaf != leaves[at : at + HASH]:
            return f"row {row}: changed since it was sealed"
    if len(made) != part.rows:
        return f"{len(made)} rows, sealed were {part.rows}"
    return "written again or a column changed; the JSON of its rows is whole"
