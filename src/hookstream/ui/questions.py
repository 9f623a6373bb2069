"""Free SQL in separate processes: a question ends at its limit whatever it computes.

DuckDB looks for an interrupt between chunks of rows. One call that takes a minute for one row
(`repeat('x', 3000000000)`) never meets such a place, holds gigabytes, and turning its result into
Python stops all threads. So the SQL page's questions are asked in a process that is killed when the
time is over, and whose memory has a bound; the next question starts another.
"""

from __future__ import annotations

import multiprocessing
import pickle
import threading
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import HookstreamError
from hookstream.core.interrupt import deaf_workers
from hookstream.queries import capture_log, guard, roster
from hookstream.queries.errors import QueryError
from hookstream.tables.connection import memory_of, share_of_memory
from hookstream.ui import rulehits
from hookstream.ui.casebook import ROTATED
from hookstream.ui.lake import MOST_ROWS, TIMEOUT_S, Answer, BrowsedLake

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from pathlib import Path

    from hookstream.queries.unmatched import RulesHere

    Rows = list[dict[str, Any]]

PROCESSES = 2
# Beyond the question's own limit, which DuckDB mostly keeps; and for a process to open the lake.
GRACE_S, OPEN_S = 1.0, 120.0
# Address space above what DuckDB may hold, for Python, its libraries and a result.
SPACE_BYTES = 6 << 30
RESULT_BYTES = 256 << 20


class FreeQuestions:
    """Asks free SQL of a lake. `findings` gives the rows of that table of ours."""

    def __init__(
        self, path: Path, rules: RulesHere | None, findings: Callable[[], Rows] = list
    ) -> None:
        self.path = path
        self.rules = rules
        self.findings = findings
        self._askers = [Asker(path, rules) for _ in range(PROCESSES)]
        self._idle = list(self._askers)
        self._free = threading.Condition()

    def ask(self, sql: str, limit: int = MOST_ROWS) -> Answer:
        """At most `limit` rows. Raises RefusedSQL or QueryError with one line for the user."""
        guard.check(sql)
        rows = self.findings() if rulehits.NAME in sql else None
        with self._free:
            if not self._free.wait_for(lambda: self._idle, TIMEOUT_S + GRACE_S):
                raise QueryError(f"{PROCESSES} questions are being answered; ask again in a moment")
            asker = self._idle.pop(0)
        try:
            return asker.ask(sql, limit, rows)
        finally:
            with self._free:
                self._idle.insert(0, asker)
                self._free.notify()

    def warm(self) -> None:
        """Start a process before a request waits for it."""
        with suppress(HookstreamError):
            self.ask("select 1")

    def close(self) -> None:
        """End all that is asked, now and from now on."""
        for asker in self._askers:
            asker.close()


class Asker:
    """One process with the lake open, started when it is asked and again after it was killed."""

    def __init__(self, path: Path, rules: RulesHere | None) -> None:
        self.path = path
        self.rules = rules
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None
        self._is_closed = False
        self._ending = threading.Lock()

    def ask(self, sql: str, limit: int, findings: Rows | None) -> Answer:
        line = self._line
        if line is None or self._process is None or not self._process.is_alive():
            line = self._start()
        try:
            line.send((sql, limit, findings))
            if not line.poll(TIMEOUT_S + GRACE_S):
                self.end()
                raise QueryError(f"stopped after {TIMEOUT_S:.0f} s; narrow the time range")
            said = line.recv()
        except (EOFError, OSError):
            self.end()
            if self._is_closed:
                raise QueryError("the application is ending") from None
            raise QueryError("the question needs more memory than it may have") from None
        if isinstance(said, QueryError):
            raise said
        answer: Answer = said
        return answer

    def _start(self) -> Connection:
        self.end()
        if self._is_closed:
            raise QueryError("the application is ending")
        context = multiprocessing.get_context("spawn")
        line, theirs = context.Pipe()
        given = (theirs, self.path, self.rules, roster.expected(), capture_log.key_in_use())
        process = context.Process(target=answer_all, args=given, daemon=True, name="question")
        with deaf_workers():  # also while it starts
            process.start()
        theirs.close()
        self._process, self._line = process, line
        until = time.monotonic() + OPEN_S
        try:
            while not line.poll(0.2):
                if time.monotonic() > until or not process.is_alive():
                    raise EOFError
            problem = line.recv()
        except (EOFError, OSError):
            problem = "the lake could not be opened for questions"
        if problem:
            self.end()
            raise QueryError(problem)
        return line

    def close(self) -> None:
        """Kill the process from another thread: who waits for its answer meets the line's end."""
        self._is_closed = True
        if (process := self._process) is not None:
            process.kill()

    def end(self) -> None:
        """Kill the process: whatever it computes is not wanted. Safe for several threads: the one
        that waits for an answer ends it too when the application is stopped."""
        with self._ending:
            process, line = self._process, self._line
            self._process = self._line = None
        if line is not None:
            line.close()
        if process is not None:
            process.kill()
            process.join(GRACE_S)


def answer_all(
    line: Connection,
    path: Path,
    rules: RulesHere | None,
    machines: list[tuple[str, str]],
    key: Callable[[], bytes | None],
) -> None:
    """The process: answers one question after the other until no more are asked. The asking
    process's options, on expected machines and the key of their names, hold here too."""
    import signal

    from hookstream.delivery.parallel import end_with_parent

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asks decides
    end_with_parent()
    roster.expect(machines)
    capture_log.use_key(key)
    memory = share_of_memory(8)
    _bound(memory + SPACE_BYTES)
    lake = BrowsedLake(path, rules, readers=1, quiet=True)
    rows: Rows | None = None
    with memory_of(memory):
        try:
            lake.one("select 1")
            line.send("")
        except HookstreamError as error:
            line.send(str(error))
            return
        while True:
            try:
                sql, limit, findings = line.recv()
            except (EOFError, OSError):
                return
            if findings is not None and findings != rows:
                rows = findings
                lake.own[rulehits.NAME] = partial(rulehits.fill, rows=findings)
                lake.changed(rulehits.NAME)
            lake.changed(ROTATED)  # the file next to the lake may hold more by now
            line.send_bytes(pickle.dumps(_answered(lake, sql, limit)))


def _answered(lake: BrowsedLake, sql: str, limit: int) -> Answer | QueryError:
    """The answer, or why it failed: in one line, with DuckDB's hint."""
    try:
        answer = lake.ask(sql, limit=limit + 1)
    except QueryError as error:
        return error
    except HookstreamError as error:
        return QueryError(str(error))
    except MemoryError:
        return QueryError("the question needs more memory than it may have")
    except Exception as error:
        return QueryError(f"internal error: {type(error).__name__}; please report it")
    if len(answer.rows) > limit and limit == MOST_ROWS:
        return QueryError(f"more than {MOST_ROWS} rows; narrow them, or use hookstream query")
    if len(pickle.dumps(answer)) > RESULT_BYTES:
        most = f"a result of more than {RESULT_BYTES >> 20} MiB"
        return QueryError(f"{most}; select fewer columns or rows")
    return answer


def _bound(space: int) -> None:
    """Limit the address space, if the system can."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (space, space))
    except (ImportError, ValueError, OSError):
        return
