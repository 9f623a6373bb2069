"""The command line. `main` is the console script; the hook program is reached
before anything heavy is imported."""

from __future__ import annotations

import sys

from hookstream.core.early import INTERRUPTED, listen


def main() -> None:
    listen()
    if len(sys.argv) > 1 and sys.argv[1] == "hook":
        from hookstream.capture.hook.launch import run_by_hand

        sys.exit(run_by_hand(sys.argv[2:]))
    if len(sys.argv) > 3 and sys.argv[1] == "wrap" and "--" in sys.argv:
        from hookstream.capture.wrap.main import main as wrap

        wrap(sys.argv[2:])
        return
    from hookstream.core.interrupt import AT_ONCE, ending_at_once

    word = sys.argv[1] if len(sys.argv) > 1 else ""
    if word in AT_ONCE:
        with ending_at_once(0 if word == "ui" else INTERRUPTED):
            code = command()
    else:
        code = command()
    bounds = sys.modules.get("hookstream.queries.bounds")
    if word != "run" and word not in AT_ONCE and (bounds is None or not bounds.is_stuck()):
        sys.modules["threading"]._shutdown()  # others finish
    leave(code)


def command() -> int:
    """Run one command; its exit code."""
    if sys.argv[1:] == ["--version"]:
        from hookstream.version import __version__

        print(f"hookstream {__version__}")
        return 0
    from hookstream.cli.app import run_app

    return run_app()


def leave(code: int) -> None:
    """End the process at once: a computation that cannot be interrupted is running in it, or all is
    written and closed, and taking the interpreter and its libraries apart would take long, in which
    Ctrl-C has no handler."""
    import atexit
    import os
    import weakref
    from contextlib import suppress

    from hookstream.core.interrupt import remove_temporary_folders

    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or whoever read it has left
            stream.flush()
    # No finalizer may close a connection that a thread still uses: that would abort the process.
    remove_temporary_folders()
    weakref.finalize._registry.clear()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    os._exit(code)


__all__ = ["main"]
