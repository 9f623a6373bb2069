"""The first module of a registered wrap, as `start` is of a hook. Importing it runs the program.

`command_words` gives the command line to register. Should this package be gone, that line runs
the policy hook itself: a guard must not vanish with its observer.
"""

from __future__ import annotations

import gc
import os
import sys

PROGRAM = """import sys
try:
 p=type(sys)('hookstream');p.__path__=[{package}];sys.modules[p.__name__]=p
 from hookstream.capture.wrap.start import start
except BaseException:
 import os;c=sys.argv[sys.argv.index("--")+1:];os.execvp(c[0],c)
start()"""


def start() -> None:
    """Runs the program of `sys.argv`; does not return."""
    gc.disable()
    from hookstream.capture.wrap.main import main

    main(sys.argv[1:])


def command_words(vendor: str, event: str | None, command: list[str]) -> list[str]:
    """The absolute, fast command line that wraps a command (an argument list)."""
    from hookstream.capture.install.command import interpreter

    here = os.path.abspath(__file__)
    package = os.path.dirname(os.path.dirname(os.path.dirname(here)))
    program = PROGRAM.format(package=repr(package))
    words = [interpreter(), "-I", "-S", "-E", "-B", "-c", program, vendor]
    return [*words, *([event] if event else []), "--", *command]
