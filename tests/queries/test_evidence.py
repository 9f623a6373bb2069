"""Two events are of one call by evidence alone, and what several guardians said of one adds up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.queries.history import History, Row, answers, oldest_first, only

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream

pytestmark = pytest.mark.long

# Appendices B and C of the Agent Hooks document.
DENIED = {
    "spec_version": "0.1.0",
    "event_id": "a1b2c3d4-e5f6-7890-abcd-ef1234567890",
    "event_type": "Action.Before",
    "timestamp": "2026-01-25T10:30:00Z",
    "source": {"tool": "cursor", "version": "0.45.0"},
    "session_id": "sess-123",
    "actor": {"type": "ai_agent"},
    "data": {
        "action": {"name": "shell", "input": {"command": "rm -rf /tmp/build"}},
        "decision": {"outcome": "deny", "reason": "Destructive command blocked by hook"},
    },
}
LISTED = {
    **DENIED,
    "event_id": "b2c3d4e5-f6a7-8901-bcde-f12345678901",
    "event_type": "Action.After",
    "timestamp": "2026-01-25T10:31:00Z",
    "data": {
        "action": {
            "name": "shell",
            "input": {"command": "ls -la /tmp"},
            "result": {"success": True, "exit_code": 0},
        }
    },
}


class Lines:
    """What `hookstream run` makes of payloads, asked over its lines."""

    def __init__(self, folder: Path, *payloads: dict[str, Any], standard: str = "both") -> None:
        source = folder / "given.jsonl"
        source.write_text("".join(json.dumps(p) + "\n" for p in payloads), "utf-8")
        self.place = folder / "out"
        execute(Job([str(source)], [f"jsonl:{self.place}"], standard=standard))

    def ask(self, name: str) -> list[Row]:
        with open_stream(self.place) as stream:
            return oldest_first(name, objects(ask(stream, name)))

    def types(self) -> list[str]:
        lines = (self.place / "agent-hooks.jsonl").read_text("utf-8").splitlines()
        return [json.loads(line)["event_type"] for line in lines]


def test_a_denied_call_and_another_of_its_tool_are_two(tmp_path: Path) -> None:
    made = Lines(tmp_path, DENIED, LISTED)
    (deny,) = made.ask("denies")
    assert only(deny, "event_id", "subject", "hook_point", "executed_afterwards") == (
        DENIED["event_id"], "action", "PreToolUse", False,
    )  # fmt: skip
    calls = made.ask("calls")
    assert [only(row, "outcome", "exit_code", "decision") for row in calls] == [
        ("denied", None, "deny"),
        ("ok", 0, None),
    ]
    assert made.types() == ["Action.Before", "Action.After"]
    (decision,) = made.ask("decisions")
    assert only(decision, "event_id", "decision", "subject") == (
        DENIED["event_id"], "deny", "action",
    )  # fmt: skip


def test_reading_our_own_lines_again_changes_nothing(tmp_path: Path) -> None:
    made = Lines(tmp_path, DENIED, LISTED)
    again = tmp_path / "again"
    execute(Job([str(made.place / "agent-hooks.jsonl")], [f"jsonl:{again}"]))
    for name in ("denies", "calls", "decisions"):
        with open_stream(again) as stream:
            assert oldest_first(name, objects(ask(stream, name))) == made.ask(name)


def test_the_same_action_that_runs_later_ran_afterwards(tmp_path: Path) -> None:
    ran = {**LISTED, "data": {"action": {**DENIED["data"]["action"], "result": {"success": True}}}}  # type: ignore[index]
    (deny,) = Lines(tmp_path, DENIED, ran).ask("denies")
    assert deny["executed_afterwards"] is True


@pytest.mark.parametrize("version", ["4", "7", "8"])
def test_sequential_ids_make_calls_of_their_own(tmp_path: Path, version: str) -> None:
    ids = [f"01890000-0000-{version}000-8000-{n:012}" for n in range(4)]
    lines = []
    for number, event_id in enumerate(ids):
        data = {"action": {"name": "shell", "input": {"command": f"run {number}"}}}
        lines.append({**DENIED, "event_id": event_id, "data": data})
    calls = Lines(tmp_path, *lines).ask("calls")
    assert len({row["call_id"] for row in calls}) == len(calls) == 4


def cursor(name: str, command: str, **more: Any) -> dict[str, Any]:
    return {
        "hook_event_name": name, "conversation_id": "c-1", "generation_id": "g-1",
        "cursor_version": "2.0.0", "workspace_roots": ["/w"], "command": command,
        "sandbox": False, **more,
    }  # fmt: skip


def test_what_one_payload_cannot_have_is_no_modification(tmp_path: Path) -> None:
    """Cursor's afterShellExecution has no folder."""
    payloads = []
    for number in range(3):
        payloads.append(cursor("beforeShellExecution", f"make t{number}", cwd="/w"))
        payloads.append(cursor("afterShellExecution", f"make t{number}", output="x", duration=12))
    made = Lines(tmp_path, *payloads)
    assert made.types() == ["Action.Before", "Action.After"] * 3
    assert len(made.ask("calls")) == 3


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (("allow", "allow"), "allow"),
        (("allow", "deny"), "deny"),
        (("deny", "allow"), "deny"),
        (("allow", "ask"), "ask"),
        (("modify", "allow"), "allow"),
    ],
)
def test_the_strictest_of_several_guardians_counts(
    tmp_path: Path, said: tuple[str, str], expected: str
) -> None:
    h = History("aos")
    begun = h.before("c1", "make")
    for word in said:
        h.add(
            "Policy.Blocked" if word == "deny" else "vendor.aos.Decision",
            decision={"modify": "allow"}.get(word, word),
            modified=True if word == "modify" else None,
            decided_by="hook", certainty="observed", policy_id=f"p-{word}", subject="action",
            decision_point="PreToolUse", about=begun, call_id="c1", action_name="shell",
        )  # fmt: skip
    (call,) = answers(tmp_path, "calls", h)
    assert only(call, "decision", "modified") == (expected, "modify" in said)
    assert len(answers(tmp_path, "decisions", h)) == 2
    assert len(answers(tmp_path, "denies", h)) == ("deny" in said)
    assert len(answers(tmp_path, "asks", h)) == ("ask" in said)


def test_the_users_allow_answers_an_ask(tmp_path: Path) -> None:
    h = History("aos")
    begun = h.before("c1", "make")
    h.add("vendor.aos.Decision", decision="ask", decided_by="hook", about=begun, call_id="c1",
          action_name="shell", subject="action")  # fmt: skip
    h.add("Policy.Override", decision="allow", decided_by="user", about=begun, call_id="c1",
          action_name="shell", subject="action")  # fmt: skip
    (call,) = answers(tmp_path, "calls", h)
    assert only(call, "decision", "decided_by") == ("allow", "user")
    (asked,) = answers(tmp_path, "asks", h)
    assert only(asked, "resolution", "decided_by", "waited_ms") == ("approved", "user", 1000)


def test_what_nothing_carries_out_denies_no_call(tmp_path: Path) -> None:
    h = History()
    begun = h.before("c1", "make")
    h.add("vendor.x.HookDecision", decision="deny", enforced=False, subject="action", about=begun,
          call_id="c1", action_name="shell", decided_by="hook")  # fmt: skip
    h.after("c1", "make")
    (deny,) = answers(tmp_path, "denies", h)
    assert only(deny, "enforced", "subject", "about") == (False, "action", begun)
    (call,) = answers(tmp_path, "calls", h)
    assert only(call, "outcome", "decision") == ("ok", None)
    (session,) = answers(tmp_path, "sessions", h)
    assert only(session, "actions", "denies") == (1, 1)


def test_a_refused_result_leaves_its_call_as_it_was(tmp_path: Path) -> None:
    h = History("aos")
    h.before("c1", "make")
    ended = h.after("c1", "make")
    h.add("Policy.Blocked", decision="deny", about=ended, call_id="c1", action_name="shell",
          subject="result", decision_point="PostToolUse", decided_by="hook")  # fmt: skip
    (deny,) = answers(tmp_path, "denies", h)
    assert only(deny, "subject", "hook_point", "executed_afterwards") == (
        "result", "PostToolUse", None,
    )  # fmt: skip
    (call,) = answers(tmp_path, "calls", h)
    assert only(call, "outcome", "decision") == ("ok", None)


def test_an_ask_about_a_prompt_is_answered_by_what_comes_later(tmp_path: Path) -> None:
    h = History("aos")
    prompts = [h.prompt("t1"), h.prompt("t2")]
    for prompt in prompts:
        h.add("vendor.aos.Decision", decision="ask", decided_by="hook", about=prompt,
              subject="prompt", decision_point="PreUserInput")  # fmt: skip
    h.add("Policy.Blocked", decision="deny", decided_by="user", about=prompts[0], subject="prompt")
    asked = answers(tmp_path, "asks", h)
    assert [only(row, "resolution", "decided_by", "waited_ms") for row in asked] == [
        ("denied", "user", 2000),
        ("unknown", None, None),
    ]
    (deny,) = answers(tmp_path, "denies", h)
    assert only(deny, "subject", "decided_by") == ("prompt", "user")
