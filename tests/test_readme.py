"""The README says what the tables say, and its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hookstream.cli.app import app
from hookstream.cli.coverage import markdown
from hookstream.coverage import overview

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


def test_every_command_the_readme_shows_exists() -> None:
    shown = set(re.findall(r"hookstream ([a-z]+)\b", README.read_text("utf-8")))
    known = {
        command.name or command.callback.__name__  # type: ignore[union-attr]
        for command in app.registered_commands
    }
    assert shown - {"turns", "emits", "here"} <= known | {"hook"}, shown - known


def test_every_link_of_the_documentation_leads_somewhere() -> None:
    for page in [README, *ROOT.glob("docs/**/*.md"), ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
