"""One bad value of an export costs itself: numbers of OTLP in every form of proto3's JSON, what is
none of them dropped and counted; attributes of CloudEvents that are null are unset."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookstream.core.cloud_events import opened
from hookstream.core.records import Record
from hookstream.otlp.records import Telemetry
from hookstream.otlp.values import code, double, nanos, whole

STATUS = ("STATUS_CODE_UNSET", "STATUS_CODE_OK", "STATUS_CODE_ERROR")
NUMBERS = st.one_of(
    st.sampled_from(
        ["--5", "-", "", "1e999", "NaN", "Infinity", "1.5.2", "\u0663", "0x10", " 1", "1_0"]
    ),
    st.text(max_size=25),
    st.integers(),
    st.floats(),
    st.none(),
    st.booleans(),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=1),
)  # fmt: skip


def spans(*values: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An export of a call for each value of an attribute `x`."""
    made = []
    for number, value in enumerate(values):
        pairs = {
            "gen_ai.operation.name": {"stringValue": "execute_tool"},
            "gen_ai.tool.name": {"stringValue": "shell"},
            "gen_ai.tool.call.id": {"stringValue": f"c{number}"},
            "gen_ai.conversation.id": {"stringValue": "conv1"},
            "gen_ai.tool.call.arguments": {"stringValue": '{"command":"ls"}'},
            "x": value,
        }
        span = {
            "traceId": "5b8efff798038103d269b633813fc60c",
            "spanId": f"eee19b7ec3c1b1{number:02x}",
            "name": "execute_tool shell",
            "startTimeUnixNano": "1764000000000000000",
            "endTimeUnixNano": "1764000001000000000",
            "attributes": [{"key": key, "value": held} for key, held in pairs.items()],
            **more,
        }
        made.append(span)
    scope = {"scope": {"name": "pydantic-ai"}, "spans": made}
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [scope]}]}


def taken(export: dict[str, Any]) -> tuple[set[str], list[str]]:
    """(the call ids that came, the reasons of what did not)."""
    items = Telemetry().records(Record(export, received_at="2026-11-24T10:00:00Z", kind="otlp"))
    text = json.dumps([item.payload for item in items if isinstance(item, Record)])
    reasons = [item for item in items if isinstance(item, str)]
    return set(re.findall(r'"(c\d)"', text)), reasons


@pytest.mark.parametrize(
    ("text", "want"),
    [
        (5, 5), ("5", 5), ("-5", -5), (1000.0, 1000), ("1000.0", 1000), ("1e3", 1000), (1.5, None),
        ("--5", None), ("five", None), ("", None), (True, None), (None, None), ("\u0665", None),
        ("9223372036854775807", 9223372036854775807), ([], None), ({}, None), ("1e400", None),
    ],
)  # fmt: skip
def test_a_whole_number_has_every_form_of_the_mapping(text: Any, want: int | None) -> None:
    assert whole(text) == want
    assert nanos(text) == (want if want is not None and want > 0 else 0)


def test_a_double_may_be_quoted_and_an_enum_named() -> None:
    assert [double(text) for text in ("1000", 1000, "1.5e1", "NaN", True, "x")] == [
        1000, 1000, 15, None, None, None,
    ]  # fmt: skip
    assert [code(value, STATUS) for value in (2, "2", 2.0, "STATUS_CODE_ERROR", 7, None, "?")] == [
        2, 2, 2, 2, 0, 0, 0,
    ]  # fmt: skip


@given(value=NUMBERS, kind=st.sampled_from(["intValue", "doubleValue"]))
def test_a_number_costs_itself_and_nothing_else(value: Any, kind: str) -> None:
    calls, reasons = taken(spans({"intValue": "1"}, {kind: value}, {"stringValue": "y"}))
    assert calls == {"c0", "c1", "c2"}
    counted = [reason for reason in reasons if reason == "telemetry: value that cannot be read"]
    read = whole if kind == "intValue" else double
    assert len(counted) == (value is not None and read(value) is None)


@given(
    value=NUMBERS, name=st.sampled_from(["startTimeUnixNano", "endTimeUnixNano", "status", "kind"])
)
def test_an_odd_field_of_a_span_costs_itself(value: Any, name: str) -> None:
    calls, _ = taken(spans({"intValue": "1"}, **{name: value}))
    assert calls == {"c0"}


ODD = (
    {"stringValue": {"a": None}}, {"stringValue": 5}, {"boolValue": "yes"}, {"bytesValue": []},
    {"arrayValue": {"values": [{"intValue": "1"}]}}, {"kvlistValue": {"values": [{"key": "a"}]}},
)  # fmt: skip


@pytest.mark.parametrize("value", ODD, ids=json.dumps)
@pytest.mark.parametrize("at", range(6))
def test_an_odd_attribute_costs_no_other_call(value: dict[str, Any], at: int) -> None:
    export = spans({"intValue": "1"}, {"intValue": "2"}, {"intValue": "3"})
    export["resourceSpans"][0]["scopeSpans"][0]["spans"][1]["attributes"][at]["value"] = value
    calls, reasons = taken(export)
    assert {"c0", "c2"} <= calls
    is_unread = not value.keys() & {"arrayValue", "kvlistValue"}
    assert ("telemetry: value that cannot be read" in reasons) is is_unread


@pytest.mark.parametrize("name", ["subject", "time", "dataschema", "datacontenttype", "extension"])
def test_an_attribute_that_is_null_is_unset(name: str) -> None:
    data = {"event_id": "e"}
    event = {"specversion": "1.0", "id": "1", "source": "/x", "type": "t", "data": data, name: None}
    assert opened(json.loads(json.dumps(event))) == (data, None)
