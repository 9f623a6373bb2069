"""Droid (Factory) 0.225: nine hook events in Claude Code's form, which mean something else.

Source: recordings of 0.225.2. No event has the id of a call. PostToolUse follows a success alone,
and a command on the blocklist raises no event at all: a before without an after is unknown.
"""

from __future__ import annotations

import re

from hookstream.normalizers import table as t
from hookstream.normalizers.capabilities import Capabilities
from hookstream.normalizers.droid import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.records import Payload

MODES = frozenset("off spec auto-low auto-medium auto-high".split())
FILE = re.compile(r"[/\\]\.factory[/\\]sessions[/\\]")


def claims(p: Payload) -> bool:
    """Its session file, or a mode that no other client has."""
    name, path, mode = p.get("hook_event_name"), p.get("transcript_path"), p.get("permission_mode")
    if type(name) is not str or name not in EVENTS or type(p.get("session_id")) is not str:
        return False
    if type(path) is str and path:
        return FILE.search(path) is not None
    return type(mode) is str and mode in MODES


def is_like(p: Payload) -> bool:
    """Return whether a payload in Droid's environment is its own: without the id of a call."""
    return claims(p) and "tool_use_id" not in p


@t.reads("tool_name tool_response")
def exit_code(p: Payload) -> int | None:
    return wording.exit_code(p.get("tool_name"), t.text_at(p, "tool_response") or "")


@t.derived
@t.reads("tool_name tool_response")
def success(p: Payload) -> bool:
    """A command's exit code says it; of other tools this event follows a success alone."""
    return exit_code(p) in (None, 0)


TOOLS = {
    "Execute": t.shell(),
    "Create": t.write(),
    "Edit": t.edit(),
    "MultiEdit": t.edit(),
    "ApplyPatch": t.edit(),
    "Read": t.read(),
    "LS": t.listing("directory_path"),
    "Glob": t.find(),
    "Grep": t.find(),
    "FetchUrl": t.fetch(),
    "WebSearch": t.search(),
    "Task": t.delegate(),
    "Skill": t.Tool("skill", "other"),
}
mcp = t.mcp_name("", "___")
CALL: t.Facts = {"action_native": "tool_name", "input": "tool_input"}

EVENTS: t.Events = {
    "SessionStart": t.Row(
        "Session.Start",
        {
            "start_reason": t.Words(
                "source", {"startup": "new", "resume": "resume", "clear": "restart"}, "new"
            ),
            "parent_session_id": ("calling_session_id", "previous_session_id"),
        },
        ignore="CLAUDE_ENV_FILE message_id",
    ),
    "SessionEnd": t.Row(
        "Session.End",
        {"end_reason": t.Words("reason", {"clear": "manual_reset"}, "exit")},
        keep="session_duration_ms message_count message_id",
    ),
    "UserPromptSubmit": t.Row(
        "Prompt.Submitted",
        {"prompt": "prompt", "message_id": "message_id"},
        keep="has_images",
    ),
    "PreToolUse": t.Row("Action.Before", CALL),
    "PostToolUse": t.Row(
        "Action.After",
        {
            **CALL,
            "success": success,
            "exit_code": exit_code,
            "output": "tool_response",
        },
        note="fires after success alone",
    ),
    "Notification": t.Row(
        "Agent.Notification",
        {
            "notification_type": t.Words(
                "notification_type", {"permission_prompt": "ToolPermission"}
            ),
            "message": "message",
        },
        note="the only sign of a question: without tool or id",
    ),
    "Stop": t.Row(
        "Agent.Response",
        {"final": t.Const(True), "message_id": "message_id"},
        keep="stop_hook_active tool_execution_count elapsed_time",
    ),
    "SubagentStop": t.Row(
        "Agent.Plan.End",
        {"plan_type": t.plan_of("task_name"), "response": "task_result"},
        keep="task_name task_error stop_hook_active",
    ),
    "PreCompact": t.Row(
        "Context.Compaction",
        {
            "context_phase": t.Const("before"),
            "message_count": "message_count",
            "tokens_before": "estimated_tokens",
        },
        hook_point="PreCompact",
        keep="trigger custom_instructions message_id",
        note="its trigger says auto for one asked for by hand",
    ),
}

VENDOR = t.Vendor(
    "droid",
    claims=claims,
    event="hook_event_name",
    common={
        "session_id": "session_id",
        "transcript_path": "transcript_path",
        "cwd": "cwd",
        "permission_mode": "permission_mode",
    },
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    capabilities=Capabilities(pairs_lone=True, totals_are_rests=True),
    host=is_like,
)
