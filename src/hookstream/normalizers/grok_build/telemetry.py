"""Grok Build's OpenTelemetry, 1.0.41: log events without spans; it says who let a call run or not.

Source: recordings of 1.0.41. A hook's deny has no event. `allowed` is a person's click and a saved
rule alike. A cancelled question is a person's, unless the screen is `headless`: no person attends.
"""

from __future__ import annotations

from hookstream.normalizers import exported
from hookstream.normalizers.grok_build import wording
from hookstream.normalizers.grok_build.table import TOOLS
from hookstream.normalizers.table import (
    Const,
    Ignore,
    Row,
    Vendor,
    is_word,
    mcp_name,
    negate,
    plan_of,
    reads,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Events, Facts

NAMES = {"task": "spawn_subagent"}


@reads("tool_name")
def tool(p: Payload) -> Any:
    """The tool as hooks name it."""
    name = p.get("tool_name")
    if type(name) is not str:
        return None
    return NAMES.get(name, name.removeprefix("mcp:"))


@reads("tool_parameters tool_input")
def arguments(p: Payload) -> dict[str, Any] | None:
    return exported.parsed(p, "tool_input") or exported.parsed(p, "tool_parameters") or None


@reads("decision source")
def decided_by(p: Payload) -> str | None:
    return wording.decision(p.get("decision"), p.get("source")).decided_by


@reads("prompt")
def prompt(p: Payload) -> Any:
    return wording.asked(p.get("prompt"))


@reads("prompt")
def is_task(p: Payload) -> bool:
    """A sub-agent's prompt: the client puts no tag around it."""
    text = p.get("prompt")
    return type(text) is str and wording.asked(text) == text


@reads("success outcome")
def success(p: Payload) -> bool | None:
    return exported.is_true(p, "success")


CALL: Facts = {"call_id": "tool_use_id", "action_native": tool, "input": arguments}
MODEL: Facts = {"model_id": "model"}
PROMPT_QUIET = "prompt_length model screen_mode turn_number"
QUIET = "turn_number hook_rewrote model access_kind permission_mode"

EVENTS: Events = {
    "session_start": Row(
        "Session.Start",
        {**MODEL, "start_reason": Const("new")},
        ignore=(
            "permission_mode mcp_server_count plugin_count skill_count hook_count memory_enabled "
            "is_git_repo client_identifier"
        ),
    ),
    "session_end": Row(
        "Session.End",
        {},
        ignore="duration_secs turn_count tool_call_count compaction_count model turn_number",
    ),
    "user_prompt": (
        Row(
            "vendor.grok-build.SubagentTask",
            {"prompt": prompt},
            when=is_task,
            ignore=PROMPT_QUIET,
        ),
        Row(
            "Prompt.Submitted",
            {"prompt": prompt},
            when=negate(is_task),
            ignore=PROMPT_QUIET,
        ),
    ),
    "api_request": Row(
        "Model.Responded",
        {
            **MODEL,
            "stop_reason": "stop_reason",
            "latency_ms": exported.number("duration_ms"),
            "input_tokens": exported.whole("input_tokens"),
            "output_tokens": exported.whole("output_tokens"),
            "cache_read_tokens": exported.whole("cache_read_tokens"),
            "cache_write_tokens": exported.whole("cache_creation_tokens"),
        },
        ignore="reasoning_tokens turn_number",
    ),
    "api_error": Row(
        "Model.Failed",
        {**MODEL, "error_code": ("status_code", "error_type"), "error_message": "error"},
        ignore="duration_ms turn_number attempt",
    ),
    "tool_decision": (
        Row(
            "Policy.Blocked",
            {
                **CALL,
                "decided_by": decided_by,
                "decision_evidence": Const("tool_decision"),
            },
            when=is_word("decision", "deny", "cancelled"),
            note="a cancelled question is a person's, or the client's where nobody is there",
            ignore=QUIET,
        ),
        Ignore("a call that was let run: its result follows"),
    ),
    "tool_result": Row(
        "Action.After",
        {**CALL, "success": success, "duration_ms": exported.number("duration_ms")},
        ignore=QUIET,
    ),
    "subagent": Row(
        "vendor.grok-build.Subagent",
        {"agent_type": "subagent_type", "plan_type": plan_of("subagent_type")},
        keep="phase outcome duration_ms",
        note="names no session",
    ),
    "compaction": Row(
        "Context.Compaction",
        {
            "context_phase": Const("after"),
            "tokens_before": exported.whole("tokens_before"),
            "tokens_after": exported.whole("tokens_after"),
        },
        ignore="duration_ms model turn_number",
    ),
    "assistant_response": Ignore("the tokens of an answer are in api_request"),
    "turn_completed": Ignore("sums of a turn"),
    "model_switched": Ignore("the client's own bookkeeping"),
    "mcp_server_connection": Ignore("names no session"),
    "auth": Ignore("names no session"),
}
VENDOR = Vendor(
    "grok-build",
    claims=lambda p: False,
    event=exported.event_of("grok_code."),
    common={**exported.TIME, "session_id": "session_id", "turn_id": "prompt_id"},
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp_name(""),
    ignore="otlp event_sequence event_name",
)
