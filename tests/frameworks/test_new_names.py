"""The names of today's GenAI conventions and the older ones: equal rows of one session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exports_reading import read

DATA = Path(__file__).parent / "data"
CLIENTS = Path(__file__).parents[1] / "telemetry" / "data"
CASES = [
    DATA / "google-adk.tools-semconv.otlp.jsonl",
    DATA / "openai-agents.tools-genai.otlp.jsonl",
    DATA / "langchain.tools-traceloop.otlp.jsonl",
    CLIENTS / "copilot-deny.otlp.jsonl",
    CLIENTS / "goose-written.otlp.jsonl",
]
# old name -> today's
RENAMED = {
    "gen_ai.usage.cache_creation.input_tokens": "gen_ai.usage.cache_write.input_tokens",
    "gen_ai.usage.cache_creation_input_tokens": "gen_ai.usage.cache_write.input_tokens",
}
# What the new conventions took away from spans within an agent.
REMOVED = {"gen_ai.agent.version"}
SYSTEM, PROVIDER = "gen_ai.system", "gen_ai.provider.name"
Attributes = dict[str, Any]


def spans_of(export: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        span
        for resource in export["resourceSpans"]
        for scope in resource["scopeSpans"]
        for span in scope["spans"]
    ]


def with_cache(line: bytes, *, new: bool) -> bytes:
    """The export with tokens written to the cache, under the names of one generation."""
    export = json.loads(line)
    for span in spans_of(export):
        held = span.setdefault("attributes", [])
        names = {one["key"] for one in held}
        held[:] = [one for one in held if ".cache_" not in one["key"]]
        if "gen_ai.usage.input_tokens" in names:
            count = {"intValue": "7"}
            held.append({"key": "gen_ai.usage.cache_creation.input_tokens", "value": count})
        if PROVIDER in names:  # else a library's name may be there, which is no provider
            held[:] = [one for one in held if one["key"] != SYSTEM]
        if not new:
            for one in held:
                one["key"] = SYSTEM if one["key"] == PROVIDER else one["key"]
        if new:
            held[:] = [one for one in held if one["key"] not in REMOVED]
            for one in held:
                one["key"] = RENAMED.get(one["key"], one["key"])
    return json.dumps(export).encode()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_old_and_new_names_give_equal_events(case: Path) -> None:
    lines = case.read_bytes().splitlines()
    old = read(with_cache(line, new=False) for line in lines)
    new = read(with_cache(line, new=True) for line in lines)
    for event in (*old, *new):  # made of all that a client's span holds
        del event.facts["event_id"]
        event.facts.pop("about", None)
    assert [(e.type, e.facts) for e in old] == [(e.type, e.facts) for e in new]
    answers = [e for e in new if e.type == "Model.Responded"]
    assert answers
    assert {e.facts.get("cache_write_tokens") for e in answers} == {7}


def export(*spans: tuple[str, str, str, Attributes]) -> bytes:
    """An export of (id, parent, name, attributes)."""
    made = [
        {
            "traceId": "ab" * 16,
            "spanId": own * 8,
            "parentSpanId": parent * 8,
            "name": name,
            "startTimeUnixNano": str(1_800_000_000_000_000_000 + n * 1_000_000),
            "endTimeUnixNano": str(1_800_000_000_500_000_000 + n * 1_000_000),
            "attributes": [
                {"key": key, "value": {"intValue": str(one)}}
                if type(one) is int
                else {"key": key, "value": {"boolValue": one}}
                if type(one) is bool
                else {"key": key, "value": {"stringValue": one}}
                for key, one in held.items()
            ],
        }
        for n, (own, parent, name, held) in enumerate(spans)
    ]
    scope = {"scope": {"name": "opentelemetry.instrumentation.pydantic_ai"}, "spans": made}
    return json.dumps({"resourceSpans": [{"resource": {}, "scopeSpans": [scope]}]}).encode()


def operation(name: str, **more: Any) -> Attributes:
    renamed = {key.replace("__", "."): value for key, value in more.items()}
    return {"gen_ai.operation.name": name, "gen_ai.conversation.id": "s-1", **renamed}


def test_plans_workflows_memory_and_skills_have_their_events() -> None:
    events = read(
        [
            export(
                ("01", "", "invoke_workflow review", operation("invoke_workflow")),
                ("02", "01", "handle_conversation_turn", operation("handle_conversation_turn")),
                ("03", "02", "plan", operation("plan", gen_ai__agent__name="planner")),
                (
                    "04",
                    "02",
                    "search_memory",
                    operation(
                        "search_memory",
                        gen_ai__memory__store__id="notes",
                        gen_ai__memory__query__text="where",
                    ),
                ),
                ("05", "02", "upsert_memory", operation("upsert_memory")),
                (
                    "06",
                    "02",
                    "delete_memory",
                    operation("delete_memory", gen_ai__memory__store__id="notes"),
                ),
                (
                    "07",
                    "02",
                    "execute_tool load_skill notes",
                    operation(
                        "execute_tool",
                        gen_ai__tool__name="load_skill",
                        gen_ai__skill__name="notes",
                        gen_ai__skill__source__uri="file:///skills/notes/SKILL.md",
                    ),
                ),
            )
        ]
    )
    types = [event.type for event in events]
    assert {event.facts["session_id"] for event in events} == {"s-1"}
    names = "WorkflowStart WorkflowEnd Plan MemoryRead MemoryWrite MemoryStoreDelete SkillLoad"
    for name in names.split():
        assert types.count(f"vendor.otel-genai.{name}") == 1, name
    (search,) = [e for e in events if e.hook_point == "PreMemoryRead"]
    assert (search.facts["memory_store"], search.facts["query"]) == ("notes", "where")
    (skill,) = [e for e in events if e.hook_point == "PreSkillLoad"]
    (call,) = [e for e in events if e.type == "Action.Before"]
    assert skill.facts["call_id"] == call.facts["call_id"]
    assert skill.facts["file_path"].endswith("/skills/notes/SKILL.md")


def test_a_command_has_its_exit_code_and_a_span_is_a_call_by_its_name() -> None:
    failed = operation(
        "execute_tool", gen_ai__tool__name="run_shell", process__exit__code=2, error__type="2"
    )
    unnamed = {"gen_ai.tool.name": "read_file", "gen_ai.conversation.id": "s-1"}
    events = read(
        [
            export(
                ("01", "", "execute_tool run_shell pytest", failed),
                ("02", "", "execute_tool read_file", unnamed),
                ("03", "", "tools/call read_file", {**unnamed, "mcp.method.name": "tools/call"}),
            )
        ]
    )
    ends = [event.facts for event in events if event.type == "Action.After"]
    assert [(end["outcome"], end.get("exit_code")) for end in ends] == [
        ("error", 2),
        ("ok", None),
        ("ok", None),
    ]


def test_an_answer_after_a_compaction_says_so() -> None:
    held = operation("chat", gen_ai__conversation__compacted=True)
    events = read([export(("01", "", "chat m", held))])
    assert [event.type for event in events].count("Context.Compaction") == 1


def test_an_operation_without_a_place_is_counted() -> None:
    from hookstream.core.records import read_record
    from hookstream.otlp.records import Telemetry

    held = operation("fetch_response")
    line = export(("01", "", "fetch_response", held))
    made = Telemetry().records(read_record(line))  # type: ignore[arg-type]
    assert made == ["telemetry: span of a step, not of a call"]


def test_a_model_has_its_provider_where_its_span_names_one() -> None:
    lines = (DATA / "openai-agents.tools-genai.otlp.jsonl").read_bytes().splitlines()
    models = {e.facts["model_id"] for e in read(lines) if e.type == "Model.Responded"}
    assert models == {"openai/gpt-5-mini"}


def answers(*spans: tuple[str, str, str, Attributes]) -> list[dict[str, Any]]:
    return [event.facts for event in read([export(*spans)]) if event.type == "Model.Responded"]


@pytest.mark.parametrize(
    "held",
    [
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.usage.input_tokens": 9,
            "gen_ai.usage.output_tokens": 4,
            "gen_ai.usage.cache_read_input_tokens": 3,
            "gen_ai.usage.cache_write_input_tokens": 2,  # Strands
        },
        {
            "langsmith.span.kind": "llm",
            "gen_ai.usage.input_tokens": 9,
            "gen_ai.usage.output_tokens": 4,
            "gen_ai.usage.input_token_details": "{'cache_read': 3, 'cache_creation': 2}",
        },
    ],
)
def test_no_count_of_a_framework_is_lost(held: Attributes) -> None:
    (facts,) = answers(("01", "", "chat", held))
    names = "input_tokens output_tokens cache_read_tokens cache_write_tokens".split()
    assert [facts.get(name) for name in names] == [9, 4, 3, 2]


@pytest.mark.parametrize(
    "held",
    [
        {  # Semantic Kernel's older spans
            "gen_ai.operation.name": "chat.completions",
            "gen_ai.response.prompt_tokens": 9,
            "gen_ai.response.completion_tokens": 4,
        },
        {  # OpenLLMetry's
            "llm.request.type": "chat",
            "gen_ai.usage.prompt_tokens": 9,
            "gen_ai.usage.completion_tokens": 4,
        },
    ],
)
def test_older_spans_are_answers_of_a_model(held: Attributes) -> None:
    more = {SYSTEM: "OpenAI", "gen_ai.request.model": "gpt-5-mini"}
    (facts,) = answers(("01", "", "chat", {**held, **more}))
    assert (facts["input_tokens"], facts["output_tokens"]) == (9, 4)
    assert facts["model_id"] == "openai/gpt-5-mini"


def counted(given: int | None, answered: int | None, **more: Any) -> Attributes:
    counts = {"gen_ai.usage.input_tokens": given, "gen_ai.usage.output_tokens": answered}
    return operation("chat", **more) | {name: n for name, n in counts.items() if n is not None}


@pytest.mark.parametrize(
    ("outer", "inner", "told"),
    [
        (counted(9, 4), [counted(9, 4)], [(9, 4)]),
        (counted(9, 4), [counted(None, None)], [(9, 4)]),  # streamed, without a usage
        (counted(None, None), [counted(9, 4)], [(9, 4)]),
        (counted(18, 8), [counted(9, 4), counted(9, 4)], [(9, 4), (9, 4)]),  # tried twice
        (counted(18, 7), [counted(9, 4)], [(18, 7), (9, 4)]),  # another request
    ],
)
def test_a_request_within_a_request_counts_once(
    outer: Attributes, inner: list[Attributes], told: list[tuple[int, int]]
) -> None:
    spans = [(f"0{n}", "01", "chat", held) for n, held in enumerate(inner, 2)]
    made = answers(("01", "", "chat", outer), *spans)
    assert [(facts["input_tokens"], facts["output_tokens"]) for facts in made] == told


DETAILS = "gen_ai.client.inference.operation.details"
PART = {"type": "tool_call", "name": "shell", "id": "c-1", "arguments": {"command": "ls"}}
DONE = {"type": "tool_call_response", "id": "c-1", "response": [{"text": "a b"}]}


@pytest.mark.parametrize(
    "events",
    [
        [
            ("gen_ai.tool.message", {"role": "tool", "content": '{"command": "ls"}', "id": "c-1"}),
            ("gen_ai.choice", {"message": '[{"text": "a b"}]', "id": "c-1"}),
        ],
        [
            (DETAILS, {"gen_ai.input.messages": json.dumps([{"role": "tool", "parts": [PART]}])}),
            (DETAILS, {"gen_ai.output.messages": json.dumps([{"role": "tool", "parts": [DONE]}])}),
        ],
    ],
)
def test_a_call_has_what_the_events_of_its_span_say(events: list[tuple[str, Attributes]]) -> None:
    held = operation("execute_tool", gen_ai__tool__name="shell", gen_ai__tool__call__id="c-1")
    line = json.loads(export(("01", "", "execute_tool shell", held)))
    (scope,) = line["resourceSpans"][0]["scopeSpans"]
    scope["scope"]["name"] = "strands.telemetry.tracer"
    scope["spans"][0]["events"] = [
        {
            "name": name,
            "attributes": [
                {"key": key, "value": {"stringValue": text}} for key, text in attributes.items()
            ],
        }
        for name, attributes in events
    ]
    before, after = read([json.dumps(line).encode()])
    assert (before.facts["tool"], before.facts["command"]) == ("strands-agents", "ls")
    assert (after.facts["call_id"], after.facts["outcome"]) == ("c-1", "ok")
    assert "a b" in str(after.facts["output"])
