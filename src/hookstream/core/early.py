"""Ctrl-C before a command has said what it does then, and after its end: one word and 130. An
exception among imports would be a traceback, or be taken for the fault of a library.

Imports nothing that Python has not loaded at its start: what comes before this cannot be helped.
"""

import _signal
import os

INTERRUPTED = 130


def leave_early(number: int, frame: object) -> None:
    """The signal's handler."""
    try:
        os.write(2, b"hookstream: interrupted\n")
    finally:
        os._exit(INTERRUPTED)


def listen() -> None:
    """From now on Ctrl-C ends the process, unless it is ignored or another program's."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        try:
            _signal.signal(_signal.SIGINT, leave_early)
        except ValueError:
            return  # a thread, which hears no signal
