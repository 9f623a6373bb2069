"""Permission rules as each client keeps them, and `query permissions` over what they decide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from homes import home_of

from hookstream.cli.backfill import backfill
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream
from hookstream.queries.unmatched import RulesHere
from hookstream.transcripts.permissions import settings_of
from hookstream.ui.lake import BrowsedLake
from same_process import hookstream

pytestmark = pytest.mark.long

CODEX = """
prefix_rule(pattern = ["git", ["push", "fetch"]], decision = "forbidden", match = ["git push"])
prefix_rule(["touch"])
prefix_rule(pattern = ["kubectl", "delete"], decision = "prompt")
prefix_rule(pattern = some_name, decision = "prompt")
host_executable(name = "git", paths = ["/usr/bin/git"])
"""
GEMINI = """
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git push", "git status"]
decision = "deny"
priority = 100
[[rule]]
commandPrefix = "terraform"
decision = "ask_user"
[[rule]]
mcpName = "demo"
toolName = "echo"
decision = "allow"
[[rule]]
toolName = "run_shell_command"
argsPattern = '"command":"zzz'
decision = "deny"
"""
GEMINI_SETTINGS = {"tools": {"allowed": ["run_shell_command(docker)"], "exclude": ["web_fetch"]}}
COPILOT = {
    "locations": {
        "/home/dev/project": {
            "tool_approvals": [
                {"kind": "commands", "commandIdentifiers": ["touch", "npm run"]},
                {"kind": "mcp", "serverName": "demo", "toolName": None},
                {"kind": "mcp", "serverName": "other", "toolName": "go"},
                {"kind": "write"},
                {"kind": "memory"},
            ]
        }
    }
}
OPENCODE = """{
  // tried "on" a server, then /* here */
  "permission": {
    "bash": {"*": "allow", "rm *": "deny", "npm *": "ask", },
    "read": {"*/private/*": "deny", "secrets/**": "deny"},
    "webfetch": "ask", /* nobody did */
    "demo_*": "ask",
  },
}"""
CASES: list[tuple[str, dict[str, str], set[str]]] = [
    ("codex/rules", {".codex/rules/default.rules": CODEX}, {"touch", "kubectl delete"}),
    (
        "gemini-cli/rules",
        {".gemini/policies/a.toml": GEMINI, ".gemini/settings.json": json.dumps(GEMINI_SETTINGS)},
        {"run_shell_command(terraform)", "demo(echo)", "run_shell_command(docker)", "web_fetch"},
    ),
    (
        "copilot/refusals-rules",
        {".copilot/permissions-config.json": json.dumps(COPILOT)},
        {"shell(npm run)", "other(go)"},
    ),
    (
        "opencode/refusals-rules",
        {".config/opencode/opencode.jsonc": OPENCODE},
        {"bash: npm *", "read: secrets/**", "webfetch: *"},
    ),
]


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / ".config"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def with_settings(scenario: str, files: dict[str, str], folder: Path) -> Path:
    home = home_of(scenario, folder)
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return home


def permissions(lake: Path, *more: str) -> list[dict[str, Any]]:
    done = hookstream("query", "permissions", lake, *more, "--format", "json")
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


@pytest.mark.parametrize(("scenario", "files", "unmet"), CASES, ids=[one[0] for one in CASES])
def test_query_permissions_names_the_rules_that_no_call_met(
    scenario: str, files: dict[str, str], unmet: set[str], tmp_path: Path
) -> None:
    home = with_settings(scenario, files, tmp_path)
    lake = tmp_path / "lake"
    backfill(since="all", home=home, workers=1, sink=[f"parquet:{lake}"], report=None)
    rows = permissions(lake)
    never = {row["rule"]: row for row in rows if row["finding"] == "rule_never_matched"}
    assert set(never) == unmet
    assert {row["file"] for row in never.values()} <= {str(home / name) for name in files}
    assert {row["answer"] for row in never.values()} <= {"allow", "ask", "deny"}
    assert any(row["finding"] != "rule_never_matched" for row in rows)
    # In a time without calls nothing is known of any rule.
    assert permissions(lake, "--until", "2020-01-01") == []


def test_rules_are_those_that_are_handed_over_and_no_others(tmp_path: Path) -> None:
    scenario, files, unmet = CASES[0]
    home = with_settings(scenario, files, tmp_path)
    lake = tmp_path / "lake"
    backfill(since="all", home=home, workers=1, sink=[f"parquet:{lake}"], report=None)
    some = RulesHere(lambda projects: settings_of(home, projects, {}, machine=False), None)
    none = RulesHere(lambda projects: settings_of(tmp_path, [], {}, machine=False), None)
    with open_stream(lake) as stream:
        for rules, expected in ((some, unmet), (none, set()), (some, unmet), (None, set())):
            rows = objects(ask(stream, "permissions", rules=rules))
            assert never_met(rows) == expected
    for rules, expected in ((some, unmet), (None, set())):
        pages = BrowsedLake(lake, rules)
        assert never_met(pages.ask("from permissions").dicts()) == expected
        pages.close()


def never_met(rows: list[dict[str, Any]]) -> set[str]:
    return {row["rule"] for row in rows if row["finding"] == "rule_never_matched"}


def test_a_file_that_is_no_settings_is_named_and_hides_no_other(tmp_path: Path) -> None:
    texts = {
        ".codex/rules/broken.rules": "prefix_rule(",
        ".codex/rules/deep.rules": "(" * 100_000,
        ".codex/rules/default.rules": CODEX,
        ".gemini/policies/a.toml": "[[rule",
        ".copilot/permissions-config.json": "{",
        ".config/opencode/opencode.json": '{"permission": "ask"}',
    }
    home = tmp_path / "home"
    for name, text in texts.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, "utf-8")
    found = settings_of(home, [], {}, machine=False)
    assert [Path(name).name for name in found.unread] == [
        "broken.rules",
        "deep.rules",
        "a.toml",
        "permissions-config.json",
    ]
    assert [(rule.client, rule.answer, rule.text) for rule in found.rules] == [
        ("codex", "deny", "git [push|fetch]"),
        ("codex", "allow", "touch"),
        ("codex", "ask", "kubectl delete"),
        ("opencode", "ask", "*: *"),
    ]


def test_alternatives_beyond_a_bound_count_as_any_command(tmp_path: Path) -> None:
    words = json.dumps([str(n) for n in range(40)])
    path = tmp_path / ".codex" / "rules" / "a.rules"
    path.parent.mkdir(parents=True)
    path.write_text(f"prefix_rule(pattern = [{words}, {words}, {words}])", "utf-8")
    (rule,) = settings_of(tmp_path, [], {}, machine=False).rules
    assert rule.arguments == ()
