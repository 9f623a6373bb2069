"""The command line that registers the forwarder, and what makes its first run a fast one."""

from __future__ import annotations

import os
import sys

PROGRAM = (
    "import sys;sys.excepthook=lambda*_:sys.exit(0);p=type(sys)('hookstream');"
    "p.__path__=[{package}];sys.modules[p.__name__]=p;"
    "from hookstream.capture.forward import forward;forward()"
)
# Loaded at once by the forwarder and by a wrap; the hook's own modules come from its image.
NAMES = "__init__ forward forward_fallback start wrap wrap_start wrap_child wrap_relay"
LIGHT = tuple(f"{name}.py" for name in NAMES.split())


def words(vendor: str, event: str | None = None, extra: tuple[str, ...] = ()) -> list[str]:
    """The command as a list of arguments."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    program = PROGRAM.format(package=repr(package))
    options = ["-I", "-S", "-E", "-B", "-c", program]
    return [sys.executable, *options, vendor, *([event] if event else []), *extra]


def prepare() -> None:
    """Writes the bytecode of both, which its own runs do not (a full disk would cut it short).

    Where the folder cannot be written it is compiled at every start, about a millisecond more.
    """
    import py_compile

    folder = os.path.dirname(os.path.abspath(__file__))
    for name in LIGHT:
        try:
            py_compile.compile(os.path.join(folder, name), doraise=True)
        except (OSError, py_compile.PyCompileError):
            return
