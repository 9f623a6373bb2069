"""Starting a wrapped hook as the client would have, and its recorder out of the client's sight."""

from __future__ import annotations

import _signal as signal
import errno
import os


class Child:
    """The hook's process and our ends of its pipes."""

    def __init__(self, pid: int, stdin: int, out: int, err: int | None) -> None:
        self.pid = pid
        self.stdin = stdin
        self.out = out
        # None: the client gave one stream for both outputs, and so do we, to keep their order.
        self.err = err


def spawn(command: list[str], env: dict[bytes, bytes]) -> Child | int:
    """Start the command; return the status a shell would give if it cannot be started."""
    stdin, stdin_w = os.pipe()
    out_r, out = os.pipe()
    err_r, err = (None, out) if _same(1, 2) else os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, mine, number) for number, mine in enumerate((stdin, out, err))]
    default = [signal.SIGPIPE, getattr(signal, "SIGXFSZ", signal.SIGPIPE)]
    argv: list[str] = command
    for attempt in (1, 2):
        try:
            pid = os.posix_spawnp(argv[0], argv, env, file_actions=actions, setsigdef=set(default))
            break
        except OSError as error:
            if error.errno == errno.ENOEXEC and attempt == 1:
                # A script without its first line: a shell runs it itself.
                argv = ["/bin/sh", command[0], *command[1:]]
                continue
            os.write(2, f"{command[0]}: {error.strerror}\n".encode("utf-8", "surrogateescape"))
            return 127 if error.errno == errno.ENOENT else 126
    for handle in {stdin, out, err}:
        os.close(handle)
    return Child(pid, stdin_w, out_r, err_r)


def _same(one: int, other: int) -> bool:
    a, b = os.fstat(one), os.fstat(other)
    return (a.st_dev, a.st_ino, a.st_mode) == (b.st_dev, b.st_ino, b.st_mode)


def detach() -> None:
    """Out of the client's sight: neither its pipes nor its signals reach us."""
    os.setsid()
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGPIPE", "SIGXFSZ"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    handle = os.open(os.devnull, os.O_RDWR)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    os.close(handle)
