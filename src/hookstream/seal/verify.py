"""`hookstream verify`: is a sealed stream what was sealed, and if not, where first.

Leaves are made again from the records and from the statements, and must give the root of every
checkpoint. The stored hashes only say where: the first record whose hash differs.
"""

from __future__ import annotations

import time
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from hookstream.core.errors import HookstreamError
from hookstream.lake import staged
from hookstream.lake.listing import ENDING, Parts, parts_of
from hookstream.seal import SealError
from hookstream.seal.chain import BrokenSeal, Chain
from hookstream.seal.journal import Statement
from hookstream.seal.levels import HASH, path_of
from hookstream.seal.merkle import Tree, statement_leaf
from hookstream.seal.note import Checkpoint, Verifier
from hookstream.seal.rows import check_lake
from hookstream.seal.sealed import LAKE, SEALS
from hookstream.seal.segments import check_lines

STALE_S = 2 * 3600


class Given(NamedTuple):
    """The inputs of a check: first keys by log, a second place, the time, operators."""

    keys: dict[str, str]
    against: Path | None
    now: float
    operators: set[str] | None


class SealVerdict:
    """The result of checking one log; `doubts` are what `--strict` does not accept."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.leaves = 0
        self.records = 0
        self.unsealed = 0
        self.hours = 0
        self.gaps = 0
        self.compared = 0
        self.pruned = 0
        self.cut: str | None = None  # digest of the list of cut sessions, by the last retention
        self.doubts: list[str] = []
        self.has_proven_tables = False

    def __str__(self) -> str:
        text = f"{self.name}: {self.records} records whole, {self.leaves} leaves"
        doubts = f"; {'; '.join(self.doubts)}" if self.doubts else ""
        pruned = f", {self.pruned} removed by retention" if self.pruned else ""
        tables = ", tables as the events give them" if self.has_proven_tables else ""
        rest = f"{self.hours} hours, {self.compared} checkpoints compared"
        return f"{text}{tables}, {rest}{pruned}{doubts}"


def logs_of(path: Path) -> list[tuple[Path, Path]]:
    """(data, log) of everything sealed at a path: a folder, or one file in one. SealError."""
    folder = path if path.is_dir() else path.parent
    seals = folder / SEALS
    if path.is_dir():
        found = sorted(one for one in seals.glob("[!.]*") if one.is_dir())
    else:
        found = [one for one in [seals / path.name] if one.is_dir()]
    if not found:
        raise SealError(f"{path}: not sealed")
    return [(folder if log.name == LAKE else folder / log.name, log) for log in found]


def verify(
    path: Path,
    key: str | None = None,
    against: Path | None = None,
    now: float | None = None,
    operators: set[str] | None = None,
    *,
    tables: bool = True,
) -> list[SealVerdict]:
    """One verdict per log. BrokenSeal for the first bad place, SealError if nothing can be checked.
    `operators` are the public keys of who may remove records; `tables` says whether the derived
    tables of a lake are compared with its events."""
    logs = logs_of(path)
    if path.is_dir():
        _all_covered(path, logs)
    keys = _by_log(key)
    given = Given(keys, against, time.time() if now is None else now, operators)
    verdicts = [_settled(data, log, given) for data, log in logs]
    for verdict, (data, log) in zip(verdicts, logs, strict=True):
        if log.name == LAKE:
            _check_around(verdict, data, tables=tables)
    if path.is_dir():
        _check_cut_sessions(path, verdicts)
    if against is not None and not any(one.compared for one in verdicts):
        raise SealError(f"{against}: holds no checkpoint of what is here")
    return verdicts


def _all_covered(folder: Path, logs: list[tuple[Path, Path]]) -> None:
    """Check that every file that a question or a run reads is in a log. BrokenSeal if not."""
    from hookstream.core.sources import rotated_from
    from hookstream.queries.sources import read_at

    names = {data.name for data, log in logs if log.name != LAKE}
    is_lake = any(log.name == LAKE for _, log in logs)
    for path in sorted({*read_at(folder), *folder.glob("*.jsonl"), *folder.glob("*.log")}):
        is_line = path.parent == folder and (path.name in names or rotated_from(path.name) in names)
        # Parts are compared with the log of the lake.
        if not is_line and not (is_lake and path.suffix == ENDING):
            raise BrokenSeal(str(path), "no seal covers this file")


def _check_around(verdict: SealVerdict, lake: Path, *, tables: bool) -> None:
    """Check what is next to the parts of a lake: files that are never read, and the derived tables.
    BrokenSeal if a question would read of these what the events do not give."""
    from hookstream.tables import manifest

    strays = Parts(lake).strays
    if strays:
        name, why = next(iter(strays.items()))
        verdict.doubts.append(f"{len(strays)} files that no command reads: {name}: {why}")
    folder = manifest.folder_of(lake)
    known, flaw = manifest.look(folder)  # as questions do
    if flaw:
        verdict.doubts.append(f"{folder}: damaged tables, which no question reads: {flaw}")
    elif known is not None and not tables:
        verdict.doubts.append(f"{folder}: the derived tables are not covered")
    elif known is not None:
        said = _disproof(lake)
        if said:
            place, _, why = said.partition(": ")
            raise BrokenSeal(place, why)
        verdict.has_proven_tables = True
    if any((folder / "findings").glob("*.parquet")):
        verdict.doubts.append(f"{folder / 'findings'}: what detect has stored is not covered")


def _check_cut_sessions(folder: Path, made: list[SealVerdict]) -> None:
    """Check the list of sessions that retention cut, which `gaps` reads, by the digest that the
    operator signed. BrokenSeal if another file is there, or one that no retention wrote."""
    path = folder / staged.PLACE / staged.SESSIONS
    signed = {one.cut for one in made if one.cut is not None}
    try:
        digest = sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        if signed - {""}:
            raise BrokenSeal(str(path), "missing; retention wrote it") from None
        return
    if not any(one.pruned or one.cut is not None for one in made) and not _breaks_off(folder):
        raise BrokenSeal(str(path), "no seal covers this file")
    if "" in signed:  # by a version that did not state it
        made[0].doubts.append(f"{path}: not covered")
    elif signed and digest not in signed:
        raise BrokenSeal(str(path), "changed since retention wrote it")


def _breaks_off(folder: Path) -> bool:
    return any(staged.committed(folder))


def _disproof(lake: Path) -> str:
    """The fault of the derived tables; asked again if a writer has changed them or the lake
    meanwhile."""
    import duckdb

    from hookstream.tables import manifest
    from hookstream.tables.proof import disproof

    text = ""
    for _ in range(3):
        before = manifest.read(manifest.folder_of(lake)), parts_of(lake)
        try:
            text = disproof(lake)
        except (HookstreamError, OSError, duckdb.Error) as error:
            text = f"{lake}: tables that cannot be compared: {str(error).splitlines()[0]}"
        if not text or before == (manifest.read(manifest.folder_of(lake)), parts_of(lake)):
            return text
    return text


def _by_log(keys: str | None) -> dict[str, str]:
    """Verifier keys, one per line, by the name of the log they are for. SealError."""
    lines = [line for line in (keys or "").splitlines() if line.strip()]
    return {Verifier.parse(line).name.rpartition("/")[2]: line for line in lines}


def _settled(data: Path, log: Path, given: Given) -> SealVerdict:
    """Verify while a writer may be running: a mismatch is looked at again if the head has moved."""
    for _ in range(3):
        before = _head_bytes(log)
        try:
            return _verify(data, log, given)
        except BrokenSeal:
            if _head_bytes(log) == before:
                raise
    return _verify(data, log, given)


def _head_bytes(log: Path) -> bytes:
    try:
        return (log / "checkpoint").read_bytes()
    except OSError:
        return b""


def _verify(data: Path, log: Path, given: Given) -> SealVerdict:
    verdict = SealVerdict(str(data))
    chain = Chain(log, given.keys.get(log.name), given.operators)
    head = chain.load()
    if given.against is not None:
        verdict.compared = chain.compare(given.against, head)
    leaves = _leaves(log, head)
    covered = [statement for statement in chain.statements if statement.index < head.size]
    # If the stored hashes are not what was signed, the records cannot be checked by them.
    _check_roots(chain, head, leaves, log)
    overlay = _unfinished(log, chain.pruned)
    if log.name == LAKE:
        verdict.records, verdict.unsealed = check_lake(data, covered, leaves, log, overlay)
    else:
        verdict.records, verdict.unsealed = check_lines(data, covered, leaves, overlay)
    _check_upper_levels(log, head, leaves)
    verdict.leaves = head.size
    verdict.hours, verdict.gaps = chain.hours, len(chain.gaps)
    if chain.pruned and not overlay:
        verdict.cut = str(chain.pruned[-1].said.get("sessions", ""))
    verdict.pruned = sum(count for one in chain.pruned for _, count in one.said["dropped"])
    _doubts(verdict, chain, given)
    if overlay:
        verdict.doubts.append("retention broke off; run hookstream retain again")
    return verdict


def _unfinished(log: Path, pruned: list[Statement]) -> dict[Path, Path | None]:
    """The file changes left by a retention that broke off after its statement."""
    data = staged.read(log.parent.parent / staged.PLACE / log.name)
    if data is None or not pruned or pruned[-1].said.get("commit") != data[1]:
        return {}
    return data[0].overlay()


def _leaves(log: Path, head: Checkpoint) -> bytes:
    path = path_of(log, 0)
    try:
        with path.open("rb") as file:
            leaves = file.read(head.size * HASH)
    except OSError:
        leaves = b""
    if len(leaves) < head.size * HASH:
        raise BrokenSeal(str(path), f"cut off: {len(leaves) // HASH} of {head.size} hashes")
    return leaves


def _check_roots(chain: Chain, head: Checkpoint, leaves: bytes, log: Path) -> None:
    """Check that the leaves give the root of every checkpoint, and hold the statements."""
    for statement in chain.statements:
        if statement.index < head.size:
            kept = leaves[statement.index * HASH : (statement.index + 1) * HASH]
            if kept != statement_leaf(statement.text):
                raise BrokenSeal(f"{log / 'journal'}: statement {statement.index}", "changed")
    tree = Tree()
    for size in sorted({*chain.checkpoints, head.size}):
        tree.extend(leaves[at : at + HASH] for at in range(tree.size * HASH, size * HASH, HASH))
        tree.levels = {}
        for place, root in chain.checkpoints.get(size, ()):
            if tree.root() != root:
                own = place.startswith(str(log))
                what = "changed" if own else "another history (fork)"
                raise BrokenSeal(str(path_of(log, 0)), f"{what}: not the root that {place} signs")


def _check_upper_levels(log: Path, head: Checkpoint, leaves: bytes) -> None:
    """Check the hashes that proofs are made from."""
    tree = Tree()
    tree.extend(leaves[at : at + HASH] for at in range(0, head.size * HASH, HASH))
    for level, hashes in tree.levels.items():
        path = path_of(log, level)
        meant = b"".join(hashes)
        kept = path.read_bytes()[: len(meant)] if path.exists() else b""
        if kept != meant:
            raise BrokenSeal(str(path), "changed; the records are whole")


def _doubts(made: SealVerdict, chain: Chain, given: Given) -> None:
    if chain.folder.name not in given.keys:
        made.doubts.append("the first key was not given")
    if given.against is None:
        made.doubts.append("no second place was given")
    if chain.lacking:
        made.doubts.append(
            f"{given.against} lacks {chain.lacking} of the checkpoints that it got: it was cut "
            "short, or could not be reached"
        )
    if chain.pruned and not given.operators:
        made.doubts.append("retention removed records; the operator's key was not given")
    if made.unsealed:
        made.doubts.append(f"{made.unsealed} records at the end are not sealed yet")
    if chain.gaps:
        hours = sum(last - first + 1 for first, last in chain.gaps)
        made.doubts.append(f"nothing ran in {hours} hours")
    if chain.unclean:
        made.doubts.append(f"{chain.unclean} ends of the writer were not clean")
    if given.now - chain.last_time > STALE_S:
        hours = int(given.now - chain.last_time) // 3600
        made.doubts.append(f"nothing sealed for {hours} hours")
