"""Codex's OpenTelemetry logs, 0.169. Spans and metrics hold no decision and no outcome.

Source: the released binary and recordings of 0.169.0. `success` is true for a command that ended
with an exit code other than 0: the code is in the output. A refusal by a rule, or because no user
could be asked, is a result whose output says so; a hook's refusal leaves no record at all.
"""

from __future__ import annotations

from hookstream.core.jsons import loads_text
from hookstream.normalizers import exported, wording
from hookstream.normalizers.claude_code.table import mcp
from hookstream.normalizers.codex.table import PATCHED, TOOLS
from hookstream.normalizers.codex.wording import ended
from hookstream.normalizers.table import Const, Ignore, Row, Vendor, derived, is_word, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Events, Facts
    from hookstream.normalizers.wording import Ending


@reads("event_name", "event_kind")
def event(p: Payload) -> str | None:
    name = exported.event_of("codex.")(p)
    if "event_name" not in p:
        return "internal"
    kind = p.get("event_kind")
    if name in ("sse_event", "websocket_event") and type(kind) is str:
        return "response.completed" if kind == "response.completed" else name
    return name


@reads("tool_name", "tool_namespace", "mcp_server")
def tool(p: Payload) -> str | None:
    """The tool as hooks name it: an MCP tool with its server."""
    name, space, server = p.get("tool_name"), p.get("tool_namespace"), p.get("mcp_server")
    if type(name) is not str:
        return None
    if name.startswith("mcp__"):
        return name
    if type(space) is str and space.startswith("mcp__"):
        return f"{space}__{name}"
    return f"mcp__{server}__{name}" if type(server) is str and server else name


@reads("arguments")
def arguments(p: Payload) -> Any:
    given = p.get("arguments")
    if type(given) is str and p.get("tool_name") == "apply_patch" and given[:1] != "{":
        return {"command": given}
    return given or None


@reads("arguments")
def patched_file(p: Payload) -> str | None:
    given = p.get("arguments")
    match = PATCHED.search(given) if type(given) is str else None
    return match[1] if match and p.get("tool_name") == "apply_patch" else None


def output_of(p: Payload) -> str:
    output = p.get("output")
    return output if type(output) is str else ""


def ended_by(p: Payload) -> Ending:
    return ended(tool(p), output_of(p), exported.is_true(p, "success"))


@reads("output", "tool_name")
def child(p: Payload) -> str | None:
    """The thread of the sub-agent that a call started."""
    if p.get("tool_name") != "spawn_agent":
        return None
    document = loads_text(output_of(p)) if output_of(p)[:1] == "{" else None
    agent_id = document.get("agent_id") if type(document) is dict else None
    return agent_id if type(agent_id) is str else None


def starts_agent(p: Payload) -> bool:
    return child(p) is not None


@derived
@reads("arguments")
def plan_type(p: Payload) -> str:
    return wording.plan_type(exported.parsed(p, "arguments").get("agent_type"))


@reads("decision", "source")
def decided_by(p: Payload) -> str | None:
    return "user" if str(p.get("source")).lower() == "user" else None


@reads("decision")
def is_denied(p: Payload) -> bool:
    return p.get("decision") == "denied"


@reads("decision", "source")
def is_approval(p: Payload) -> bool:
    approved = str(p.get("decision")).startswith("approved")
    return approved and decided_by(p) == "user"


@reads("decision", "source")
def is_allowed(p: Payload) -> bool:
    approved = str(p.get("decision")).startswith("approved")
    return approved and decided_by(p) is None


@reads("input_token_count")
def has_tokens(p: Payload) -> bool:
    return "input_token_count" in p


@reads("http_response_status_code", "error_message")
def is_failed(p: Payload) -> bool:
    code = p.get("http_response_status_code")
    code = int(code) if type(code) is str and code.isdecimal() else code
    return bool(p.get("error_message")) or (type(code) is int and code >= 400)


COMMON: Facts = {
    **exported.TIME,
    "session_id": "conversation_id",
    "model_id": "model",
    "tool_version": "app_version",
}
CALL: Facts = {"action_native": tool, "call_id": "call_id"}
FULL: Facts = {**CALL, "input": arguments, "file_path": patched_file}
DECIDED: Facts = {
    **CALL,
    "decided_by": decided_by,
    "decision_evidence": Const("tool_decision"),
}
NOISE = Ignore("a step of a request")

EVENTS: Events = {
    "conversation_starts": Row(
        "Session.Start",
        {"permission_mode": "approval_policy", "tokens_limit": "context_window"},
        keep=("sandbox_policy", "mcp_servers", "provider_name"),
        ignore=tuple(
            (
                "config_legacy_multi_agent_disabled_sources reasoning_summary reasoning_effort "
                "auto_compact_token_limit auth_env_openai_api_key_present "
                "auth_env_codex_api_key_present auth_env_codex_api_key_enabled "
                "auth_env_provider_key_name auth_env_provider_key_present "
                "auth_env_refresh_token_url_override_present max_output_tokens active_profile"
            ).split()
        ),
    ),
    "user_prompt": Row(
        "Prompt.Submitted",
        {"prompt": exported.text("prompt"), "prompt_length": exported.whole("prompt_length")},
        note="a sub-agent's task comes as one too; its session is known as a child's by then",
    ),
    "tool_decision": (
        Row("Action.Before", CALL),
        Row(
            "Policy.Blocked",
            DECIDED,
            when=is_denied,
            keep=("source",),
        ),
        Row(
            "Policy.Override",
            {**DECIDED, "resolution": Const("approved")},
            hook_point="PostAskResolution",
            when=is_approval,
            keep=("source",),
        ),
        Row(
            "vendor.codex.ToolDecision",
            {**DECIDED, **exported.ALLOWED},
            when=is_allowed,
            keep=("source",),
        ),
    ),
    "tool_result": (
        *exported.refused_or_ended(
            ended_by,
            "success output tool_name",
            FULL,
            refused={"decision_evidence": Const("tool_result")},
            ended={"output": "output", "duration_ms": exported.number("duration_ms")},
        ),
        Row(
            "Agent.Plan.Start",
            {
                "parent_call_id": "call_id",
                "agent_id": child,
                "child_session_id": child,
                "plan_type": plan_type,
            },
            when=starts_agent,
        ),
    ),
    "sandbox_outcome": Row(
        "vendor.codex.SandboxOutcome",
        CALL,
        keep=("outcome",),
        ignore=("initial_duration_ms", "escalated_duration_ms"),
    ),
    "response.completed": (
        Row(
            "Model.Responded",
            {
                "input_tokens": exported.whole("input_token_count"),
                "output_tokens": exported.whole("output_token_count"),
                "cache_read_tokens": exported.whole("cached_token_count"),
                "cache_write_tokens": exported.whole("cache_write_token_count"),
            },
            when=has_tokens,
            keep=("reasoning_token_count",),
            ignore=(
                "event_kind",
                "tool_token_count",
                "ttft_ms",
                "model_reasoning_effort",
            ),
        ),
        Ignore("the first of two records of a response"),
    ),
    "api_request": (
        Row(
            "Model.Failed",
            {
                "error_code": "http_response_status_code",
                "error_message": "error_message",
                "retry_count": exported.whole("attempt"),
                "latency_ms": exported.number("duration_ms"),
            },
            when=is_failed,
            ignore=("endpoint",),
        ),
        NOISE,
    ),
    "internal": Ignore("the client's own log"),
    "sse_event": (
        Row(
            "Model.Failed",
            {"error_message": "error_message"},
            when=is_word("event_kind", "response.failed"),
        ),
        NOISE,
    ),
    **dict.fromkeys(
        ("websocket_event", "websocket_request", "websocket_connect", "startup_phase", "turn_ttft"),
        NOISE,
    ),
}

VENDOR = Vendor(
    "codex",
    event=event,
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore=(
        *exported.ENVELOPE,
        *(
            "event_timestamp originator terminal_type slug auth_mode user_account_id "
            "user_email tool_result_seq output_truncated agent_name mcp_server_origin "
            "output_length output_line_count auth_header_attached auth_header_name "
            "auth_retry_after_unauthorized auth_env_openai_api_key_present "
            "auth_env_codex_api_key_present auth_env_codex_api_key_enabled "
            "auth_env_provider_key_name auth_env_provider_key_present "
            "auth_env_refresh_token_url_override_present"
        ).split(),
    ),
)
