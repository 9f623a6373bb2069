"""The command line in this process: what a process of its own would do, without its start.

A process of its own remains where a test kills it, limits it, changes what it imports, or runs
several at once.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from hookstream.cli.app import run_app


def hookstream(
    *words: str | Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    given: bytes = b"",
) -> subprocess.CompletedProcess[bytes]:
    """The exit code and what was said. `env` is all of the environment, `given` standard input."""
    out, err = stream(), stream()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["hookstream", *map(str, words)])
        patch.setattr(sys, "stdin", stream(given))
        if env is not None:
            for name in set(os.environ) - set(env):
                patch.delenv(name)
            for name, value in env.items():
                patch.setenv(name, value)
        if cwd is not None:
            patch.chdir(cwd)
        code = run_app()
    return subprocess.CompletedProcess(list(words), code, held(out), held(err))


def text_of(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """The same, with what was said as text."""
    done = hookstream(*words)
    said = (done.stdout.decode(), done.stderr.decode())
    return subprocess.CompletedProcess(done.args, done.returncode, *said)


def stream(data: bytes = b"") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="surrogateescape")


def held(written: io.TextIOWrapper) -> bytes:
    written.flush()
    assert isinstance(written.buffer, io.BytesIO)
    return written.buffer.getvalue()
