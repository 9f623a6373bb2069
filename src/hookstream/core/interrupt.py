"""Ctrl-C: deferred to the end of a batch where output and counters must stay consistent, and the
end of the process where nothing can be left half done. The one place that knows how libraries
answer it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import weakref
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from hookstream.core.early import INTERRUPTED, leave_early

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Handlers that may be replaced: Python's, and ours of its start.
OURS = (signal.default_int_handler, leave_early)


class Shield:
    """While it is held, the first Ctrl-C waits for `release`; a second one breaks through."""

    def __init__(self) -> None:
        self.held = False
        self.asked = False

    def take(self, number: int, frame: Any) -> None:
        """The signal's handler."""
        if self.held and not self.asked:
            self.asked = True
            return
        raise KeyboardInterrupt

    def release(self) -> None:
        self.held = False
        if self.asked:
            self.asked = False
            raise KeyboardInterrupt


@contextmanager
def shielded() -> Iterator[Shield]:
    """A Shield in place of Python's own handler; another program's handler is left alone."""
    shield = Shield()
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT)
    if not main or before not in OURS:
        yield shield
        return
    signal.signal(signal.SIGINT, shield.take)
    try:
        yield shield
    finally:
        signal.signal(signal.SIGINT, before)


# Commands that leave nothing half done when they are killed: Ctrl-C ends them wherever they are.
AT_ONCE = frozenset(
    "backfill config coverage demo detect export mcp queries query report resolve "
    "status tables ui validate vendors verify views".split()
)
# For how long temporary folders are removed before the process ends.
TIDY_S = 2
# How often a folder has to be gone, and the time between two looks.
LOOKS, LOOK_S = 3, 0.01
# For how long a process that was killed is waited for.
WAIT_S = 0.1
# Set while Ctrl-C ends the process.
LEAVING = threading.Event()
# Temporary folders from before they are made until they are gone.
OPEN: set[str] = set()
SHOW_CURSOR = b"\x1b[?25h"


def was_interrupted(error: BaseException | None) -> bool:
    """Return whether Ctrl-C caused an exception, whatever a library raises: DuckDB answers a signal
    with `RuntimeError: Query interrupted`."""
    seen = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, KeyboardInterrupt):
            return True
        if isinstance(error, RuntimeError) and str(error) == "Query interrupted":
            return True
        error = error.__cause__ or error.__context__
    return False


@contextmanager
def raised_within() -> Iterator[None]:
    """Within, Ctrl-C is an exception, for a command that puts in order what it began; before and
    after it ends a process of the command line as it does among imports."""
    if signal.getsignal(signal.SIGINT) is not leave_early:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, leave_early)


@contextmanager
def ending_at_once(code: int = INTERRUPTED) -> Iterator[None]:
    """Within, Ctrl-C removes temporary folders and ends the process with this status, whatever it
    is doing: importing, computing outside Python, printing, waiting for workers.

    Nothing is raised, so that no library meets an exception where it expects none. Where Ctrl-C is
    ignored or another program's, and in other threads than the main one, it stays as it is.
    """
    main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT)
    if not main or handler not in OURS or os.name == "nt":
        yield
        return
    read, write = os.pipe()
    os.set_blocking(write, False)
    before = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, lambda number, frame: None)
    threading.Thread(target=_leave_on_signal, args=(read, code), daemon=True).start()
    try:
        yield
    finally:
        if LEAVING.is_set():
            # The other thread ends the process; this one's status would be of what it broke.
            threading.Event().wait(2 * TIDY_S)
        signal.signal(signal.SIGINT, handler)
        signal.set_wakeup_fd(before)
        os.close(write)


@contextmanager
def temporary_folder(prefix: str) -> Iterator[str]:
    """A folder that is removed at the end, and by a Ctrl-C while that is under way."""
    from pathlib import Path
    from shutil import rmtree
    from tempfile import gettempdir

    folder = Path(gettempdir(), prefix + os.urandom(8).hex())
    OPEN.add(str(folder))  # before it is made: Ctrl-C may come right after
    folder.mkdir(0o700)
    try:
        yield str(folder)
    finally:
        rmtree(folder)
    OPEN.discard(str(folder))


def _leave_on_signal(read: int, code: int) -> None:
    while numbers := os.read(read, 64):
        if signal.SIGINT in numbers:
            _leave(code)
    os.close(read)


def _leave(code: int) -> None:
    LEAVING.set()
    errors = _silenced()
    try:
        kill_workers()
        tidy = threading.Thread(target=_tidy, daemon=True)
        tidy.start()
        tidy.join(TIDY_S)
        with suppress(OSError):
            if os.isatty(errors):
                os.write(errors, SHOW_CURSOR)
            if code:
                os.write(errors, b"hookstream: interrupted\n")
    finally:
        os._exit(code)


def _silenced() -> int:
    """Standard error, which from now on only the caller has: the command meets what is removed
    below it, and must not say so."""
    try:
        errors = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for number in (1, 2):
            os.dup2(nowhere, number)
    except OSError:
        return 2
    return errors


def _tidy() -> None:
    folders = [str(name) for _, names in _finalizers() for name in names]
    _remove_until_gone([*folders, *OPEN])
    remove_temporary_folders()
    processes = sys.modules.get("multiprocessing.util")
    if processes is not None:
        processes._run_finalizers(0)  # semaphores of pools, of whose loss their tracker warns


def _remove_until_gone(folders: list[str]) -> None:
    """Remove folders into which the command still writes until it notices."""
    if not folders:
        return
    from pathlib import Path  # loaded: tempfile has both
    from shutil import rmtree

    absent = 0
    while absent < LOOKS:
        absent = 0 if any(map(os.path.lexists, folders)) else absent + 1
        for folder in folders:
            away = f"{folder}.removed"  # at once, so that nothing comes into it any more
            with suppress(OSError):
                Path(folder).rename(away)
            rmtree(away, ignore_errors=True)
        time.sleep(LOOK_S)


def _finalizers() -> list[tuple[Callable[[], object], tuple[object, ...]]]:
    """The finalizer of each temporary folder of this process, with its name."""
    registry = weakref.finalize._registry  # type: ignore[attr-defined]
    return [
        (finalizer, details.args)
        for finalizer, details in list(registry.items())
        if details.func.__module__ == "tempfile"
    ]


def remove_temporary_folders() -> None:
    """Remove the temporary folders of this process, as tempfile does at a normal end; the other
    finalizers would close connections that are in use."""
    for finalizer, _ in _finalizers():
        with suppress(OSError):
            finalizer()
    spill = sys.modules.get("hookstream.tables.connection")
    if spill is not None:
        spill.remove_own()
        spill.sweep()


def kill_workers() -> None:
    """End the processes of this one's pools."""
    pools = sys.modules.get("multiprocessing.process")
    children = pools.active_children() if pools is not None else ()
    for child in children:
        child.kill()
    for child in children:
        child.join(WAIT_S)


@contextmanager
def deaf_workers() -> Iterator[None]:
    """Processes that are started within never see Ctrl-C: it is this one that ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # what starts with the first process, and would unblock SIGINT
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
