"""One table says which versions of standards are followed, and code and documents name no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookstream.cli.coverage import markdown
from hookstream.sinks.formats import ecs, ocsf, ocsf_1_8, semconv
from hookstream.standards.agent_hooks import SPEC_VERSION
from hookstream.standards.followed import FOLLOWED
from hookstream.standards.hook_points import AARTS_VERSION

ROOT = Path(__file__).resolve().parents[1]
NAMED = {
    ("Agent Hooks", SPEC_VERSION),
    ("AARTS", AARTS_VERSION),
    ("OpenTelemetry GenAI, own repository", semconv.TODAY),
    ("OpenTelemetry GenAI", semconv.BEFORE),
    ("OCSF", ocsf.VERSION),
    ("OCSF", ocsf_1_8.VERSION),
    ("Elastic Common Schema", ecs.VERSION),
}


@pytest.mark.parametrize(("standard", "version"), sorted(NAMED))
def test_the_versions_in_code_are_in_the_table(standard: str, version: str) -> None:
    assert (standard, version) in {(row["standard"], row["version"]) for row in FOLLOWED}


@pytest.mark.parametrize("row", FOLLOWED, ids=lambda row: f"{row['standard']} {row['version']}")
def test_a_row_names_modules_that_exist(row: dict[str, str]) -> None:
    for name in row["where"].split(", "):
        assert (ROOT / "src" / "hookstream" / name).exists()


def test_the_document_has_the_table() -> None:
    text = (ROOT / "docs" / "standards.md").read_text("utf-8")
    assert markdown(list(FOLLOWED)) in text, "hookstream vendors --standards --format markdown"
