"""`hookstream wrap VENDOR [EVENT] -- CMD...`: runs a policy hook and records what it decided.

The hook gets the same standard input, arguments, environment and folder; its output, its errors and
its end go to the client as they come. Nothing is recorded in this process: another one, which the
client does not wait for, gets a copy of all of it, writes the payload's events while the hook still
thinks, and its decision after it. Whatever fails there, the hook's answer is what it was.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

USAGE = "hookstream wrap VENDOR [EVENT] [--log PLACE] -- CMD [ARGUMENT...]\n"
NOT_FOUND, NOT_RUNNABLE = 127, 126  # as a shell says it


class Wrapped:
    """The command line: what to run, what is known of who runs it, and the folders that install
    registered, if it did."""

    def __init__(self, words: list[str], command: list[str], places: list[str]) -> None:
        # options, vendor and event, in the hook program's own grammar
        self.words = words
        self.command = command
        self.places = places


def split(argv: list[str], places: list[str]) -> Wrapped | None:
    """Cut at the first `--`; everything after it is left as it is. None: wrong usage."""
    if "--" not in argv:
        return None
    at = argv.index("--")
    words, command = argv[:at], argv[at + 1 :]
    return Wrapped(words, command, places) if words and command else None


def original_environment() -> dict[bytes, bytes]:
    """The environment as the client gave it: in a C locale Python adds LC_CTYPE to its own."""
    try:
        with open("/proc/self/environ", "rb") as file:
            block = file.read()
    except OSError:
        return dict(os.environb)
    pairs = (entry.partition(b"=") for entry in block.split(b"\0") if entry)
    variables = {name: value for name, _, value in pairs if name}
    added = {b"LC_CTYPE"} - variables.keys()
    # Variables from this process's caller (a test, a launcher) count as given.
    return {name: value for name, value in os.environb.items() if name not in added}


def main(argv: list[str], places: list[str] | None = None) -> NoReturn:
    """The program. It ends as the wrapped command ends."""
    wrapped = split(argv, places or [])
    if wrapped is None:
        os.write(2, USAGE.encode())
        os._exit(2)
    if not hasattr(os, "posix_spawn"):
        import subprocess

        os._exit(subprocess.call(wrapped.command))
    try:
        for number in (0, 1, 2):
            _fill(number)
        from hookstream.capture.wrap.child import spawn
        from hookstream.capture.wrap.relay import Relay

        control = start_recorder(wrapped)
    except BaseException as error:
        # Nothing has been read yet: the hook can still run without us.
        _leave_trace(wrapped, error)
        os.execvp(wrapped.command[0], wrapped.command)  # noqa: S606
    started = spawn(wrapped.command, original_environment())
    if isinstance(started, int):
        Relay(None, control).unstarted(started)
        os._exit(started)
    Relay(started, control).run()


def _fill(number: int) -> None:
    """A standard stream that the client closed must not become one of our pipes."""
    try:
        os.fstat(number)
    except OSError:
        handle = os.open(os.devnull, os.O_RDWR)
        if handle != number:
            os.dup2(handle, number)
            os.close(handle)


def start_recorder(wrapped: Wrapped) -> int | None:
    """Fork the recorder; return the pipe to it, or None if that is impossible."""
    try:
        read, write = os.pipe()
        _widen(write)
        os.set_blocking(write, False)
        pid = os.fork()
    except OSError:
        return None
    if pid:
        os.close(read)
        return write
    try:
        os.close(write)
        _record(wrapped, read)
    except BaseException as error:
        from hookstream.capture.hook.failures import last_resort, payload_of_frames

        argv = _argv(wrapped)
        last_resort(argv, error, payload_of_frames(read), is_complete=True, should_answer=False)
        os._exit(1)
    os._exit(0)


def _argv(wrapped: Wrapped) -> list[str]:
    places = ["--registered", *wrapped.places] if wrapped.places else []
    return ["wrap", *places, *wrapped.words]


def _leave_trace(wrapped: Wrapped, error: BaseException) -> None:
    """Record an event that only the hook will see, in a separate process."""
    from hookstream.capture.hook.failures import record_unwrapped

    record_unwrapped(_argv(wrapped), error)


def _record(wrapped: Wrapped, control: int) -> None:
    """The recorder's life."""
    from hookstream.capture.hook.in_process import compile_lazily
    from hookstream.capture.wrap.child import detach

    detach()
    if wrapped.places:
        from hookstream.capture.hook.registered import fix_environment

        fix_environment(wrapped.places)
    compile_lazily()
    from hookstream.capture.wrap.record import record

    record(wrapped.words, wrapped.command, control)


def _widen(handle: int) -> None:
    """A megabyte holds almost every payload and answer: the recorder may then be slow."""
    if sys.platform == "linux":
        import fcntl

        try:
            fcntl.fcntl(handle, fcntl.F_SETPIPE_SZ, 1 << 20)
        except OSError:
            return
