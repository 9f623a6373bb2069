"""A query within a time limit: DuckDB is interrupted when it is over, or by Ctrl-C. Meanwhile the
share of the running statement that is done is reported to `progress`.

The work runs in a separate thread, since the main one must be free to hear a signal while DuckDB
computes.
"""

from __future__ import annotations

import threading
import time
import weakref
from typing import TYPE_CHECKING, Any, TypeVar

from hookstream.core.progress import is_heard, step
from hookstream.queries.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb

T = TypeVar("T")
TIMEOUT_S = 300.0
# For how long a computation that was interrupted may take to end.
GRACE_S = 0.5
LOOK_S = 0.2

_stuck: list[threading.Event] = []
_open: weakref.WeakSet[Any] = weakref.WeakSet()
# Held where a connection is looked at, so that none is closed meanwhile.
_looking = threading.Lock()


def watch(connection: duckdb.DuckDBPyConnection) -> None:
    """From now on the connection is interrupted with the question that uses it."""
    with _looking:
        _open.add(connection)


def unwatch(connection: duckdb.DuckDBPyConnection) -> None:
    """The connection is about to be closed."""
    with _looking:
        _open.discard(connection)


def interrupt() -> None:
    """Stop what is being computed on every connection that is watched."""
    with _looking:
        for connection in _open:
            connection.interrupt()


def is_stuck() -> bool:
    """Return whether a computation is running that no interrupt has reached: the process must be
    left without waiting for it."""
    return any(not done.is_set() for done in _stuck)


def within(work: Callable[[], T], timeout_s: float | None = TIMEOUT_S, *, quiet: bool = False) -> T:
    """Return the result of `work`; with `quiet` its progress is not reported. Raises QueryError
    when the time is over, and what `work` raises."""
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    # Not Thread.join: a signal that comes in while it waits makes a thread look ended.
    done = threading.Event()
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        if not _ended(done, timeout_s, quiet):
            raise QueryError(
                f"no answer within {timeout_s:g} s; narrow it with --since or --session, build "
                "tables with `hookstream tables`, or allow more with --timeout"
            )
    finally:
        if not done.is_set():
            interrupt()
            if not done.wait(GRACE_S):
                _stuck.append(done)
    if errors:
        raise errors[0]
    return results[0]


def _ended(done: threading.Event, timeout_s: float | None, quiet: bool) -> bool:
    """Return whether the work ended in time. Report its progress if there is a listener."""
    if quiet or not is_heard():
        return done.wait(timeout_s)
    until = None if timeout_s is None else time.monotonic() + timeout_s
    while not done.wait(LOOK_S):
        if until is not None and time.monotonic() >= until:
            return False
        percent = _percent()
        if percent is not None:
            step(percent, 100, "%")
    return True


def _percent() -> int | None:
    """The share of the running statement that DuckDB has done; None if none is running."""
    with _looking:
        known = [connection.query_progress() for connection in _open]
    return max((int(one) for one in known if one >= 0), default=None)
