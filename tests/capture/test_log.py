"""The log's promises: whole lines in a private file, whoever writes at the same time."""

import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hook_runner import CLAUDE, command, read_log

from hookstream.capture.log.append import LogFile, LogRefused
from hookstream.capture.log.rotation import numbered

WRITER = """
import sys
from hookstream.capture.log.append import LogFile
path, who, count, size, sync, rotate = sys.argv[1:]
log = LogFile(path, sync, int(rotate))
sys.stdin.read()
for n in range(int(count)):
    body = "x" * (int(size) * (n + 1) // int(count))
    log.append(b'{"who":%d,"n":%d,"x":"%s"}\\n' % (int(who), n, body.encode()))
    print(n, flush=True)
"""


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.mark.parametrize("umask", [0, 0o022, 0o277])
@pytest.mark.posix("Windows has no such modes")
def test_files_are_0600_and_folders_0700_whatever_the_umask(tmp_path, umask):
    path = tmp_path / "a" / "b" / "log.jsonl"
    before = os.umask(umask)
    try:
        LogFile(str(path)).append(b'{"a":1}\n')
        LogFile(str(path)).append(b'{"a":2}\n')
    finally:
        os.umask(before)
    assert mode(path) == 0o600
    assert mode(path.parent) == mode(path.parent.parent) == 0o700
    assert [line["a"] for line in read_log(path)] == [1, 2]


def test_a_file_that_is_there_keeps_its_content(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"a":1}\n')
    LogFile(str(path)).append(b'{"a":2}\n')
    assert path.read_bytes() == b'{"a":1}\n{"a":2}\n'


def refused_targets(tmp_path):
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    link = tmp_path / "link"
    link.symlink_to(victim)
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "nowhere")
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    place = tmp_path / "socket"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(place))
    return [link, dangling, fifo, place, Path("/dev/null"), Path("/dev/full")]


def test_links_fifos_sockets_and_devices_are_refused(tmp_path):
    for path in refused_targets(tmp_path):
        with pytest.raises(LogRefused):
            LogFile(str(path)).append(b'{"a":1}\n')
    assert (tmp_path / "victim").read_bytes() == b"precious"
    assert not (tmp_path / "nowhere").exists()


def test_a_fifo_with_a_reader_is_refused_too(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(LogRefused):
        LogFile(str(fifo)).append(b'{"a":1}\n')
    assert os.read(reader, 10) == b""
    os.close(reader)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(OSError, match="directory"):
        LogFile(str(tmp_path)).append(b'{"a":1}\n')


@pytest.mark.parametrize("torn", [b'{"a":', b"{", b'{"a":"' + b"x" * 300_000, b"\0" * 5000])
@pytest.mark.parametrize("before", [b"", b'{"a":1}\n'])
def test_a_torn_line_is_moved_aside_by_the_next_writer(tmp_path, torn, before):
    path = tmp_path / "log.jsonl"
    path.write_bytes(before + torn)
    LogFile(str(path)).append(b'{"a":2}\n')
    assert path.read_bytes() == before + b'{"a":2}\n'
    assert (tmp_path / "log.jsonl.torn").read_bytes() == torn + b"\n"
    assert mode(tmp_path / "log.jsonl.torn") == 0o600


def test_a_whole_line_without_its_newline_is_kept(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"a":1}')
    LogFile(str(path)).append(b'{"a":2}\n')
    assert path.read_bytes() == b'{"a":1}\n{"a":2}\n'


def test_a_text_that_is_no_log_is_not_cut(tmp_path):
    """Pointing at some file by mistake must not cost its last line."""
    path = tmp_path / "notes.txt"
    path.write_bytes(b"first\n" + b"last " * 5_000_000)
    size = path.stat().st_size
    LogFile(str(path)).append(b'{"a":2}\n')
    assert path.stat().st_size == size + 1 + len(b'{"a":2}\n')


def test_rotation_numbers_the_files_in_reading_order(tmp_path):
    path = tmp_path / "agent-hooks.jsonl"
    log = LogFile(str(path), "none", rotate_bytes=100)
    for n in range(20):
        log.append(b'{"n":%d,"x":"%s"}\n' % (n, b"x" * 30))
    files = sorted(tmp_path.glob("*.jsonl"))
    assert files[-1] == path
    assert numbered(str(tmp_path), "agent-hooks", ".jsonl") == list(range(1, len(files)))
    assert [line["n"] for file in files for line in read_log(file)] == list(range(20))
    assert all(file.stat().st_size <= 100 and mode(file) == 0o600 for file in files)


def test_a_reader_follows_a_rotated_file_by_its_inode(tmp_path):
    path = tmp_path / "agent-hooks.jsonl"
    log = LogFile(str(path), "none", rotate_bytes=60)
    log.append(b'{"n":0}\n')
    with path.open("rb") as reader:
        inode = path.stat().st_ino
        for n in range(1, 20):
            log.append(b'{"n":%d}\n' % n)
        assert os.fstat(reader.fileno()).st_ino == inode
        first = reader.read()
    assert path.stat().st_ino != inode
    assert first == (tmp_path / "agent-hooks.000001.jsonl").read_bytes()


def test_keep_removes_the_oldest(tmp_path):
    log = LogFile(str(tmp_path / "agent-hooks.jsonl"), "none", rotate_bytes=20, keep=2)
    for n in range(20):
        log.append(b'{"n":%d}\n' % (n + 100))
    assert len(list(tmp_path.glob("agent-hooks.0*.jsonl"))) == 2


def test_a_line_larger_than_the_limit_is_written_all_the_same(tmp_path):
    log = LogFile(str(tmp_path / "a.jsonl"), "none", rotate_bytes=10)
    log.append(b'{"x":"%s"}\n' % (b"x" * 100))
    log.append(b'{"x":1}\n')
    assert len(read_log(tmp_path / "a.000001.jsonl")) == 1


def test_a_file_removed_between_two_appends_is_made_again(tmp_path):
    path = tmp_path / "log.jsonl"
    log = LogFile(str(path))
    log.append(b'{"a":1}\n')
    path.unlink()
    log.append(b'{"a":2}\n')
    assert path.read_bytes() == b'{"a":2}\n'


@pytest.mark.long
@pytest.mark.parametrize(
    ("writers", "size", "rotate"),
    [(2, 1_048_000, 0), (64, 300, 0), (64, 1_048_000, 0), (16, 200_000, 1_000_000)],
)
def test_writers_at_the_same_time_lose_and_tear_nothing(tmp_path, writers, size, rotate):
    path = tmp_path / "log.jsonl"
    count = 3
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(who), str(count), str(size), "none",
             str(rotate)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for who in range(writers)
    ]  # fmt: skip
    for process in started:
        process.stdin.close()
    acknowledged = set()
    for who, process in enumerate(started):
        acknowledged |= {(who, int(n)) for n in process.stdout.read().split()}
        assert process.wait() == 0
    found = [
        (line["who"], line["n"])
        for file in sorted(tmp_path.glob("log*.jsonl"))
        for line in read_log(file)
    ]
    assert len(acknowledged) == writers * count
    assert sorted(found) == sorted(acknowledged)
    for who in range(writers):
        assert [n for w, n in found if w == who] == list(range(count))


@pytest.mark.long
def test_sixty_four_hooks_at_the_same_time(home):
    home.configure({"budget_ms": 60_000})  # about the log, not about a busy machine
    sizes = [n * 2500 if n % 8 == 0 else n for n in range(64)]  # some lines are long
    payloads = [
        json.dumps({**CLAUDE, "tool_use_id": f"t{n}", "tool_input": {"command": "x" * size}})
        for n, size in enumerate(sizes)
    ]
    started = [
        subprocess.Popen(
            command("claude-code", "PreToolUse"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=home.environment(),
        )
        for _ in payloads
    ]
    talks = [
        threading.Thread(target=process.communicate, args=(payload.encode(),))
        for process, payload in zip(started, payloads, strict=True)
    ]
    for talk in talks:
        talk.start()
    for talk in talks:
        talk.join()
    assert [process.returncode for process in started] == [0] * 64
    calls = [line["metadata"]["dev.hookstream"]["call_id"] for line in read_log(home.log)]
    assert sorted(calls) == sorted(f"t{n}" for n in range(64)), home.failures()


def test_a_lock_that_is_never_freed_does_not_hold_the_agent(tmp_path):
    import fcntl

    path = tmp_path / "log.jsonl"
    log = LogFile(str(path))
    log.wait_s = 0.1
    log.append(b'{"a":1}\n')
    with path.open("ab") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        log.append(b'{"a":2}\n')
    assert [line["a"] for line in read_log(path)] == [1, 2]


@pytest.mark.posix("no locks of this kind on Windows")
def test_without_the_lock_a_torn_line_is_closed_and_not_cut(tmp_path):
    import fcntl

    path = tmp_path / "log.jsonl"
    log = LogFile(str(path))
    log.wait_s = 0.05
    path.write_bytes(b'{"a":1}\n{"torn')
    with path.open("ab") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        log.append(b'{"a":2}\n')
    assert path.read_bytes() == b'{"a":1}\n{"torn\n{"a":2}\n'
