"""The contract every vendor table keeps, walked over all of them."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookstream.core.clients import FORKS, MARKS
from hookstream.core.event import CERTAINTIES, DECISIONS, EVENT_TYPES, FACTS, HOOK_POINTS, OUTCOMES
from hookstream.core.records import Record
from hookstream.normalizers import (
    VENDORS,
    claimants,
    compiled,
    detect,
    hosts,
    normalize,
    steps,
    vendor_of,
)
from hookstream.normalizers.actions import UNKNOWN
from hookstream.normalizers.table import Const, Ignore, Row, Words
from hookstream.standards.agent_hooks import ENUM_DATA

NORMALIZERS = Path(steps.__file__).parent
SAMPLES = Path(__file__).parent.parent.parent / "samples"
CLOSED: dict[str, tuple[str, ...]] = {
    **ENUM_DATA,
    "decision": DECISIONS,
    "certainty": CERTAINTIES,
    "outcome": OUTCOMES,
    "context_phase": ("before", "restarted", "after"),
    "reported_by": ("batch", "specific", "bus", "notify"),
    "decided_by": ("hook", "rule", "mode", "user", "classifier", "client", "mod"),
    "severity": ("info", "warning", "critical"),
}
# Words of the vendor that Agent Hooks has no word for may stand in a fact of metadata.
OPEN = ("notification_type", "error_type")


def rows(vendor: str) -> Iterator[tuple[str, Row]]:
    for native, given_rows in compiled(vendor).vendor.events.items():
        for row in given_rows if isinstance(given_rows, tuple) else (given_rows,):
            if isinstance(row, Row):
                yield native, row


def records() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(SAMPLES.glob("*/*.jsonl")):
        if not path.name.endswith(".expected.jsonl"):
            for line in path.read_text("utf-8").splitlines():
                yield path.parent.name, json.loads(line)


RECORDS = list(records())
ALL = pytest.mark.parametrize("vendor", VENDORS)


@ALL
def test_types_and_hook_points_are_of_the_standards(vendor: str) -> None:
    prefix = f"vendor.{compiled(vendor).vendor.tool}."
    for native, row in rows(vendor):
        assert row.type in EVENT_TYPES or row.type.startswith(prefix), (native, row.type)
        assert row.hook_point is None or row.hook_point in HOOK_POINTS, (native, row.hook_point)


@ALL
def test_every_event_can_be_made_ready(vendor: str) -> None:
    ready = compiled(vendor)
    for native in ready.vendor.events:
        made = ready.make(native)
        assert made is not None, native
        assert made.rows, native
    assert ready.make("no such event") is None


@ALL
def test_constants_and_words_are_of_the_closed_vocabularies(vendor: str) -> None:
    for native, row in rows(vendor):
        for fact, source in row.facts.items():
            assert fact == "input" or fact in FACTS, (native, fact)
            if fact not in CLOSED or fact in OPEN:
                continue
            if isinstance(source, Const):
                assert source.value in CLOSED[fact], (native, fact, source.value)
            elif isinstance(source, Words):
                given_words = {*source.words.values(), source.other} - {None}
                assert given_words <= set(CLOSED[fact]), (native, fact, given_words)


@ALL
def test_a_refusal_says_who_what_and_how_it_is_known(vendor: str) -> None:
    for native, row in rows(vendor):
        if row.type == "Policy.Blocked":
            said = {"decision", "decided_by", "decision_evidence", "certainty"} - set(row.facts)
            assert not said, (native, said)


@ALL
def test_every_reason_is_given(vendor: str) -> None:
    table = compiled(vendor).vendor
    for native, given_rows in table.events.items():
        for row in given_rows if isinstance(given_rows, tuple) else (given_rows,):
            if isinstance(row, Ignore):
                assert len(row.reason) > 5, native
    for native, reason in table.absent.items():
        assert native not in table.events
        assert len(reason) > 5, native


@ALL
def test_a_tool_has_a_known_category_and_a_named_action(vendor: str) -> None:
    from hookstream.core.event import TOOL_CATEGORIES

    for name, tool in compiled(vendor).tools.items():
        assert tool.category in TOOL_CATEGORIES, name
        assert tool.action and tool is not UNKNOWN, name


def parents_of(vendor: str) -> set[str]:
    """The clients that a fork's payloads look like, but for those with a mark."""
    return {parent for parent, forks in FORKS.items() if vendor in forks}


def test_every_sample_is_claimed_by_its_own_vendor_alone() -> None:
    for vendor, record in RECORDS:
        allowed = {vendor, *parents_of(vendor)}
        assert set(claimants(record["payload"])) <= allowed, record["payload"]


def test_another_clients_mark_takes_a_payload_from_its_client() -> None:
    for vendor, record in RECORDS:
        if vendor not in VENDORS:
            continue
        payload = record["payload"]
        for fields, start, key in MARKS:
            if key != vendor:
                marked = {**payload, **dict.fromkeys(fields, start or "x")}
                assert vendor not in claimants(marked), (fields, payload)
                assert not hosts(vendor, marked), (fields, payload)
        assert not claimants({**payload, "spec_version": "0.1.0"})


# What a source may lack that another's payloads lack too.
PROOFS = ("transcript_path", "permission_mode", "timestamp", "cwd", "prompt_id", "model")


def test_a_payload_that_lost_a_mark_stays_its_named_vendors() -> None:
    """A payload without what tells its client from others is its client's where the record names
    it, and bare it is not a relative's."""
    for vendor, record in RECORDS:
        if vendor not in VENDORS:
            continue
        for lost in PROOFS:
            payload = {key: value for key, value in record["payload"].items() if key != lost}
            named = Record(payload, vendor, record.get("native_event"), env=record.get("env"))
            assert vendor_of(named) == vendor, (lost, payload)
            assert detect(payload) in (vendor, None, *parents_of(vendor)), (lost, payload)


def test_what_is_left_out_of_an_event_is_said_once() -> None:
    for vendor in VENDORS:
        ignored = Counter((native, path) for native, row in rows(vendor) for path in row.ignore)
        assert max(ignored.values(), default=1) == 1, (vendor, ignored.most_common(1))


def test_samples_leave_no_event_unknown_and_no_field_unmapped() -> None:
    for vendor, given_record in RECORDS:
        names = ("native_event", "received_at", "client_version", "env", "argv")
        record = Record(given_record["payload"], vendor, *(given_record.get(n) for n in names))
        taken = normalize(record, compiled(vendor), "2026-01-01T00:00:00.000Z")
        if isinstance(taken, str):
            continue
        for event in taken:
            assert event.unmapped is None, (given_record["native_event"], event.unmapped)
            assert event.facts["native_event"] in compiled(vendor).vendor.events


KEYS = sorted({key for _, record in RECORDS for key in record["payload"]})
NAMES = sorted({name for vendor in VENDORS for name in compiled(vendor).vendor.events})
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.text(max_size=8),
    st.sampled_from(NAMES),
    st.lists(st.text(max_size=3), max_size=2),
    st.dictionaries(st.sampled_from(KEYS), st.text(max_size=3), max_size=2),
)


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=14))
def test_at_most_one_vendor_claims_any_payload(payload: dict[str, Any]) -> None:
    assert len(claimants(payload)) <= 1, claimants(payload)


@settings(max_examples=300)
@given(st.sampled_from(RECORDS), st.data())
def test_a_payload_with_a_strangers_keys_is_still_claimed_by_one(
    sample: tuple[str, dict[str, Any]], data: st.DataObject
) -> None:
    extra = data.draw(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3))
    payload = {**sample[1]["payload"], **extra}
    assert len(claimants(payload)) <= 1, (claimants(payload), extra)


@settings(max_examples=200)
@given(st.sampled_from(list(VENDORS)), st.sampled_from(RECORDS), st.data())
def test_normalizing_is_total_whatever_the_types(
    vendor: str, sample: tuple[str, dict[str, Any]], data: st.DataObject
) -> None:
    payload = dict(sample[1]["payload"])
    for key in data.draw(st.lists(st.sampled_from(sorted(payload) or ["x"]), max_size=4)):
        payload[key] = data.draw(VALUES)
    record = Record(payload, vendor, sample[1].get("native_event"))
    taken = normalize(record, compiled(vendor), "2026-01-01T00:00:00.000Z")
    assert isinstance(taken, str) or all(event.facts["event_id"] for event in taken)


def test_a_reason_why_a_record_is_no_event_is_shown_as_written() -> None:
    """`skip` shows a client's plain word alone; sentences of ours go to `left_out`."""
    reasons = {"skip": 0, "left_out": 0}
    for path in NORMALIZERS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
            if name in reasons and isinstance(node.args[0], ast.Constant):
                reasons[name] += 1
                word = node.args[0].value
                assert getattr(steps, name)(word) == (f"session file: {word}", None)
    assert min(reasons.values()) > 9
