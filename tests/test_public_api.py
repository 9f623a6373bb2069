"""The public names of the package, and that the three lines of the README do what they say."""

import subprocess
import sys
from pathlib import Path

import pytest

import hookstream
from hookstream import api

SAMPLE = Path(__file__).parent.parent / "samples" / "claude-code" / "deny.jsonl"
PAYLOAD = {
    "session_id": "5d0c",
    "transcript_path": "/home/dev/.claude/projects/p/5d0c.jsonl",
    "prompt_id": "p-1",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "git push --force"},
    "tool_use_id": "toolu_01",
    "cwd": "/home/dev/project",
}
NOW = "2026-11-21T12:00:00.000Z"


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    api._redactor.cache_clear()


def test_the_public_names_are_these_and_no_others():
    assert sorted(hookstream.__all__) == [
        "Event",
        "HookstreamError",
        "UnreadablePayload",
        "__version__",
        "normalize",
        "read",
        "redact",
        "to_aarts",
        "to_agent_hooks",
    ]
    for name in hookstream.__all__:
        assert getattr(hookstream, name).__doc__


def test_a_payload_becomes_an_event_in_both_standards():
    (event,) = hookstream.normalize(PAYLOAD, now=NOW)
    assert (event.type, event.facts["tool"]) == ("Action.Before", "claude-code")
    rendered = hookstream.to_agent_hooks(event)
    assert rendered["data"]["action"]["input"]["command"] == "git push --force"
    assert rendered["metadata"]["dev.hookstream"]["hookstream_version"] == hookstream.__version__
    assert hookstream.to_aarts(event)["aarts"]["hook_point"] == "PreToolUse"


def test_a_payload_that_gives_no_event_says_why():
    with pytest.raises(hookstream.UnreadablePayload, match="unknown_vendor"):
        hookstream.normalize({"some": "thing"})
    with pytest.raises(hookstream.UnreadablePayload):
        hookstream.normalize("no json")
    with pytest.raises(hookstream.HookstreamError, match="did you mean claude-code"):
        hookstream.normalize(PAYLOAD, vendor="claude")
    with pytest.raises(hookstream.HookstreamError, match="privacy mode"):
        hookstream.normalize(PAYLOAD, privacy="none")


def test_a_file_is_read_with_its_sessions_followed():
    events = list(hookstream.read(SAMPLE, now=NOW))
    assert {event.type for event in events} >= {"Action.Before", "Policy.Blocked"}
    with pytest.raises(hookstream.HookstreamError):
        list(hookstream.read(SAMPLE.with_name("absent.jsonl")))


def test_secrets_go_from_texts_and_trees():
    token = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT" + "1vW4yZ7cF0iL3oR6"
    assert token not in hookstream.redact(f"token: {token}")
    assert token not in str(hookstream.redact({"env": {"GITHUB_TOKEN": token}}))
    assert hookstream.redact("nothing here") == "nothing here"


def test_importing_the_package_imports_nothing_heavy():
    heavy = "duckdb pyarrow typer rich opentelemetry cloudevents hyperscan jsonschema"
    program = f"import sys, hookstream; print(*set(sys.modules) & set({heavy.split()!r}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "")
