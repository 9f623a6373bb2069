"""The pack that ships: every rule hits and misses what its cases say, and says what it must."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from hookstream.normalizers import VENDORS
from hookstream.rules.cases import CaseLake
from hookstream.rules.compile import Compiled, compile_rules
from hookstream.rules.evaluate import findings
from hookstream.rules.load import LEVELS, load, pack

SMALL = CaseLake()
RULES = {rule.name: rule for rule in compile_rules(load([pack()]), SMALL.table)}
FILES = sorted(file for file in pack().glob("*.yml") if not file.name.endswith(".cases.yml"))
CASES = {file.name.removesuffix(".cases.yml"): file for file in sorted(pack().glob("*.cases.yml"))}


def cases(kind: str) -> list[Any]:
    return [
        pytest.param(name, case, id=f"{name}-{number}")
        for name, file in CASES.items()
        for number, case in enumerate(yaml.safe_load(file.read_text("utf-8"))[kind])
    ]


def of(name: str) -> Compiled:
    return next(rule for rule in RULES.values() if Path(rule.file).stem == name)


@pytest.mark.long
@pytest.mark.parametrize(("name", "case"), cases("hits"))
def test_a_rule_hits(name: str, case: dict[str, list[dict[str, Any]]]) -> None:
    hits = findings(SMALL.fill(case), [of(name)])
    assert len(hits) == 1, f"{name}: {hits}"


@pytest.mark.long
@pytest.mark.parametrize(("name", "case"), cases("misses"))
def test_a_rule_misses(name: str, case: dict[str, list[dict[str, Any]]]) -> None:
    assert findings(SMALL.fill(case), [of(name)]) == []


def test_there_are_more_than_sixty_rules_each_with_cases() -> None:
    assert len(RULES) >= 60
    assert {Path(rule.file).stem for rule in RULES.values()} == set(CASES)


@pytest.mark.parametrize("name", RULES)
def test_a_rule_says_what_an_analyst_needs(name: str) -> None:
    rule = RULES[name]
    assert rule.level in LEVELS
    assert any(re.fullmatch(r"attack\.t\d{4}(?:\.\d{3})?", tag) for tag in rule.tags)
    assert rule.atlas and all(re.fullmatch(r"AML\.T\d{4}(?:\.\d{3})?", one) for one in rule.atlas)
    assert rule.owasp and all(re.fullmatch(r"ASI(?:0[1-9]|10)", one) for one in rule.owasp)
    assert rule.description and rule.falsepositives
    assert rule.clients and set(rule.clients) <= set(VENDORS)


# sigma-cli wants an older pySigma, so it lives in an environment of its own.
def sigma() -> str | None:
    beside = Path(sys.executable).parent / "sigma"
    return shutil.which("sigma") or (str(beside) if beside.exists() else None)


@pytest.mark.skipif(
    sigma() is None, reason="sigma-cli is not installed (uv tool install sigma-cli)"
)
def test_sigma_cli_finds_nothing_wrong(tmp_path: Path) -> None:
    for file in FILES:
        shutil.copy(file, tmp_path / file.name)
    command = [
        str(sigma()),
        "check",
        "-e",
        "-i",
        "-x",
        "attacktag",
        "-x",
        "d3_fendtag",
        str(tmp_path),
    ]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout[-3000:] + made.stderr[-1000:]


def test_rules_about_gaps_name_gaps_that_there_are() -> None:
    import re

    from hookstream.queries.catalog import queries

    there = set(re.findall(r"'(\w+)' as gap", queries()["gaps"].sql))
    for rule in load([pack()]).rules:
        source = getattr(rule, "logsource", None)
        if source is not None and source.service == "gaps":
            text = Path(str(rule.source.path)).read_text("utf-8")
            (named,) = re.findall(r"^    gap: \[?([\w, ]+)\]?$", text, re.MULTILINE)
            assert set(named.split(", ")) <= there, rule.title
