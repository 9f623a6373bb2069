"""Qoder CLI 1.1: 27 hook events, Claude Code's names and fields.

Source: the vendor's reference and its program 1.1.52, not recorded but for SessionEnd: without an
account the client fires that event alone, with the id of a session that never was. A payload is
told by its session file; without one, by QODER_HOOK_VERSION in the hook's environment.
"""

from __future__ import annotations

from hookstream.normalizers import table as t
from hookstream.normalizers.claude_code.table import CALL as CLAUDE_CALL
from hookstream.normalizers.claude_code.table import TOOLS as CLAUDE_TOOLS
from hookstream.normalizers.claude_code.table import VENDOR as CLAUDE_CODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.records import Payload


def is_like(p: Payload) -> bool:
    """Return whether a payload has the form of an event: each names a session file, also one that
    is never written."""
    name = p.get("hook_event_name")
    is_event = type(name) is str and name in VENDOR.events
    return is_event and all(type(p.get(key)) is str for key in ("session_id", "transcript_path"))


def claims(p: Payload) -> bool:
    """The folder of its session file."""
    return is_like(p) and "/.qoder/" in p["transcript_path"].replace("\\", "/").lower()


@t.reads("model reason")
def never_was(p: Payload) -> bool:
    """The end alone of a session that no account let begin: it has no model."""
    return p.get("reason") == "other" and p.get("model") is None


TOOLS = {
    **CLAUDE_TOOLS,
    "BashOutput": t.Tool("shell", "shell"),
}
CALL: t.Facts = {**CLAUDE_CALL, "mcp_server": "mcp_context.server_name"}
error_line = t.first_line("error")

EVENTS: t.Events = {
    "SessionStart": (
        t.Row(
            "Session.Start",
            {
                "start_reason": t.Words(
                    "source",
                    {"startup": "new", "new": "new", "resume": "resume", "clear": "restart"},
                    "new",
                )
            },
            when=t.is_not_word("source", "compact"),
        ),
        t.Row(
            "Context.Compaction",
            {"context_phase": t.Const("restarted")},
            hook_point="",
            when=t.is_word("source", "compact"),
        ),
    ),
    "SessionEnd": (
        t.Ignore("the end of a session that never was: not signed in", when=never_was),
        t.Row(
            "Session.End",
            {"end_reason": t.Words("reason", {"clear": "manual_reset"}, "exit")},
            when=t.negate(never_was),
        ),
    ),
    "UserPromptSubmit": t.Row("Prompt.Submitted", {"prompt": "prompt"}, ignore="image_urls"),
    "PreToolUse": t.Row("Action.Before", CALL, keep="original_request_name", ignore="mcp_context"),
    "PermissionRequest": t.Row(
        "Agent.Notification",
        {**CALL, "call_id": None, "notification_type": t.Const("ToolPermission")},
        ignore="permission_suggestions mcp_context",
    ),
    "PermissionDenied": t.Row(
        "Policy.Blocked",
        {
            **CALL,
            "decided_by": t.Const("classifier"),
            "decision_reason": "reason",
            "decision_evidence": t.Const("PermissionDenied"),
        },
        ignore="mcp_context",
        note="only where auto mode's classifier refused",
    ),
    "PostToolUse": t.Row(
        "Action.After",
        {**CALL, "output": "tool_response"},
        keep="original_request_name",
        ignore="mcp_context",
    ),
    "PostToolUseFailure": (
        t.Row(
            "Action.After",
            {**CALL, "success": t.Const(False), "error_message": error_line},
            keep="error_type is_interrupt original_request_name",
            ignore="mcp_context",
        ),
        t.tool_failed(CALL, when=None, error_message=error_line),
    ),
    "Notification": t.Row(
        "Agent.Notification",
        {
            "notification_type": t.Words(
                "notification_type",
                {"permission_prompt": "ToolPermission", "idle_prompt": "IdleTimeout"},
            ),
            "message": "message",
        },
        keep="title details",
    ),
    "Stop": t.Row(
        "Agent.Response",
        {"response": "last_assistant_message", "final": t.Const(True)},
        keep="stop_hook_active parent_request_set_id parent_business_info",
    ),
    "StopFailure": t.Row(
        "Model.Failed",
        {"error_code": "error", "error_message": t.first_line("error_details")},
        keep="last_assistant_message parent_request_set_id parent_business_info",
    ),
    "SubagentStart": t.Row("Agent.Plan.Start", {"plan_type": t.plan_of("agent_type")}),
    "SubagentStop": t.Row(
        "Agent.Plan.End",
        {"plan_type": t.plan_of("agent_type"), "response": "last_assistant_message"},
        keep="stop_hook_active agent_transcript_path",
    ),
    "PreCompact": t.Row(
        "Context.Compaction",
        {"context_trigger": "trigger", "context_phase": t.Const("before")},
        hook_point="PreCompact",
        keep="custom_instructions",
    ),
    "PostCompact": t.Row(
        "Context.Compaction",
        {
            "context_trigger": "trigger",
            "context_phase": t.Const("after"),
            "summary": "compact_summary",
        },
    ),
}

VENDOR = t.Vendor(
    "qoder",
    claims=claims,
    host=is_like,
    extends=CLAUDE_CODE,
    same=(
        "Setup TaskCreated TaskCompleted TeammateIdle ConfigChange InstructionsLoaded "
        "CwdChanged FileChanged WorktreeCreate WorktreeRemove Elicitation ElicitationResult"
    ),
    event="hook_event_name",
    common={"model_id": "model"},
    events=EVENTS,
    tools=TOOLS,
)
