"""Session files alone say what was, call by call, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from homes import DATA, SCENARIOS, Told, home_of

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream

NOW = "2026-11-21T12:00:00Z"
WORDS = {"cancelled": "interrupted", "timeout": "interrupted"}
ORDER = ("denied", "cancelled", "timeout", "error", "ok")


def calls_of(told: Told) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for event in told.once():
        facts = event.facts
        if "call_id" not in facts or event.type.startswith(("Agent.", "Model.")):
            continue
        call = found.setdefault(facts["call_id"], {"outcomes": set()})
        if event.type == "Policy.Blocked":
            call["outcomes"].add("denied")
            call["by"] = facts["decided_by"]
        elif event.type == "Action.After" and "outcome" in facts:
            call["outcomes"].add(facts["outcome"])
        for name in ("exit_code", "agent_id", "action_native"):
            if name in facts:
                call[name] = facts[name]
    return found


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_files_say_is_what_was(scenario: str, tmp_path: Path) -> None:
    truth = json.loads((DATA / scenario / "truth.json").read_text("utf-8"))
    told = Told([home_of(scenario, tmp_path)])
    assert not told.rejections
    assert not told.tally.unknown_events
    found = calls_of(told)
    assert set(found) == {call["transcript_id"] for call in truth["calls"]}
    for call in truth["calls"]:
        said = found[call["transcript_id"]]
        word = next((word for word in ORDER if word in said["outcomes"]), None)
        assert WORDS.get(word or "", word) == call["outcome_in_transcript"], call
        if call["denied_by_in_transcript"] is not None:
            assert said["by"] == call["denied_by_in_transcript"], call
        if call["exit_code"] is not None:
            assert said["exit_code"] == call["exit_code"], call
    assert len(told.of("Prompt.Submitted")) == truth["prompts"]
    assert len(told.of("Agent.Plan.Start")) == len(truth["agents"])
    shrunk = [
        {
            "trigger": event.facts.get("context_trigger"),
            "tokens_before": event.facts.get("tokens_before"),
            "tokens_after": event.facts.get("tokens_after"),
        }
        for event in told.of("Context.Compaction")
    ]
    assert shrunk == truth["compactions"]
    check_tokens(told, truth)


def check_tokens(told: Told, truth: dict[str, Any]) -> None:
    spent = [0, 0]
    for event in told.of("Model.Responded"):
        spent[0] += event.facts.get("input_tokens", 0)
        spent[1] += event.facts.get("output_tokens", 0)
    sums = [truth["tokens_served"]]
    for part in (lambda t: t, lambda t: t["client_total"] or t):
        sums.append({n: sum(part(t)[n] for t in truth["tokens"]) for n in ("input", "output")})
    # In recordings of two clients with a cache the model thinks 7 tokens for each answer, which the
    # client's total holds and the truth leaves out.
    thinking = ("gemini-cli", "opencode")
    answers = [e for e in told.of("Model.Responded") if e.vendor in thinking]
    thought = 7 * sum(e.facts.get("cache_read_tokens", 0) > 0 for e in answers)
    assert tuple(spent) in [(one["input"], one["output"] + thought) for one in sums]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_event_says_that_a_file_told_it(scenario: str, tmp_path: Path) -> None:
    for event in Told([home_of(scenario, tmp_path)]).events:
        assert event.facts["witness"] == "transcript"
        if not scenario.startswith("continue/"):  # whose files have no times
            assert "timestamp" not in event.synthesized
        assert event.unmapped is None


def test_side_calls_stand_in_running_totals(tmp_path: Path) -> None:
    """Claude Code's compactions have no response of their own."""
    told = Told([home_of("claude-code/compact", tmp_path)])
    truth = json.loads((DATA / "claude-code/compact/truth.json").read_text("utf-8"))
    spent = sum(e.facts["input_tokens"] for e in told.of("Model.Responded"))
    rest = told.of("vendor.claude-code.UsageTotals")[-1].facts
    assert spent + rest["input_tokens"] == truth["tokens_served"]["input"]


def test_only_the_witnesses_asked_for_are_read(tmp_path: Path) -> None:
    home = home_of("codex/rules", tmp_path)
    assert Told([home], witnesses=("hook",)).events == []
    assert Told([home], witnesses=("transcript",)).events


def test_a_call_stopped_in_codex_is_refused_only_where_somebody_was_asked(tmp_path: Path) -> None:
    """A dialog that was cancelled and a command that was interrupted leave the same text."""
    home = home_of("codex/rules", tmp_path)
    path = next(home.rglob("*.jsonl"))
    text = path.read_text("utf-8")
    refusal = next(line for line in text.splitlines() if "no pushes from agents" in line)
    record = json.loads(refusal)
    record["payload"]["output"] = "Wall time: 7.2 seconds\naborted by user"
    for policy, kind in (("never", "Action.After"), ("on-request", "Policy.Blocked")):
        changed = text.replace(refusal, json.dumps(record)).replace(
            '"approval_policy":"never"', f'"approval_policy":"{policy}"'
        )
        path.write_text(changed, "utf-8")
        ended = [
            event
            for event in Told([home]).once()
            if event.facts.get("call_id") == record["payload"]["call_id"]
            and event.type != "Action.Before"
        ]
        assert [event.type for event in ended] == [kind]
        if kind == "Policy.Blocked":
            assert ended[0].facts["certainty"] == "inferred"
            assert ended[0].facts["decided_by"] == "user"
        else:
            assert ended[0].facts["outcome"] == "cancelled"


ABORTED = {
    "query": "python3 missing_script.py",
    "result": "",
    "error": "Command failed: Command was aborted",
    "success": False,
}
MCP_FAILED = {"content": [{"type": "text", "text": "demo failure"}], "isError": True}


@pytest.mark.parametrize(("output", "word"), [([ABORTED], "cancelled"), (MCP_FAILED, "error")])
def test_cline_hooks_and_files_do_not_contradict_each_other_about_a_failed_call(
    output: Any, word: str, tmp_path: Path
) -> None:
    """Of both calls the hook's own flag says success."""
    home = home_of("cline/subagent", tmp_path)
    path = next(home.rglob("agent_*.messages.json"))
    document = json.loads(path.read_text("utf-8"))
    (result,) = [
        part
        for message in document["messages"]
        for part in message["content"]
        if part["type"] == "tool_result"
    ]
    result["content"] = output if type(output) is list else json.dumps(output)
    path.write_text(json.dumps(document), "utf-8")
    hooks = (DATA / "cline/subagent/hooks.jsonl").read_text("utf-8").splitlines()
    after = next(
        record
        for record in map(json.loads, hooks)
        if record["payload"].get("tool_result", {}).get("id") == result["tool_use_id"]
    )
    after["payload"]["tool_result"]["output"] = output
    hook = tmp_path / "hook.jsonl"
    hook.write_text(json.dumps(after), "utf-8")
    said = {
        event.facts.get("witness", "hook"): event.facts["outcome"]
        for event in Told([home, hook]).of("Action.After")
        if event.facts["call_id"] == result["tool_use_id"]
    }
    assert said == {"hook": word, "transcript": word}
    both = Job([str(home), str(hook)], [f"parquet:{tmp_path / 'lake'}"], now=NOW, machine="m1")
    execute(both)
    lake = open_stream(tmp_path / "lake")
    calls = objects(ask(lake, "calls"))
    (call,) = [one for one in calls if one["call_id"] == result["tool_use_id"]]
    assert call["outcome"] == word
    assert sorted(call["witnesses"]) == ["hook", "transcript"]
    gaps = {one["gap"] for one in objects(ask(lake, "gaps"))}
    assert "witnesses_disagree" not in gaps


@pytest.mark.parametrize("scenario", [one for one in SCENARIOS if one.endswith("/printed-codes")])
def test_a_code_that_is_printed_is_no_exit_code(scenario: str, tmp_path: Path) -> None:
    """Commands, files and servers that give the lines with which clients end a command."""
    truth = json.loads((DATA / scenario / "truth.json").read_text("utf-8"))
    found = calls_of(Told([home_of(scenario, tmp_path)]))
    for call in truth["calls"]:
        said = found[call["transcript_id"]]
        if call["exit_code"] is None:
            assert said.get("exit_code") in (None, 0), call
        else:
            assert said["exit_code"] == call["exit_code"]
