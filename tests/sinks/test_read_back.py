"""Any event that the normalizers can make is valid in every format, and reads back as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from tests.mutations import mutated

from hookstream.core.event import Event
from hookstream.core.times import micros
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.sinks import open_sink
from hookstream.sinks.formats.attributes import is_refusal
from hookstream.sinks.formats.ocsf import is_about_action
from hookstream.sinks.formats.ocsf_columns import row, schema
from hookstream.sinks.formats.otlp import log_record
from hookstream.sinks.formats.render import renderer
from hookstream.sinks.syslog import message
from hookstream.standards.aarts_reader import read_aarts
from hookstream.standards.agent_hooks_reader import read_agent_hooks
from hookstream.standards.rendered import Rendered
from hookstream.standards.validate import Validator

from . import test_cloudevents, test_ecs, test_ocsf_1_8
from .ocsf_schema import flaws
from .receivers import Collector, Frame, Receiver, serve
from .test_asim_udm import row_flaws, udm_flaws
from .test_cef import read

NOW = "2026-11-23T00:00:00Z"
ARGUMENTS = ("command", "file_path", "url", "query")
Facts = dict[str, Any]


def from_ocsf(document: Facts) -> Facts:
    assert flaws(document) == []
    about = document["metadata"]
    found = document.get("evidences", [document])[0]
    agent, free = found["ai_agent"], document["unmapped"]
    facts = {
        "event_id": about["uid"],
        "call_id": about.get("correlation_uid"),
        "session_id": found["actor"]["session"]["uid"],
        "user_id": found["actor"].get("user", {}).get("uid"),
        "tool": found["actor"]["application"]["uid"],
        "tool_version": agent.get("version"),
        "machine_id": found["device"].get("uid"),
        "turn_id": free.get("agent_hooks.turn_id"),
        "permission_mode": free.get("hookstream.permission_mode"),
        "duplicate_of": free.get("hookstream.duplicate_of"),
        "cache_read_tokens": free.get("gen_ai.usage.cache_read.input_tokens"),
        "cache_write_tokens": free.get("gen_ai.usage.cache_creation.input_tokens"),
        "command": found.get("process", {}).get("cmd_line"),
        "file_path": found.get("file", {}).get("path"),
        "url": found.get("url", found.get("http_request", {}).get("url", {})).get("url_string"),
    }
    for resource in document.get("resources", ()):
        facts[resource["type"]] = resource["name"]
    for name, fact in (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens")):
        usual = free.get(f"gen_ai.usage.{fact}")
        facts[fact] = document.get("message_context", {}).get(name, usual)
    return facts


def from_ocsf_1_8(document: Facts) -> Facts:
    test_ocsf_1_8.check(document)
    about, free, message_context = (
        document.get(name, {}) for name in ("metadata", "unmapped", "message_context")
    )
    found = document.get("evidences", [document])[0]
    agent = free["ai_agent"]
    facts = {
        "event_id": about["uid"],
        "call_id": about.get("correlation_uid"),
        "session_id": found["actor"]["session"]["uid"],
        "user_id": found["actor"].get("user", {}).get("uid"),
        "tool": found["actor"]["app_uid"],
        "tool_version": agent.get("version"),
        "turn_id": free.get("agent_hooks.turn_id"),
        "permission_mode": free.get("hookstream.permission_mode"),
        "duplicate_of": free.get("hookstream.duplicate_of"),
        "decision": free.get("agent_hooks.decision.outcome"),
        "action_native": free.get("gen_ai.tool.name", found["api"]["operation"]),
        "cache_read_tokens": free.get("gen_ai.usage.cache_read.input_tokens"),
        "cache_write_tokens": free.get("gen_ai.usage.cache_creation.input_tokens"),
    }
    for resource in document.get("resources", ()):
        facts[resource["type"]] = resource["name"]
    for name, fact in (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens")):
        facts[fact] = message_context.get(name, free.get(f"gen_ai.usage.{fact}"))
    return facts


def from_ecs(document: Facts) -> Facts:
    test_ecs.check(document)
    leaves = test_ecs.leaves(document)
    names = {
        "event.id": "event_id",
        "gen_ai.tool.call.id": "call_id",
        "agent_hooks.session_id": "session_id",
        "user.id": "user_id",
        "gen_ai.agent.name": "tool",
        "agent_hooks.gen_ai.agent.version": "tool_version",
        "agent_hooks.turn_id": "turn_id",
        "agent_hooks.decision.outcome": "decision",
        "gen_ai.tool.name": "action_native",
        "gen_ai.usage.input_tokens": "input_tokens",
        "gen_ai.usage.output_tokens": "output_tokens",
        "agent_hooks.gen_ai.usage.cache_read.input_tokens": "cache_read_tokens",
        "agent_hooks.gen_ai.usage.cache_creation.input_tokens": "cache_write_tokens",
        "process.command_line": "command",
        "file.path": "file_path",
        "url.full": "url",
        "hookstream.permission_mode": "permission_mode",
        "hookstream.duplicate_of": "duplicate_of",
    }
    return {fact: leaves.get(name) for name, fact in names.items()}


def from_asim(document: Facts) -> Facts:
    assert row_flaws(document) == []
    more = document["AdditionalFields"]
    columns = {
        "EventUid": "event_id",
        "EventRequestId": "call_id",
        "EventSessionId": "session_id",
        "ActorUserId": "user_id",
        "TargetAgentId": "tool",
        "InputTokensUsed": "input_tokens",
        "OutputTokensUsed": "output_tokens",
    }
    return more | {fact: document.get(column) for column, fact in columns.items()}


def from_udm(document: Facts) -> Facts:
    event = document["udm"]
    assert udm_flaws(event) == []
    target = event.get("target", {})
    return event["additional"] | {
        "event_id": event["metadata"]["product_log_id"],
        "session_id": event["network"]["session_id"],
        "tool": event["principal"]["application"],
        "user_id": event["principal"].get("user", {}).get("userid"),
        "command": target.get("process", {}).get("command_line"),
        "file_path": target.get("file", {}).get("full_path"),
        "url": target.get("url"),
    }


# format -> its options, its reader and the facts that it brings
SHARED = ("event_id", "call_id", "session_id", "user_id", "tool", "tool_version", "turn_id")
COUNTED = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
OURS = ("permission_mode", "duplicate_of")
SAME: dict[str, tuple[Facts, Callable[[Facts], Facts], tuple[str, ...]]] = {
    "ocsf": ({}, from_ocsf, (*SHARED, *COUNTED, *ARGUMENTS, *OURS, "machine_id")),
    "ocsf 1.8": (
        {"version": "1.8"},
        from_ocsf_1_8,
        (*SHARED, *COUNTED, *ARGUMENTS, *OURS, "decision", "action_native"),
    ),
    "asim": ({}, from_asim, (*SHARED, *COUNTED, *OURS, "machine_id", "decision")),
    "udm": ({}, from_udm, (*SHARED, *COUNTED, *ARGUMENTS, *OURS, "decision")),
    "ecs": ({}, from_ecs, (*SHARED, *COUNTED, *ARGUMENTS[:3], *OURS, "decision", "action_native")),
}
# fact -> its type of observable
OBSERVED = {
    "user_id": "User Object: uid",
    "command": "Command Line",
    "file_path": "File Path",
    "url": "URL String",
}
# of the AARTS object's fields
TOLD = ("event_id", "call_id", "session_id", "tool", "decision", "decided_by", "duplicate_of")


@cache
def validator() -> Validator:
    return Validator()


def events(seed: int) -> list[Rendered]:
    """What one record gives that nobody would send."""
    pipeline = Pipeline(Redactor("full", pseudonym_key=b"k" * 32), lambda: NOW)
    outcomes = pipeline.outcomes([(mutated(seed), "test", 0)])
    rendered = [item for one in outcomes if isinstance(one, list) for item in one]
    return [item for item in rendered if isinstance(item, Rendered)]


def check(item: Rendered) -> None:
    event = item.event
    for name, (options, reader, same) in SAME.items():
        made = renderer(name.split()[0], standard="agent-hooks", arguments=True, **options)(item)
        document = json.loads(made[0].data)
        facts = reader(document)
        if name == "ocsf":
            check_ocsf(event, [json.loads(one.data) for one in made])
            if document["class_uid"] == 6008:  # has no place for them
                same = tuple(fact for fact in same if fact not in ARGUMENTS)
        if name.startswith("ocsf"):
            check_observables(document, facts)
        for fact in same:
            if event.facts.get(fact) is not None:
                assert facts.get(fact) == event.facts[fact], (name, fact)
        check_syslog(event, made[0].data)
    (line,) = renderer("cef", standard="agent-hooks", arguments=True)(item)
    check_syslog(event, line.data)
    _, pairs = read(line.data.decode("utf-8"))
    assert pairs["externalId"] == event.facts["event_id"]
    for generation in ("0.1", "1.41"):
        log_record(event, aarts=True, arguments=True, semconv=generation).SerializeToString()
    check_standards(item)


def check_observables(document: Facts, facts: Facts) -> None:
    """What is searched for is there, and stands where it is said to."""
    found = document.get("observables", [])
    for fact, kind in OBSERVED.items():
        if facts.get(fact):
            assert (kind, facts[fact]) in {(one["type"], one["value"]) for one in found}
    for one in found:
        nodes = [document]
        for step in one["name"].split("."):
            below = [node[step.removesuffix("[]")] for node in nodes]
            nodes = [part for node in below for part in (node if step.endswith("[]") else [node])]
        assert one["value"] in nodes


def check_standards(item: Rendered) -> None:
    """The lines of both standards, as such and in CloudEvents."""
    facts = item.event.facts
    for line in renderer("native", standard="both", arguments=True)(item):
        assert validator().problems(line.data) == []
        document = json.loads(line.data)
        if line.kind == "agent_hooks":
            told = read_agent_hooks(document).facts
            same: tuple[str, ...] = tuple(name for name in facts if name != "actor_type")
        else:
            told, same = read_aarts(document).facts, TOLD
            if "tool_name" in (document["aarts"] or ()):
                same = (*TOLD, "tool_version", "action_category")
        for fact in same:
            assert told.get(fact) == facts.get(fact), (line.kind, fact)
    for line in renderer("cloudevents", standard="both", arguments=True)(item):
        document = json.loads(line.data)
        assert validator().problems(line.data) == []
        test_cloudevents.check({name: one for name, one in document.items() if name != "data"})


def check_syslog(event: Event, body: bytes) -> None:
    frame = Frame(message(event, body, 13))
    assert frame.body == body
    assert (frame.severity <= 4) >= is_refusal(event)


def check_splunk(items: list[Rendered]) -> None:
    """A collector takes every event, at its time."""
    collector = Collector("t")
    with serve(Receiver(collector)) as far:
        sink = open_sink(f"splunk:{far.url()}", token="t", standard="agent-hooks")
        receipts = sink.write(items)
        sink.close()
    assert {one.status for one in receipts} <= {"delivered"}
    for item, told in zip(items, collector.events, strict=True):
        assert told["event"] == json.loads(item.agent_hooks)
        assert told["sourcetype"] == "hookstream:agent_hooks"
        seconds, _, rest = told["time"].partition(".")
        assert int(seconds) * 1_000_000 + int(rest) == micros(item.event.facts["timestamp"])


def check_ocsf(event: Event, documents: list[Facts]) -> None:
    """The class, the disposition and the row of Security Lake."""
    import pyarrow as pa

    document, facts = documents[0], event.facts
    assert document["time"] == (micros(facts["timestamp"]) or 0) // 1000
    if is_about_action(event) and facts.get("action_category") == "shell":
        assert document["class_uid"] == 1007
    if facts.get("modified") is not True and facts.get("decision") == "deny":
        is_enforced = facts.get("enforced") is not False
        assert document["disposition"] == ("Blocked" if is_enforced else "Detected")
    for one in documents:
        assert flaws(one) == []
        table = pa.Table.from_pylist([row(one)], schema=schema(one["class_uid"]))
        assert table.num_rows == 1
        assert set(json.loads(table.to_pylist()[0]["unmapped"])) == set(one["unmapped"])


def check_seeds(seeds: range) -> None:
    items = [item for seed in seeds for item in events(seed)]
    for item in items:
        check(item)
    check_splunk(items)


@pytest.mark.parametrize("part", range(6))
def test_any_event_is_valid_and_reads_back(part: int) -> None:
    check_seeds(range(part * 20, part * 20 + 20))


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_any_of_many_events_is_valid_and_reads_back(part: int) -> None:
    check_seeds(range(1000 + part * 100, 1100 + part * 100))
