"""Apply a policy to a lake, and to its log if it is sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.lake.compaction import alone
from hookstream.lake.listing import parts_of
from hookstream.lake.staged import Staged
from hookstream.retention import ledger
from hookstream.retention.lake import PartPlan, RetainedLake
from hookstream.retention.lines import SessionRecords
from hookstream.retention.policy import CONTENT, DROP
from hookstream.retention.records import Without
from hookstream.seal.layout import ranges
from hookstream.seal.parts import SealedLake, digest_of, hashed
from hookstream.seal.sealed import LAKE

if TYPE_CHECKING:
    from pathlib import Path

    from hookstream.retention.apply import Retention


class LakeRetention:
    """A lake."""

    def __init__(self, given: Retention, folder: Path) -> None:
        self.given = given
        self.folder = folder
        self.lake = RetainedLake(folder, given.policy, Without(given.redactor))
        self.done = ledger.content_done(folder)
        self.sessions = SessionRecords()

    def plan(self) -> list[PartPlan]:
        return self.lake.plan(self.given.counts, self.done, self.sessions)

    def run(self) -> None:
        log = self.given.log_of(self.folder, LAKE)
        stream = None if log is None else SealedLake(self.folder, log)
        try:
            if stream is not None:
                stream.recover()
            with alone(self.folder):
                changes = [part for part in self.plan() if part.is_any]
                if changes:
                    self._commit(changes, stream)
            self._note()
            if log is not None:
                log.close()
        finally:
            if log is not None:
                log.release()

    def _commit(self, changes: list[PartPlan], stream: SealedLake | None) -> None:
        staged = Staged(self.folder, LAKE)
        staged.begin()
        mark = f"retained {self.given.policy.now}"
        made = [(part, self.lake.stage(part, staged, mark)) for part in changes]
        targets = {name: target for name, target, _ in staged.put}
        ledger.stage_sessions(
            staged, self.sessions.dropped, self.sessions.kept, self.given.policy.now
        )
        if stream is None:
            self.given.commit(staged, None, [])
            return
        said: dict[str, Any] = {"dropped": [], "replaced": [], "by": [], "new": []}
        said["parts"] = [part.path.relative_to(self.folder).as_posix() for part in changes]
        for (part, path), old in zip(made, said["parts"], strict=True):
            first = stream.first_of(old, digest_of(part.path))
            _add(said, part.actions, first, DROP, "dropped")
            _add(said, part.actions, first, CONTENT, "replaced")
            if path is not None:
                leaves, columns = hashed(path, self.folder / targets[path.name])
                new = stream.state_part(targets[path.name], path, leaves, columns)
                said["new"].append(targets[path.name])
                left = bytearray(action for action in part.actions if action != DROP)
                _add(said, left, new, CONTENT, "by")
        self.given.commit(staged, stream.log, [], **said)

    def _note(self) -> None:
        border = self.given.policy.content_border
        if border is not None:
            ledger.note_content(self.folder, dict.fromkeys(parts_of(self.folder), border))


def _add(said: dict[str, Any], actions: bytearray, first: int, action: int, name: str) -> None:
    said[name] += ranges(first + row for row, one in enumerate(actions) if one == action)
