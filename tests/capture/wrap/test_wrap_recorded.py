"""What a wrapped hook decided is in the log, as evidence."""

import os
import signal
import subprocess
import sys
import time

import pytest
from hook_runner import CLAUDE, CLINE, CODEX, COPILOT, CURSOR, GEMINI, QWEN, WINDSURF, wrap_command

sys.path.insert(0, os.path.dirname(__file__))
from wrap_runner import lines, meta, policy, wrapped

pytestmark = pytest.mark.long

CURSOR_TOOL = {
    **{key: value for key, value in CURSOR.items() if key not in ("command", "sandbox")},
    "hook_event_name": "preToolUse",
    "tool_name": "Shell",
    "tool_input": {"command": "ls", "cwd": ""},
    "tool_use_id": "c-9",
}
NO = {"permissionDecision": "deny", "permissionDecisionReason": "no"}
OWN = {"hookEventName": "PreToolUse"}
# vendor, event, payload, what the hook does (a dict is printed as JSON), decision, failure
CASES = [
    ("claude-code", "PreToolUse", CLAUDE, "sys.stderr.write('no'); sys.exit(2)", "deny", None),
    ("claude-code", "PreToolUse", CLAUDE, {"hookSpecificOutput": {**OWN, **NO}}, "deny", None),
    ("claude-code", "PreToolUse", CLAUDE, {"decision": "block", "reason": "no"}, "deny", None),
    ("claude-code", "PreToolUse", CLAUDE, {"decision": "approve"}, "allow", None),
    ("claude-code", "PreToolUse", CLAUDE, "sys.exit(1)", None, "error"),
    ("claude-code", "PreToolUse", CLAUDE, "print('{broken')", None, "garbage"),
    ("claude-code", "PreToolUse", CLAUDE, "os.kill(os.getpid(), 9)", None, "crash"),
    (
        "cursor",
        "preToolUse",
        CURSOR_TOOL,
        {"permission": "deny", "user_message": "no"},
        "deny",
        None,
    ),
    ("cursor", "preToolUse", CURSOR_TOOL, {"permission": "ask"}, "ask", None),
    ("cursor", "preToolUse", CURSOR_TOOL, "print('oops')", "deny", "garbage"),
    ("cursor", "preToolUse", CURSOR_TOOL, "sys.exit(1)", None, "error"),
    ("gemini-cli", "BeforeTool", GEMINI, {"decision": "deny", "reason": "no"}, "deny", None),
    (
        "gemini-cli",
        "BeforeTool",
        GEMINI,
        'sys.stderr.write(\'{"decision":"block"}\')',
        "deny",
        None,
    ),
    ("gemini-cli", "BeforeTool", GEMINI, "sys.stderr.write('no'); sys.exit(3)", "deny", None),
    ("gemini-cli", "BeforeTool", GEMINI, "sys.exit(3)", None, "error"),
    ("qwen-code", "PreToolUse", QWEN, "sys.stderr.write('no'); sys.exit(2)", "deny", None),
    ("qwen-code", "PreToolUse", QWEN, "sys.stderr.write('no'); sys.exit(3)", None, "error"),
    ("codex", "PreToolUse", CODEX, {"hookSpecificOutput": {**OWN, **NO}}, "deny", None),
    ("copilot", "preToolUse", COPILOT, NO, "deny", None),
    ("copilot", "preToolUse", COPILOT, "sys.exit(1)", "deny", "error"),
    ("copilot", "preToolUse", COPILOT, "os.kill(os.getpid(), 9)", "deny", "crash"),
    ("cline", "PreToolUse", CLINE, {"cancel": True, "errorMessage": "no"}, "deny", None),
    ("windsurf", "pre_run_command", WINDSURF, "sys.stderr.write('no'); sys.exit(2)", "deny", None),
    ("windsurf", "pre_run_command", WINDSURF, "sys.exit(1)", None, "error"),
]


@pytest.mark.parametrize(("vendor", "event", "payload", "does", "decision", "failure"), CASES)
def test_the_decision_is_an_event_of_its_own(
    home, tmp_path, vendor, event, payload, does, decision, failure
):
    text = does if isinstance(does, str) else f"print(json.dumps({does!r}))"
    wrapped(home, vendor, event, policy(tmp_path, text), payload)
    before, decided = lines(home.log, 2)
    told = meta(decided)
    assert before["event_type"] == "Action.Before"
    assert decided["event_type"] == (
        "Policy.Blocked" if decision == "deny" else f"vendor.{vendor}.HookDecision"
    )
    assert decided["data"].get("decision", {}).get("outcome") == decision
    assert told.get("failure") == failure
    assert told["about"] == before["event_id"]
    assert told["decided_by"] == "hook"
    assert told["decision_point"] == "PreToolUse"
    assert told["guardian"] == " ".join(told["native"]["hook"]["command"])
    assert told.get("call_id") == meta(before).get("call_id")
    assert told["action_fingerprint"] == meta(before)["action_fingerprint"]
    if decision is not None:
        assert told["certainty"] == "observed"
        assert told["decision_evidence"] == ("hook answer" if failure is None else "hook failure")
    if decision == "deny" and failure is None and "no" in str(does):
        assert decided["data"]["decision"].get("reason") in ("no", None)
    assert decided["session_id"] == before["session_id"]
    assert told["command"] == meta(before)["command"]


@pytest.mark.parametrize(
    ("vendor", "payload", "does", "word", "failure", "certainty"),
    [
        ("codex", CODEX, {"decision": "block", "reason": "no", "x": 1}, "deny",
         "garbage", "observed"),
        ("codex", CODEX, {"hookSpecificOutput": {**OWN, "permissionDecision": "ask"}}, "ask",
         "garbage", "observed"),
        ("cline", CLINE, "sys.exit(2)", "deny", "error", "inferred"),
        ("cline", CLINE, {"cancel": False, "review": True}, "ask", None, "observed"),
    ],
)  # fmt: skip
def test_a_word_that_the_client_does_not_know_is_not_enforced(
    home, tmp_path, vendor, payload, does, word, failure, certainty
):
    text = does if isinstance(does, str) else f"print(json.dumps({does!r}))"
    wrapped(home, vendor, "PreToolUse", policy(tmp_path, text), payload)
    before, decided = lines(home.log, 2)
    facts = meta(decided)
    assert decided["event_type"] == f"vendor.{vendor}.HookDecision"
    assert decided["data"]["decision"]["outcome"] == word
    assert (facts["enforced"], facts.get("failure")) == (False, failure)
    assert (facts["certainty"], facts["about"]) == (certainty, before["event_id"])


def test_a_silent_hook_decided_nothing(home, tmp_path):
    wrapped(home, "claude-code", "PreToolUse", policy(tmp_path, "pass"), CLAUDE)
    lines(home.log, 1)
    time.sleep(0.5)
    assert [event["event_type"] for event in lines(home.log, 1)] == ["Action.Before"]


def test_a_rewritten_input_shows_both_sides(home, tmp_path):
    own = {**OWN, "permissionDecision": "allow", "updatedInput": {"command": "ls --safe"}}
    hook = policy(tmp_path, f"print(json.dumps({ {'hookSpecificOutput': own}!r}))")
    wrapped(home, "claude-code", "PreToolUse", hook, CLAUDE)
    before, decided, changed = lines(home.log, 3)
    assert meta(decided)["modified"] is True
    assert decided["data"]["decision"]["outcome"] == "allow"
    assert meta(changed)["hook_point"] == "PreToolInputModification"
    assert meta(changed)["about"] == before["event_id"]
    assert changed["data"]["action"]["input"] == {"command": "ls --safe"}
    assert meta(changed)["native"]["original_input"] == CLAUDE["tool_input"]


def test_secrets_in_a_reason_are_nowhere(home, tmp_path):
    secret = "AKIA" + "Q" * 16
    hook = policy(tmp_path, f"sys.stderr.write('found {secret} in it'); sys.exit(2)")
    wrapped(home, "claude-code", "PreToolUse", hook, CLAUDE)
    reason = lines(home.log, 2)[1]["data"]["decision"]["reason"]
    assert reason.startswith("found [REDACTED:")
    for path in home.path.rglob("*"):
        if path.is_file():
            assert secret.encode() not in path.read_bytes()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_a_hook_the_client_ends_has_failed(home, tmp_path, name):
    """A timeout: the client ends us, and with us the hook."""
    hook = policy(tmp_path, "print(os.getpid(), flush=True); time.sleep(30)")
    command = wrap_command("claude-code", "PreToolUse", hook)
    import json

    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=home.environment(), **pipes) as running:
        running.stdin.write(json.dumps(CLAUDE).encode())
        running.stdin.close()
        pid = int(running.stdout.readline())
        running.send_signal(getattr(signal, name))
        assert running.wait(30) == -getattr(signal, name)
    decided = lines(home.log, 2)[1]
    assert meta(decided)["failure"] == "timeout"
    assert "decision" not in decided["data"]
    assert meta(decided)["native"]["hook"]["fails"] == "open"
    until = time.monotonic() + 30
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < until:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{pid}")


def test_a_refused_prompt_is_about_the_prompt(home, tmp_path):
    prompt = {
        "session_id": "5d0c",
        "transcript_path": "/x/.claude/t.jsonl",
        "cwd": "/r",
        "permission_mode": "default",
        "hook_event_name": "UserPromptSubmit",
        "prompt": "say hello",
    }
    hook = policy(tmp_path, "sys.stderr.write('no'); sys.exit(2)")
    wrapped(home, "claude-code", "UserPromptSubmit", hook, prompt)
    before, decided = lines(home.log, 2)
    assert decided["event_type"] == "Policy.Blocked"
    assert meta(decided)["about"] == before["event_id"]
    assert "action" not in decided["data"]
    assert "say hello" not in home.log.read_text()


def test_a_stop_that_is_sent_back_is_no_refused_action(home, tmp_path):
    stop = {
        "session_id": "5d0c",
        "transcript_path": "/x/.claude/t.jsonl",
        "cwd": "/r",
        "permission_mode": "default",
        "hook_event_name": "Stop",
        "stop_hook_active": False,
    }
    hook = policy(tmp_path, "print(json.dumps({'decision': 'block', 'reason': 'go on'}))")
    wrapped(home, "claude-code", "Stop", hook, stop)
    decided = lines(home.log, 2)[1]
    assert decided["event_type"] == "vendor.claude-code.HookDecision"
    assert "outcome" not in decided["data"].get("decision", {})
    assert meta(decided)["native"]["hook"]["said"] == "deny"


def test_two_guards_of_one_call_are_two_decisions(home, tmp_path):
    for text in ("sys.exit(2)", "print(json.dumps({'decision': 'approve'}))"):
        folder = tmp_path / str(len(text))
        folder.mkdir()
        wrapped(home, "claude-code", "PreToolUse", policy(folder, text), CLAUDE)
    found = lines(home.log, 3)
    decided = [event["event_id"] for event in found if event["event_type"] != "Action.Before"]
    asked = [event["event_id"] for event in found if event["event_type"] == "Action.Before"]
    assert len(set(decided)) == 2
    assert len(asked) == 1


def test_a_wrapped_deny_is_observed_after_run(home, tmp_path):
    """Through the whole pipeline: the events that `run` delivers say it was blocked."""
    from hookstream.core.records import read_record
    from hookstream.pipeline.stages import Pipeline
    from hookstream.redaction import Redactor

    wrapped(
        home,
        "gemini-cli",
        "BeforeTool",
        policy(tmp_path, "sys.stderr.write('no'); sys.exit(2)"),
        GEMINI,
    )
    lines(home.log, 2)
    pipeline = Pipeline(Redactor("hash", pseudonym_key=bytes(32)), lambda: "2026-11-21T00:00:00Z")
    events = []
    for line in home.log.read_bytes().splitlines():
        events += pipeline.take(read_record(line))
    blocked = [event for event in events if event.type == "Policy.Blocked"]
    before = next(event for event in events if event.type == "Action.Before")
    assert len(blocked) == 1
    assert blocked[0].facts["certainty"] == "observed"
    assert blocked[0].facts["about"] == before.facts["event_id"]
    assert blocked[0].facts["call_id"] == before.facts["call_id"]
