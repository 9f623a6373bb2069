"""Ctrl-C never falls into a batch: what the report of a run would count is what was written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hookstream.interrupt import Shield, shielded

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE = (
    '{{"session_id":"11111111-1111-4111-8111-111111111111","transcript_path":"/t","cwd":"/w",'
    '"hook_event_name":"UserPromptSubmit","permission_mode":"default","prompt":"word {}"}}\n'
)


@pytest.fixture(autouse=True)
def ctrl_c() -> Iterator[None]:
    given = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, given)


def test_the_first_interrupt_waits_for_the_end_of_the_batch() -> None:
    with shielded() as shield, pytest.raises(KeyboardInterrupt):
        shield.held = True
        os.kill(os.getpid(), signal.SIGINT)
        assert shield.asked
        shield.release()


def test_the_second_breaks_through() -> None:
    with shielded() as shield:
        shield.held = True
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


def test_between_batches_an_interrupt_is_one() -> None:
    with shielded(), pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_another_programs_handler_stays() -> None:
    given = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with shielded() as shield:
            assert isinstance(shield, Shield)
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, given)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")
def test_an_interrupted_run_wrote_every_record_it_read(tmp_path: Path) -> None:
    """A run that reads from a pipe which stays open: all that came before Ctrl-C is in the sink."""
    out = tmp_path / "out"
    environ = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    run = subprocess.Popen(
        [sys.executable, "-m", "hookstream", "run", "-", "--to", f"jsonl:{out}"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ,
        text=True,
        # A shell's background job ignores Ctrl-C, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert run.stdin is not None and run.stderr is not None
    pad = "x" * 4096
    for n in range(1500):  # more than a chunk and more than a batch
        run.stdin.write(LINE.format(f"{n} {pad}"))
    run.stdin.flush()
    written = out / "agent-hooks.jsonl"
    until = time.monotonic() + 60
    while not (written.exists() and written.read_bytes().count(b"\n") >= 256):
        assert run.poll() is None
        assert time.monotonic() < until
        time.sleep(0.01)
    code = None
    while code is None and time.monotonic() < until:
        run.send_signal(signal.SIGINT)  # one that comes just before a read waits for the next
        with suppress(subprocess.TimeoutExpired):
            code = run.wait(2)
    assert code == 130
    assert "what was read until then is written" in run.stderr.read()
    run.stdin.close()
    lines = written.read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert 256 <= len(lines) <= 1500
    assert all(line.endswith(b"}") for line in lines)
