"""A refusal's reason in nobody's fixed words is kept for the calls that the log shows open."""

import json
from pathlib import Path

import pytest
from hook_runner import CLAUDE, read_log

from hookstream.delivery.batch import unread
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.redaction.scanner import Scanner

SAMPLE = Path(__file__).parents[2] / "samples" / "claude-code" / "denied-first.jsonl"
OUTPUT = "the payroll of March"


def entries(home):
    lines = read_log(home.log)
    return [line for line in lines if line["metadata"]["dev.hookstream"].get("reported_by")]


def batch(home, text, call="toolu_01"):
    entry = {"tool_name": "Bash", "tool_input": CLAUDE["tool_input"], "tool_use_id": call}
    payload = {key: value for key, value in CLAUDE.items() if not key.startswith("tool")}
    payload |= {"hook_event_name": "PostToolBatch"}
    payload["tool_calls"] = [{**entry, "tool_response": text}]
    home.hook("claude-code", "PostToolBatch", payload=payload)
    return entries(home)[-1]["metadata"]["dev.hookstream"]


@pytest.mark.long
def test_every_refusal_that_hooks_log_one_by_one_keeps_its_reason(home):
    for line in SAMPLE.read_text("utf-8").splitlines():
        record = json.loads(line)
        name = record["payload"]["hook_event_name"]
        if name in ("PreToolUse", "PostToolUse", "PostToolBatch"):
            home.hook(
                "claude-code", name, "--now", record["received_at"], payload=record["payload"]
            )
    redactor = Redactor("hash", b"k" * 32, scanner=Scanner(engine="python"))
    events, _ = Pipeline(redactor, lambda: "").take_all(unread(home.log))
    reasons = [event.facts["decision_reason"] for event in events if "decision" in event.facts]
    assert reasons == ["please ask the human"] * 3 + ["json says no"] * 3


def test_the_output_of_a_call_that_ran_is_never_kept(home):
    home.hook("claude-code", "PreToolUse", payload=CLAUDE)
    after = {**CLAUDE, "hook_event_name": "PostToolUse", "tool_response": {"stdout": OUTPUT}}
    home.hook("claude-code", "PostToolUse", payload=after)
    assert "refusal" not in batch(home, OUTPUT)
    assert OUTPUT.encode() not in home.log.read_bytes()


def test_the_output_of_a_call_that_the_log_does_not_know_is_not_kept(home):
    assert "refusal" not in batch(home, OUTPUT)
    home.hook("claude-code", "PreToolUse", payload={**CLAUDE, "session_id": "another"})
    assert "refusal" not in batch(home, OUTPUT)
    assert OUTPUT.encode() not in home.log.read_bytes()


@pytest.mark.parametrize("length", [300, 5000])
def test_of_an_open_call_only_a_short_first_line_is_kept(home, length):
    home.hook("claude-code", "PreToolUse", payload=CLAUDE)
    kept = batch(home, "n" * length + "\nbelow")["refusal"]
    assert kept.startswith("n" * 300)
    assert len(kept) <= 303
    assert b"below" not in home.log.read_bytes()


def test_a_log_that_cannot_be_read_keeps_no_event_back(home, tmp_path):
    from hookstream.capture.hook.reasons import keep_reasons
    from hookstream.core.event import Event

    facts = {"reported_by": "batch", "call_id": "c", "session_id": "s", "output": OUTPUT}
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "missing")
    garbage = tmp_path / "garbage"
    garbage.write_bytes(b'\x00"c"\n{"c":[\n[]\n"c"\n{"metadata":1,"c":2}')
    for place in (tmp_path, link, tmp_path / "missing", garbage):
        event = Event("Action.After", None, dict(facts), "claude-code")
        keep_reasons([event], str(place))
        assert "refusal" not in event.facts
