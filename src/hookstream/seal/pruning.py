"""The statement that retention removed records, and the change of files after it.

The new files are staged first, then the statement is sealed, then they take their places: a crash
before the statement changes nothing, one after it is finished when the log is opened again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.lake import staged

if TYPE_CHECKING:
    from pathlib import Path

    from hookstream.seal.log import SealLog
    from hookstream.seal.operator import Operator


def state_pruned(log: SealLog, operator: Operator, leaves: list[bytes], **said: Any) -> None:
    """Seal the leaves of new lines and the statement over what went; SealError. It is on disk and
    with the second places as soon as these can be reached."""
    if leaves:
        log.add(leaves)
    given = {"kind": "pruned", "time": int(log.clock()), **said}
    log.state(**operator.sign(log.origin, log.size, given))
    log.checkpoint()


def finish_pruning(log: SealLog, folder: Path) -> bool:
    """Finish the change of files that the last statement commits, drop one that was never stated;
    return whether there was one to finish. OSError."""
    found = staged.read(folder / staged.PLACE / log.folder.name)
    if found is None or not found[2]:
        return False
    made, digest, _ = found
    last = [one for one in log.journal.statements if one.kind == "pruned"][-1:]
    if last and last[0].said.get("commit") == digest:
        made.finish()
        return True
    made.discard()
    return False
