"""Ctrl-C ends a command with 130 and one line, at any moment, and no word of what it removed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

# A command that meets the loss of its own folder, as fast as it can.
COMMAND = """
import os, sys, tempfile
from hookstream.core.interrupt import ending_at_once
def work():
    with tempfile.TemporaryDirectory(prefix="hookstream-") as folder:
        names = [os.path.join(folder, str(number)) for number in range(2000)]
        for name in names:
            open(name, "w").close()
        print("ready", flush=True)
        while True:
            try:
                for name in names:
                    os.stat(name)
            except OSError as error:
                print("hookstream:", error, file=sys.stderr, flush=True)
                return 2
with ending_at_once():
    code = work()
sys.exit(code)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no signal to send there")
@pytest.mark.parametrize("number", range(5))
def test_a_command_says_nothing_of_what_it_removed(number: int) -> None:
    run = subprocess.Popen(
        [sys.executable, "-c", COMMAND], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "ready\n"
    time.sleep(number / 100)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=20)
    assert (run.returncode, errors) == (130, "hookstream: interrupted\n")
