"""One's own rules: their cases, a first one from a call, and one list with the shipped ones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from tests.same_process import text_of

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
RULE = """\
title: Package Published
id: 7e7ad4ce-3f35-4f16-9a40-3d3bb4d9f3a5
name: package_published
logsource: {product: hookstream, service: calls}
detection:
  call: {command_effects: published}
  condition: call
level: high
"""
CASES = """\
hits:
  - calls:
      - command: npm publish
misses:
  - calls:
      - command: npm pack
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "published.yml").write_text(RULE)
    (folder / "published.cases.yml").write_text(CASES)
    return folder


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own") / "lake"
    done = text_of("run", ROOT / "samples" / "claude-code", "--to", f"parquet:{folder}")
    assert done.returncode == 0
    return folder


def test_cases_of_own_rules_are_run_without_a_lake(mine: Path) -> None:
    done = text_of("detect", "--test", "--rules", mine)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "2 cases of 1 rule file, 0 failed\n"


def test_a_case_that_fails_is_named_with_its_line(mine: Path) -> None:
    file = mine / "published.cases.yml"
    file.write_text(CASES.replace("npm pack", "twine upload dist/*").replace("npm publish", "ls"))
    done = text_of("detect", "--test", "--rules", mine)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"{file}:2: must be found, and is not",
        f"{file}:5: must not be found, and is: twine upload dist/*",
    ]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("hit:\n  - calls: []\n", 1, "'hit': no such key; did you mean hits?"),
        ("hits:\n  - call: []\n", 2, "'call' is not a table that rules are about"),
        ("hits:\n  - calls:\n    - comand: ls\n", 3,
         "'comand': no such column of calls; did you mean command?"),
        ("hits:\n  - calls:\n    - command: ls\n      at: soon\n", 4, "at is a number of minutes"),
        ("hits:\n  - calls: ls\n", 2, "calls is a list of rows"),
        ("hits:\n  - ls\n", 2, "a case is a mapping of tables to rows"),
        ("hits: ls\n", 1, "hits is a list of cases"),
        ("- hits\n", 1, "a file of cases has hits and misses"),
        ("hits: []\n", 1, "no case: hits and misses are lists of them"),
        ("", 1, "a file of cases has hits and misses"),
        ("hits: [", 1, ""),
    ],
)  # fmt: skip
def test_what_does_not_belong_in_cases_is_an_error_with_its_line(
    mine: Path, text: str, line: int, reason: str
) -> None:
    file = mine / "published.cases.yml"
    file.write_text(text)
    done = text_of("detect", "--test", "--rules", mine)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"hookstream: {file}:{line}: {reason}")


def test_a_value_that_a_column_cannot_hold_fails_its_case(mine: Path) -> None:
    file = mine / "published.cases.yml"
    file.write_text("hits:\n  - calls:\n    - exit_code: many\n")
    done = text_of("detect", "--test", "--rules", mine)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{file}:2: cannot be a row: ")


def test_cases_without_a_rule_are_an_error_and_rules_without_cases_are_named(mine: Path) -> None:
    other = mine / "other.cases.yml"
    (mine / "published.cases.yml").rename(other)
    done = text_of("detect", "--test", "--rules", mine)
    assert done.returncode == 2
    assert f"{other}:1: other.yml next to it holds no rule that reports" in done.stderr
    other.unlink()
    done = text_of("detect", "--test", "--rules", mine)
    assert done.returncode == 2 and "without cases: published.yml" in done.stderr


def test_own_and_shipped_rules_are_asked_together(mine: Path, lake: Path) -> None:
    done = text_of("detect", lake, "--rules", mine, "--rules", "pack", "--list", "--format", "json")
    rules = json.loads(done.stdout)
    own = [rule for rule in rules if rule["origin"] == "own"]
    assert [(rule["rule"], rule["has_cases"]) for rule in own] == [("package_published", True)]
    assert len(rules) > 60 and {rule["origin"] for rule in rules} == {"own", "shipped"}
    alone = text_of("detect", lake, "--format", "json")
    both = text_of("detect", lake, "--rules", mine, "--rules", "pack", "--format", "json")
    assert both.returncode == 0 and json.loads(both.stdout) == json.loads(alone.stdout) != []


def test_the_list_says_what_tuning_makes_of_a_rule_and_needs_no_lake(mine: Path) -> None:
    tuning = mine / "tuning.toml"
    tuning.write_text('[levels]\npackage_published = "low"\ncall_forced_push = "off"\n')
    done = text_of("detect", "--list", "--format", "json", "--tuning", tuning,
                   "--rules", mine, "--rules", "pack")  # fmt: skip
    rules = {rule["rule"]: (rule["level"], rule["status"]) for rule in json.loads(done.stdout)}
    assert rules["package_published"] == ("low", "on")
    assert rules["call_forced_push"] == ("medium", "off")


def calls_of(lake: Path) -> list[dict[str, str]]:
    sql = "select call_id, command, file_path, url from calls order by first_at desc"
    return list(json.loads(text_of("query", sql, lake, "--format", "json").stdout))


def test_a_new_rule_finds_its_call_and_passes_its_cases(lake: Path, tmp_path: Path) -> None:
    for number, column in enumerate(("command", "file_path", "url")):
        call = next((one for one in calls_of(lake) if one[column]), None)
        if call is None:
            continue
        name, folder = f"new_{number}", tmp_path / "rules"
        done = text_of("detect", lake, "--new", name, "--call", call["call_id"], "--rules", folder)
        if "calls begin with it" in done.stderr:
            continue
        assert done.returncode == 0, done.stderr
        assert "2 cases of 1 rule file, 0 failed" in done.stderr
        cases = yaml.safe_load((folder / f"{name}.cases.yml").read_text())
        assert cases["hits"][0]["calls"][0][column] == call[column]
        shown = text_of("detect", lake, "--rules", folder / f"{name}.yml", "--format", "json")
        assert call[column] in {one["shown"] for one in json.loads(shown.stdout)}
    assert len(list((tmp_path / "rules").glob("*.cases.yml"))) > 0


def test_a_new_rule_begins_with_the_newest_call_and_replaces_no_file(
    lake: Path, tmp_path: Path
) -> None:
    newest = next(one for one in calls_of(lake) if one["command"] or one["file_path"] or one["url"])
    words = ("detect", lake, "--new", "first_rule", "--rules", tmp_path)
    assert text_of(*words).returncode == 0
    cases = yaml.safe_load((tmp_path / "first_rule.cases.yml").read_text())
    assert set(filter(None, newest.values())) & set(cases["hits"][0]["calls"][0].values())
    rule = (tmp_path / "first_rule.yml").read_bytes()
    done = text_of(*words)
    assert done.returncode == 2 and "first_rule.yml: already exists" in done.stderr
    assert (tmp_path / "first_rule.yml").read_bytes() == rule


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--new", "../x"], "a name is 3 to 64 of a-z"),
        (["--new", "good", "--rules", "pack"], "name one folder of yours"),
        (["--new", "good", "--call", "nothing-like-it"], "no such call"),
        (["--call", "x"], "--call goes with --new"),
    ],
)
def test_a_new_rule_that_cannot_be_written_is_one_line(
    lake: Path, tmp_path: Path, words: list[str], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = text_of("detect", lake, *words)
    assert done.returncode in (2, 3) and done.stderr.count("\n") == 1
    assert re.match(f"hookstream: .*{re.escape(reason)}", done.stderr)
    assert list(tmp_path.iterdir()) == []
