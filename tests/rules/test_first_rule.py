"""docs/rules.md begins with one complete rule, its cases and its run: they are what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.same_process import text_of

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rules.md"


def block(kind: str, text: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_first_rule_of_the_documentation_runs_as_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    text = PAGE.read_text("utf-8")
    rule, cases = block("yaml", text)[:2]
    shown = block("console", text)[0]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "push_to_main.yml").write_text(rule)
    (tmp_path / "mine" / "push_to_main.cases.yml").write_text(cases)
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    real = ""
    for line in shown.splitlines():
        if line.startswith("$ "):
            done = text_of(*shlex.split(line.removeprefix("$ hookstream ")))
            assert done.returncode == 0, done.stderr
            real += f"{line}\n{done.stdout}{done.stderr}"
    real = re.sub(r" +$", "", real, flags=re.MULTILINE)
    if request.config.getoption("--regenerate"):
        PAGE.write_text(text.replace(shown, real), "utf-8")
    assert real == shown
