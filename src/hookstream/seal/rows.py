"""Check that a lake holds the parts and rows of its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hookstream.core.progress import counted
from hookstream.seal import SealError
from hookstream.seal.chain import BrokenSeal
from hookstream.seal.columns import UNREADABLE, Rows, explains
from hookstream.seal.journal import Statement
from hookstream.seal.layout import LeafRun, indices, runs_in
from hookstream.seal.levels import HASH
from hookstream.seal.parts import SealedPart, digest_of, found_in, leaves_of, part_of


def check_lake(
    lake: Path,
    statements: Iterable[Statement],
    leaves: bytes,
    log: Path,
    overlay: Mapping[Path, Path | None] | None = None,
) -> tuple[int, int]:
    """Check a lake: (rows, rows not sealed yet). BrokenSeal for the first part not as sealed.
    `overlay` names the files that a retention which broke off has yet to put in place."""
    overlay = {path: new for path, new in (overlay or {}).items() if path.suffix == ".parquet"}
    known = _sealed_parts(statements, leaves, log)
    found = {name for name in found_in(lake) if overlay.get(lake / name, lake) is not None}
    found |= {str(path.relative_to(lake)) for path, other in overlay.items() if other is not None}
    unknown = sorted(found - set(known))
    fresh = [Rows(name, _leaves_of(lake / name), None) for name in unknown]
    rewritten = Counter(leaf for part in fresh for leaf in part.leaves)
    unsealed = _leaves_before((log / "checkpoint").stat().st_mtime, lake, fresh)
    gone = [name for name in known if name not in found]
    for name, part in counted(sorted(known.items()), "parts", len(known)):
        path = lake / name
        if name not in found:
            meant = _kept(leaves, part)
            if not meant <= rewritten:
                raise BrokenSeal(str(path), f"missing, with {part.rows} rows")
            rewritten -= meant
            unsealed -= meant
        elif digest_of(overlay.get(path) or path) != part.digest:
            raise BrokenSeal(str(path), _what(path, part, leaves))
    meant_by_name = [_rows(leaves, name, known[name]) for name in gone]
    if gone and not _explained(lake, meant_by_name, fresh):
        raise BrokenSeal(str(lake / gone[0]), "put together with others; not as its columns were")
    for new in fresh:
        if any(leaf in unsealed for leaf in new.leaves):
            raise BrokenSeal(str(lake / new.name), "no seal covers this part")
    return sum(part.rows for part in known.values()), sum(rewritten.values())


def _leaves_before(time_s: float, lake: Path, parts: list[Rows]) -> Counter[bytes]:
    """The rows of the parts that were there before a checkpoint which does not know them."""
    return Counter(
        leaf
        for part in parts
        if (lake / part.name).stat().st_mtime < time_s
        for leaf in part.leaves
    )


def _sealed_parts(
    statements: Iterable[Statement], leaves: bytes, log: Path
) -> dict[str, SealedPart]:
    """The parts that must be there. BrokenSeal if a part was said to be replaced whose rows are in
    no later one, or retention took other rows than it says."""
    parts: dict[str, SealedPart] = {}
    fresh: Counter[bytes] = Counter()
    at = 0
    try:
        for statement in statements:
            said = statement.said
            rows = int(said["rows"]) if statement.kind == "part" else 0
            if statement.index - rows != at or said.get("first", at) != at:
                raise BrokenSeal(
                    f"{log / 'journal'}: statement {statement.index}", "one before it is missing"
                )
            at = statement.index + 1
            if statement.kind == "part":
                part = parts[said["path"]] = part_of(said)
                fresh.update(_kept(leaves, part))
            elif statement.kind in ("replaced", "pruned"):
                gone: Counter[bytes] = Counter()
                for name in said["parts"]:
                    gone.update(_kept(leaves, parts.pop(name)))
                fresh -= gone
                if statement.kind == "pruned":
                    made = (_kept(leaves, parts[name]) for name in said["new"])
                    whole = sum(made, Counter()) == _pruned(gone, said, leaves)
                else:
                    whole = gone <= fresh
                if not whole:
                    raise BrokenSeal(
                        f"{log / 'journal'}: statement {statement.index}", "rows are lost"
                    )
    except (KeyError, TypeError, ValueError):
        raise BrokenSeal(str(log / "journal"), "a part that cannot be") from None
    if at != len(leaves) // HASH:
        raise BrokenSeal(str(log / "journal"), "the last statement is missing")
    return parts


def _pruned(gone: Counter[bytes], said: dict[str, Any], leaves: bytes) -> Counter[bytes]:
    """The rows that must be there after a retention, of those of the parts that went. ValueError
    if it names rows that were in none of them."""
    taken = [*runs_in(said["dropped"]), *runs_in(said["replaced"])]
    removed = Counter(_hashes(leaves, taken))
    if not removed <= gone:
        raise ValueError("rows of other parts")
    counter = Counter(_hashes(leaves, runs_in(said["by"])))
    if sum(counter.values()) != sum(run.size for run in runs_in(said["replaced"])):
        raise ValueError("another number of rows")
    return gone - removed + counter


def _hashes(leaves: bytes, runs: Iterable[LeafRun]) -> Iterator[bytes]:
    for index in indices(runs):
        yield leaves[index * HASH : (index + 1) * HASH]


def _explained(lake: Path, gone: list[Rows], fresh: list[Rows]) -> bool:
    try:
        return explains(lake, gone, fresh)
    except (OSError, *UNREADABLE):  # a file that reads as Parquet up to a damaged column
        return False


def _rows(leaves: bytes, name: str, part: SealedPart) -> Rows:
    hashes = _hashes(leaves, [LeafRun(part.first, part.rows)] if part.rows else [])
    return Rows(name, list(hashes), part.columns)


def _kept(leaves: bytes, part: SealedPart) -> Counter[bytes]:
    end = (part.first + part.rows) * HASH
    return Counter(leaves[at : at + HASH] for at in range(part.first * HASH, end, HASH))


def _leaves_of(path: Path) -> list[bytes]:
    try:
        return leaves_of(path)
    except SealError as error:
        raise BrokenSeal(str(path), str(error).partition(": ")[2]) from None


def _what(path: Path, part: SealedPart, leaves: bytes) -> str:
    """A file with another digest: the first row that is not what was sealed."""
    made = _leaves_of(path)
    for row, leaf in enumerate(made[: part.rows], 1):
        at = (part.first + row - 1) * HASH
        if leaf != leaves[at : at + HASH]:
            return f"row {row}: changed since it was sealed"
    if len(made) != part.rows:
        return f"{len(made)} rows, sealed were {part.rows}"
    return "written again or a column changed; the JSON of its rows is whole"
