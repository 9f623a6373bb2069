"""The strict schemas: what is shipped is what is built, every sample passes, and every rule where
they are stricter than the published schema refuses what breaks it."""

from __future__ import annotations

import copy
import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.event import EVENT_TYPES, HOOK_POINTS
from hookstream.core.records import Record, Rejection, read_record
from hookstream.standards.rendered import Rendered
from hookstream.standards.schema import SCHEMAS
from hookstream.standards.validate import Validator
from test_golden import pipeline

SAMPLES = Path(__file__).parent.parent / "samples"
DIGEST = "a" * 64
GONE = object()
GOOD = (
    b'{"spec_version": "0.1.0", "event_id": "00000000-0000-4000-8000-000000000000", '
    b'"event_type": "Session.End", "timestamp": "2026-01-01T00:00:00Z", '
    b'"source": {"tool": "cursor"}, "session_id": "s"'
)
Json = dict[str, Any]


@cache
def validator() -> Validator:
    return Validator()


def problems(value: Any) -> list[str]:
    return validator().problems(json.dumps(value).encode())


@cache
def samples() -> tuple[dict[str, Json], dict[str, Json]]:
    """The longest sample of each event type, and of each hook point (`verdict` without one)."""
    events: dict[str, Json] = {}
    wrappers: dict[str, Json] = {}
    for file in sorted(SAMPLES.glob("*/*.expected.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            given = json.loads(line)
            event, wrapper = given.get("agent_hooks"), given.get("aarts")
            if event:
                _longest(events, event["event_type"], event)
            if wrapper:
                body = wrapper["aarts"]
                _longest(wrappers, body["hook_point"] if body else "verdict", wrapper)
    return events, wrappers


def _longest(held: dict[str, Json], name: str, value: Json) -> None:
    if len(json.dumps(value)) > len(json.dumps(held.get(name, ""))):
        held[name] = value


def changed(base: Json, path: str, value: Any) -> Json:
    made = copy.deepcopy(base)
    *way, last = path.split(".")
    at: Any = made
    for name in way:
        at = at.setdefault(name, {})
    if value is GONE:
        at.pop(last, None)
    else:
        at[last] = value
    return made


def event(kind: str, path: str = "", value: Any = None) -> Json:
    base = samples()[0][kind]
    return changed(base, path, value) if path else base


def wrapper(point: str, path: str, value: Any) -> Json:
    return changed(samples()[1][point], path, value)


def test_what_is_shipped_is_what_is_built() -> None:
    folder = files("hookstream.standards") / "schemas"
    for name, build in SCHEMAS.items():
        assert json.loads((folder / name).read_text("utf-8")) == build(), name


def test_every_type_and_every_hook_point_has_rules_of_its_own() -> None:
    of_events = SCHEMAS["agent-hooks-event.json"]()["allOf"]
    assert {one["if"]["properties"]["event_type"]["const"] for one in of_events} == set(EVENT_TYPES)
    of_points = SCHEMAS["aarts-event.json"]()["allOf"]
    assert {one["if"]["properties"]["hook_point"]["const"] for one in of_points} == set(HOOK_POINTS)


def test_the_samples_pass() -> None:
    events, wrappers = samples()
    assert len(events) > 40
    assert len(wrappers) > 12
    for one in (*events.values(), *wrappers.values()):
        assert problems(one) == []


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        # the envelope
        ("Action.Before", "spec_version", "0.1"),
        ("Action.Before", "spec_version", GONE),
        ("Action.Before", "event_id", "1"),
        ("Action.Before", "timestamp", "2026-11-21"),
        ("Action.Before", "timestamp", 1795227132726),
        ("Action.Before", "source", {}),
        ("Action.Before", "session_id", ""),
        ("Action.Before", "session_id", 5),
        ("Action.Before", "actor.type", "agent"),
        ("Action.Before", "agent_mode", "turbo"),
        ("Action.Before", "metadata", []),
        # types that are none and lack the vendor prefix
        ("Action.Before", "event_type", "action.before"),
        ("Action.Before", "event_type", "cursor.TabFileEdit"),
        ("Action.Before", "event_type", "vendor.TabFileEdit"),
        ("Action.Before", "event_type", "vendor.cursor."),
        ("Action.Before", "timestamp", "2026-13-45T99:99:99Z"),
        # an enum's hint written as one string
        ("Action.Before", "data.action.name", "shell | read_file"),
        ("Context.UntilCompaction", "data.trigger", "auto | manual | system"),
        ("Session.Start", "data.start_reason", "new | resume | restart"),
        ("Session.End", "data.end_reason", "exit | completed | error"),
        ("Action.Before", "data.decision", {"outcome": "allow | deny | ask"}),
        ("Action.Before", "actor.type", "user | ai_agent | system"),
        ("Action.Before", "agent_mode", "agent | plan"),
        ("Action.Before", "risk.level", "low | medium"),
        ("Context.Compaction", "data.trigger", "auto | manual | system"),
        ("Agent.Notification", "data.type", "ToolPermission | IdleTimeout | ErrorAlert"),
        ("Agent.Error", "data.error_type", "ToolFailed | ModelError"),
        ("Agent.Plan.Start", "data.plan_type", "plan | explore | default"),
        # numbers out of their range, and of another type
        ("Context.UntilCompaction", "data.percentage_used", 101),
        ("Context.UntilCompaction", "data.percentage_used", -1),
        ("Context.UntilCompaction", "data.tokens_used", "many"),
        ("Context.Compaction", "data.tokens_before", -1),
        ("Action.Before", "risk.score", 101),
        ("Action.Before", "risk.score", 4.5),
        ("Context.UntilCompaction", "data.tokens_before", -1),
        ("Model.Responded", "data.latency_ms", -4),
        ("Retry.Loop.Detected", "data.elapsed_ms", -1),
        ("Prompt.Submitted", "data.prompt_length", -1),
        ("Model.Responded", "data.input_tokens", -1),
        ("Retry.Loop.Detected", "data.iteration_count", "3"),
        ("Action.After", "data.action.result", {"success": "yes"}),
        ("Action.After", "data.action.result", {"exit_code": "0"}),
        # digests without their prefix, or of another length
        ("Prompt.Submitted", "data.prompt_hash", DIGEST),
        ("Prompt.Submitted", "data.prompt_hash", f"sha256:{DIGEST[1:]}"),
        ("Prompt.Submitted", "data.prompt_hash", f"sha256:{DIGEST}a"),
        ("Prompt.Submitted", "data.prompt_hash", f"sha256:{DIGEST.upper()}"),
        ("Prompt.Submitted", "data.prompt_hash", f"sha1:{DIGEST[:40]}"),
        ("Agent.Response", "data.response_hash", f"hmac-sha256:{DIGEST}a"),
        # an input that is no object, an action without a name
        ("Action.Before", "data.action.input", "ls -la"),
        ("Action.Before", "data.action.input", ["ls"]),
        ("Action.Before", "data.action.name", GONE),
        ("Action.Before", "data.action", GONE),
        ("Action.Before", "data", GONE),
        ("Action.Before", "data", "x"),
    ],
)
def test_an_event_that_breaks_a_rule_is_refused(kind: str, path: str, value: Any) -> None:
    found = problems(event(kind, path, value))
    assert found
    # The path is named, the value, which may be content, is not.
    assert all("turbo" not in one and "ls -la" not in one for one in found)


@pytest.mark.parametrize(
    ("point", "path", "value"),
    [
        ("PreToolUse", "aarts.hook_point", "preToolUse"),
        ("PreToolUse", "aarts.aarts_version", "1"),
        ("PreToolUse", "aarts.host_id", "Claude Code"),
        ("PreToolUse", "aarts.host_id", "claude_code"),
        ("PreToolUse", "aarts.session_id", GONE),
        ("PreToolUse", "aarts.timestamp", "yesterday"),
        ("PreToolUse", "aarts.turn_id", GONE),
        ("PreToolUse", "aarts.tool_name", "Bash"),
        ("PreToolUse", "aarts.tool_input", "ls"),
        ("PreToolUse", "aarts.tool_input", GONE),
        ("PreToolUse", "aarts.artifacts", GONE),
        ("PreToolUse", "aarts.artifacts", [{"type": "shell", "value": "ls"}]),
        ("PreToolUse", "aarts.artifacts", [{"type": "command"}]),
        ("PostToolUse", "aarts.tool_result", GONE),
        ("PostToolUse", "aarts.exit_code", "0"),
        ("PostToolUse", "aarts.execution_duration_ms", -1),
        ("PreUserInput", "aarts.raw_input", GONE),
        ("PreUserInput", "aarts.raw_input", ["a"]),
        ("PreCompact", "aarts.context_before", GONE),
        ("PreCompact", "aarts.compaction_reason", "token_limit | automatic"),
        ("PostCompact", "aarts.was_modified", "yes"),
        ("PreSubAgentSpawn", "aarts.sub_agent_id", GONE),
        ("PreOutputDeliver", "aarts.output_text", GONE),
        ("PostAskResolution", "aarts.resolution", GONE),
        ("PostAskResolution", "aarts.resolution", ["allow"]),
        ("PostAskResolution", "aarts.original_verdict", {}),
        ("verdict", "verdict.decision", "allow | deny | ask"),
        ("verdict", "verdict.decision", "modify"),
        ("verdict", "verdict.severity", "high"),
        ("verdict", "verdict.confidence", 1.5),
        ("verdict", "verdict.source", GONE),
        ("verdict", "verdict.directives", "inject"),
        ("verdict", "hookstream.about", "the call before"),
        ("verdict", "hookstream.timestamp", "yesterday"),
        ("verdict", "hookstream", GONE),
        ("verdict", "hookstream.event_id", "1"),
        ("verdict", "hookstream.synthesized", "timestamp"),
        ("verdict", "surplus", 1),
    ],
)
def test_a_wrapper_that_breaks_a_rule_is_refused(point: str, path: str, value: Any) -> None:
    assert problems(wrapper(point, path, value))


def test_other_needs_the_native_name() -> None:
    other = wrapper("PreToolUse", "aarts.tool_name", "other")
    assert problems(changed(other, "aarts.tool_name_native", GONE))
    assert problems(changed(other, "aarts.tool_name_native", "Glob")) == []


def test_a_vendors_own_type_and_a_keyed_digest_pass() -> None:
    assert problems(event("Session.Start", "event_type", "vendor.cursor.TabFileEdit")) == []
    assert problems(event("Action.Before", "event_type", "Action.Never")) == [], "a later type"
    keyed = event("Prompt.Submitted", "data.prompt_hash", f"hmac-sha256:{DIGEST}")
    assert problems(keyed) == []


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"null",
        b"{}",
        b'"text"',
        b'{"aarts": null}',
        b'{"event_type": "Session.Start", "event_type": "Session.End"}',
        b'{"event_type": "Session.Start", "x": NaN}',
        GOOD + b', "x": 1e999}',
        GOOD + b', "x": 9007199254740993}',
        GOOD + b', "x": "\\ud800"}',
        b'{"event_type": "caf\xc3\xa9"}',
        b"\xef\xbb\xbf{}",
        b'{"event_type": "Session.Start", "x": ' + b"[" * 70 + b"]" * 70 + b"}",
        b'{"event_type": "Session.Start", "x": "' + b"y" * (1 << 20) + b'"}',
    ],
    ids=lambda line: line[:24].decode("latin-1"),
)
def test_a_line_that_breaks_the_grammar_is_refused(line: bytes) -> None:
    assert validator().problems(line)


def test_what_those_lines_were_made_from_is_right() -> None:
    assert (
        validator().problems(GOOD + b', "x": 1e300, "y": 9007199254740992, "z": "\\ud83d\\ude00"}')
        == []
    )


NAMES = ["Future.Thing", "future.thing", "thing", "vendor.Some.New", "a b", "PreFutureHook"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_another_emitter_that_run_keeps_passes(name: str) -> None:
    """Consumers must ignore what they do not know: `validate` says of a line what `run` does."""
    foreign = event("Session.Start", "event_type", name)
    del foreign["metadata"]
    point = {
        "hook_point": name, "session_id": "s", "timestamp": "2026-05-10T10:00:00Z",
        "host_id": "ops-bot", "aarts_version": "0.1", "a_field": 1,
    }  # fmt: skip
    for line in (foreign, point):
        assert problems(line) == []
        record = read_record(json.dumps(line).encode(), "s", 0)
        assert isinstance(record, Record)
        events = pipeline("hash").take(record)
        assert isinstance(events, list)
        assert [validator().problems(Rendered(one).agent_hooks) for one in events] == [[]]
        assert events[0].facts["native_event"] == name


def test_a_name_that_is_not_one_is_refused_by_both() -> None:
    for name in ("", None, 7, ["x"]):
        line = event("Session.Start", "event_type", name)
        assert problems(line)
        record = read_record(json.dumps(line).encode(), "s", 0)
        assert isinstance(record, Record)
        assert isinstance(pipeline("hash").take(record), Rejection)
