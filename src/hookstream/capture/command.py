"""`hookstream hook --command VENDOR [EVENT]`: the command line that install registers.

Absolute, and the fastest that works: the interpreter without site packages, which is told where
this package lies. Should the package be gone, the excepthook ends it with status 0 in silence: an
interpreter that cannot find its script exits 2, which several clients take for a deny.
"""

from __future__ import annotations

import os
import sys

from hookstream.capture.hook import say

PROGRAM = (
    "import sys;sys.excepthook=lambda*_:sys.exit(0);sys.path.append({root});"
    "import hookstream.capture.start"
)


def words(vendor: str, event: str | None = None, extra: tuple[str, ...] = ()) -> list[str]:
    """The command as a list of arguments."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    python = sys.executable
    if os.name == "nt":
        # PowerShell takes a quoted path for a text: no blanks, hence the short form.
        python, root = _short(python), root.replace("\\", "/")
    program = PROGRAM.format(root=repr(root))
    return [python, "-I", "-S", "-E", "-c", program, vendor, *([event] if event else []), *extra]


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
    say(command_line(argv[0], argv[1] if len(argv) > 1 else None).encode() + b"\n")
    return 0
