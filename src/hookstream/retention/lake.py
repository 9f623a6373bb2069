"""Retention of a lake: parts whose rows all stay are not touched, others are rewritten.

What has lost its content is derived again from its Agent Hooks text; rows of a lake that is written
without texts hold no content but messages, and keep these.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from hookstream.core.errors import SinkError
from hookstream.core.progress import counted
from hookstream.lake.compaction import alone, fitted
from hookstream.lake.listing import Parts, parts_of
from hookstream.lake.parts import RANGE, RUN, digest
from hookstream.lake.rows import DATE, PLACE, rows_of, tool_in
from hookstream.lake.staged import Staged
from hookstream.lake.stores import write_file, write_table
from hookstream.retention import ledger
from hookstream.retention.lines import SessionRecords
from hookstream.retention.policy import CONTENT, DROP, KEEP, Counts, Facts, aged
from hookstream.retention.records import Without
from hookstream.seal.layout import ranges
from hookstream.seal.parts import SealedLake, digest_of, hashed
from hookstream.seal.sealed import LAKE

if TYPE_CHECKING:
    from pathlib import Path

    from hookstream.retention.apply import Retention
    from hookstream.seal.log import SealedStore
    from hookstream.standards.rendered import Rendered

BASE = datetime(1970, 1, 1)


class PartPlan(NamedTuple):
    """The plan for a part: an action per row, and the new rows in their order."""

    path: Path
    actions: bytearray
    made: list[Rendered]

    @property
    def is_any(self) -> bool:
        return any(self.actions)


class LakeRetention:
    """A lake after a policy, and its log if it is sealed."""

    def __init__(self, given: Retention, folder: Path) -> None:
        self.given = given
        self.folder = folder
        self.policy = given.policy
        self.without = Without(given.redactor)
        self.sessions = SessionRecords()

    def plan(self) -> list[PartPlan]:
        """Plan each part. SinkError if one cannot be read."""
        import pyarrow as pa

        plans = []
        counts, done = self.given.counts, ledger.content_done(self.folder)
        listed = Parts(self.folder)
        counts.left += [
            f"{self.folder / name}: left out: {why}" for name, why in listed.strays.items()
        ]
        for name in counted(sorted(listed.sizes), "parts", len(listed.sizes)):
            path = self.folder / name
            try:
                plans.append(self._part(path, counts, done.get(name)))
            except (OSError, pa.ArrowException, KeyError) as error:
                raise SinkError(f"{path}: cannot be read: {type(error).__name__}") from None
        return plans

    def _part(self, path: Path, counts: Counts, done: Any) -> PartPlan:
        import pyarrow.parquet as pq

        tool = tool_in(path.parent.name)
        names = ["timestamp", "session_id", "user_id", "machine_id"]
        with pq.ParquetFile(path) as file:
            columns = [column.to_pylist() for column in file.read(names).columns]
            has_receipt = "received_at" in file.schema_arrow.names
            receipts = (
                file.read(["received_at"]).column(0).to_pylist() if has_receipt else repeat(None)
            )
            rows = [
                Facts(aged(_micros(at), _micros(received)), session, user, machine, tool)
                for (at, session, user, machine), received in zip(
                    zip(*columns, strict=True), receipts, strict=False
                )
            ]
            texts = self._texts(file, rows, done)
        actions, made = bytearray(), []
        for number, facts in enumerate(rows):
            action, why = self.policy.decide(facts)
            if action == CONTENT:
                text = texts[number] if texts else None
                event = None if text is None else self.without.event(text.encode("utf-8"))
                if event is None:
                    action, why = KEEP, ""
                else:
                    made.append(event)
            if why:
                counts.add(why, facts)
            counts.kept += action != DROP
            self.sessions.add(facts, action)
            actions.append(action)
        return PartPlan(path, actions, made)

    def _texts(self, file: Any, rows: list[Facts], done: Any) -> list[str | None]:
        """The rows' texts, if rows of the part may have content to lose."""
        border = self.policy.content_border
        if border is None or _covers(done, rows, border):
            return []
        texts: list[str | None] = file.read(["agent_hooks"]).column(0).to_pylist()
        return texts

    def _stage(self, part: PartPlan, staged: Staged, mark: str) -> Path | None:
        """Write the part as it is to be, under a new name; the staged file, None if no row
        stays. OSError."""
        staged.drop(part.path)
        table = self._table(part)
        if not len(table):
            return None
        target = part.path.with_name(_name(part.path.name, table, mark))
        path = staged.file()
        write_file(path, lambda file: write_table(table, file))
        staged.add(path, target)
        return path

    def _table(self, part: PartPlan) -> Any:
        import pyarrow as pa
        import pyarrow.parquet as pq

        with pq.ParquetFile(part.path) as file:
            table = file.read()
        # Rows without texts are sealed with the columns that they have.
        if part.made:
            table = fitted(table)
            both = table.column("aarts").null_count < len(table)
            new, flaws = rows_of(part.made, "both" if both else "agent-hooks")
            if flaws or new is None:
                raise SinkError(f"{part.path}: a row without its content cannot be written")
            new = new.drop_columns([PLACE, DATE, "tool"])
            table = pa.concat_tables([table, new]).combine_chunks()
        order, fresh = [], len(part.actions)
        for number, action in enumerate(part.actions):
            if action == CONTENT:
                order.append(fresh)
                fresh += 1
            elif action == KEEP:
                order.append(number)
        return table.take(pa.array(order, pa.int64())).combine_chunks()

    def run(self) -> None:
        with self.given.sealed(self.folder, LAKE) as store:
            with alone(self.folder):
                changes = [part for part in self.plan() if part.is_any]
                if changes:
                    self._commit(changes, store)
            self._note()

    def _commit(self, changes: list[PartPlan], store: SealedStore | None) -> None:
        staged = Staged(self.folder, LAKE)
        staged.begin()
        mark = f"retained {self.policy.now}"
        made = [(part, self._stage(part, staged, mark)) for part in changes]
        targets = {name: target for name, target, _ in staged.put}
        ledger.stage_sessions(staged, self.sessions.dropped, self.sessions.kept, self.policy.now)
        if not isinstance(store, SealedLake):
            self.given.commit(staged, None, [])
            return
        fields: dict[str, Any] = {"dropped": [], "replaced": [], "by": [], "new": []}
        fields["parts"] = [part.path.relative_to(self.folder).as_posix() for part in changes]
        for (part, path), old in zip(made, fields["parts"], strict=True):
            first = store.first_of(old, digest_of(part.path))
            _add(fields, part.actions, first, DROP, "dropped")
            _add(fields, part.actions, first, CONTENT, "replaced")
            if path is not None:
                leaves, columns = hashed(path, self.folder / targets[path.name])
                new = store.state_part(targets[path.name], path, leaves, columns)
                fields["new"].append(targets[path.name])
                left = bytearray(action for action in part.actions if action != DROP)
                _add(fields, left, new, CONTENT, "by")
        self.given.commit(staged, store.log, [], **fields)

    def _note(self) -> None:
        border = self.policy.content_border
        if border is not None:
            ledger.note_content(self.folder, dict.fromkeys(parts_of(self.folder), border))


def _add(said: dict[str, Any], actions: bytearray, first: int, action: int, name: str) -> None:
    said[name] += ranges(first + row for row, one in enumerate(actions) if one == action)


def _micros(at: datetime | None) -> int | None:
    return None if at is None else _since_1970(at)


def _since_1970(at: datetime) -> int:
    plain = at if at.tzinfo is None else at.astimezone(UTC).replace(tzinfo=None)
    return (plain - BASE) // timedelta(microseconds=1)


def _covers(done: Any, rows: list[Facts], border: int) -> bool:
    """Return whether all that is older than the border had lost its content by then."""
    due = [facts.at for facts in rows if facts.at is not None and facts.at < border]
    return not due or (type(done) is int and max(due) < done)


def _name(old: str, table: Any, mark: str) -> str:
    """Name a part: its place in its source stays; the digest differs from the replaced part's."""
    ids = digest([*table.column("event_id").to_pylist(), mark])
    if (match := RANGE.match(old)) or (match := RUN.match(old)):
        return f"part-{match[1]}-{match[2]}-{ids}.parquet"
    return f"part-00000-{ids}-{ids}.parquet"
