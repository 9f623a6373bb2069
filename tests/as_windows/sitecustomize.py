"""On PYTHONPATH: hookstream's modules see what CPython has on Windows, `make test-windows`.

For them the modules and names that CPython lacks there are missing, and `sys.platform` is win32.
Python's own modules and libraries see the system as it is: this shows what our code names, and not
how Windows behaves.
"""

from __future__ import annotations

import builtins
import ctypes
import fcntl
import os
import signal
import socket
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

MODULES = frozenset("fcntl grp posix pty pwd readline resource syslog termios tty".split())
# Names by module that CPython's documentation has for Unix alone, of those that programs use.
NAMES = {
    "os": """
    O_CLOEXEC O_DIRECTORY O_DSYNC O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC WNOHANG chown chroot confstr
    ctermid environb fchdir fchown fdatasync fork forkpty fpathconf fstatvfs getegid getenvb geteuid
    getgid getgroups getloadavg getpgid getpgrp getuid getxattr initgroups killpg lchown lockf
    memfd_create mkfifo mknod nice openpty pathconf pipe2 posix_fadvise posix_fallocate posix_spawn
    pread preadv pwrite pwritev readv register_at_fork sched_getaffinity sendfile setegid seteuid
    setgid setpgid setsid setuid setxattr statvfs sync sysconf tcgetpgrp ttyname uname wait wait3
    wait4 waitid writev""",
    "signal": """
    ITIMER_REAL SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGTSTP SIGUSR1 SIGUSR2 alarm
    pause pthread_sigmask setitimer sigwait""",
    "socket": "AF_UNIX SCM_RIGHTS SO_PEERCRED SO_REUSEPORT",
    "sys": "",
    "ctypes": "",
}
if sys.version_info < (3, 12):
    NAMES["os"] += " get_blocking set_blocking"
if sys.version_info < (3, 13):
    NAMES["os"] += " fchmod lchmod"
OTHER: dict[str, dict[str, Any]] = {"os": {"name": "nt"}, "sys": {"platform": "win32"}}


class Lacking(ModuleType):
    """A module without some of its names, and with another value for others."""

    def __init__(self, module: ModuleType, names: str, others: dict[str, Any]) -> None:
        super().__init__(module.__name__)
        own = {"module": module, "names": frozenset(names.split()), "others": others}
        self.__dict__["_lacking"] = SimpleNamespace(**own)

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__["_lacking"]
        if name in own.others:
            return own.others[name]
        if name in own.names:
            raise AttributeError(f"Windows has no {own.module.__name__}.{name}")
        return getattr(own.module, name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set it for all: a test may replace a function, a command its output."""
        own = self.__dict__["_lacking"]
        if name in own.others:
            own.others[name] = value
        else:
            setattr(own.module, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self.__dict__["_lacking"].module, name)


def locking(handle: int, mode: int, count: int) -> None:
    """Lock bytes from the file's position on, as `msvcrt.locking` does."""
    kinds = (fcntl.LOCK_UN, fcntl.LOCK_EX, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.lockf(handle, kinds[mode], count, os.lseek(handle, 0, os.SEEK_CUR))


def program_data(window: Any, folder: int, token: Any, flags: int, buffer: Any) -> int:
    """Answer SHGetFolderPathW: a folder that does not exist, or the one that a test names."""
    buffer.value = os.environ.get("PROGRAMDATA", "/nonexistent")
    return 0


def short_path(path: str, buffer: Any, size: int) -> int:
    """Answer GetShortPathNameW: no volume here has short names."""
    return 0


OTHER["ctypes"] = {
    "windll": SimpleNamespace(
        shell32=SimpleNamespace(SHGetFolderPathW=program_data),
        kernel32=SimpleNamespace(GetShortPathNameW=short_path),
    )
}
SEEN: dict[str, Any] = {
    module.__name__: Lacking(module, NAMES[module.__name__], OTHER.get(module.__name__, {}))
    for module in (ctypes, os, signal, socket, sys)
}
SEEN["msvcrt"] = SimpleNamespace(LK_UNLCK=0, LK_LOCK=1, LK_NBLCK=2, locking=locking)
true_import = builtins.__import__


def import_as_windows(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> Any:
    importer = str((globals or {}).get("__name__", ""))
    if level or importer.partition(".")[0] != "hookstream":
        return true_import(name, globals, locals, fromlist, level)
    head = name.partition(".")[0]
    if head in MODULES:
        raise ModuleNotFoundError(f"Windows has no module {name}", name=name)
    if head not in SEEN or (fromlist and head != name):
        return true_import(name, globals, locals, fromlist, level)
    module = SEEN[head]
    for wanted in fromlist or ():
        if not hasattr(module, wanted):
            raise ImportError(f"Windows has no {name}.{wanted}", name=name)
    return module


builtins.__import__ = import_as_windows
# Windows says where the home is by USERPROFILE; a test moves HOME.
if "HOME" in os.environ:
    os.environ["USERPROFILE"] = os.environ["HOME"]
