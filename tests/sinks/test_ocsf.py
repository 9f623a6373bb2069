"""OCSF 1.9.0, checked against the compiled schema: classes, profiles, enumerations, captions."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.event import EVENT_TYPES, Event
from hookstream.sinks.formats.ocsf import mode_change, ocsf
from hookstream.sinks.formats.render import renderer
from hookstream.standards.agent_hooks_reader import read_agent_hooks
from hookstream.standards.rendered import Rendered

from .events import rich, shell
from .ocsf_events import DECISIONS, bare
from .ocsf_schema import flaws

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
ACTIONS: dict[str, dict[str, Any]] = {
    "shell": {"command": "FOO=1 /usr/bin/curl -d @x https://example.org", "cwd": "/w"},
    "package_install": {"command": "pip install x"},
    "file_read": {"file_path": "C:\\w\\app.py"},
    "file_write": {"file_path": "/w/app.py"},
    "file_edit": {"file_path": "app.py"},
    "file_delete": {"file_path": "/w/old/"},
    "web_request": {"url": "https://example.org:8443/a?b=c"},
    "mcp_call": {"mcp_server": "github"},
    "delegate": {},
    "other": {},
}


def check(document: dict[str, Any]) -> dict[str, Any]:
    assert flaws(document) == []
    return document


def action(kind: str, category: str, **facts: Any) -> Event:
    named = {"action_name": category, "action_native": "Tool", "action_category": category}
    return bare(kind, call_id="c-1", **named, **ACTIONS[category], **facts)


@pytest.mark.parametrize("kind", [*EVENT_TYPES, "vendor.cursor.TabFileEdit"])
@pytest.mark.parametrize("arguments", [False, True])
def test_every_event_type_decision_and_action_is_valid(kind: str, arguments: bool) -> None:
    more = {"model_id": "anthropic/m-1", "input_tokens": 7, "user_id": "u-1", "agent_id": "a-1"}
    for facts in DECISIONS:
        check(ocsf(bare(kind, **facts), arguments=arguments))
        for category in ACTIONS:
            event = action(kind, category, **facts, **more, outcome="ok", success=True, exit_code=0)
            event.risk = (77, "high", ("x",))
            check(ocsf(event, arguments=arguments))


@pytest.mark.parametrize("number", range(9))
def test_rich_events_are_valid(number: int) -> None:
    events = rich()
    if number < len(events):
        check(ocsf(events[number]))


@pytest.mark.parametrize("vendor", sorted(path.name for path in SAMPLES.iterdir() if path.is_dir()))
def test_every_line_of_the_samples_is_valid_and_has_no_second_place(vendor: str) -> None:
    classes: Counter[int] = Counter()
    for path in sorted((SAMPLES / vendor).glob("*.expected.jsonl")):
        for line in path.read_bytes().splitlines():
            given = json.loads(line)
            if "agent_hooks" not in given:
                continue
            event = read_agent_hooks(given["agent_hooks"])
            made = check(ocsf(event))
            classes[made["class_uid"]] += 1
            assert "ai_agent" not in made["unmapped"]
            assert not {"agent_hooks.decision.outcome", "agent_hooks.event_type"} & set(
                made["unmapped"]
            )


@pytest.mark.parametrize(
    ("kind", "category", "facts", "type_uid"),
    [
        ("Action.Before", "shell", {}, 100701),
        ("Action.After", "shell", {"outcome": "ok"}, 100702),
        ("Action.After", "shell", {"outcome": "denied"}, 100701),
        ("Action.After", "shell", {"outcome": "cancelled"}, 100700),
        ("Action.After", "shell", {"outcome": "answered"}, 100700),
        ("Policy.Blocked", "shell", {"decision": "deny", "subject": "action"}, 100701),
        ("Action.Before", "file_read", {}, 100102),
        ("Action.After", "file_write", {}, 100101),
        ("Action.After", "file_edit", {}, 100103),
        ("Action.After", "file_delete", {}, 100104),
        ("Action.Before", "web_request", {}, 400200),
        ("Action.Before", "mcp_call", {}, 600399),
        ("Action.Before", "other", {}, 600399),
    ],
)
def test_an_action_is_in_the_class_of_what_it_does(
    kind: str, category: str, facts: dict[str, Any], type_uid: int
) -> None:
    assert check(ocsf(action(kind, category, **facts)))["type_uid"] == type_uid


def test_a_command_is_one_process_for_all_events_of_its_call() -> None:
    before = ocsf(action("Action.Before", "shell", agent_id="a-1", agent_type="Explore"))
    after = ocsf(action("Action.After", "shell", outcome="error", exit_code=3, success=False))
    assert before["process"] == {
        "uid": "s-1/c-1",
        "name": "curl",
        "cmd_line": ACTIONS["shell"]["command"],
        "working_directory": "/w",
    }
    assert before["process"]["uid"] == after["process"]["uid"]
    assert (after["exit_code"], after["status"]) == (3, "Failure")
    assert "action_id" not in before
    assert before["ai_agent"]["instance_uid"] == "a-1"
    assert before["ai_agent"]["name"] == "Explore"
    assert before["actor"]["process"]["ai_agent"]["instance_uid"] == "s-1"


@pytest.mark.parametrize(
    ("kind", "facts", "words"),
    [
        ("Action.Before", {"decision": "allow"}, (1, 1)),
        ("Policy.Blocked", {"decision": "deny", "matched_rule_id": "r"}, (2, 2)),
        ("Policy.Blocked", {"decision": "deny", "enforced": False}, (3, 15)),
        ("Action.Before", {"decision": "ask"}, (3, 23)),
        ("Action.Before", {"decision": "allow", "modified": True}, (4, 11)),
        ("Action.Before", {"decision": "allow", "decided_by": "user"}, (1, 8)),
        ("Policy.Override", {"decision": "allow"}, (1, 8)),
        ("Agent.Notification", {}, (3, 23)),
    ],
)
def test_decisions(kind: str, facts: dict[str, Any], words: tuple[int, int]) -> None:
    made = check(ocsf(action(kind, "shell", **facts)))
    assert (made["action_id"], made["disposition_id"]) == words
    if "matched_rule_id" in facts:
        assert made["policy"] == {"uid": "r", "name": "r", "is_applied": True}
        assert made["status_code"] == "denied"


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("https://e.example:99999/a?b=c", ("https", "e.example", "/a", "b=c", None)),
        ("e.example/a", (None, "e.example", "/a", None, None)),
        ("localhost:3000/a", (None, "localhost", "/a", None, 3000)),
        ("file:///etc/hosts", ("file", None, "/etc/hosts", None, None)),
        ("data:text/plain,a", ("data", None, "text/plain,a", None, None)),
        ("http://[::1", (None, None, None, None, None)),
    ],
)
def test_an_address_has_the_parts_that_it_names(url: str, parts: tuple[Any, ...]) -> None:
    made = check(ocsf(fetch(url)))
    names = ("scheme", "hostname", "path", "query_string", "port")
    assert tuple(made["http_request"]["url"].get(name) for name in names) == parts
    host = made.get("dst_endpoint", {})
    assert (host.get("hostname"), host.get("port")) == (parts[1], parts[4])


def fetch(url: str) -> Event:
    return bare("Action.Before", action_name="web_search", action_category="web_request", url=url)


def test_an_mcp_tool_has_the_name_that_its_server_gives_it() -> None:
    facts = {"action_name": "mcp:move_file", "action_native": "mcp__fs__move_file"}
    event = bare("Action.Before", action_category="mcp_call", mcp_server="fs", **facts)
    made = check(ocsf(event))
    assert made["api"] == {
        "operation": "tools/call",
        "service": {"name": "move_file", "uid": "fs/move_file"},
    }
    assert made["unmapped"]["gen_ai.tool.name"] == "mcp__fs__move_file"


def test_a_sub_agent_with_a_separate_session_has_who_started_it() -> None:
    made = check(ocsf(bare("Prompt.Submitted", parent_session_id="s-0", agent_type="general")))
    assert made["ai_agent"]["instance_uid"] == "s-1"
    assert made["ai_agent"]["name"] == "general"
    assert made["actor"]["process"]["ai_agent"]["instance_uid"] == "s-0"


def test_a_question_has_what_it_is_about() -> None:
    made = check(ocsf(action("Agent.Notification", "shell")))
    assert made["resources"] == [{"type": "command", "name": ACTIONS["shell"]["command"]}]


@pytest.mark.parametrize(
    ("mode", "severity"),
    [
        ("bypassPermissions", "Medium"),
        ("bypass_permissions", "Medium"),
        ("danger-full-access", "Medium"),
        ("allow-all", "Medium"),  # Copilot
        ("always_approve", "Medium"),  # Grok Build
        ("auto-high", "Medium"),  # Droid
        ("autoApprove", "Medium"),
        ("auto-low", "Informational"),
        ("acceptEdits", "Informational"),
        ("plan", "Informational"),
    ],
)
def test_a_mode_is_authorized_for_a_session(mode: str, severity: str) -> None:
    made = check(mode_change(bare("Action.Before", permission_mode=mode)))
    assert made["type_uid"] == 300301
    assert made["privileges"] == [f"permission_mode:{mode}"]
    assert made["severity"] == severity
    assert made["unmapped"]["hookstream.synthesized"] == ["user"]


def test_the_first_mode_of_a_session_and_each_new_one_are_authorized_once() -> None:
    render = renderer("ocsf", standard="agent-hooks")

    def modes(kind: str, mode: str | None, number: int, **more: Any) -> list[str]:
        event = bare(kind, event_id=f"e-{number}", **more)
        if mode is not None:
            event.facts["permission_mode"] = mode
        documents = [json.loads(one.data) for one in render(Rendered(event))]
        return [one["privileges"][0] for one in documents if one["class_uid"] == 3003]

    assert modes("Session.Start", None, 1) == []
    for _ in range(2):  # the second time as after a failure
        told = modes("Prompt.Submitted", "dontAsk", 2, is_followup=False)
        assert told == ["permission_mode:dontAsk"]
    assert modes("Action.Before", "dontAsk", 3) == []
    assert modes("Prompt.Submitted", "plan", 4, is_followup=True) == ["permission_mode:plan"]
    assert modes("Session.Start", "plan", 5) == ["permission_mode:plan"]
    assert modes("Prompt.Submitted", "plan", 6, is_followup=False) == []
    other = {"session_id": "s-2"}  # no word of it before a call, as in telemetry
    assert modes("Prompt.Submitted", None, 7, is_followup=False, **other) == []
    for _ in range(2):
        assert modes("Action.Before", "plan", 8, **other) == ["permission_mode:plan"]
    assert modes("Action.Before", "plan", 9, session_id="s-3") == []  # it may not be the first


@pytest.mark.parametrize("kind", EVENT_TYPES)
def test_a_model_whose_provider_is_not_known_is_named(kind: str) -> None:
    assert "gpt-5.5" in json.dumps(check(ocsf(bare(kind, model_id="gpt-5.5"))))


def test_arguments_leave_only_when_asked_for() -> None:
    for category in ACTIONS:
        event = action("Action.Before", category)
        text = json.dumps(check(ocsf(event, arguments=False)))
        assert "app.py" not in text
        assert "@x" not in text
        assert "example.org" not in text
    assert "cat /srv/ledger" in json.dumps(ocsf(shell(1, command="cat /srv/ledger")))


def test_the_checker_would_notice() -> None:
    made = ocsf(action("Policy.Blocked", "shell", decision="deny"))
    unprofiled = {**made, "metadata": {**made["metadata"], "profiles": ["ai_operation"]}}
    for wrong in (
        unprofiled,
        {**made, "no_such_attribute": 1},
        {**made, "severity_id": 77},
        {**made, "time": "today"},
        {**made, "disposition": "Allowed"},
        {**made, "type_uid": 1},
        {**made, "process": {"name": "x"}},
        {**made, "ai_agent": {"version": "1"}},
        {name: value for name, value in made.items() if name != "device"},
    ):
        assert flaws(wrong)


def test_an_event_without_a_time_is_refused() -> None:
    with pytest.raises(ValueError, match="time"):
        ocsf(bare("Action.Before", timestamp="soon"))
