"""OCSF 1.8.0, checked against the published schema data: classes, profiles, enumerations."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.event import EVENT_TYPES
from hookstream.sinks.formats.ocsf_1_8 import ocsf

from .events import rich, shell
from .ocsf_events import bare, everything

DATA = json.loads((Path(__file__).parent / "data" / "ocsf-1.8.0.json").read_text("utf-8"))
CLASSES = {6003: "api_activity", 2004: "detection_finding"}


@cache
def validator(class_uid: int, profiles: str) -> Any:
    from jsonschema import Draft202012Validator  # its formats take a second to load

    return Draft202012Validator(DATA["classes"][CLASSES[class_uid]]["schemas"][profiles])


def check(document: dict[str, Any]) -> None:
    """Valid against class and profiles; every profile is the class's own; captions agree."""
    uid, profiles = document["class_uid"], document["metadata"]["profiles"]
    about = DATA["classes"][CLASSES[uid]]
    assert set(profiles) <= set(about["profiles"])
    errors = validator(uid, ",".join(profiles)).iter_errors(document)
    found = [f"{error.json_path}: {error.message}" for error in errors]
    assert not found, found
    assert document["type_uid"] == uid * 100 + document["activity_id"]
    for name, value in document.items():
        if name in about["captions"]:
            caption = about["captions"][name][str(value)]
            stem = name.removesuffix("_id").removesuffix("_uid")
            said = document.get(stem if name.endswith("_id") else f"{stem}_name")
            if name == "activity_id":
                said = document["activity_name"]
            assert value == 99 or said in (None, caption), name


@pytest.mark.parametrize("kind", [*EVENT_TYPES, "vendor.cursor.TabFileEdit"])
@pytest.mark.parametrize("arguments", [False, True])
def test_every_event_type_gives_a_valid_object(kind: str, arguments: bool) -> None:
    check(ocsf(bare(kind), arguments=arguments))


@pytest.mark.parametrize("number", range(9))
def test_rich_events_are_valid(number: int) -> None:
    events = rich()
    if number < len(events):
        check(ocsf(events[number], arguments=True))


@pytest.mark.parametrize(
    ("kind", "facts", "action", "disposition"),
    [
        ("Action.Before", {"decision": "allow"}, 1, 1),
        ("Action.Before", {"decision": "deny"}, 2, 2),
        ("Action.Before", {"decision": "ask"}, 3, 23),
        ("Action.Before", {"decision": "allow", "modified": True}, 4, 11),
        ("Action.Before", {}, 3, 17),
        ("Policy.Blocked", {"decision": "deny", "matched_rule_id": "r"}, 2, 2),
        ("Policy.Override", {"decision": "allow"}, 1, 8),
    ],
)
def test_decisions(kind: str, facts: dict[str, Any], action: int, disposition: int) -> None:
    made = ocsf(bare(kind, action_name="shell", action_category="shell", **facts))
    check(made)
    assert (made["action_id"], made["disposition_id"]) == (action, disposition)
    assert "security_control" in made["metadata"]["profiles"]


def test_the_status_is_the_result_and_never_the_decision() -> None:
    assert "status_id" not in ocsf(bare("Action.Before", decision="deny"))
    assert ocsf(bare("Action.After", decision="allow", success=False))["status_id"] == 2
    assert ocsf(bare("Action.After", success=True))["status_id"] == 1


@pytest.mark.parametrize(
    ("level", "severity", "risk"),
    [("low", 2, 1), ("medium", 3, 2), ("high", 4, 3), ("critical", 5, 4)],
)
def test_risk(level: str, severity: int, risk: int) -> None:
    event = shell(1)
    event.risk = (77, level, ("x",))
    made = ocsf(event)
    check(made)
    assert (made["severity_id"], made["risk_level_id"], made["risk_score"]) == (severity, risk, 77)
    assert ocsf(shell(1))["severity_id"] == 1


def test_a_risk_without_a_decision_brings_the_profile_that_has_it() -> None:
    event = bare("Prompt.Submitted")
    event.risk = (12, "low", ("x",))
    made = ocsf(event)
    check(made)
    assert made["risk_score"] == 12
    assert (made["action_id"], made["disposition_id"]) == (3, 17)


def test_policy_and_loops_are_findings_and_everything_else_is_api_activity() -> None:
    classes = {kind: ocsf(bare(kind))["class_uid"] for kind in EVENT_TYPES}
    findings = {kind for kind, uid in classes.items() if uid == 2004}
    assert findings == {
        "Policy.Violation",
        "Policy.Blocked",
        "Policy.Override",
        "Retry.Loop.Detected",
        "Retry.Loop.Aborted",
    }
    assert {uid for kind, uid in classes.items() if kind not in findings} == {6003}


def test_a_model_is_named_only_where_its_provider_is_known() -> None:
    known = ocsf(bare("Model.Responded", model_id="anthropic/claude-sonnet-4-5", input_tokens=7))
    check(known)
    assert known["ai_model"] == {"name": "claude-sonnet-4-5", "ai_provider": "anthropic"}
    assert known["message_context"]["prompt_tokens"] == 7
    assert "ai_model" not in ocsf(bare("Model.Responded", model_id="claude-sonnet-4-5"))


def test_arguments_leave_only_when_asked_for() -> None:
    event = shell(1, command="cat /srv/ledger")
    assert "/srv/ledger" not in json.dumps(ocsf(event))
    assert "/srv/ledger" in json.dumps(ocsf(event, arguments=True))


def test_the_schema_would_notice() -> None:
    made = ocsf(shell(1))
    for wrong in (
        {"no_such_attribute": 1},
        {"severity_id": 42},
        {"time": "today"},
        {"actor": {}},
        {"api": {"service": {"name": "x"}}},
    ):
        with pytest.raises(AssertionError):
            check({**made, **wrong})


@pytest.mark.long
def test_the_kept_schema_is_that_of_the_package() -> None:
    from jsonschema import Draft202012Validator

    package = pytest.importorskip("ocsf_json_schema", reason="needs the whole OCSF schema")
    maker = package.OcsfJsonSchemaEmbedded(package.get_ocsf_schema(version="1.8.0"))
    for document in everything():
        name, profiles = CLASSES[document["class_uid"]], document["metadata"]["profiles"]
        schema = maker.get_class_schema(class_name=name, profiles=profiles)
        assert not list(Draft202012Validator(schema).iter_errors(document))
        check(document)


def test_an_event_without_a_time_is_refused() -> None:
    with pytest.raises(ValueError, match="time"):
        ocsf(bare("Action.Before", timestamp="soon"))
