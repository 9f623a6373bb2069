"""Progress of long work, reported to a listener, if any: a bar on a terminal."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Listener = Callable[[int, int | None], None]

_listener: ContextVar[Listener | None] = ContextVar("progress", default=None)


def step(done: int, total: int | None = None) -> None:
    """Report that N of `total` (None: unknown) are done."""
    listener = _listener.get()
    if listener is not None:
        listener(done, total)


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
