"""Hits of the rules over the lake: evaluated in the background, once for each state of the lake;
when parts have arrived pages show those of the state before."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import HookstreamError
from hookstream.core.progress import heard
from hookstream.tables.connection import within_memory
from hookstream.ui.casebook import with_status
from hookstream.ui.lake import signature_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    import duckdb

    from hookstream.rules.findings import Finding
    from hookstream.rules.tuning import DetectOptions
    from hookstream.ui.lake import BrowsedLake
    from hookstream.ui.rulepage import RuleBook


NAME = "findings"
COLUMNS = tuple(
    (
        "status level title timestamp machine_id user_id tool session_id shown rule_id event_id "
        "reason expires finding_id rule"
    ).split()
)
TYPES = {column: "TIMESTAMP" if column == "timestamp" else "VARCHAR" for column in COLUMNS}


def fill(connection: duckdb.DuckDBPyConnection, rows: list[dict[str, Any]]) -> None:
    """Make the temporary table `findings` of these rows."""
    import pyarrow as pa

    kinds = {"TIMESTAMP": pa.timestamp("us"), "VARCHAR": pa.string()}
    made = pa.table(
        {name: pa.array([row[name] for row in rows], kinds[TYPES[name]]) for name in COLUMNS}
    )
    connection.register("findings_now", made)
    connection.execute(f"create or replace temp table {NAME} as from findings_now")
    connection.unregister("findings_now")


# How long a page waits for the first evaluation; memory of one, if that is enough.
PATIENCE_S = 4.0
MEMORY_BYTES = 1 << 30


class RuleHits:
    """`as_of` is when the state that is shown was looked at, `is_stale` whether there is a newer
    one that is being evaluated, `progress` how many rules were asked, of how many. SQL names the
    hits as the table `findings`. `before` is called, in the background, before rules are asked."""

    def __init__(
        self, lake: BrowsedLake, book: RuleBook, before: Callable[[], None] = lambda: None
    ) -> None:
        self.lake = lake
        self.book = book
        self.before = before
        self.patience_s = PATIENCE_S
        self.progress: tuple[int, int | None, str] = (0, None, "")
        self.as_of: datetime | None = None
        self.is_stale = False
        self._lock = threading.Lock()
        self._signature: tuple[int, ...] | None = None
        self._edition = 0  # of the rules
        self._rows: list[dict[str, Any]] | None = None
        self._error: HookstreamError | None = None
        self._work: threading.Thread | None = None
        self._day: date | None = None
        lake.own[NAME] = self._fill

    def start(self) -> None:
        """Begin to evaluate if the lake has changed and no evaluation is running."""
        with self._lock:
            signature = (*signature_of(self.lake.path), self._edition)
            self.is_stale = signature != self._signature
            if self.is_stale and (self._work is None or not self._work.is_alive()):
                self._work = threading.Thread(
                    target=self._evaluate, args=(signature,), daemon=True, name="rules"
                )
                self._work.start()

    def shown(self) -> bool:
        """Wait a moment for the first evaluation; return whether there is one. Raises what it
        raised."""
        self.start()
        work = self._work
        if self._rows is None and work is not None:
            work.join(self.patience_s)
            if work.is_alive():
                return False
        self.ready()
        return True

    def ready(self) -> None:
        """See that the table is there. Waits only for the first evaluation; raises what that one
        raised."""
        self.start()
        work = self._work
        if self._rows is None and work is not None:
            work.join()
            self.is_stale = False
        if self._rows is None:
            raise self._error or HookstreamError("the rules could not be evaluated")
        if self._day not in (None, datetime.now(UTC).date()):  # a status may have expired
            self.lake.changed(NAME)

    def rules_changed(self) -> None:
        """Evaluate again at the next look: there are other rules now."""
        with self._lock:
            self._edition += 1

    @property
    def share(self) -> str:
        """The progress in words, empty before the first rule."""
        done, total, unit = self.progress
        return f"{done} of {total} {unit or 'rules'}" if total else ""

    @property
    def is_running(self) -> bool:
        """Return whether rules are being asked."""
        return self._work is not None and self._work.is_alive()

    @property
    def is_ready(self) -> bool:
        return self._rows is not None

    def current(self) -> list[dict[str, Any]]:
        """The rows as they are now, evaluated before if need be."""
        self.ready()
        return with_status(self._rows or [], self.lake.casebook.statuses())

    def _fill(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._day = datetime.now(UTC).date()
        fill(connection, with_status(self._rows or [], self.lake.casebook.statuses()))

    def _asked(self, asked: DetectOptions) -> list[Finding]:
        from hookstream.rules.ask import ask

        with heard(self._hear):
            return within_memory(MEMORY_BYTES, lambda: ask(self.lake.path, asked)).findings

    def _hear(self, done: int, total: int | None, unit: str) -> None:
        self.progress = (done, total, unit)

    def _evaluate(self, signature: tuple[int, ...]) -> None:
        self.before()
        now = datetime.now(UTC).replace(tzinfo=None)
        try:
            places = self.book.places
            asked = replace(self.book.asked, rules=places)
            every = self._asked(asked) if places else []
            found = [
                {name: getattr(one, name) for name in COLUMNS if hasattr(one, name)}
                for one in every
            ]
        except HookstreamError as error:
            self._error = error
            return
        self._rows, self._signature, self.as_of = found, signature, now
        self.lake.changed(NAME)
