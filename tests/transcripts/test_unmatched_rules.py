"""Rules of a client's settings that no call met, in the report of a backfill."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from homes import home_of

from hookstream.cli.backfill import backfill
from hookstream.queries.unmatched import condition
from hookstream.transcripts.permissions import PermissionRule, settings_of

ALLOW = ["Bash(rm -f:*)", "Bash(kubectl:*)", "mcp__demo__echo", "mcp__other__x"]
DENY = ["Read(./private/**)", "Read(~/.ssh/**)", "WebFetch(domain:example.com)"]


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.mark.long
def test_the_report_lists_rules_that_no_call_met_and_the_files_it_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = home_of("claude-code/refusals-dontask", tmp_path)
    settings = home / ".claude" / "settings.json"
    settings.write_text(json.dumps({"permissions": {"allow": ALLOW, "deny": DENY}}), "utf-8")
    broken = home / ".qwen" / "settings.json"
    broken.parent.mkdir()
    broken.write_text("{", "utf-8")
    backfill(since="all", home=home, workers=1)
    said = capsys.readouterr()
    part = said.out.partition("Permission rules that no call met")[2].partition("Loops")[0]
    listed = {rule for rule in [*ALLOW, *DENY] if rule in part}
    assert listed == {
        "Bash(kubectl:*)",
        "mcp__other__x",
        "Read(~/.ssh/**)",
        "WebFetch(domain:example.com)",
    }
    assert "7 in 1 settings files" in part
    assert f"settings read: {settings}" in part.replace("\n", "")
    assert f"{broken}: settings that cannot be read" in said.err


def test_settings_of_projects_and_of_the_machine(tmp_path: Path) -> None:
    project = tmp_path / "project"
    local = project / ".claude" / "settings.local.json"
    local.parent.mkdir(parents=True)
    local.write_text('{"permissions": {"ask": ["Bash", 7, "no (rule"]}}', "utf-8")
    pairs = [("claude-code", str(project)), ("claude-code", "relative"), ("codex", str(project))]
    found = settings_of(tmp_path, pairs, {}, machine=False)
    assert [(rule.answer, rule.text, rule.arguments) for rule in found.rules] == [
        ("ask", "Bash", ())
    ]
    assert found.files == [str(local)]
    moved = settings_of(tmp_path, [], {"CLAUDE_CONFIG_DIR": str(local.parent)}, machine=False)
    assert moved.files == [str(local)]


COMMANDS = [
    ("git push:*", "git push origin main", True),
    ("git push:*", "cd x && git push", True),
    ("git push:*", "git pusher", False),
    ("git push:*", "echo git push", False),
    ("npm run *", "npm run build", True),
    ("ls", "ls -la", False),
    ("ls", "ls; pwd", True),
]


@pytest.mark.parametrize(("argument", "command", "is_met"), COMMANDS)
def test_a_command_rule_is_met_where_a_command_begins(
    argument: str, command: str, is_met: bool
) -> None:
    import duckdb

    rule = PermissionRule("claude-code", "f", "allow", f"Bash({argument})", ("Bash",), (argument,))
    rows = duckdb.execute(
        f"select {condition(rule)} from (select 'claude-code' as tool, 'Bash' as action_native, "
        "? as command, null as file_path, null as url, null as mcp_server)",
        [command],
    ).fetchall()
    assert rows == [(is_met,)]


def test_a_rule_is_never_sql() -> None:
    rule = PermissionRule("claude-code", "f", "deny", "x", ("Bash",), ("'; drop table calls; --",))
    assert re.search(r"'[^']*'' *;|''", condition(rule))
