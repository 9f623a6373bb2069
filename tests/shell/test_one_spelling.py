"""One path is one path, however Windows and the shells on it spell it."""

from __future__ import annotations

import pytest

from hookstream.shell.paths import one_spelling, paths_of, spellings

SPELLED = (
    "C:\\work\\a.txt",
    "c:/work/a.txt",
    "/c/work/a.txt",
    "/mnt/c/work/a.txt",
    "/cygdrive/c/work/a.txt",
    "\\\\wsl$\\Ubuntu\\mnt\\c\\work\\a.txt",
    "//wsl.localhost/Ubuntu/mnt/c/work/a.txt",
    "C:\\\\work\\\\a.txt",
    "//c/work/a.txt",
    "/proc/cygdrive/c/work/a.txt",
    "\\\\?\\C:\\work\\a.txt",
    "\\\\localhost\\c$\\work\\a.txt",
    "\\\\?\\UNC\\wsl$\\Ubuntu\\mnt\\c\\work\\a.txt",
)
# Windows reads names in any case.
ABOUT = ("C:/work/a.txt", "c:/work/a.txt")


@pytest.mark.parametrize("path", SPELLED)
def test_a_path_of_a_drive_is_one_path(path: str) -> None:
    assert one_spelling(path) == "C:/work/a.txt"
    assert paths_of(None, path, "C:\\other").about == ABOUT


@pytest.mark.parametrize("folder", ["C:\\work", "/c/work", "/mnt/c/work"])
def test_a_relative_path_is_below_its_folder(folder: str) -> None:
    assert paths_of(None, "a.txt", folder).about == ABOUT
    assert paths_of("echo x > /c/work/a.txt", None, folder).about == ABOUT
    assert {"a.txt", "/c/work/a.txt"} <= set(spellings("C:/work/a.txt", folder))


@pytest.mark.parametrize(
    "command",
    [
        "cd /d C:\\work && echo x>a.txt",
        "cd C:/; Set-Content Work\\A.txt x",
        "Set-Content -Path ..\\work\\a.txt -Value x",
        "printf x > C:\\\\work\\\\a.txt",
    ],
)
def test_a_command_of_windows_names_its_file(command: str) -> None:
    assert "c:/work/a.txt" in paths_of(command, None, "C:\\other").named


def test_a_path_of_another_system_stays() -> None:
    assert one_spelling("\\\\wsl$\\Ubuntu\\home\\dev\\x") == "/home/dev/x"
    for path in ("/home/dev/x", "/mnt/data/x", "/cc/x", "/"):
        assert one_spelling(path) == path
