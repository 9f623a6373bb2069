"""Reading a standard's line and writing it again keeps every field: laws over all event types of
Agent Hooks and all hook points of AARTS, with every field of the documents' tables."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookstream.core.event import EVENT_TYPES, HOOK_POINTS, Event
from hookstream.core.records import Record, read_record
from hookstream.standards.agent_hooks_reader import read_agent_hooks
from hookstream.standards.kit import lost
from hookstream.standards.rendered import Rendered
from hookstream.standards.validate import Validator
from test_golden import pipeline

Json = dict[str, Any]
DIGEST = "sha256:" + "a" * 64
WORDS = st.sampled_from(["alpha", "beta gamma", "delta", "epsilon-7", "Zeta", "eta_theta"])
# As long as content is wherever the meaning of a text is not known.
LONG = WORDS.map(lambda word: f"{word} " * 30)
TEXTS = st.one_of(WORDS, LONG)
COUNTS = st.integers(0, 10**6)
SPANS = st.integers(0, 10**6)
FLAGS = st.booleans()
PATHS = st.sampled_from(["/srv/app/main.py", "docs/x.md", "/etc/hosts"])
LEAVES = st.one_of(WORDS, COUNTS, FLAGS)
OBJECTS = st.dictionaries(st.sampled_from(["k1", "k2", "nested"]), LEAVES, min_size=1, max_size=2)
LISTS = st.lists(st.one_of(WORDS, OBJECTS), min_size=1, max_size=2)
LISTS_OF_TEXTS = st.lists(WORDS, min_size=1, max_size=2)


def words(text: str) -> Any:
    return st.sampled_from(text.split())


INPUT = st.fixed_dictionaries(
    {}, optional={"command": WORDS, "file_path": PATHS, "url": st.just("https://a.example/x")}
)
RESULT = st.fixed_dictionaries(
    {}, optional={"success": FLAGS, "exit_code": st.integers(-1, 255), "error_message": WORDS,
                  "output": TEXTS},
)  # fmt: skip
NAMES = words("shell read_file write_file web_search code_edit mcp:create_issue deploy delegate")
DECISION = st.fixed_dictionaries({"outcome": words("allow deny ask")}, optional={"reason": TEXTS})
BEFORE = {"action": st.fixed_dictionaries({"name": NAMES}, optional={"input": INPUT})}
AFTER = {
    "action": st.fixed_dictionaries({"name": NAMES}, optional={"input": INPUT, "result": RESULT})
}
MODEL = {
    "model_id": st.just("openai/gpt-5"), "input_tokens": COUNTS, "output_tokens": COUNTS,
    "latency_ms": SPANS, "retry_count": COUNTS,
}  # fmt: skip
CONTEXT = {
    "trigger": words("auto manual system"), "tokens_used": COUNTS, "tokens_limit": COUNTS,
    "percentage_used": st.integers(0, 100), "tokens_before": COUNTS, "tokens_after": COUNTS,
    "tokens_removed": COUNTS, "tokens_remaining": COUNTS, "strategy": WORDS,
}  # fmt: skip
LOOP = {
    "iteration_count": COUNTS, "action_name": NAMES, "tokens_consumed": COUNTS,
    "elapsed_ms": SPANS,
}  # fmt: skip
PLAN = {"plan_type": words("plan explore default"), "step_count": COUNTS}
ERROR = {
    "error_type": words("ToolFailed ModelError HookError UnhandledException"),
    "error_message": WORDS,
}
# Agent Hooks 0.1.0: event type -> the fields of its data
DATA: dict[str, Json] = {
    "Session.Start": {"start_reason": words("new resume restart")},
    "Session.End": {
        "end_reason": words("exit completed error manual_reset idle_timeout"),
        "usage": st.fixed_dictionaries(
            {}, optional={"total_tokens": COUNTS, "total_actions": COUNTS, "duration_ms": SPANS}
        ),
    },
    "Session.Abort": {},
    "Prompt.Submitted": {
        "prompt_hash": st.just(DIGEST), "prompt_length": COUNTS, "is_followup": FLAGS,
        "prompt_text": TEXTS, "decision": DECISION,
    },
    "Agent.Plan.Start": PLAN,
    "Agent.Plan.End": {},
    "Agent.Decision": {"decision": DECISION},
    "Agent.Response": {
        "response_length": COUNTS, "response_hash": st.just(DIGEST), "final": FLAGS,
        "response_text": TEXTS,
    },
    "Model.Requested": MODEL,
    "Model.Responded": MODEL,
    "Model.Failed": {**MODEL, **ERROR},
    "Action.Before": {**BEFORE, "decision": DECISION},
    "Action.After": AFTER,
    "Retry.Triggered": LOOP,
    "Retry.Loop.Detected": LOOP,
    "Retry.Loop.Aborted": LOOP,
    "Context.UntilCompaction": CONTEXT,
    "Context.Compaction": CONTEXT,
    "Policy.Violation": {**BEFORE, "decision": DECISION},
    "Policy.Blocked": {**BEFORE, "decision": DECISION},
    "Policy.Override": {**BEFORE, "decision": DECISION},
    "Agent.Notification": {
        "type": words("ToolPermission IdleTimeout ErrorAlert"), "message": WORDS,
        "details": OBJECTS,
    },
    "Agent.Error": {**ERROR, "origin_event": words("Action.After Model.Requested")},
}  # fmt: skip
NEEDED = {"Action.Before": "action", "Action.After": "action"}
ENVELOPE: Json = {
    "parent_session_id": st.just("parent-1"),
    "user": st.fixed_dictionaries({"id": WORDS}, optional={"name": WORDS}),
    "actor": st.fixed_dictionaries(
        {"type": words("user ai_agent system")}, optional={"id": WORDS, "name": WORDS}
    ),
    "agent_mode": words("agent plan execute chat edit"),
    "risk": st.fixed_dictionaries(
        {"score": st.integers(0, 100), "level": words("low medium high critical")},
        optional={"factors": LISTS_OF_TEXTS},
    ),
    "metadata": st.fixed_dictionaries({"com.example.tool": OBJECTS}),
    "spec_version": words("0.1.0 0.2.0"),
}
SOURCE = st.fixed_dictionaries({"tool": words("intentra claude-code")}, optional={"version": WORDS})

ARTIFACTS = st.lists(
    st.fixed_dictionaries(
        {"type": words("url command file_path package content prompt_fragment"), "value": WORDS},
        optional={
            "context": WORDS,
            "source_field": st.one_of(WORDS, st.just("tool_input.command")),
        },
    ),
    min_size=1,
    max_size=2,
)
CHAIN = st.lists(
    st.fixed_dictionaries({
        "modifier_id": WORDS, "config_source": words("managed project user plugin"),
        "modified": FLAGS,
    }),
    min_size=1, max_size=2,
)  # fmt: skip
VERDICT = st.fixed_dictionaries(
    {
        "decision": words("allow deny ask"), "category": words("network_egress persistence"),
        "severity": words("info warning critical"), "source": words("heuristic pattern_match"),
    },
    optional={
        "confidence": st.sampled_from([0, 0.5, 1]), "artifacts": LISTS_OF_TEXTS,
        "matched_rule_id": WORDS, "reasons": st.lists(TEXTS, min_size=1, max_size=3),
        "directives": OBJECTS, "suggested_resolutions": st.just(["approved", "deny_always"]),
    },
)  # fmt: skip
SIDES = st.one_of(TEXTS, OBJECTS)
PROMPTS = st.one_of(TEXTS, LISTS)
TURN = {"turn_id": WORDS}
TOOL = {
    "tool_name": words(
        "shell file_write file_edit file_read file_delete web_request mcp_call code_exec "
        "package_install browser database delegate other"
    ),
    "tool_name_native": WORDS, "tool_input": INPUT, "artifacts": ARTIFACTS,
}  # fmt: skip
TRUST = {"source": words("managed project user marketplace"), "source_id": TEXTS}
CHANGE = {
    "original_value": SIDES, "modified_value": SIDES, "was_modified": FLAGS,
    "modifier_chain": CHAIN,
}  # fmt: skip
STRATEGY = words("summarization truncation selective hybrid")
# AARTS 0.1: hook point -> its fields
FIELDS: dict[str, Json] = {
    "SessionStart": {"plugins": LISTS, "configuration_sources": LISTS, "environment": OBJECTS},
    "SessionEnd": {"summary": OBJECTS},
    "PrePluginLoad": {
        **TRUST, "plugin_id": WORDS, "file_paths": st.lists(PATHS, min_size=1, max_size=2),
        "file_hashes": LISTS_OF_TEXTS, "declared_hooks": LISTS, "declared_permissions": LISTS,
    },
    "PreSkillLoad": {
        **TRUST, "file_path": PATHS, "file_hash": WORDS, "frontmatter": OBJECTS,
        "declared_hooks": LISTS, "body_content": TEXTS,
        "load_context": words("main_session sub_agent skill_invocation"),
    },
    "PreMCPConnect": {
        **TRUST, "server_id": WORDS, "transport": words("stdio sse streamable_http"),
        "server_uri": st.just("https://m.example/mcp"), "server_command": WORDS,
        "declared_tools": LISTS, "declared_resources": LISTS,
    },
    "PreUserInput": {
        **TURN, "raw_input": TEXTS, "input_source": words("keyboard file api automated"),
        "attached_files": st.lists(PATHS, min_size=1, max_size=2),
    },
    "PostInputProcessing": {**TURN, **CHANGE},
    "PreLLMRequest": {
        **TURN, "full_prompt": PROMPTS, "system_prompt": TEXTS, "custom_instructions": LISTS,
        "context_injections": LISTS, "user_input": TEXTS, "model_id": st.just("openai/gpt-5"),
        "token_count": COUNTS,
    },
    "PostLLMResponse": {
        **TURN, "response_text": TEXTS, "planned_actions": LISTS, "stop_reason": WORDS
    },
    "PreCompact": {
        **TURN, "context_before": PROMPTS, "token_count_before": COUNTS,
        "compaction_reason": words("token_limit user_triggered automatic policy"),
        "compaction_strategy": STRATEGY,
    },
    "PostCompact": {
        **TURN, **CHANGE, "token_count_after": COUNTS, "compaction_strategy_used": STRATEGY
    },
    "PreToolUse": {
        **TURN, **TOOL, "source_prompt_modified": FLAGS, "active_skill": WORDS,
        "is_sub_agent": FLAGS, "parent_session_id": st.just("parent-1"),
        "input_modifier_chain": CHAIN,
    },
    "PostToolUse": {
        **TURN, **TOOL, "tool_result": SIDES, "exit_code": st.integers(-1, 255),
        "execution_duration_ms": SPANS, "side_effects": LISTS,
    },
    "PreToolInputModification": {**TRUST, **CHANGE, "tool_name": TOOL["tool_name"]},
    "PreSubAgentSpawn": {
        "sub_agent_id": WORDS, "sub_agent_type": WORDS, "delegated_task": TEXTS,
        "skill_files": LISTS, "declared_hooks": LISTS, "requested_tools": LISTS,
        "parent_permissions": OBJECTS,
    },
    "PostSubAgentResult": {
        "sub_agent_id": WORDS, "result": TEXTS, "tool_calls_made": LISTS, "verdicts_issued": LISTS,
    },
    "PreOutputDeliver": {**TURN, "output_text": TEXTS, "actions_taken": LISTS},
    "PreMemoryWrite": {
        "memory_store": WORDS, "content": TEXTS,
        "memory_type": words("fact instruction preference conversation code_snippet"),
        "write_source": words("agent_decision user_request automatic"),
    },
    "PreMemoryRead": {"memory_store": WORDS, "query": WORDS, "retrieved_content": TEXTS},
    "PostAskResolution": {
        **TURN, "original_hook_point": words("PreToolUse PreUserInput PreMCPConnect"),
        "original_verdict": VERDICT,
        "resolution": words(
            "approved denied allow_always allow_similar deny_always deny_similar"
        ),
    },
}  # fmt: skip
SHOULD = {
    "SessionStart": "plugins configuration_sources environment",
    "SessionEnd": "summary",
    "PrePluginLoad": "source_id file_hashes declared_permissions",
    "PreSkillLoad": "source_id file_hash body_content",
    "PreMCPConnect": "source_id server_uri server_command declared_tools declared_resources",
    "PreUserInput": "input_source attached_files",
    "PreLLMRequest": "system_prompt custom_instructions context_injections user_input model_id "
    "token_count",
    "PostLLMResponse": "planned_actions stop_reason",
    "PreCompact": "token_count_before compaction_reason compaction_strategy",
    "PostCompact": "token_count_after compaction_strategy_used",
    "PreToolUse": "source_prompt_modified active_skill is_sub_agent parent_session_id "
    "input_modifier_chain",
    "PostToolUse": "exit_code execution_duration_ms side_effects",
    "PreToolInputModification": "source_id",
    "PreSubAgentSpawn": "sub_agent_type skill_files declared_hooks requested_tools "
    "parent_permissions",
    "PostSubAgentResult": "tool_calls_made verdicts_issued",
    "PreOutputDeliver": "actions_taken",
    "PreMemoryWrite": "memory_type write_source",
    "PreMemoryRead": "query",
}
LAW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)


@cache
def validator() -> Validator:
    return Validator()


@st.composite
def events(draw: Any) -> Json:
    """An Agent Hooks event as any emitter may write it."""
    kind = draw(st.sampled_from(EVENT_TYPES))
    fields = dict(DATA[kind])
    needed = {name: fields.pop(name) for name in fields.keys() & {NEEDED.get(kind)}}
    data = draw(st.fixed_dictionaries(needed, optional=fields))
    event = {
        "spec_version": "0.1.0", "event_id": "0b8ab9d6-1b6a-4d5b-9a36-3a6b4a2f0c11",
        "event_type": kind, "timestamp": "2026-05-10T10:00:00Z", "source": draw(SOURCE),
        "session_id": "session-1", **draw(st.fixed_dictionaries({}, optional=ENVELOPE)),
    }  # fmt: skip
    if data:
        event["data"] = data
    return event


@st.composite
def envelopes(draw: Any) -> Json:
    """An AARTS object as any host may write it, with the answer to it or without."""
    point = draw(st.sampled_from(HOOK_POINTS))
    should = set(SHOULD.get(point, "").split())
    fields = FIELDS[point]
    body = {
        "hook_point": point, "session_id": "session-1", "timestamp": "2026-05-10T10:00:00Z",
        "host_id": draw(words("ops-bot claude-code")), "aarts_version": draw(words("0.1 0.2")),
        **draw(st.fixed_dictionaries(
            {name: fields[name] for name in fields if name not in should},
            optional={
                "host_version": WORDS, "locale": st.just("de-DE"),
                **{name: fields[name] for name in should},
            },
        )),
    }  # fmt: skip
    answer = draw(st.one_of(st.none(), VERDICT))
    return body if answer is None else {"aarts": body, "verdict": answer}


def finished(line: Json, mode: str = "full") -> Event:
    record = read_record(json.dumps(line).encode(), "s", 0)
    assert isinstance(record, Record)
    taken = pipeline(mode).take(record)
    assert isinstance(taken, list)
    return taken[0]


def written(event: Event) -> tuple[Json, Json | None]:
    rendered = Rendered(event)
    assert validator().problems(rendered.agent_hooks) == []
    wrapper = rendered.aarts
    assert wrapper is None or validator().problems(wrapper) == []
    return json.loads(rendered.agent_hooks), None if wrapper is None else json.loads(wrapper)


@LAW
@given(events())
def test_an_event_of_any_emitter_comes_out_with_every_field(line: Json) -> None:
    assert lost(line, written(finished(line))[0]) == []


@LAW
@given(envelopes())
def test_an_envelope_of_any_host_comes_out_with_every_field(line: Json) -> None:
    _, wrapper = written(finished(line))
    assert wrapper is not None
    assert lost(line if "aarts" in line else {"aarts": line}, wrapper) == []


@LAW
@given(st.one_of(events(), envelopes()), st.sampled_from(["hash", "redact", "full"]))
def test_what_was_written_reads_as_the_same_event(line: Json, mode: str) -> None:
    event = finished(line, mode)
    object_, wrapper = written(event)
    again = read_agent_hooks(copy.deepcopy(object_))
    assert written(again) == (object_, wrapper)
    for name in Event.__slots__:
        if name in ("read_back", "risk"):
            continue
        one, other = getattr(again, name), getattr(event, name)
        if name in ("redacted", "secrets", "synthesized"):
            one, other = sorted(one), sorted(other)
        if name == "facts":
            other = {**other, "hookstream_version": one["hookstream_version"]}
        assert one == other, name
    assert again.risk == event.risk


# Content, and the names of people.
HIDDEN = frozenset(
    "prompt_text response_text output id name raw_input full_prompt output_text tool_result result "
    "delegated_task content retrieved_content context_before original_value modified_value "
    "system_prompt user_input custom_instructions context_injections body_content value summary "
    "query".split()
)


@LAW
@given(st.one_of(events(), envelopes()))
def test_the_default_mode_replaces_content_and_names_alone(line: Json) -> None:
    object_, wrapper = written(finished(line, "hash"))
    kept: Any = object_ if "event_type" in line else wrapper
    said = line if "event_type" in line or "aarts" in line else {"aarts": line}
    for way in lost(said, kept):
        at: Any = said
        for step in way.strip(".").replace("[", ".[").split("."):
            at = at[int(step[1:-1])] if step.startswith("[") else at[step]
            if not isinstance(at, dict | list):
                break
        is_long = isinstance(at, str) and len(at) > 128
        name = way.rpartition(".")[2].partition("[")[0]
        above = {part.partition("[")[0] for part in way.split(".")}
        assert is_long or name in HIDDEN or above & HIDDEN, way


@LAW
@given(st.one_of(events(), envelopes()), words("top data"), st.one_of(LEAVES, OBJECTS, LISTS))
def test_an_unknown_field_is_kept_and_counted_and_changes_nothing_else(
    line: Json, place: str, value: Any
) -> None:
    more = copy.deepcopy(line)
    inner = more.get("aarts", more)
    at = inner.setdefault("data", {}) if place == "data" and "event_type" in more else inner
    at["zz_new"] = value
    before, after = comparable(finished(line)), comparable(finished(more))
    assert lost(before, after) == []
    object_, wrapper = after
    mine = object_["metadata"]["dev.hookstream"]
    unmapped = mine.pop("unmapped")
    assert [path.rpartition(".")[2] for path in unmapped] == ["zz_new"]
    trees = [object_]
    if place == "data" and "event_type" in more:
        trees = [object_["data"]]
    elif "event_type" not in more:
        trees = [wrapper["aarts"], mine["emitter"]["aarts"]]
    assert [tree.pop("zz_new") for tree in trees] == [value for _ in trees]
    assert lost(after, before) == []


def comparable(event: Event) -> list[Json]:
    """Both renderings without the ids that follow from the text of a line, as AARTS has none."""
    object_, wrapper = written(event)
    wrapper = wrapper or {}
    made = [object_, object_["metadata"]["dev.hookstream"], wrapper.get("hookstream", {})]
    for part in made:
        part.pop("event_id", None)
        part.pop("call_id", None)
    return [object_, wrapper]


@LAW
@given(st.one_of(events(), envelopes()), st.sampled_from(["hash", "redact", "full"]))
def test_privacy_of_what_an_emitter_said_is_idempotent(line: Json, mode: str) -> None:
    event = finished(line, mode)
    before = written(event)
    pipeline(mode).privacy.redact_event(event)
    assert written(event) == before
