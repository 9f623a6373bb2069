"""Qwen Code, 0.24: Claude-like events and fields with a time, Gemini-like tools.

Source: the hook documentation shipped with 0.24.4, the client's published source, and recordings
of 0.24.4; the 27 events of the 1.x reference, eleven of which 0.24.4 does not have. PostToolBatch
has every call, refused and unknown ones too, which fire nothing else.
"""

from __future__ import annotations

from hookstream.normalizers import table as t
from hookstream.normalizers.claude_code.table import VENDOR as CLAUDE_CODE
from hookstream.normalizers.claude_code.table import plan_type
from hookstream.normalizers.gemini_cli.wording import SHELL
from hookstream.normalizers.index import keeper
from hookstream.normalizers.qwen_code import calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload


@t.reads("prompt_id session_id")
def turn_id(p: Payload) -> Any:
    """<session>########<number>; after /clear the first events still carry the old session's."""
    turn = p.get("prompt_id")
    if type(turn) is str and "########" in turn and not turn.startswith(str(p.get("session_id"))):
        return None
    return turn


@t.reads("submitted_prompt prompt")
def is_submitted(p: Payload) -> bool:
    """A person's prompt has a separate field, unless it is blank; a continuation's is empty."""
    prompt = p.get("prompt")
    return bool(p.get("submitted_prompt")) or (type(prompt) is str and prompt.isspace())


@t.reads("submitted_prompt prompt")
def is_put_in(p: Payload) -> bool:
    return bool(p.get("prompt")) and not is_submitted(p)


@t.reads("context_usage")
def percentage_used(p: Payload) -> float | None:
    """context_usage is a share of one; it can pass it before a compaction."""
    usage = p.get("context_usage")
    if type(usage) is not float and type(usage) is not int:
        return None
    return min(round(usage * 100, 4), 100.0)


@t.derived
@t.reads("context_limit input_tokens")
def tokens_remaining(p: Payload) -> int | None:
    limit, used = p.get("context_limit"), p.get("input_tokens")
    return max(limit - used, 0) if type(limit) is int and type(used) is int else None


@t.reads("context_limit context_usage input_tokens")
def has_context(p: Payload) -> bool:
    return type(p.get("input_tokens")) is int or percentage_used(p) is not None


def claims(p: Payload) -> bool:
    """Of all who have Claude's event names with a time only Qwen Code also states an approval mode,
    or writes its transcript into its own folder."""
    return is_like(p) and (keeper(p) == VENDOR.key or type(p.get("permission_mode")) is str)


def is_like(p: Payload) -> bool:
    """Return whether a payload can be Qwen Code's: Claude's event names with a time."""
    if "turn_id" in p:
        return False
    if type(p.get("session_id")) is not str or type(p.get("timestamp")) is not str:
        return False
    name = p.get("hook_event_name")
    if type(name) is not str or name not in VENDOR.events:
        return False
    return keeper(p) in (None, VENDOR.key)


TOOLS = {
    SHELL: t.shell(),
    "monitor": t.shell(),
    "read_file": t.read(("file_path", "absolute_path")),
    "read_many_files": t.read(("paths", "include")),
    "write_file": t.write(),
    "edit": t.edit(),
    "replace": t.edit(),
    "notebook_edit": t.edit("notebook_path", action="code_edit"),
    "list_directory": t.listing(),
    "glob": t.find(),
    "grep_search": t.find(),
    "web_fetch": t.fetch(),
    "web_search": t.search(),
    "agent": t.delegate(),
    "task": t.delegate(),
    "send_message": t.delegate(),
    "skill": t.Tool("skill", "other"),
    "todo_write": t.Tool("other", "other", content=("todos",)),
    "save_memory": t.Tool("other", "other", content=("fact",)),
    "ask_user_question": t.Tool("other", "other", content=("questions",)),
    "exit_plan_mode": t.Tool("other", "other", content=("plan",)),
}

COMMON: t.Facts = {
    "transcript_path": ("transcript_path",),  # an empty one does not count
    "timestamp": "timestamp",
    "turn_id": turn_id,
}
# tool_use_id is invented again in each kind of event; the provider's id agrees everywhere.
CALL: t.Facts = {
    "action_native": "tool_name",
    "input": "tool_input",
    "call_id": ("tool_call_id", "tool_use_id"),
}
ASKED: t.Facts = {"action_native": "tool_name", "input": "tool_input"}
TODO: t.Facts = {"task": "todo_content"}
TODO_KEEP = ("todo_id", "todo_status", "previous_status", "phase")
END = t.end_of(t.parts_of(calls.done, "tool_name tool_response.llmContent"))
FAILED = t.end_of(t.parts_of(calls.stopped, "tool_name error is_interrupt"))
STOPPED: t.Facts = {"error_code": "error", "error_message": "error_details"}

EVENTS: t.Events = {
    "SessionStart": (
        t.Row(
            "Session.Start",
            {
                "start_reason": t.Words(
                    "source",
                    {"startup": "new", "resume": "resume", "clear": "restart"},
                    "new",
                ),
                "model_id": "model",
            },
            when=t.is_not_word("source", "compact"),
        ),
        t.Row(
            "Context.Compaction",
            {"context_phase": t.Const("restarted"), "model_id": "model"},
            hook_point="",
            when=t.is_word("source", "compact"),
            note="the session goes on after a compaction",
        ),
    ),
    "SessionDelete": t.Row("vendor.qwen-code.SessionDelete", keep="deleted_session_id"),
    "UserPromptSubmit": (
        t.Row(
            "Prompt.Submitted",
            {"prompt": ("submitted_prompt", "prompt")},
            when=is_submitted,
            note="fires before every model call; only this field is what a person sent, and a"
            " blank prompt, which it leaves out",
        ),
        t.Ignore("continuation, no prompt", when=t.is_word("prompt", "", None)),
        t.Row(
            "vendor.qwen-code.UserPromptSubmit",
            {"prompt": "prompt"},
            when=is_put_in,
            note="a text of a stop hook, a schedule or a finished task",
        ),
    ),
    "UserPromptExpansion": t.Row(
        "vendor.qwen-code.UserPromptExpansion",
        {"prompt": "prompt"},
        keep="command_name",
        ignore="command_args",
    ),
    "PreToolUse": t.Row("Action.Before", CALL),
    "PermissionRequest": t.Row(
        "Agent.Notification",
        {**ASKED, "notification_type": t.Const("ToolPermission")},
        ignore="permission_suggestions",
        note="comes before PreToolUse, which means that the answer was yes",
    ),
    "PermissionDenied": t.Row(
        "Policy.Blocked",
        {
            **CALL,
            "decided_by": t.Words(
                "reason",
                {"classifier_blocked": "classifier", "classifier_unavailable": "client"},
                "classifier",
            ),
            "decision_reason": "reason",
            "decision_evidence": t.Const("PermissionDenied"),
        },
    ),
    "PostToolUse": (
        t.Row(
            "Action.After",
            {
                **CALL,
                **END,
                "output": calls.output,
                "duration_ms": "duration_ms",
            },
        ),
        t.tool_failed(CALL, when=calls.failed, error_message=END["error_message"]),
    ),
    "PostToolUseFailure": (
        t.Row(
            "Action.After",
            {
                **CALL,
                **FAILED,
                "output": calls.failed_output,
                "duration_ms": "duration_ms",
            },
        ),
        t.tool_failed(
            CALL, when=t.is_not_word("is_interrupt", True), error_message=FAILED["error_message"]
        ),
    ),
    "PostToolBatch": t.Row(
        "Action.After",
        {
            **CALL,
            "reported_by": t.Const("batch"),
            **t.end_of(calls.batch),
            "success": calls.batch_success,
            "error_code": "tool_response.error_type",
            "output": calls.batch_output,
            "decision": calls.batch_decision,
            "decided_by": t.derived(calls.batch("decided_by")),
            "decision_reason": calls.batch("reason"),
            "matched_rule_id": calls.batch("rule"),
            "decision_evidence": calls.batch_evidence,
            "certainty": calls.batch_certainty,
        },
        hook_point="",
        each="tool_calls",
        keep="status tool_response.execution_status",
        ignore="tool_response.content_length",
        note="refused calls and calls of unknown tools are told only here",
    ),
    "MessageDisplay": (
        t.Row(
            "vendor.qwen-code.MessageDisplay",
            {"response": "displayed_text", "message_id": "message_id", "final": "is_final"},
            when=t.is_not_word("is_final", False),
        ),
        t.Ignore("stream chunk"),
    ),
    "Stop": (
        t.Row(
            "Agent.Response",
            {"response": "last_assistant_message", "final": t.Const(True)},
            keep="stop_hook_active",
            ignore="background_tasks crons",
        ),
        t.Row(
            "Context.UntilCompaction",
            {
                "tokens_used": "input_tokens",
                "tokens_limit": "context_limit",
                "percentage_used": percentage_used,
                "tokens_remaining": tokens_remaining,
            },
            when=has_context,
            note="input_tokens is the size of the last request, not what the turn used",
        ),
    ),
    "StopFailure": (
        t.Row(
            "Retry.Loop.Detected",
            STOPPED,
            when=t.is_word("error", "loop_detected"),
            ignore="last_assistant_message",
            note="the client's own loop guard ended the turn; it names neither tool nor count",
        ),
        t.Row("Model.Failed", STOPPED, when=t.is_not_word("error", "loop_detected")),
        t.model_failed(STOPPED, when=t.is_not_word("error", "loop_detected")),
    ),
    "SubagentStop": t.Row(
        "Agent.Plan.End",
        {"response": "last_assistant_message", "plan_type": plan_type},
        keep="stop_hook_active agent_transcript_path",
        ignore="background_tasks crons",
    ),
    "PreCompact": t.Row(
        "Context.Compaction",
        {"context_trigger": "trigger", "context_phase": t.Const("before")},
        hook_point="PreCompact",
        ignore="custom_instructions",
        note="an automatic one can fail; only PostCompact says that it was done",
    ),
    "QueryEnd": t.Row(
        "vendor.qwen-code.QueryEnd",
        note="a query is complete; documented without fields of its own",
    ),
    "TodoCreated": t.Row("vendor.qwen-code.TodoCreated", TODO, keep=TODO_KEEP, ignore="all_todos"),
    "TodoCompleted": t.Row(
        "vendor.qwen-code.TodoCompleted", TODO, keep=TODO_KEEP, ignore="all_todos"
    ),
}

# The reference of 1.x names these; no source documents their fields. Those of Claude Code are read
# where a payload has them, and any other field is kept as unmapped.
UNDOCUMENTED = (
    "ConfigChange",
    "WorktreeCreate",
    "WorktreeRemove",
    "Elicitation",
    "ElicitationResult",
    "TaskCreated",
    "TaskCompleted",
)

VENDOR = t.Vendor(
    "qwen-code",
    extends=CLAUDE_CODE,
    same=(
        "SessionEnd",
        "Notification",
        "SubagentStart",
        "PostCompact",
        "InstructionsLoaded",
        "CwdChanged",
        "FileChanged",
        "TeammateIdle",
        *UNDOCUMENTED,
    ),
    claims=claims,
    host=is_like,
    event="hook_event_name",
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    keep="source_type source_id",
)
