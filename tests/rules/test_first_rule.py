"""docs/rules.md begins with one complete rule, its cases and its run: they are what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from tests.documents import DOCS, blocks, console_is_real

from hookstream.rules.draft import cases_text, rule_text

PAGE = DOCS / "rules.md"


def test_the_first_rule_of_the_documentation_runs_as_shown(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    rule, cases = blocks(PAGE, "yaml")[:2]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "push_to_main.yml").write_text(rule)
    (tmp_path / "mine" / "push_to_main.cases.yml").write_text(cases)
    console_is_real(PAGE, tmp_path, regenerate=request.config.getoption("--regenerate"))


@pytest.mark.parametrize("sign", ["\u202e", "\u200b", "\x1b[31m", "\u2066"])
def test_a_draft_shows_what_no_screen_does(sign: str) -> None:
    call = {"file_path": f"/srv/{sign}x", "tool": "t"}
    for text in (rule_text("found_it", call), cases_text(call, None)):
        assert text.replace("\n", "").isprintable()
        assert repr(f"/srv/{sign}x") in str(yaml.safe_load(text))
