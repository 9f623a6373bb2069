"""OpenAI Codex (CLI, IDE, app), 0.169: 12 hook events, two model events and the older notify.

Source: the schemas in the released binary, the public source, and recordings of 0.169.0. The two
model events are in no schema, yet fire. No payload has a time or a client version.
"""

from __future__ import annotations

import re

from hookstream.core.jsons import loads_text
from hookstream.normalizers import table as t
from hookstream.normalizers.capabilities import Capabilities
from hookstream.normalizers.claude_code.table import VENDOR as CLAUDE_CODE
from hookstream.normalizers.claude_code.table import plan_type
from hookstream.normalizers.codex import wording
from hookstream.normalizers.codex.wording import PATCH, SHELLS
from hookstream.normalizers.index import keeper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload

PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$", re.MULTILINE)
TITLE_PROMPT = "Generate a concise, single-line task title"


# Which event


@t.reads("hook_event_name", "type")
def event_name(p: Payload) -> str | None:
    """notify names no event: its type says what it is, and only one type exists."""
    if "hook_event_name" in p:
        name = p["hook_event_name"]
        return name if type(name) is str else None
    kind = p.get("type")
    return "notify" if kind == "agent-turn-complete" else kind if type(kind) is str else None


@t.reads("agent_id")
def is_human(p: Payload) -> bool:
    """A sub-agent's task is raised as a prompt too."""
    return p.get("agent_id") in (None, "")


is_delegated = t.negate(is_human)


@t.reads("client", "input-messages", "last-assistant-message")
def is_title(p: Payload) -> bool:
    """The hidden thread in which the terminal client has a title made for a task.

    Its single message is the vendor's prompt around the user's; its answer a title and no more.
    """
    messages = p.get("input-messages")
    prompt = messages[0] if type(messages) is list and len(messages) == 1 else None
    if type(prompt) is not str or p.get("client") == "codex_exec":
        return False
    if prompt.startswith(TITLE_PROMPT):
        return True
    answer = p.get("last-assistant-message")
    document = loads_text(answer) if type(answer) is str else None
    return type(document) is dict and list(document) == ["title"] and "\nUser prompt:\n" in prompt


is_turn = t.negate(is_title)


@t.reads("stop_hook_active", "turn_id", "turn-id")
def turn_end(p: Payload) -> str | None:
    """Equal for the Stop and the notify of a turn.

    A hook can send an answer back; the Stop of the next answer is not a second report of the first.
    """
    turn = p.get("turn-id") or p.get("turn_id")
    if type(turn) is not str or p.get("stop_hook_active") is True:
        return None
    return f"turn-end {turn}"


# Calls


@t.reads("tool_name", "tool_input")
def patched_file(p: Payload) -> str | None:
    """The first file of a patch; the patch itself is content."""
    patch = t.at(p, "tool_input.command") if p.get("tool_name") == "apply_patch" else None
    match = PATCHED.search(patch) if type(patch) is str else None
    return match[1] if match else None


@t.reads("tool_name", "tool_response")
def exit_code(p: Payload) -> int | None:
    """The code above a patch's answer: of a command hooks have the bare output."""
    text = t.text_at(p, "tool_response")
    return wording.exit_code(PATCH, text) if p.get("tool_name") == PATCH else None


@t.reads("tool_name", "tool_response")
def stated(p: Payload) -> bool | None:
    """The outcome where the answer states it: an exit code, or an MCP result's isError."""
    code = exit_code(p)
    if code is not None:
        return code == 0
    failed = t.at(p, "tool_response.isError")
    return None if type(failed) is not bool else not failed


@t.derived
@t.reads("tool_name")
def concluded(p: Payload) -> bool:
    """Outside the shell PostToolUse fires only for calls that worked: failures have none."""
    return True


@t.reads("tool_name")
def is_shell(p: Payload) -> bool:
    name = p.get("tool_name")
    return type(name) is str and name in SHELLS


@t.reads("tool_name", "tool_response")
def is_stated(p: Payload) -> bool:
    return not is_shell(p) and stated(p) is not None


@t.reads("tool_name", "tool_response")
def is_silent(p: Payload) -> bool:
    return not is_shell(p) and stated(p) is None


@t.reads("tool_name", "tool_response")
def is_failed(p: Payload) -> bool:
    return stated(p) is False


def error_part(name: str) -> Any:
    """One key of a failed request's error, which is often JSON text."""

    @t.reads("error")
    def part(p: Payload) -> Any:
        error = p.get("error")
        if type(error) is not str:
            return None
        document = loads_text(error)
        if type(document) is not dict:
            return error.split("\n", 1)[0] if name == "message" else None
        inner = document.get("error")
        return (inner if type(inner) is dict else document).get(name)

    return part


def claims(p: Payload) -> bool:
    """No time in any event; a rollout file as transcript, or a turn with its model."""
    if not is_like(p):
        return False
    if "hook_event_name" not in p or keeper(p) == VENDOR.key:
        return True
    return type(p.get("turn_id")) is str and type(p.get("model")) is str


def is_like(p: Payload) -> bool:
    """Return whether a payload can be Codex's: no time, one of its events or a turn's notice."""
    if "timestamp" in p:
        return False
    if p.get("type") == "agent-turn-complete":
        return type(p.get("thread-id")) is str and type(p.get("turn-id")) is str
    name = p.get("hook_event_name")
    if type(name) is not str or name not in VENDOR.events or type(p.get("session_id")) is not str:
        return False
    return keeper(p) in (None, VENDOR.key)


AGENT_TOOLS = (
    "spawn_agent wait_agent wait send_input send_message followup_task close_agent resume_agent "
    "list_agents interrupt_agent"
).split()
TOOLS = {
    **dict.fromkeys(("Bash", "shell", "shell_command", "local_shell"), t.shell()),
    "exec_command": t.shell("cmd"),
    "write_stdin": t.Tool("shell", "shell", content=("chars",)),
    "apply_patch": t.Tool("write_file", "file_edit", content=("command",)),
    "view_image": t.read("path"),
    "web_search": t.search(),
    "exec": t.Tool("exec", "code_exec", content=("code", "input")),
    "list_mcp_resources": t.Tool("mcp:list_mcp_resources", "mcp_call"),
    "list_mcp_resource_templates": t.Tool("mcp:list_mcp_resource_templates", "mcp_call"),
    "read_mcp_resource": t.Tool("mcp:read_mcp_resource", "mcp_call", url="uri"),
    "create_goal": t.Tool("goal", "other", content=("objective",)),
    # The multi-agent tools come with and without the name of their set in front.
    **{
        f"{prefix}{name}": t.delegate() for prefix in ("", "multi_agent_v1") for name in AGENT_TOOLS
    },
}

COMMON: t.Facts = {"turn_id": "turn_id", "model_id": "model"}
CALL: t.Facts = {
    "action_native": "tool_name",
    "input": "tool_input",
    "call_id": "tool_use_id",
    "file_path": patched_file,
}
AFTER: t.Facts = {**CALL, "output": "tool_response"}
NOTIFY: t.Facts = {
    "session_id": "thread-id",
    "turn_id": "turn-id",
    "response": "last-assistant-message",
}
NOTIFY_PARTS = ("client",)
MODEL_ERROR: t.Facts = {
    "error_code": error_part("type"),
    "error_message": error_part("message"),
}
START = t.Words("source", {"startup": "new", "fork": "new", "resume": "resume", "clear": "restart"})

# Which request of a turn it is, and which attempt at it; since 0.171.
REQUEST = ("kind", "request_id", "attempt_number", "thread_id")
EVENTS: t.Events = {
    "SessionStart": (
        t.Row(
            "Session.Start",
            {"start_reason": START},
            when=t.is_not_word("source", "compact"),
            note="at a resume of an overfull session the compaction comes first",
        ),
        t.Row(
            "Context.Compaction",
            {"context_phase": t.Const("restarted")},
            hook_point="",
            when=t.is_word("source", "compact"),
            note="the session goes on after a compaction",
        ),
    ),
    "SessionEnd": t.Row(
        "Session.End",
        {"end_reason": t.Words("reason", {}, "exit")},
        note="also for a thread that never started: /new opens one before any prompt",
    ),
    "UserPromptSubmit": (
        t.Row("Prompt.Submitted", {"prompt": "prompt"}, when=is_human),
        t.Row(
            "vendor.codex.AgentPrompt",
            {"task": "prompt"},
            when=is_delegated,
            note="the task delegated to a sub-agent: nobody typed it",
        ),
    ),
    "PreModelRequest": t.Row("Model.Requested", keep=REQUEST),
    "PostModelRequest": (
        t.Row(
            "Model.Responded",
            {
                "input_tokens": "token_usage.input_tokens",
                "output_tokens": "token_usage.output_tokens",
                "cache_read_tokens": "token_usage.cached_input_tokens",
                "cache_write_tokens": "token_usage.cache_write_input_tokens",
                "message_id": "response_id",
            },
            when=t.is_not_word("status", "failed"),
            keep=(
                *REQUEST,
                "status",
                "token_usage.reasoning_output_tokens",
                "token_usage.total_tokens",
            ),
            note="a compaction's own request has no such event: sums stay below the client's total",
        ),
        t.Row("Model.Failed", MODEL_ERROR, when=t.is_word("status", "failed"), keep=REQUEST),
        t.model_failed(MODEL_ERROR, when=t.is_word("status", "failed")),
    ),
    "PreToolUse": t.Row("Action.Before", CALL),
    "PermissionRequest": t.Row(
        "Agent.Notification",
        {**CALL, "call_id": None, "notification_type": t.Const("ToolPermission")},
        note="the justification stands in the arguments as description",
    ),
    "PostToolUse": (
        t.Row(
            "Action.After",
            AFTER,
            when=is_shell,
            note="the bare output: nothing tells a failed command from one that worked",
        ),
        t.Row(
            "Action.After",
            {**AFTER, "success": stated, "exit_code": exit_code},
            when=is_stated,
        ),
        t.Row("Action.After", {**AFTER, "success": concluded}, when=is_silent),
        t.tool_failed(CALL, when=is_failed),
    ),
    "Stop": t.Row(
        "Agent.Response",
        {"response": "last_assistant_message", "final": t.Const(True), "same_as": turn_end},
        keep=("stop_hook_active",),
    ),
    "Interrupt": t.Row(
        "vendor.codex.Interrupt",
        {"abort_reason": t.Const("interrupt")},
        note="ends the turn, not the session; no Stop follows",
    ),
    "SubagentStop": t.Row(
        "Agent.Plan.End",
        {"response": "last_assistant_message", "plan_type": plan_type},
        keep=("stop_hook_active", "agent_transcript_path"),
    ),
    "PostCompact": t.Row(
        "Context.Compaction",
        {"context_trigger": "trigger", "context_phase": t.Const("after")},
    ),
    "notify": (
        t.Row(
            "Agent.Response",
            {
                **NOTIFY,
                "final": t.Const(True),
                "reported_by": t.Const("notify"),
                "same_as": turn_end,
            },
            when=is_turn,
            keep=NOTIFY_PARTS,
            note="repeats Stop; input-messages is the thread's whole history of prompts",
        ),
        t.Row(
            "vendor.codex.TitleThread",
            NOTIFY,
            when=is_title,
            keep=NOTIFY_PARTS,
            note="a hidden thread of the client's own: no turn of anybody",
        ),
    ),
}

VENDOR = t.Vendor(
    "codex",
    extends=CLAUDE_CODE,
    same=("SubagentStart", "PreCompact"),
    capabilities=Capabilities(
        silence_means="refused",
        only_after_question=True,
        # Other tools leave nothing when they fail.
        silent_categories=("shell", "package_install"),
        silent_otherwise=r"^\s*apply_patch",
        # After ten seconds a command goes to the background, unless configured otherwise.
        goes_on_within_s=8.0,
    ),
    claims=claims,
    host=is_like,
    event=event_name,
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    absent={
        "StopFailure": "seen in branches of the source only, not in 0.169",
        "UserInstructions": "seen in branches of the source only, not in 0.169",
    },
)
