"""Hooks on Windows: a line for the shell that each client has there. No real Windows has run them;
Git Bash is a bash."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookstream.capture.install.command import direct, windows_line
from hookstream.capture.install.commands import is_ours
from hookstream.normalizers.client import clients

LAUNCH = "/hookstream/capture/hook/launch.py"
OPTIONS = ["-I", "-S", "-E", "-B"]
FOLDERS = st.text("abz09 _-.$'()&,;%é", min_size=1, max_size=12)
SHELLS = ("powershell", "git-bash", "")


def words(folder: str) -> list[str]:
    python, file = rf"C:\Users\{folder}\python.exe", f"C:/Users/{folder}{LAUNCH}"
    return [python, *OPTIONS, file, "hook", "codex", "PreToolUse", "--scope", "project"]


@pytest.mark.parametrize(
    ("shell", "want"),
    [
        ("powershell", r"& 'C:\Users\o''b x\python.exe' -I -S -E -B 'C:/Users/o''b x{}' hook"),
        ("git-bash", """'C:/Users/o'"'"'b x/python.exe' -I -S -E -B 'C:/Users/o'"'"'b x{}' hook"""),
        ("", r""""C:\Users\o'b x\python.exe" -I -S -E -B "C:/Users/o'b x{}" hook"""),
    ],
)
def test_a_path_that_needs_quotes(shell: str, want: str) -> None:
    assert windows_line(words("o'b x"), shell).startswith(want.format(LAUNCH))


@pytest.mark.parametrize("shell", SHELLS)
def test_a_plain_path_has_none(shell: str) -> None:
    line = windows_line(words("anna"), shell)
    assert line.replace("\\", "/") == " ".join(words("anna")).replace("\\", "/")


@given(folder=FOLDERS, shell=st.sampled_from(SHELLS))
def test_every_line_is_known_as_ours_again(folder: str, shell: str) -> None:
    if shell or "$" not in folder:
        assert is_ours(windows_line(words(folder), shell))


@pytest.mark.parametrize(
    "line",
    [
        f'"$(x)" -I -S -E -B C:/a{LAUNCH} hook codex',
        f"C:/python.exe -I -S -E -B C:/a{LAUNCH} hook codex; calc",
        f"& 'C:/python.exe' -I -S -E -B 'C:/a{LAUNCH}' hook codex & calc",
    ],
)
def test_a_line_that_does_more_is_not_ours(line: str) -> None:
    assert not is_ours(line)


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize("folder", ["a b", "$x", "o'b", "a;b&c", "(x)"])
def test_a_bash_reads_the_words(folder: str) -> None:
    line = windows_line(words(folder), "git-bash")
    done = subprocess.run(
        ["bash", "-c", f"printf '%s\\n' {line}"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [word.replace("\\", "/") for word in words(folder)]


def test_what_is_known_is_declared() -> None:
    shells = {client.key: client.windows_shell for client in clients() if client.windows_shell}
    assert set(shells.values()) <= set(SHELLS)
    assert (shells["claude-code"], shells["codex"]) == ("git-bash", "powershell")


def test_install_writes_the_line_of_the_clients_shell(tmp_path: Path) -> None:
    """In a process that sees Windows, with an interpreter whose path needs quotes."""
    python = tmp_path / "a $b" / "python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    code = (
        "from hookstream.capture.install import command\n"
        f"command.interpreter = lambda: {str(python)!r}\n"
        "for name in ('codex', 'claude-code'): print(command.command_line(name, 'Stop'))"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "as_windows")}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    codex, claude = done.stdout.splitlines()
    assert codex.startswith(f"& '{python}' -I -S -E -B "), done.stderr
    assert claude.startswith(f"'{python}' -I -S -E -B ")
    assert is_ours(codex) and is_ours(claude)
    assert direct("hook", [])[1:5] == OPTIONS
