"""What Windows lacks is not called where a Windows user needs the module, as far as another system
can show it. No Windows machine runs these tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hookstream.core.places import SYSTEMS, Machine
from hookstream.normalizers.client import clients
from same_process import hookstream

SAMPLES = Path(__file__).parents[1] / "samples"
# In an interpreter that says it is Windows: first everything, so that libraries are loaded as they
# are here, then our modules alone, without the modules and names that Windows does not have.
IMPORTS = """
import importlib, os, pkgutil, signal, socket, sys, types
import hookstream

def all_of_it():
    for found in pkgutil.walk_packages(hookstream.__path__, "hookstream."):
        if not found.name.endswith("__main__") and ".integrations." not in found.name:
            importlib.import_module(found.name)

all_of_it()
for name in [one for one in sys.modules if one.partition(".")[0] == "hookstream"]:
    del sys.modules[name]
for name in "fcntl grp posix pty pwd resource syslog termios tty".split():
    sys.modules[name] = None
sys.modules["msvcrt"] = types.ModuleType("msvcrt")
for module, names in (
    (signal, "SIGALRM SIGHUP SIGKILL SIGPIPE SIGQUIT SIGUSR1 SIGUSR2 alarm setitimer "
             "pthread_sigmask"),
    (os, "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK WNOHANG chown fchmod fchown fdatasync fork "
         "getegid geteuid getgid getuid killpg mkfifo pread pwrite register_at_fork "
         "sched_getaffinity setsid statvfs sysconf uname"),
    (socket, "AF_UNIX"),
):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
sys.platform = "win32"
import hookstream
all_of_it()
"""


@pytest.mark.long
def test_every_module_can_be_imported_without_what_windows_lacks() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("platform", SYSTEMS)
def test_a_clients_sessions_are_looked_for_without_any_variable(
    tmp_path: Path, platform: str
) -> None:
    machine = Machine(tmp_path, env={}, platform=platform)
    for client in clients():
        for place in client.sessions:
            # else the session files are elsewhere, named by a variable in every alternative
            assert str(place.path(machine)).startswith(str(tmp_path)), (client.key, place)


def test_a_delivery_and_a_seal_need_no_pread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pread", "pwrite"):
        monkeypatch.delattr(os, name, raising=False)
    out = tmp_path / "out"
    config = tmp_path / "sinks.toml"
    source = (SAMPLES / "claude-code" / "deny.jsonl").as_posix()
    config.write_text(f'sources = ["{source}"]\n[[sink]]\nuri = "jsonl:{out.as_posix()}"\n')
    done = hookstream("run", "--config", config, "--seal", "--state", tmp_path / "state")
    assert done.returncode == 0, done.stderr
    assert len((out / "agent-hooks.jsonl").read_bytes().splitlines()) > 5
    checked = hookstream("verify", out)
    assert checked.returncode == 0, checked.stdout + checked.stderr
