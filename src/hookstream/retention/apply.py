"""One folder after a policy: planned, staged, committed, and finished."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import HookstreamError
from hookstream.core.files import Folder
from hookstream.lake import staged as staging
from hookstream.lake.listing import Parts
from hookstream.retention.policy import Counts
from hookstream.retention.tails import retain_tails
from hookstream.seal.parts import state_pruned
from hookstream.seal.sealed import SEALS, Sealing, store_of
from hookstream.tables import manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from hookstream.lake.staged import Staged
    from hookstream.redaction import Redactor
    from hookstream.retention.lake import LakeRetention
    from hookstream.retention.policy import Policy
    from hookstream.retention.sealed_lines import FileRetention
    from hookstream.seal.log import SealedStore, SealLog
    from hookstream.seal.operator import Operator


@dataclass
class Retention:
    """The retention of a folder. `operator` signs for sealed folders, `places` get checkpoints,
    `keys` is the folder of the keys that seal."""

    policy: Policy
    redactor: Redactor
    keys: Path
    operator: Operator | None = None
    places: tuple[str, ...] = ()
    clock: Callable[[], float] = time.time
    counts: Counts = field(default_factory=Counts)

    def apply(self, folder: Path, *, dry_run: bool = False) -> Counts:
        """Count of what was removed, or would be. SinkError, SealError, HookstreamError, OSError;
        after any of them, or a crash, it may be called again."""
        if Parts(folder).is_lake:
            from hookstream.retention import lake

            work: LakeRetention | FileRetention = lake.LakeRetention(self, folder)
        else:
            from hookstream.retention import sealed_lines

            work = sealed_lines.FileRetention(self, folder)
        if dry_run:
            work.plan()
            return self.counts
        if (folder / SEALS).is_dir() and self.operator is None:
            raise HookstreamError(
                f"{folder}: sealed; name the operator's key with --operator-key, which signs what "
                "is removed"
            )
        writer = Folder(str(folder))
        try:
            staging.finish(folder)
            work.run()
            retain_tails(folder, self.policy)
        finally:
            writer.close()
        return self.counts

    @contextmanager
    def sealed(self, folder: Path, name: str) -> Iterator[SealedStore | None]:
        """The sealed store of a lake or a file, as its log has it; None without a seal. Its log
        ends cleanly with the block, unless that raises."""
        if not (folder / SEALS / name).is_dir():
            yield None
            return
        store = store_of(folder, name, Sealing(self.keys, self.places), self.clock)
        try:
            store.recover()
            yield store
            store.log.close()
        finally:
            store.release()

    def commit(self, staged: Staged, log: SealLog | None, leaves: list[bytes], **said: Any) -> None:
        """Put all that is staged in its place. Tables hold what was derived from what is removed: a
        crash must not leave them as they are."""
        (manifest.folder_of(staged.folder) / manifest.NAME).unlink(missing_ok=True)
        commit = staged.commit(sealed=log is not None)
        if log is not None:
            assert self.operator is not None
            cut = staged.digest_of(staged.folder / staging.PLACE / staging.SESSIONS)
            if cut is not None:
                said["sessions"] = cut
            state_pruned(
                log, self.operator, leaves, policy=self.policy.said(), commit=commit, **said
            )
        staged.finish()
