"""The tutorials' commands run as pasted, in their order, but for those that serve."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest
from tests.same_process import hookstream

from hookstream.cli.app import MODULES

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
TUTORIALS = ROOT / "docs" / "tutorials"
HOME = ROOT / "tests" / "transcripts" / "data" / "claude-code"
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
# These serve until they are stopped; the suites of their folders run them.
SERVES = {"ui", "serve", "ship"}


def commands_of(name: str) -> list[list[str]]:
    text = (TUTORIALS / f"{name}.md").read_text("utf-8")
    return [shlex.split(line) for block in BLOCK.findall(text) for line in block.splitlines()]


def test_my_laptop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    scenario = next(path for path in sorted(HOME.glob("*/home")) if any(path.rglob("*.jsonl")))
    shutil.copytree(scenario, home)
    for path in home.rglob("*"):
        path.touch()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    first, *rest = commands_of("laptop")
    assert first == ["pip", "install", "."]
    ran = 0
    for program, *words in rest:
        assert program == "hookstream"
        if words[0] not in SERVES:
            done = hookstream(*words, cwd=tmp_path)
            # status ends with 1 where it names gaps: nothing has been captured yet
            assert done.returncode in ((0, 1) if words[0] == "status" else (0,)), done.stderr
            ran += 1
    assert ran == 9


def test_investigate_a_deny(tmp_path: Path) -> None:
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    answers = {}
    for program, *words in commands_of("deny"):
        assert program == "hookstream"
        if words[0] not in SERVES:
            done = hookstream(*words, cwd=tmp_path)
            assert done.returncode == 0, done.stderr
            answers[" ".join(words[:2])] = done.stdout.decode()
    assert "decided_by" in answers["query denies"] and "10 rows" in answers["query denies"]
    assert len(answers["query timeline"].splitlines()) > 5


def test_twenty_laptops_names_what_exists(tmp_path: Path) -> None:
    for program, *words in commands_of("splunk"):
        if program == "hookstream":
            assert words[0] in MODULES
            below = [words[1]] if words[0] in ("machines", "config") else []
            help_text = hookstream(words[0], *below, "--help").stdout.decode()
            options = [word for word in words if word.startswith("--")]
            assert [option for option in options if option not in help_text] == []
    text = (TUTORIALS / "splunk.md").read_text("utf-8")
    block = text.partition("```toml\n")[2].partition("```")[0]
    assert {sink["name"] for sink in tomllib.loads(block)["sink"]} == {"lake", "siem"}
    (tmp_path / "fleet").mkdir()
    (tmp_path / "hec-token").write_text("t")
    (tmp_path / "hec-token").chmod(0o600)
    (tmp_path / "hookstream.toml").write_text(block)
    done = hookstream("config", "check", "hookstream.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
