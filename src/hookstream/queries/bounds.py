"""A question within a time: DuckDB is interrupted when it is over, or by Ctrl-C.

The work goes on in a thread of its own, since the main one must be free to hear a signal while
DuckDB computes.
"""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING, Any, TypeVar

from hookstream.queries.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb

T = TypeVar("T")
TIMEOUT_S = 300.0
# For how long a computation that was interrupted may take to end.
GRACE_S = 0.5

_stuck: list[threading.Event] = []
_open: weakref.WeakSet[Any] = weakref.WeakSet()


def watch(connection: duckdb.DuckDBPyConnection) -> None:
    """From now on the connection is interrupted with the question that uses it."""
    _open.add(connection)


def is_stuck() -> bool:
    """Whether a computation goes on that no interrupt has reached: the process must be left
    without waiting for it."""
    return any(not done.is_set() for done in _stuck)


def within(work: Callable[[], T], timeout_s: float | None = TIMEOUT_S) -> T:
    """What `work` gives. Raises QueryError when the time is over, and what `work` raises."""
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
        if not done.wait(timeout_s):
            raise QueryError(
                f"no answer within {timeout_s:g} s; narrow it with --since or --session, build "
                "tables with `hookstream tables`, or allow more with --timeout"
            )
    finally:
        if not done.is_set():
            for connection in list(_open):
                connection.interrupt()
            if not done.wait(GRACE_S):
                _stuck.append(done)
    if errors:
        raise errors[0]
    return results[0]
