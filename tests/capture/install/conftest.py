"""A scratch home, and the installer as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from same_process import hookstream

HOOKSTREAM = Path(sys.executable).with_name("hookstream")
Done = subprocess.CompletedProcess[str]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home and an empty project; every variable that names a folder is gone."""
    home = tmp_path / "home"
    project = tmp_path / "project"
    home.mkdir()
    project.mkdir()
    for name in list(os.environ):
        if name.startswith(("XDG_", "CLAUDE_", "CODEX_", "COPILOT_", "GEMINI_", "OPENCLAW_")):
            monkeypatch.delenv(name)
    monkeypatch.delenv("AGENT_HOOKS_LOG", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(project)
    return home


@pytest.fixture
def project(home: Path) -> Path:
    return home.parent / "project"


@pytest.fixture
def run(home: Path) -> Callable[..., Done]:
    """`hookstream` with these words, in this process."""

    def call(*words: str, **env: str) -> Done:
        done = hookstream(*words, env={**os.environ, **env})
        return Done(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture
def process(home: Path) -> Callable[..., Done]:
    """The same in a process of its own, by the program that is installed."""

    def call(*words: str) -> Done:
        return subprocess.run(
            [str(HOOKSTREAM), *words], capture_output=True, text=True, timeout=120
        )

    return call
