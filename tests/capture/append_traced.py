"""One process that appends, under strace: which system calls it makes, and what happens at each.

Injected signals and errors come at the entry of a call, so the call itself does not happen; what
a call leaves half done is what the next one finds.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

# What PROGRAM imports: its bytecode is there before calls are counted, and not while they are.
import hookstream.capture.log.append
import hookstream.capture.log.rotation
import hookstream.capture.log.tail
import hookstream.core.jsons  # noqa: F401

# Appends lines that name themselves and says of each that it is on the disk.
PROGRAM = """
import os, sys
import hookstream.capture.log.tail, hookstream.capture.log.rotation, hookstream.core.jsons
from hookstream.capture.log.append import LogFile
path, sync, rotate, limit, size, *names = sys.argv[1:]
if int(limit):
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), resource.RLIM_INFINITY))
log = LogFile(path, sync, int(rotate))
os.write(1, b"begin\\n")
for name in names:
    try:
        log.append(b'{"line":"%s","x":"%s"}\\n' % (name.encode(), b"x" * int(size)))
    except OSError:
        continue
    os.write(1, b"kept %s\\n" % name.encode())
os.write(1, b"end\\n")
"""
CALL = re.compile(r"^(?:\d+ +)?(\w+)\(")
Step = tuple[str, int]


@cache
def why_not() -> str | None:
    """Why nothing can be traced here, or None."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    tried = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, text=True)
    return f"strace cannot trace here: {tried.stderr.strip()}" if tried.returncode else None


def need_strace() -> None:
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)


def append_words(
    path: Path, *names: str, sync: str = "fdatasync", rotate: int = 0, limit: int = 0, size: int = 9
) -> list[str]:
    """The appending process; `limit` is how large the file may grow, `size` what a line holds."""
    numbers = [str(number) for number in (rotate, limit, size)]
    return [sys.executable, "-B", "-c", PROGRAM, str(path), sync, *numbers, *names]


def traced(
    words: list[str], trace: Path, *expressions: str, **options: object
) -> subprocess.CompletedProcess[bytes]:
    """Runs words under strace with `-e` expressions."""
    given = [word for expression in expressions for word in ("-e", expression)]
    line = ["strace", "-f", "-o", str(trace), *given, *words]  # words may begin with options
    return subprocess.run(line, capture_output=True, timeout=120, check=False, **options)


def steps_of(
    trace: Path, begin: str = '"begin', end: str = '"end', without: str = "\0"
) -> list[Step]:
    """(call, how often it had been made by then) of each system call between two texts; with no
    `begin` from the first on, and none of those that name `without`."""
    made: Counter[str] = Counter()
    steps: list[Step] = []
    inside = not begin
    for line in trace.read_text(errors="replace").splitlines():
        call = CALL.match(line)
        if call is None:
            continue
        made[call[1]] += 1
        if end in line:
            break
        if inside and without not in line:
            steps.append((call[1], made[call[1]]))
        inside = inside or begin in line
    return steps
