"""The bytecode of what a hook loads before its snapshot: the forwarder, the starter, a wrap.

Registered commands write none themselves. Python's own writer does not notice when a full disk cuts
a file short, and refuses such a module ever after; here a file is complete or does not exist.
"""

from __future__ import annotations

import os
from importlib.util import MAGIC_NUMBER, cache_from_source
from marshal import dumps

from hookstream.capture.startup.snapshot import write_whole

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIGHT = """__init__ hook/__init__ hook/client hook/launch hook/fallback
startup/__init__ startup/start startup/lazy_stdlib startup/snapshot
wrap/__init__ wrap/main wrap/child wrap/relay"""


def compile_light() -> None:
    """Write each file that is missing or out of date. If the folder cannot be written, they are
    compiled at every start: a few milliseconds more."""
    for name in LIGHT.split():
        source = os.path.join(FOLDER, f"{name}.py")
        target = cache_from_source(source)
        try:
            data = bytecode(source)
            with open(target, "rb") as file:
                is_there = file.read() == data
        except FileNotFoundError:
            is_there = False
        except OSError:
            return
        if not is_there and not write_whole(
            os.path.dirname(target), os.path.basename(target), data
        ):
            return


def bytecode(source: str) -> bytes:
    """A source file as Python keeps it, valid as long as its time and size are these. Raises
    OSError."""
    info = os.stat(source)
    with open(source, "rb") as file:
        code = compile(file.read(), source, "exec", dont_inherit=True)
    stamp = int(info.st_mtime) & 0xFFFFFFFF
    size = info.st_size & 0xFFFFFFFF
    head = MAGIC_NUMBER + bytes(4) + stamp.to_bytes(4, "little") + size.to_bytes(4, "little")
    return head + dumps(code)
