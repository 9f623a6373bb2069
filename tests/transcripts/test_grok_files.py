"""Grok Build's session files alone: who refused, what sub-agents took, who was there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from homes import Told, home_of

from hookstream.core.parse import UnreadableLine
from hookstream.normalizers.grok_build import wording
from hookstream.normalizers.grok_build.rules import rules

ENDS = {
    "deny": [("ok", None), ("denied", "hook"), ("ok", None)],
    "person": [("ok", None), ("denied", "user")],
    "nobody": [("ok", None), ("denied", "client")],
    "subagent": [("ok", None), ("ok", None)],
    "model-error": [("ok", None), ("ok", None)],
}
FOLDER = ".grok/sessions/%2Fhome%2Fdev%2Fproject"


@pytest.mark.parametrize("scenario", ENDS)
def test_each_call_ends_as_the_script_made_it(scenario: str, tmp_path: Path) -> None:
    told = Told(list(home_of(f"grok-build/{scenario}", tmp_path).rglob("updates.jsonl")))
    assert not told.rejections
    assert not told.tally.unknown_events
    ends = [e.facts for e in told.events if e.type in ("Action.After", "Policy.Blocked")]
    found = [("denied" if "decision" in f else f["outcome"], f.get("decided_by")) for f in ends]
    assert sorted(found, key=str) == sorted(ENDS[scenario], key=str)
    assert {f["call_id"] for f in ends} == {e.facts["call_id"] for e in told.of("Action.Before")}
    assert len(told.of("Prompt.Submitted")) == 1
    headless = {e.facts.get("attended") for e in told.of("Prompt.Submitted")}
    assert headless == ({None} if scenario == "person" else {False})


def test_a_hooks_refusal_names_the_hook(tmp_path: Path) -> None:
    told = Told([home_of("grok-build/deny", tmp_path) / FOLDER])
    (blocked,) = told.of("Policy.Blocked")
    assert blocked.facts["guardian"] == "global/hooks:pre_tool_use[1].hooks[0]"
    assert blocked.facts["decision_reason"] == "refused by the fixture policy"


def totals(told: Told) -> dict[str, tuple[int, int]]:
    return {
        e.facts["session_id"]: (e.facts["input_tokens"], e.facts["output_tokens"])
        for e in told.of("vendor.grok-build.UsageTotals")
    }


def test_a_parent_and_its_sub_agent_never_count_the_same_tokens(tmp_path: Path) -> None:
    home = home_of("grok-build/subagent", tmp_path)
    counted = totals(Told(sorted(home.rglob("updates.jsonl"))))
    assert sorted(counted.values()) == [(2900, 80), (2900, 80)]
    usage = [json.loads(path.read_text("utf-8")) for path in home.rglob("usage.json")]
    assert max(value["session"]["inputTokens"] for value in usage) == 2900 * 2
    child = min(usage, key=lambda value: value["session"]["inputTokens"])["sessionId"]
    (home / FOLDER / child / "usage.json").unlink()
    (home / FOLDER / child / "updates.jsonl").unlink()
    assert list(totals(Told(sorted(home.rglob("updates.jsonl")))).values()) == [(5800, 160)]


def test_a_sub_agent_is_tied_to_its_parent_and_its_task_is_no_prompt(tmp_path: Path) -> None:
    told = Told(sorted(home_of("grok-build/subagent", tmp_path).rglob("updates.jsonl")))
    (started,) = told.of("Agent.Plan.Start")
    (task,) = told.of("vendor.grok-build.SubagentTask")
    assert started.facts["child_session_id"] == task.facts["session_id"]
    assert started.facts["session_id"] != task.facts["session_id"]


@pytest.mark.parametrize(
    ("waited_ms", "who"), [(0, "client"), (3, "client"), (1004, "user"), (None, None)]
)
def test_a_wait_of_milliseconds_is_nobodys(waited_ms: int | None, who: str | None) -> None:
    text = "User cancelled the execution for tool `write`"
    assert wording.finished("failed", None, text, waited_ms).decided_by == who


def test_other_refusals() -> None:
    text = (
        'Tool `x` was not executed: Denied by permission policy: deny rule on bash matching "rm*"'
    )
    end = wording.finished("failed", None, text, 0)
    assert (end.decided_by, end.rule) == ("rule", 'deny rule on bash matching "rm*"')
    # A tool can print any sentence: only of a call that failed does it say something.
    assert wording.finished("completed", {"exit_code": 0}, text, 0).outcome == "ok"


def test_permission_rules() -> None:
    data = b"""
[permission]
deny = ["Bash(rm -rf *)", "MCPTool(sales__delete_*)"]
rules = [
  { action = "ask", tool = "edit" },
  { action = "allow", tool = "bash", pattern = "git *" },
]
"""
    listed: list[tuple[Any, ...]] = [tuple(rule) for rule in rules(data, "config.toml")]
    shells = ("run_terminal_command", "run_terminal_cmd")
    assert listed == [
        ("deny", "Bash(rm -rf *)", shells, ("rm -rf *",)),
        ("deny", "MCPTool(sales__delete_*)", ("MCPTool",), ("sales__delete_*",)),
        ("ask", "edit", ("search_replace", "write"), ()),
        ("allow", "bash(git *)", shells, ("git *",)),
    ]
    allowed = rules(b'allowed_bash_commands = ["cargo test", 7]', "permission.toml")
    assert list(map(tuple, allowed)) == [("allow", "bash(cargo test)", shells, ("cargo test",))]
    assert list(rules(b'model = "g"', "config.toml")) == []
    with pytest.raises(UnreadableLine):
        list(rules(b"[permission", "config.toml"))
