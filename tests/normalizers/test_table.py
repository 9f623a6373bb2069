"""The words of a table: what one vendor takes over from another, what an exit code decides."""

from __future__ import annotations

import re
from typing import Any

import pytest

from hookstream.core.records import Record
from hookstream.normalizers import normalize
from hookstream.normalizers import table as t
from hookstream.normalizers.ready import CompiledVendor
from hookstream.normalizers.table import Const, Ignore, Row, Vendor, has_failed, plan_of, reads

NOW = "2026-01-01T00:00:00.000Z"
PARENT = Vendor(
    "parent",
    claims=lambda payload: False,
    event="name",
    common={"session_id": "session", "cwd": "cwd"},
    events={
        "Start": Row("Session.Start"),
        "Odd": (Row("vendor.parent.Odd", keep="more"), Ignore("nothing")),
        "Own": Row("vendor.parent.Own"),
    },
    mcp=lambda name, payload: ("server", name),
)
CHILD = Vendor(
    "child",
    extends=PARENT,
    same="Start Odd",
    claims=lambda payload: False,
    event="name",
    common={"cwd": "folder"},
    events={
        "After": Row(
            "Action.After",
            {"action_native": "tool", "exit_code": "code", "success": "flag", "input": "input"},
            hook_point="",
        )
    },
)


def facts(**payload: Any) -> dict[str, Any]:
    record = Record({"session": "s", **payload}, "child", None, NOW)
    taken = normalize(record, CompiledVendor(CHILD), NOW)
    assert isinstance(taken, list), taken
    return {**taken[0].facts, "type": taken[0].type}


def test_a_vendor_that_extends_another_has_the_named_rows_under_its_own_name() -> None:
    assert set(CHILD.events) == {"Start", "Odd", "After"}
    assert facts(name="Start", folder="/w", cwd="/x")["cwd"] == "/w"
    assert facts(name="Odd")["type"] == "vendor.child.Odd"
    assert PARENT.events["Odd"][0].type == "vendor.parent.Odd"  # type: ignore[index]
    assert CHILD.mcp is PARENT.mcp


def test_to_take_over_what_the_other_does_not_have_is_an_error() -> None:
    with pytest.raises(KeyError):
        Vendor(
            "x",
            extends=PARENT,
            same="Missing",
            claims=lambda payload: False,
            event=None,
            common={},
            events={},
        )


@pytest.mark.parametrize(
    ("given", "success", "outcome"),
    [
        ({"code": 0}, True, "ok"),
        ({"code": 3}, False, "error"),
        ({"code": 3, "flag": True}, False, "error"),
        ({"code": 0, "flag": False}, False, "error"),
        ({"flag": True}, True, "ok"),
        ({}, None, None),
    ],
)
def test_an_exit_code_decides_but_for_a_stated_failure(
    given: dict[str, Any], success: bool | None, outcome: str | None
) -> None:
    told = facts(name="After", tool="sh", **given)
    assert (told.get("success"), told.get("outcome")) == (success, outcome)


def test_has_failed_concludes_as_the_engine_does() -> None:
    code = reads("code")(lambda payload: payload.get("code"))
    flag = reads("flag")(lambda payload, record: payload.get("flag"))
    failed = has_failed(code, flag)
    record = Record({}, "child", None, NOW)
    told = [failed(p, record) for p in ({"code": 3}, {"code": 0}, {"flag": False}, {})]
    assert told == [True, False, True, False]
    assert failed.reads == ("code", "flag")  # type: ignore[attr-defined]


def test_plans_are_named_as_the_standard_names_them() -> None:
    plan = plan_of("kind", "other.kind")
    kinds = ({"kind": "Plan"}, {"other": {"kind": "explorer"}}, {"kind": 3}, {})
    assert [plan(p) for p in kinds] == ["plan", "explore", "default", "default"]
    assert Const(1).value == 1


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("mcp__github__create_issue", ("github", "create_issue")),
        ("mcp__a__b__c", ("a", "b__c")),
        ("mcp__lone", ("", "lone")),
        ("github__create_issue", None),
        ("mcp_github", None),
    ],
)
def test_the_name_of_an_mcp_tool_is_divided_once(name: str, pair: tuple[str, str] | None) -> None:
    assert t.mcp_name(lone=True)(name, {}) == pair
    assert t.mcp_name()(name, {}) == (None if pair == ("", "lone") else pair)


def test_a_server_that_the_payload_names_may_hold_the_divider() -> None:
    split = t.mcp_name(server="server.name")
    assert split("mcp__a__b__c", {"server": {"name": "a__b"}}) == ("a__b", "c")
    assert split("mcp__a__b__c", {"server": {"name": "other"}}) == ("a", "b__c")
    assert t.mcp_name("", "_")("a_b_c", {}) == ("a", "b_c")


def test_an_exit_code_is_of_the_tools_that_are_named() -> None:
    source = t.exit_code("result.text", re.compile(r"\AExit code (\d+)"), "sh")
    assert source({"tool_name": "sh", "result": {"text": "Exit code 3\n"}}) == 3
    assert source({"tool_name": "cat", "result": {"text": "Exit code 3\n"}}) is None
    assert source({"tool_name": "sh", "result": {"text": "so: Exit code 3"}}) is None
    assert source({"tool_name": "sh", "result": 7}) is None
    assert source.reads == ("result.text", "tool_name")  # type: ignore[attr-defined]


def test_a_flag_is_true_or_false_and_nothing_else() -> None:
    for value, want in ((True, True), (False, False), (1, None), ("true", None), (None, None)):
        assert t.flag("ok")({"ok": value}) is want


def test_a_negated_predicate_reads_the_same_paths() -> None:
    yes = t.is_word("kind", "a", "b")
    no = t.negate(yes)
    for payload in ({"kind": "a"}, {"kind": "c"}, {}):
        assert no(payload, Record({})) is not yes(payload)
    assert no.reads == yes.reads  # type: ignore[attr-defined]


def test_the_error_of_a_failed_call_follows_from_its_end() -> None:
    row = t.tool_failed({"call_id": "id"}, t.is_word("ok", False), error_message="text")
    assert (row.type, row.derived) == ("Agent.Error", True)
    kept = {name: getattr(source, "value", source) for name, source in row.facts.items()}
    assert kept == {
        "call_id": "id",
        "error_type": "ToolFailed",
        "error_message": "text",
        "origin_event": "Action.After",
    }
    origin = t.model_failed({}).facts["origin_event"]
    assert isinstance(origin, t.Const) and origin.value == "Model.Failed"
