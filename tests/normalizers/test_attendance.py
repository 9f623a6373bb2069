"""Attended sessions, by the marks that clients declare and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookstream.core.records import Record
from hookstream.normalizers import VENDORS, compiled, normalize
from hookstream.normalizers.attendance import TYPES, is_attended
from hookstream.normalizers.claude_code.hook import HOOK as CLAUDE
from hookstream.normalizers.claude_code.transcript import ClaudeReader
from hookstream.normalizers.cline.transcript import ClineReader
from hookstream.normalizers.codex.transcript import CodexReader
from hookstream.normalizers.droid.transcript import DroidReader
from hookstream.normalizers.hook_facts import hook_facts
from hookstream.normalizers.opencode.transcript import OpenCodeReader

NOW = "2026-11-29T00:00:00.000Z"
TOOL = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}


def events(vendor: str, payload: dict[str, Any], env: dict[str, str] | None = None) -> list[Any]:
    record = Record(payload, vendor=vendor)
    record.env = env or {}
    made = normalize(record, compiled(vendor), NOW)
    assert not isinstance(made, str)
    return made


@pytest.mark.parametrize(
    ("vendor", "payload", "env", "expected"),
    [
        ("claude-code", {}, {"CLAUDE_CODE_SESSION_ATTENDED": "1"}, True),
        ("claude-code", {}, {"CLAUDE_CODE_SESSION_ATTENDED": "0"}, False),
        ("claude-code", {}, {"CLAUDE_CODE_ENTRYPOINT": "cli"}, True),
        ("claude-code", {}, {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, False),
        ("claude-code", {}, {"CLAUDE_CODE_ENTRYPOINT": "sdk-py"}, None),
        ("claude-code", {}, {}, None),
        # A run without a person inherits it from the attended session that starts it.
        ("qwen-code", {}, {"QWEN_CODE_MESSAGING_SOCKET": "/run/s"}, None),
        ("qwen-code", {}, {"CLAUDE_CODE_SESSION_ATTENDED": "1"}, None),
    ],
)
def test_the_clients_own_mark_says_it(
    vendor: str, payload: dict[str, Any], env: dict[str, str], expected: bool | None
) -> None:
    start = {"hook_event_name": "SessionStart", "session_id": "s", "source": "startup", **payload}
    (first, *_) = events(vendor, start, env)
    assert first.facts.get("attended") is expected
    assert all("attended" not in event.facts for event in events(vendor, TOOL, env))


def test_session_files_say_it() -> None:
    prompt = {
        "type": "user",
        "sessionId": "s",
        "promptSource": "typed",
        "message": {"content": "x"},
    }
    for entrypoint, expected in (("cli", True), ("sdk-cli", False), ("sdk-ts", None)):
        reader = ClaudeReader("/h/.claude/projects/p/s.jsonl")
        steps = dict(reader.read({**prompt, "entrypoint": entrypoint}))
        assert (steps["user"] or {}).get("attended") is expected
    meta = {"type": "session_meta", "payload": {"id": "t", "originator": "codex_exec"}}
    assert (dict(CodexReader("rollout-1.jsonl").read(meta))["session_meta"] or {})[
        "attended"
    ] is False
    denied = '[{"permission":"question","pattern":"*","action":"deny"}]'
    for permission, expected in ((denied, False), (None, None), ("[]", None), ("[", None)):
        row = {"session": "ses_1", "permission": permission}
        assert (dict(OpenCodeReader("x").read(row))["session"] or {}).get("attended") is expected
    for tags, expected in (([{"name": "exec"}], False), ([{"name": "x"}], None), (None, None)):
        droid = DroidReader("x", {".settings.json": {"tags": tags}}.get)
        list(droid.read({"type": "session_start", "id": "s"}))
        message = {"hookEventName": "SessionStart", "hookMatcher": "startup"}
        (step,) = droid.read({"type": "message", "message": message})
        assert (step[1] or {}).get("attended") is expected
    head = {"session_id": "s", "started_at": NOW, "interactive": True}
    assert (dict(ClineReader("s.json").read(head))["session"] or {})["attended"] is True


def test_an_agent_in_the_background_is_unattended() -> None:
    for flag, expected in ((True, False), (False, None)):
        start = {"hook_event_name": "sessionStart", "session_id": "s", "cursor_version": "3"}
        (first, *_) = events("cursor", {**start, "is_background_agent": flag})
        assert first.facts.get("attended") is expected


def test_a_run_of_opencode_denies_what_asks_a_person() -> None:
    def facts(*rules: dict[str, str]) -> Any:
        about = {"id": "ses_1", "permission": list(rules)}
        event = {"type": "session.created", "properties": {"sessionID": "ses_1", "info": about}}
        return events("opencode", {"event": event})[0].facts.get("attended")

    assert facts({"permission": "question", "pattern": "*", "action": "deny"}) is False
    assert facts({"permission": "bash", "pattern": "*", "action": "deny"}) is None
    assert facts() is None


VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.lists(st.none())


@given(st.sampled_from(sorted(VENDORS)), st.data())
def test_no_value_that_is_not_declared_says_anything(vendor: str, data: st.DataObject) -> None:
    marks = hook_facts(vendor).attended
    env, payload = {}, {}
    for path in marks:
        name = path.removeprefix("env.")
        (payload if name == path else env)[name] = data.draw(VALUES)
    expected = [
        words if isinstance(words, bool) else words[value]
        for path, words in marks.items()
        for value in [{**payload, **env}.get(path.removeprefix("env."))]
        if value is not None
        and (isinstance(words, bool) or (isinstance(value, str | bool) and value in words))
    ]
    assert is_attended(marks, payload, env) is (expected[0] if expected else None)


def test_a_hook_keeps_the_variables_of_its_marks() -> None:
    assert {"CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ATTENDED"} <= set(CLAUDE.environment)
    assert "Session.Start" in TYPES
