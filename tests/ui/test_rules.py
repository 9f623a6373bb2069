"""Own and shipped rules on the pages, as `ui --rules DIR --rules pack --tuning FILE` shows them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.same_process import text_of
from tests.ui.conftest import client_of

from hookstream.rules.tuning import DetectOptions
from hookstream.ui.lake import BrowsedLake

RULE = """\
title: Denied <b>Shell</b> Command
id: 3e0e2b0e-8f43-4a0b-8f3f-0a2b8a2e7c11
name: denied_shell
logsource: {product: hookstream, service: calls}
detection:
  call: {outcome: denied, action_category: shell}
  condition: call
level: medium
"""


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mine")
    (folder / "denied_shell.yml").write_text(RULE)
    (folder / "denied_shell.cases.yml").write_text(
        "hits:\n  - calls: [{command: ls, outcome: denied}]\n"
    )
    (folder / "tuning.toml").write_text(
        '[levels]\ndenied_shell = "critical"\ncall_forced_push = "off"\n'
    )
    return folder


@pytest.fixture(scope="module")
def browser(lake_path: Path, mine: Path) -> Iterator[TestClient]:
    opened = BrowsedLake(lake_path)  # its findings are not those of others
    yield client_of(opened, DetectOptions((mine, Path("pack")), mine / "tuning.toml"))
    opened.close()


@pytest.mark.long
def test_own_rules_come_first_with_their_findings(browser: TestClient) -> None:
    found = json.loads(browser.get("/findings?rule=denied_shell&export=json").content)
    assert found and {one["level"] for one in found} == {"critical"}
    page = browser.get("/rules").text
    rows = page.partition("<tbody>")[2].split("<tr>")[1:]
    assert len(rows) > 60
    assert "own" in rows[0] and f">{len(found)}</a>" in rows[0] and "yes" in rows[0]
    assert "&lt;b&gt;Shell" in rows[0] and "<b>Shell" not in page
    (forced,) = [row for row in rows if ">call_forced_push<" in row]
    assert ">shipped</td>" in forced and ">off</td>" in forced


@pytest.mark.long
def test_the_page_of_an_own_rule_shows_its_source_and_cases(browser: TestClient) -> None:
    page = browser.get("/rule/denied_shell").text
    assert "command: ls, outcome: denied" in page and "action_category: shell" in page
    assert "critical" in page and "from medium" in page


def test_without_rules_of_ones_own_the_shipped_ones_are_listed(client: TestClient) -> None:
    page = client.get("/rules").text
    assert ">shipped</td>" in page and ">own</td>" not in page


def test_a_wrong_rule_is_one_line_before_anything_is_served(
    lake_path: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad.yml").write_text("title: [")
    done = text_of("ui", lake_path, "--no-browser", "--rules", tmp_path)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"hookstream: {tmp_path / 'bad.yml'}:1: ")
