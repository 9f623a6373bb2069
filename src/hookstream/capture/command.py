"""`hookstream hook --command VENDOR [EVENT]`: the command line that install registers.

Absolute, and the fastest that works: the interpreter without site packages, which is told where
this package lies and finds nothing else. It writes no bytecode, which a full disk would cut short;
`prepare` does that. Should the package be gone, the excepthook ends it with status 0 in silence:
an interpreter that cannot find its script exits 2, which several clients take for a deny.
"""

from __future__ import annotations

import os
import sys

from hookstream.capture.answers import say

PROGRAM = (
    "import sys;sys.excepthook=lambda*_:sys.exit(0);p=type(sys)('hookstream');"
    "p.__path__=[{package}];sys.modules[p.__name__]=p;"
)
START = "from hookstream.capture.start import start;start(sys.argv[1:])"
PREPARE = "from hookstream.capture.prepare import load_all;load_all(sys.argv[1])"


def words(vendor: str, event: str | None = None, extra: tuple[str, ...] = ()) -> list[str]:
    """The command as a list of arguments."""
    python, program = _program(START)
    options = ["-I", "-S", "-E", "-B", "-c", program]
    return [python, *options, vendor, *([event] if event else []), *extra]


def _program(last: str) -> tuple[str, str]:
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    python = sys.executable
    if os.name == "nt":
        # PowerShell takes a quoted path for a text: no blanks, hence the short form.
        python, package = _short(python), package.replace("\\", "/")
    return python, PROGRAM.format(package=repr(package)) + last


def prepare(vendor: str) -> None:
    """Makes the image that a vendor's hooks load, in a process like theirs, where it is missing or
    out of date and its folder can be written. The first hook would do it otherwise."""
    from subprocess import DEVNULL, run

    python, program = _program(PREPARE)
    options = ["-I", "-S", "-E", "-c", program, vendor]
    run([python, *options], stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, check=False)


def command_line(vendor: str, event: str | None = None, extra: tuple[str, ...] = ()) -> str:
    """The command as one line, quoted for the shell its client uses."""
    if os.name == "nt":
        return " ".join(_windows_word(word) for word in words(vendor, event, extra))
    from shlex import quote

    return " ".join(quote(word) for word in words(vendor, event, extra))


def _windows_word(word: str) -> str:
    plain = word and not any(mark in word for mark in " \t'()*;&|<>^$`,")
    return word if plain else f'"{word}"'


def _short(path: str) -> str:
    """The 8.3 form of a path with blanks, where the system has one."""
    if sys.platform == "win32" and " " in path:
        from ctypes import create_unicode_buffer, windll

        buffer = create_unicode_buffer(1024)
        if windll.kernel32.GetShortPathNameW(path, buffer, 1024):
            return buffer.value
    return path


def print_command(argv: list[str]) -> int:
    """Prints the line; status 2 for a vendor nobody knows."""
    from hookstream.normalizers import VENDORS

    if not argv or len(argv) > 2 or argv[0] not in VENDORS:
        known = ", ".join(VENDORS)
        os.write(2, f"hookstream hook --command VENDOR [EVENT]; VENDOR: {known}\n".encode())
        return 2
    prepare(argv[0])
    say(command_line(argv[0], argv[1] if len(argv) > 1 else None).encode() + b"\n")
    return 0
