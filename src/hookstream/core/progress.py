"""Progress of long work, reported to a listener, if any: a bar on a terminal."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    Listener = Callable[[int, int | None, str], None]
    T = TypeVar("T")

# Items between two reports of a count.
EVERY = 256

_listener: ContextVar[Listener | None] = ContextVar("progress", default=None)


def step(done: int, total: int | None = None, unit: str = "") -> None:
    """Report that N of `total` (None: unknown) are done, of a unit if it is not the listener's."""
    listener = _listener.get()
    if listener is not None:
        listener(done, total, unit)


def counted(items: Iterable[T], unit: str, total: int | None = None) -> Iterator[T]:
    """Yield items; report their number each time one is asked for after work on the one before, of
    an unknown total every EVERY items."""
    done = 0
    for done, item in enumerate(items):
        if total is not None or done % EVERY == 0:
            step(done, total, unit)
        yield item


def is_heard() -> bool:
    """Return whether anybody listens."""
    return _listener.get() is not None


@contextmanager
def heard(listener: Listener) -> Iterator[None]:
    """Calls `listener` for every step of the work within."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)
