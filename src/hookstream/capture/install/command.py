"""`hookstream hook --command VENDOR [EVENT]`: the command line that install registers.

Absolute, and the fastest that works: the interpreter without site packages, which is told where
this package lies and finds nothing else, starts the client (capture/hook/client.py). It writes no
bytecode, which a full disk would cut short; `prepare` does that.

Should the package not be there, or not be readable, the same line runs once more with site packages
and without bytecode: an upgrade may have put it into another folder. Should it be gone, that ends
with status 0 in silence: an interpreter that cannot find its script exits 2, which several clients
take for a deny.
"""

from __future__ import annotations

import os
import sys

from hookstream.capture.hook.output import say

SILENT = "import sys;sys.excepthook=lambda*_:sys.exit(0);"
AGAIN = (
    "import sys;sys.excepthook=lambda*_:sys.exit(0)if sys.flags.no_site<1 else "
    "__import__('os').execv(sys.executable,[sys.executable,'-Xpycache_prefix=/-',"
    "*[w for w in sys.orig_argv[1:]if w!='-S']]);"
)
FIND = (
    "p=type(sys)('hookstream');p.__path__=[{package},*[x+'/hookstream'for x in sys.path]];"
    "sys.modules[p.__name__]=p;"
)
PROGRAM = SILENT + FIND
START = "from hookstream.capture.hook.client import forward;forward()"
PREPARE = "from hookstream.capture.hook.prepare import load_all;load_all(sys.argv[1])"

# A missing interpreter gives the shell's 127 and a word on stderr. Copilot takes any failure
# before a tool for a deny, and Gemini CLI a failure with text.
FAIL_CLOSED = ("copilot", "gemini-cli")
GUARD = " 2>/dev/null || :"


def words(vendor: str, event: str | None = None) -> list[str]:
    """The command as a list of arguments."""
    # On Windows a process cannot be replaced by another.
    python, program = _program(SILENT if os.name == "nt" else AGAIN, START)
    return [python, "-I", "-S", "-E", "-B", "-c", program, vendor, *([event] if event else [])]


def interpreter() -> str:
    """The interpreter of this installation, under one name however it was called: a virtual
    environment has several names for it."""
    python = sys.executable
    named = os.path.join(os.path.dirname(python), "python3")
    is_same = sys.prefix != sys.base_prefix and os.path.realpath(named) == os.path.realpath(python)
    return named if is_same and os.path.exists(named) else python


def _program(first: str, last: str) -> tuple[str, str]:
    here = os.path.abspath(__file__)
    package = os.path.dirname(os.path.dirname(os.path.dirname(here)))
    python = interpreter()
    if os.name == "nt":
        # PowerShell takes a quoted path for a text: no blanks, hence the short form.
        python, package = _short(python), package.replace("\\", "/")
    return python, first + FIND.format(package=repr(package)) + last


def prepare(vendor: str) -> None:
    """Makes what a vendor's hooks load, where it is missing or out of date and its folder can be
    written: bytecode, and the image, in a process like theirs. The first hook would do it
    otherwise."""
    from subprocess import DEVNULL, run

    from hookstream.capture.hook.bytecode import compile_light

    compile_light()
    python, program = _program(SILENT, PREPARE)
    options = ["-I", "-S", "-E", "-B", "-c", program, vendor]
    run([python, *options], stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, check=False)


def command_line(vendor: str, event: str | None = None) -> str:
    """The command as one line, quoted for the shell its client uses."""
    if os.name == "nt":
        return " ".join(_windows_word(word) for word in words(vendor, event))
    from shlex import quote

    line = " ".join(quote(word) for word in words(vendor, event))
    return line + GUARD if vendor in FAIL_CLOSED else line


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
