"""The README says what the tables say, and its commands exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from hookstream.cli.app import MODULES
from hookstream.cli.coverage import markdown
from hookstream.pipeline.coverage import overview

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def between(mark: str) -> str:
    text = README.read_text("utf-8")
    return text.split(f"<!-- {mark} -->")[1].split(f"<!-- /{mark} -->")[0].strip()


def test_the_coverage_table_is_the_one_the_tables_give(request: pytest.FixtureRequest) -> None:
    made = markdown(overview())
    if request.config.getoption("--regenerate"):
        text = README.read_text("utf-8")
        head, rest = text.split("<!-- coverage -->")
        tail = rest.split("<!-- /coverage -->")[1]
        made_text = f"{head}<!-- coverage -->\n{made}\n<!-- /coverage -->{tail}"
        README.write_text(made_text, "utf-8")
    assert between("coverage") == made


def test_the_answer_is_what_the_commands_give(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    text = README.read_text("utf-8")
    block = text.partition("## The question it answers")[2].partition("```sh\n")[2]
    commands = block.partition("```")[0].splitlines()
    assert [shlex.split(line)[1] for line in commands] == ["run", "query", "ui"]
    for line in commands[:2]:
        words = [sys.executable, "-m", *shlex.split(line)]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    answer = done.stdout.strip()
    if request.config.getoption("--regenerate"):
        head, rest = text.split("<!-- answer -->")
        tail = rest.split("<!-- /answer -->")[1]
        README.write_text(f"{head}<!-- answer -->\n{answer}\n<!-- /answer -->{tail}", "utf-8")
    assert between("answer") == answer


def test_every_command_the_readme_shows_exists() -> None:
    shown = set(re.findall(r"hookstream ([a-z]+)\b", README.read_text("utf-8")))
    known = {*MODULES, "hook"}
    assert shown - {"turns", "emits", "here"} <= known, shown - known


def test_every_link_of_the_documentation_leads_somewhere() -> None:
    for page in [README, *ROOT.glob("docs/**/*.md"), ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
