"""ECS 9.4 against the published field list: names, types, allowed and expected values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.event import EVENT_TYPES, TOOL_CATEGORIES, Event
from hookstream.sinks.formats.ecs import ecs, flat, nested
from hookstream.sinks.formats.render import renderer
from hookstream.sinks.formats.words import micros
from hookstream.standards.rendered import Rendered

from .events import NOW, rich, shell

ECS = json.loads((Path(__file__).parent / "data" / "ecs-9.4.json").read_text(encoding="utf-8"))
OWN = ("agent_hooks.", "hookstream.")


def leaves(document: dict[str, Any], path: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in document.items():
        if isinstance(value, dict):
            found.update(leaves(value, f"{path}{name}."))
        else:
            found[path + name] = value
    return found


def is_of(kind: str, value: Any) -> bool:
    if kind in ("keyword", "match_only_text", "wildcard", "constant_keyword", "text"):
        return isinstance(value, str)
    if kind in ("long", "float", "integer"):
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "date":
        return isinstance(value, str) and micros(value) is not None
    return kind == "boolean" and isinstance(value, bool)


def check(document: dict[str, Any]) -> None:
    found = leaves(document)
    assert found["ecs.version"] == ECS["version"]
    for name, value in found.items():
        if name.startswith(OWN):
            continue
        about = ECS["fields"].get(name)
        assert about is not None, f"{name} is no ECS field"
        values = value if about.get("array") else [value]
        assert isinstance(values, list), name
        for one in values:
            assert is_of(about["type"], one), (name, one)
            if "allowed" in about:
                assert one in about["allowed"], (name, one)
    expected = ECS["fields"]["event.category"]["allowed"]
    for kind in found["event.type"]:
        assert any(kind in expected[category] for category in found["event.category"]), found
    assert "agent" not in document, "agent.* is the collecting agent"


def bare(kind: str, **facts: Any) -> Event:
    base = {"event_id": "e", "timestamp": NOW, "tool": "cursor", "session_id": "s"}
    return Event(kind, None, {**base, **facts}, "cursor")


def test_our_own_names_collide_with_no_root_of_ecs() -> None:
    assert not {"agent_hooks", "hookstream"} & set(ECS["roots"])


@pytest.mark.parametrize("kind", [*EVENT_TYPES, "vendor.cursor.TabFileEdit"])
@pytest.mark.parametrize("decision", [None, "allow", "deny", "ask"])
def test_every_event_type_is_a_valid_document(kind: str, decision: str | None) -> None:
    facts = {} if decision is None else {"decision": decision}
    check(ecs(bare(kind, **facts), NOW, arguments=True))


@pytest.mark.parametrize("category", TOOL_CATEGORIES)
@pytest.mark.parametrize("kind", ["Action.Before", "Action.After", "Policy.Blocked"])
@pytest.mark.parametrize("decision", [None, "deny"])
def test_every_tool_category_is_a_valid_document(
    category: str, kind: str, decision: str | None
) -> None:
    facts = {"action_name": "x", "action_category": category, "success": True, "duration_ms": 1.5}
    if decision:
        facts["decision"] = decision
    check(ecs(bare(kind, **facts), NOW))


@pytest.mark.parametrize(("days", "is_there"), [(104, True), (105, False), (20_000_000, False)])
def test_a_duration_is_there_where_a_line_can_hold_its_nanoseconds(
    days: int, is_there: bool
) -> None:
    event = bare("Session.End", duration_ms=days * 86_400_000)
    (message,) = renderer("ecs", standard="agent-hooks")(Rendered(event))
    assert ("duration" in json.loads(message.data)["event"]) == is_there


@pytest.mark.parametrize("number", range(9))
def test_rich_events_are_valid_documents(number: int) -> None:
    events = rich()
    if number < len(events):
        check(ecs(events[number], NOW, arguments=True))


def test_a_file_is_said_to_be_changed_only_after_it_was() -> None:
    facts = {"action_name": "delete_file", "action_category": "file_delete"}
    assert flat(bare("Action.Before", **facts), NOW, arguments=False)["event.type"] == ["info"]
    after = bare("Action.After", **facts, success=True)
    assert flat(after, NOW, arguments=False)["event.type"] == ["deletion"]
    denied = bare("Action.After", **facts, outcome="denied")
    assert flat(denied, NOW, arguments=False)["event.type"] == ["info"]


def test_outcomes() -> None:
    def outcome(**facts: Any) -> str:
        return str(flat(bare("Action.After", **facts), NOW, arguments=False)["event.outcome"])

    assert outcome(success=True) == "success"
    assert outcome(success=False) == "failure"
    assert outcome(decision="deny") == "failure"
    assert outcome() == "unknown"
    assert outcome(outcome="cancelled") == "unknown"


def test_arguments_leave_only_when_asked_for() -> None:
    event = shell(1, command="cat /srv/ledger")
    assert "/srv/ledger" not in json.dumps(ecs(event, NOW))
    assert ecs(event, NOW, arguments=True)["process"]["command_line"] == "cat /srv/ledger"


def test_a_name_that_is_leaf_and_prefix_loses_nothing() -> None:
    assert nested({"a": 1, "a.b": 2, "c.d": 3}) == {"a": 1, "a.b": 2, "c": {"d": 3}}
