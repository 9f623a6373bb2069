"""Whatever `install` registers and the unit names starts Python isolated."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hookstream.capture.install import launcher
from hookstream.capture.install.command import OPTIONS as DIRECT

PYTHON = re.compile(r"exec (?:\{python\}) (.*)")


def test_each_launcher_starts_python_isolated() -> None:
    scripts = (launcher.SCRIPT, launcher.COMMAND_SCRIPT)
    lines = [line for script in scripts for line in PYTHON.findall(script)]
    assert len(lines) == 3
    for program in launcher.PROGRAMS:
        options = launcher.OPTIONS[program]
        for line in lines:
            assert "-I" in line.replace("{options}", options).split(), line
    assert launcher.PYTHON_SCRIPT.startswith("#!{python} -ISEB\n")
    assert '"-I", "-B", "-m"' in launcher.PYTHON_SCRIPT
    assert "-I" in DIRECT


def test_the_service_of_the_package_starts_python_isolated() -> None:
    assert launcher.command_words()[1:] == ["-I", "-m", "hookstream"]


@pytest.mark.skipif(os.name == "nt", reason="launchers are shell scripts")
@pytest.mark.posix("launchers are POSIX shell scripts")
def test_the_command_of_a_bundle_runs_nothing_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sitecustomize that PYTHONPATH names leaves a file where it runs."""
    mark = tmp_path / "ran"
    (tmp_path / "sitecustomize.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "bundle.py").write_text("print('here')\n")
    monkeypatch.setattr(launcher, "folder", lambda managed=False: tmp_path)
    launcher.write_command(tmp_path / "bundle.py")
    done = subprocess.run(
        [tmp_path / launcher.COMMAND_NAME], capture_output=True, text=True, check=True
    )
    assert (done.stdout, mark.exists()) == ("here\n", False)
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    assert mark.exists()  # a Python that is not isolated does run it
