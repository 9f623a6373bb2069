"""`hookstream hook --command VENDOR [EVENT]`: the command line that install registers.

It is the launcher (install/launcher.py), the vendor and the event, and ends with status 0 also
where the launcher has been removed: an unknown command is the shell's 127, which Copilot takes for
a deny before a tool, and a word on stderr, which Gemini CLI takes for an answer.
"""

from __future__ import annotations

import os
import re
import shlex
import sys

from hookstream.capture.hook.output import answer, say
from hookstream.capture.install import launcher
from hookstream.capture.install.launcher import interpreter, launch_file

OPTIONS = ("-I", "-S", "-E", "-B")
# A word that is the same text in every shell of Windows.
PLAIN_WORD = re.compile(r"[\w.:/\\+=~-]+")


def words(vendor: str, event: str | None = None) -> list[str]:
    """The hook program as a list of arguments, without launcher: the environment says where."""
    return direct("hook", [vendor, *([event] if event else [])])


def direct(program: str, arguments: list[str]) -> list[str]:
    """A program of launch.py without its launcher."""
    python, file = interpreter(), launch_file()
    if os.name == "nt":
        # PowerShell takes a quoted path for a text: no blanks, hence the short form.
        python, file = _short(python), _short(file).replace("\\", "/")
    return [python, *OPTIONS, file, program, *arguments]


def launched(
    vendor: str, event: str | None = None, program: str = "hook", scope: str = "user"
) -> list[str]:
    """The registered command as a list of arguments, for clients that run no shell."""
    words = [vendor, *([event] if event else [])]
    if os.name == "nt":
        return direct(program, words + (["--scope", scope] if scope != "user" else []))
    # The launcher of the whole machine says that it is.
    said = ["--scope", scope] if scope == "project" else []
    return [launcher.path(program, scope == "managed"), *words, *said]


def command_line(vendor: str, event: str | None = None, scope: str = "user") -> str:
    """The registered command as one line for the shell of its client."""
    words = launched(vendor, event, scope=scope)
    if os.name == "nt":
        from hookstream.normalizers.client import client_of

        return windows_line(words, client_of(vendor).windows_shell)
    return guarded(vendor, event, shlex.join(words))


def guarded(vendor: str, event: str | None, line: str) -> str:
    """The line, which ends with status 0 if the program does not exist. The braces keep a
    here-document, by which a client may hand over the payload, with the program."""
    said = answer(vendor, event)
    if not said:
        return f"{line} 2>/dev/null || :"
    return f"{{ {line} 2>/dev/null || echo {shlex.quote(said.decode())}; }}"


def prepare(vendor: str) -> None:
    """Write the bytecode of what a vendor's hooks load, where it is missing or out of date and its
    folder can be written, in a process like theirs. The first hook would do it otherwise."""
    from subprocess import DEVNULL, run

    run(direct("prepare", [vendor]), stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, check=False)


def windows_line(words: list[str], shell: str) -> str:
    """The line for a client's shell of Windows. Words that need no quotes are the same in each:
    PowerShell only shows a quoted word at the line's beginning, unless & is before it, and Git Bash
    puts a value for each $x that is not between single quotes."""
    if shell == "git-bash":
        return shlex.join(word.replace("\\", "/") for word in words)
    if all(PLAIN_WORD.fullmatch(word) for word in words):
        return " ".join(words)
    if shell == "powershell":
        return f"& {' '.join(map(_single_quoted, words))}"
    return " ".join(word if PLAIN_WORD.fullmatch(word) else f'"{word}"' for word in words)


def _single_quoted(word: str) -> str:
    """A word of PowerShell, where a quote in a text is written twice."""
    return word if PLAIN_WORD.fullmatch(word) else "'" + word.replace("'", "''") + "'"


def _short(path: str) -> str:
    """The 8.3 form of a path with blanks, where the system has one."""
    if sys.platform == "win32" and " " in path:
        from ctypes import create_unicode_buffer, windll

        buffer = create_unicode_buffer(1024)
        if windll.kernel32.GetShortPathNameW(path, buffer, 1024):
            return buffer.value
    return path


def print_command(argv: list[str]) -> int:
    """Write the launcher and print the line; status 2 for an unknown vendor."""
    from hookstream.core.errors import HookstreamError
    from hookstream.normalizers import VENDORS

    if not argv or len(argv) > 2 or argv[0] not in VENDORS:
        known = ", ".join(VENDORS)
        os.write(2, f"hookstream hook --command VENDOR [EVENT]; VENDOR: {known}\n".encode())
        return 2
    try:
        launcher.write()
    except HookstreamError as error:
        os.write(2, f"hookstream: {error}\n".encode())
        return 2
    prepare(argv[0])
    say(command_line(argv[0], argv[1] if len(argv) > 1 else None).encode() + b"\n")
    return 0
