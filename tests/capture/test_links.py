"""Links and keys that others laid: the log goes nowhere else, and no key costs an event."""

import json
import os
import socket
from pathlib import Path

import pytest
from hook_runner import CLAUDE, read_log
from test_hook import assert_silent_success

from hookstream.capture.log.append import LogFile, LogRefused

OTHER = 54321
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can play another user")
LINE = b'{"a":1}\n'


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A folder that everybody can write into."""
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o1777)
    return folder


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o775])
@pytest.mark.posix("Windows has other owners and links")
def test_a_hard_link_where_others_write_is_refused(tmp_path: Path, shared: Path, mode: int) -> None:
    victim = tmp_path / "bashrc"
    victim.write_text("mine\n")
    os.link(victim, shared / "log.jsonl")
    shared.chmod(mode)
    with pytest.raises(LogRefused, match="hard link"):
        LogFile(str(shared / "log.jsonl")).append(LINE)
    assert victim.read_text() == "mine\n"


@needs_root
@pytest.mark.posix("Windows has other owners and links")
def test_a_hard_link_in_another_users_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir(0o755)
    victim = tmp_path / "passwd"
    victim.write_text("root\n")
    os.link(victim, folder / "log.jsonl")
    os.chown(folder, OTHER, OTHER)
    with pytest.raises(LogRefused, match="hard link"):
        LogFile(str(folder / "log.jsonl")).append(LINE)
    assert victim.read_text() == "root\n"


def test_ones_own_second_name_stops_no_capture(tmp_path: Path) -> None:
    """An agent could silence its log with one `ln`."""
    folder = tmp_path / "own"
    folder.mkdir(0o700)
    log = LogFile(str(folder / "log.jsonl"))
    log.append(LINE)
    os.link(folder / "log.jsonl", tmp_path / "backup")
    log.append(LINE)
    assert (folder / "log.jsonl").read_bytes() == LINE * 2


@needs_root
@pytest.mark.parametrize("below", ["", "a", "a/b"])
@pytest.mark.posix("Windows has other owners and links")
def test_a_folder_that_is_another_users_link_is_refused(
    tmp_path: Path, shared: Path, below: str
) -> None:
    target = tmp_path / "victim"
    (target / below).mkdir(parents=True)
    (shared / "logs").symlink_to(target)
    os.lchown(shared / "logs", OTHER, OTHER)
    with pytest.raises(LogRefused, match="symbolic link"):
        LogFile(str(shared / "logs" / below / "log.jsonl")).append(LINE)
    assert [path for path in target.rglob("*") if path.is_file()] == []


def test_ones_own_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "logs").symlink_to(tmp_path / "disk")
    LogFile(str(tmp_path / "logs" / "log.jsonl")).append(LINE)
    assert (tmp_path / "disk" / "log.jsonl").read_bytes() == LINE


@pytest.mark.posix("Windows has other owners and links")
def test_errors_are_not_written_through_a_hard_link_either(tmp_path: Path, shared: Path) -> None:
    from hookstream.capture.hook.failures import record_failure

    victim = tmp_path / "bashrc"
    victim.write_text("mine\n")
    os.link(victim, shared / "hook-errors")
    assert not record_failure([str(shared)], {"problem": "x"})
    assert victim.read_text() == "mine\n"


def fifo(path: Path) -> None:
    os.mkfifo(path, 0o600)


def unix_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        cwd = os.getcwd()
        os.chdir(path.parent)  # its address is short
        try:
            made.bind(path.name)
        finally:
            os.chdir(cwd)


KINDS = {
    "fifo": fifo,
    "socket": unix_socket,
    "folder": lambda path: path.mkdir(),
    "device": lambda path: path.symlink_to("/dev/zero"),
    "link to nothing": lambda path: path.symlink_to("nowhere"),
    "empty": lambda path: path.touch(0o600),
    "readable by others": lambda path: (path.write_bytes(b"k" * 32), path.chmod(0o644)),
}


@pytest.mark.parametrize("which", ["pseudonym.key", "digest.key"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_key_that_is_no_key_costs_no_event(home, which, kind, within):
    home.state.mkdir(parents=True, mode=0o700)
    path = home.state / which
    KINDS[kind](path)
    if which == "digest.key":
        home.configure({"digest_key": str(path)})
    prompt = {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "tell me"}
    with within(3):
        for payload in (CLAUDE, prompt):
            done = home.hook("claude-code", payload["hook_event_name"], payload=payload)
            assert_silent_success(done)
    lines = read_log(home.log)
    assert len(lines) == 2 and "tell me" not in json.dumps(lines)
    (failure,) = [f for f in home.failures() if "key" in f["problem"]]
    assert failure["problem"].startswith(which.replace(".", " "))


def test_a_relative_digest_key_would_be_the_projects(home, tmp_path):
    (tmp_path / "key").write_bytes(b"k" * 32)
    (tmp_path / "key").chmod(0o600)
    home.configure({"digest_key": "key"})
    done = home.hook("claude-code", "PreToolUse", payload=CLAUDE, cwd=tmp_path)
    assert_silent_success(done)
    assert len(read_log(home.log)) == 1
    assert [f["problem"] for f in home.failures()] == ["configuration: digest_key is not valid"]
