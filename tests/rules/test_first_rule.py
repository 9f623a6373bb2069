"""docs/rules.md begins with one complete rule, its cases and its run: they are what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.documents import DOCS, blocks, console_is_real

PAGE = DOCS / "rules.md"


def test_the_first_rule_of_the_documentation_runs_as_shown(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    rule, cases = blocks(PAGE, "yaml")[:2]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "push_to_main.yml").write_text(rule)
    (tmp_path / "mine" / "push_to_main.cases.yml").write_text(cases)
    console_is_real(PAGE, tmp_path, regenerate=request.config.getoption("--regenerate"))
