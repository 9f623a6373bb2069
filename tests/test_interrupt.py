"""Ctrl-C never falls into a batch: what the report of a run would count is what was written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hookstream.cli.failures import ended
from hookstream.core.errors import HookstreamError
from hookstream.core.interrupt import Shield, deaf_workers, shielded, was_interrupted

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.long

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


@pytest.mark.posix("Ctrl-C is no signal there")
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


@pytest.mark.parametrize(
    "error",
    [
        KeyboardInterrupt(),
        RuntimeError("Query interrupted"),
        pytest.param(RuntimeError("another"), marks=pytest.mark.xfail(strict=True)),
    ],
)
def test_however_a_library_spells_it_it_is_an_interrupt(error: BaseException) -> None:
    try:
        try:
            raise error
        except BaseException:
            raise HookstreamError("a question failed") from None
    except HookstreamError as failure:
        assert was_interrupted(failure)


@pytest.mark.parametrize(
    "raised", [RuntimeError("Query interrupted"), KeyboardInterrupt(), RuntimeError("x")]
)
def test_a_command_that_was_interrupted_ends_with_130(
    raised: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    def call() -> int:
        raise raised

    code = ended(call)
    said = capsys.readouterr().err
    if "x" in str(raised):
        assert code == 70
    else:
        assert (code, said) == (130, "hookstream: interrupted\n")


def test_workers_never_see_it() -> None:
    with deaf_workers():
        made = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"])
    time.sleep(0.3)
    made.send_signal(signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):
        made.wait(0.5)
    made.kill()
    made.wait()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


FIRST = """
import os, signal
from multiprocessing import get_context
from hookstream.core.interrupt import deaf_workers
if __name__ == "__main__":
    first = get_context("spawn").Process(target=int)
    with deaf_workers():
        first.start()
    os.kill(first.pid, signal.SIGINT)
    first.join()
    raise SystemExit(first.exitcode)
"""


def test_the_first_process_of_a_program_does_not_see_it_either(tmp_path: Path) -> None:
    script = tmp_path / "first.py"
    script.write_text(FIRST)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lake")
    source = folder / "in.jsonl"
    source.write_text("".join(LINE.format(n) for n in range(2000)))
    words = [sys.executable, "-m", "hookstream", "run", source, "--to", f"parquet:{folder}/lake"]
    subprocess.run(words, check=True, capture_output=True, env=environment(folder))
    return folder / "lake"


def environment(folder: Path) -> dict[str, str]:
    places = {"HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
    return {**os.environ, **places, "TMPDIR": str(folder)}


def is_ready(pid: int) -> bool:
    """Whether the command listens: it has a second thread."""
    with suppress(OSError):
        return len(os.listdir(f"/proc/{pid}/task")) > 1
    return False


SLOW = (
    "select count(*) from range(100000000) a(i), range(1000) b(j) where i * j % 7 = 3 group by all"
)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("after_s", [0.0, 0.7])
@pytest.mark.parametrize(
    "command",
    ["ui", "backfill", "detect", "report", "export", "tables", "query", "query slow"],
)
def test_ctrl_c_ends_a_command_at_once_wherever_it_is(
    command: str, after_s: float, lake: Path, tmp_path: Path
) -> None:
    words = {
        "ui": ["ui", lake, "--no-browser"],
        "backfill": ["backfill", "--since", "all"],
        "detect": ["detect", lake],
        "report": ["report", lake],
        "export": ["export", lake, tmp_path / "out.duckdb"],
        "tables": ["tables", lake, "--rebuild"],
        "query": ["query", "calls", lake],
        "query slow": ["query", SLOW, lake],
    }[command]
    env = environment(tmp_path)
    if command == "backfill":
        projects = tmp_path / ".claude" / "projects" / "-p"
        projects.mkdir(parents=True)
        for number in range(300):
            session = f"{number:08d}-1111-4111-8111-111111111111"
            line = {"type": "user", "sessionId": session, "uuid": session, "version": "2.1.0",
                    "timestamp": "2026-11-24T10:00:00Z", "cwd": "/w",
                    "message": {"role": "user", "content": "word " * 2000}}  # fmt: skip
            (projects / f"{session}.jsonl").write_text((json.dumps(line) + "\n") * 5)
    running = subprocess.Popen(
        [sys.executable, "-m", "hookstream", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        start_new_session=True,
    )
    until = time.monotonic() + 30
    while not is_ready(running.pid) and running.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(after_s)
    began = time.monotonic()
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=30)
    took_s = time.monotonic() - began
    text = said.decode()
    assert running.returncode == (0 if command == "ui" else 130) or after_s != 0.0
    assert running.returncode in (0, 130)
    assert "Traceback" not in text and "internal error" not in text
    if running.returncode:
        assert text.strip().endswith("hookstream: interrupted")
        assert took_s < 1.0
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("hookstream-")]
    assert not list(tmp_path.glob(".out*"))
