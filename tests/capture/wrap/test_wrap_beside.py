"""A wrapped hook beside hookstream's own, or beside another wrapped one: one event, once."""

import json
import os
import subprocess
import sys
import threading
import time

import pytest
from hook_runner import CLAUDE, COPILOT, CURSOR, GEMINI, command, wrap_command

sys.path.insert(0, os.path.dirname(__file__))
from wrap_runner import lines, meta, policy, wrapped

pytestmark = pytest.mark.long

# Neither call nor time: the ids of these go by the time of receipt.
ASKED = {key: value for key, value in CLAUDE.items() if key != "tool_use_id"}
ASKED["hook_event_name"] = "PermissionRequest"
PROMPT = {key: value for key, value in CLAUDE.items() if not key.startswith("tool")}
PROMPT |= {"hook_event_name": "UserPromptSubmit", "prompt": "hello"}
EVENTS = [
    ("claude-code", "PreToolUse", CLAUDE),
    ("claude-code", "PermissionRequest", ASKED),
    ("claude-code", "UserPromptSubmit", PROMPT),
    ("cursor", "beforeShellExecution", CURSOR),
    ("gemini-cli", "BeforeTool", GEMINI),
    ("copilot", "preToolUse", COPILOT),
]
ANSWER = (
    "print(json.dumps({'decision': 'deny', 'reason': 'no', 'permission': 'deny',"
    "'permissionDecision': 'deny', 'permissionDecisionReason': 'no',"
    "'hookSpecificOutput': {'hookEventName': data and json.loads(data)['hook_event_name'],"
    "'decision': {'behavior': 'deny', 'message': 'no'}}"
    "if b'PermissionRequest' in data else None}))"
)


def together(home, payload, *programs):
    """The hooks of one event, as a client starts them."""
    data = json.dumps(payload).encode()

    def one(words):
        subprocess.run(words, input=data, env=home.environment(), capture_output=True, check=False)

    threads = [threading.Thread(target=one, args=(words,)) for words in programs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def settled(home, wanted):
    """The log when nothing more comes."""
    lines(home.log, wanted)
    time.sleep(1)
    return lines(home.log, wanted)


@pytest.mark.parametrize(("vendor", "event", "payload"), EVENTS)
def test_a_wrap_beside_our_own_hook_adds_only_its_decision(home, tmp_path, vendor, event, payload):
    wrap = wrap_command(vendor, event, policy(tmp_path, ANSWER))
    together(home, payload, command(vendor, event), wrap)
    found = settled(home, 2)
    own = [one for one in found if "decided_by" not in meta(one)]
    decided = [one for one in found if "decided_by" in meta(one)]
    assert len({one["event_id"] for one in own}) == 1
    # A question is about a call, which the sessions stage finds.
    about = None if event == "PermissionRequest" else own[0]["event_id"]
    assert [meta(one).get("about") for one in decided] == [about]
    assert meta(decided[0])["decided_by"] == "hook"


def test_two_wraps_of_a_prompt_tell_of_one_prompt(home, tmp_path):
    wraps = []
    for name, text in (("a", "sys.exit(2)"), ("b", "sys.stderr.write('no'); sys.exit(2)")):
        (tmp_path / name).mkdir()
        hook = policy(tmp_path / name, text)
        wraps.append(wrap_command("claude-code", "UserPromptSubmit", hook))
    together(home, PROMPT, *wraps)
    found = settled(home, 3)
    prompts = [one for one in found if one["event_type"] == "Prompt.Submitted"]
    assert len(prompts) == 1
    abouts = {meta(one)["about"] for one in found if "about" in meta(one)}
    assert abouts == {prompts[0]["event_id"]}


def test_the_same_prompt_later_is_another_prompt(home, tmp_path):
    hook = policy(tmp_path, "sys.stderr.write('no'); sys.exit(2)")
    home.hook("claude-code", "UserPromptSubmit", payload=PROMPT)
    wrapped(home, "claude-code", "UserPromptSubmit", hook, PROMPT)
    lines(home.log, 2)
    time.sleep(4.2)
    home.hook("claude-code", "UserPromptSubmit", payload=PROMPT)
    wrapped(home, "claude-code", "UserPromptSubmit", hook, PROMPT)
    found = settled(home, 4)
    prompts = [one["event_id"] for one in found if one["event_type"] == "Prompt.Submitted"]
    assert len(prompts) == len(set(prompts)) == 2
    assert [meta(one)["about"] for one in found if "about" in meta(one)] == prompts


def test_a_wrap_alone_writes_the_event_itself(home, tmp_path):
    hook = policy(tmp_path, "sys.stderr.write('no'); sys.exit(2)")
    wrapped(home, "claude-code", "UserPromptSubmit", hook, PROMPT)
    prompt, decision = settled(home, 2)
    assert (prompt["event_type"], decision["event_type"]) == ("Prompt.Submitted", "Policy.Blocked")
    assert meta(decision)["about"] == prompt["event_id"]


def test_a_long_thought_holds_the_event_back_for_a_moment_only(home, tmp_path, within):
    hook = policy(tmp_path, "time.sleep(6)")
    thinking = threading.Thread(
        target=wrapped, args=(home, "claude-code", "UserPromptSubmit", hook, PROMPT)
    )
    thinking.start()
    try:
        with within(5):
            (prompt,) = lines(home.log, 1)
        assert thinking.is_alive()
        assert prompt["event_type"] == "Prompt.Submitted"
    finally:
        thinking.join()
