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

from hookstream.capture.install.homes import SCOPES, InstallFolders
from hookstream.capture.install.registered import config_files, installable
from hookstream.normalizers import GUARDIANS, VENDORS, documented
from hookstream.normalizers.client import settings_pattern
from hookstream.normalizers.table import Row
from hookstream.rules.cases import CaseLake
from hookstream.rules.compile import Compiled, compile_rules
from hookstream.rules.evaluate import findings
from hookstream.rules.load import LEVELS, PLACES, load, pack

CLIENTS = set(VENDORS) - GUARDIANS
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
    holds = {
        "level": rule.level in LEVELS,
        "tags": any(re.fullmatch(r"attack\.t\d{4}(?:\.\d{3})?", one) for one in rule.tags),
        "hookstream.atlas": _all_match(r"AML\.T\d{4}(?:\.\d{3})?", rule.atlas),
        "hookstream.owasp": _all_match(r"ASI(?:0[1-9]|10)", rule.owasp),
        "hookstream.clients": bool(rule.clients) and set(rule.clients) <= set(VENDORS),
        "description": bool(rule.description),
        "falsepositives": bool(rule.falsepositives),
    }
    missing = [key for key, is_right in holds.items() if not is_right]
    assert not missing, f"{name}.yml, missing or wrong (docs/rules.md, The pack): {missing}"


def _all_match(pattern: str, values: tuple[str, ...]) -> bool:
    return bool(values) and all(re.fullmatch(pattern, one) for one in values)


def test_each_rule_of_some_clients_says_by_what_and_some_client_has_it() -> None:
    some = [rule for rule in RULES.values() if rule.feeds != ("all",)]
    assert some and all(isinstance(part, tuple) for rule in some for part in rule.feeds)
    assert {rule.name for rule in some if not rule.clients} == set()


def test_a_new_clients_tables_make_it_feed_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two clients with one table each, the one with the fact feeds the rule."""
    row = Row("Model.Responded", {"input_tokens": "in"}, hook_point="")
    monkeypatch.setattr(
        documented, "rows_of", lambda key: [(row, {"input_tokens"})] if key == "kiro" else []
    )
    wanted = {"event_type": "Model.*", "fact": "input_tokens"}
    assert documented.clients_with.__wrapped__(**wanted) == ("kiro",)
    assert documented.clients_with.__wrapped__(**wanted | {"fact": "cost_usd"}) == ()


def test_most_rules_are_fed_by_every_client() -> None:
    everywhere = [one for one in RULES.values() if set(one.clients) == CLIENTS]
    assert len(everywhere) > 60


@pytest.mark.parametrize("scope", SCOPES)
def test_hooks_of_every_client_are_settings_that_an_agent_must_not_change(scope: str) -> None:
    text = (pack() / "call_own_config_changed.yml").read_text("utf-8")
    detection = yaml.safe_load(PLACES.sub(lambda name: settings_pattern(name[1]), text))[
        "detection"
    ]
    wanted = (detection["writes"]["file_path|re|i"], detection["shell"]["command_writes|re|i"])
    homes = InstallFolders(Path("/home/dev/project"), {"HOME": "/home/dev"}, "linux")
    paths = [
        str(file.path) for agent in installable() for file in config_files(agent, homes, scope)
    ]
    assert len(paths) > 10
    assert [path for path in paths for one in wanted if not re.search(one, path)] == []


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
