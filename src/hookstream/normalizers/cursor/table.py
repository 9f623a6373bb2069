"""Cursor (IDE agent, CLI, Tab, SDK runtime): 21 hook events, camelCase names, snake_case fields.

Source: recordings of the SDK runtime 1.0.32, its hook executor's source, and the vendor's hooks
page. Every payload of a current build carries `cursor_version`; the first builds do not.

No payload shows that a command was refused by the client's permissions or by a person: the SDK
runtime then reports it as done, with exit code 0 and no output.
"""

from __future__ import annotations

import re

from hookstream.normalizers import table as t
from hookstream.normalizers.capabilities import Capabilities
from hookstream.normalizers.cursor import calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload, Record

CHILD_TRANSCRIPT = re.compile(r"[/\\]([^/\\]+)[/\\]subagents[/\\][^/\\]+\.jsonl$")


@t.reads("generation_id conversation_id")
def turn_id(p: Payload) -> Any:
    """The SDK runtime repeats the conversation's id as generation_id: no turn is named then."""
    turn = p.get("generation_id")
    return turn if turn != p.get("conversation_id") else None


@t.reads("model_id model")
def model_id(p: Payload) -> Any:
    """Tool events say "unknown" while other events of the conversation name the model."""
    for name in (p.get("model_id"), p.get("model")):
        if name and name != "unknown":
            return name
    return None


@t.reads("cursor_version")
def tool_version(p: Payload, r: Record) -> Any:
    """The SDK runtime writes 1.0.0 whatever its version; who knows the client's goes first."""
    return r.client_version or p.get("cursor_version")


@t.reads("cwd workspace_roots")
def cwd(p: Payload, r: Record) -> Any:
    """Most events have no `cwd`: then the only workspace root, else the runner's."""
    if p.get("cwd"):
        return p["cwd"]
    roots = p.get("workspace_roots")
    if type(roots) is list and len(roots) == 1:
        return roots[0]
    return r.env.get("CURSOR_PROJECT_DIR") if type(r.env) is dict else None


@t.derived
@t.reads("transcript_path")
def parent_session(p: Payload) -> str | None:
    """A sub-agent's transcript is in its parent's folder; nothing else names the parent."""
    path = p.get("transcript_path")
    match = CHILD_TRANSCRIPT.search(path) if type(path) is str else None
    return match[1] if match else None


@t.reads("parent_conversation_id session_id conversation_id")
def named_parent(p: Payload) -> Any:
    """Sub-agent events are in the parent's own conversation, which is not a parent of itself."""
    parent = p.get("parent_conversation_id")
    return parent if parent != (p.get("session_id") or p.get("conversation_id")) else None


@t.reads("session_id")
def is_turn_end(p: Payload) -> bool:
    """Build that name the session on `stop` also have a sessionEnd; older ones end with stop."""
    return "session_id" in p


def is_session_end(p: Payload) -> bool:
    return "session_id" not in p


plan_type = t.plan_of("subagent_type")


@t.reads("subagent_model")
def subagent_model(p: Payload) -> Any:
    model = p.get("subagent_model")
    return None if model in ("inherit", "unknown") else model


@t.reads("attachments")
def attached_files(p: Payload) -> list[str] | None:
    """The paths of the files attached to a prompt, rules among them."""
    rows = p.get("attachments")
    paths = [t.text_at(row, "file_path", "filePath") for row in rows] if type(rows) is list else []
    return [path for path in paths if path] or None


def claims(p: Payload) -> bool:
    """`cursor_version` is Cursor's own. The first builds lack it and have these two ids."""
    if "cursor_version" in p:
        return True
    name = p.get("hook_event_name")
    ids = "conversation_id" in p and "generation_id" in p
    return ids and type(name) is str and name in EVENTS


TOOLS = {
    "Shell": t.shell(),
    "WriteShellStdin": t.Tool("shell", "shell"),
    "Read": t.read(),
    "TabRead": t.read(),
    "Write": t.write(),
    "TabWrite": t.Tool("code_edit", "file_edit", file_path="file_path"),
    "Delete": t.delete(),
    "Grep": t.find(path="file_path"),
    "List": t.listing("file_path"),
    "ReadLints": t.Tool("read_lints", "other", file_path="file_path"),
    "Fetch": t.fetch(),
    "WebFetch": t.fetch(),
    "WebSearch": t.search("search_term"),
    "ListMcpResources": t.Tool("mcp:ListMcpResources", "mcp_call"),
    "FetchMcpResource": t.Tool("mcp:FetchMcpResource", "mcp_call", url="uri"),
    "Task": t.delegate(),
    "ComputerUse": t.Tool("browser", "browser"),
    "RecordScreen": t.Tool("record_screen", "other"),
}

COMMON: t.Facts = {
    "session_id": ("session_id", "conversation_id"),
    "parent_session_id": parent_session,
    "turn_id": turn_id,
    "user_id": "user_email",
    "model_id": model_id,
    "tool_version": tool_version,
    "transcript_path": "transcript_path",
    "cwd": cwd,
}
MODE = t.Words(
    "composer_mode",
    {
        **dict.fromkeys(("agent", "debug", "triage", "project", "multitask"), "agent"),
        "ask": "chat",
        "chat": "chat",
        "edit": "edit",
        "plan": "plan",
    },
)
CALL: t.Facts = {
    "action_native": "tool_name",
    "input": "tool_input",
    "call_id": "tool_use_id",
    "parent_call_id": "parent_tool_call_id",
    "mcp_server": calls.mcp_server,
}
SPECIFIC: t.Facts = {"reported_by": t.Const("specific")}
SHELL: t.Facts = {
    **SPECIFIC,
    "action_native": t.Const("Shell"),
    "input": calls.shell_input,
    "cwd": "cwd",
}
MCP: t.Facts = {
    **SPECIFIC,
    "action_native": calls.mcp_native,
    "input": "tool_input",
    "mcp_server": "mcp_server_name",
    "url": ("mcp_server_url", "url"),
}
DONE: t.Facts = {
    "success": calls.success,
    "exit_code": calls.exit_code,
    "output": calls.output,
    "duration_ms": "duration",
}
REFUSED: t.Facts = {
    "decided_by": calls.refused_by,
    "decision_reason": calls.refused_reason,
}
FAILED: t.Facts = {
    **CALL,
    "error_type": t.Const("ToolFailed"),
    "origin_event": t.Const("Action.After"),
}
SUBAGENT: t.Facts = {
    "parent_session_id": named_parent,
    "agent_id": "subagent_id",
    "agent_type": "subagent_type",
    "plan_type": plan_type,
    "task": "task",
}
TOKENS = "input_tokens output_tokens cache_read_tokens cache_write_tokens"
CONTEXT = "messages_to_compact is_first_compaction context_window_size"

EVENTS: t.Events = {
    "sessionStart": t.Row(
        "Session.Start",
        {"agent_mode": MODE},
        keep="is_background_agent",
        note="fires at every send of one conversation, so it does not say whether it is new",
    ),
    "sessionEnd": (
        t.Row(
            "Session.Abort",
            {
                "abort_reason": "reason",
                "duration_ms": "duration_ms",
                "error_message": "error_message",
            },
            hook_point="SessionEnd",
            when=t.is_word("reason", "aborted"),
            keep="is_background_agent final_status",
        ),
        t.Row(
            "Session.End",
            {
                "end_reason": t.Words(
                    "reason",
                    {
                        "completed": "completed",
                        "error": "error",
                        "window_close": "exit",
                        "user_close": "exit",
                    },
                ),
                "duration_ms": "duration_ms",
                "error_message": "error_message",
            },
            when=t.is_not_word("reason", "aborted"),
            keep="is_background_agent final_status",
            note="also at the end of every send; a cancelled run says error",
        ),
    ),
    "workspaceOpen": t.Row("vendor.cursor.WorkspaceOpen", note="names no conversation"),
    "beforeSubmitPrompt": t.Row(
        "Prompt.Submitted",
        {"prompt": "prompt", "agent_mode": MODE, "attached_files": attached_files},
        keep="attachments",
    ),
    "preToolUse": t.Row("Action.Before", {**CALL, "message": "agent_message"}),
    "postToolUse": (
        t.Row("Action.After", {**CALL, **DONE}, when=calls.is_run),
        t.Row(
            "Policy.Blocked",
            {**CALL, **REFUSED, "decision_evidence": t.Const("tool_output")},
            when=calls.is_refused,
        ),
        t.Row("Agent.Error", FAILED, when=calls.is_failed, derived=True),
    ),
    "postToolUseFailure": (
        t.Row(
            "Policy.Blocked",
            {
                **CALL,
                "decided_by": t.Const("hook"),
                "decision_reason": calls.deny_reason,
                "decision_evidence": calls.evidence,
                "failure": calls.hook_failure,
            },
            when=calls.is_blocked,
        ),
        t.Row(
            "Action.After",
            {
                **CALL,
                "success": t.Const(False),
                "outcome": calls.failed_outcome,
                "exit_code": calls.failed_exit_code,
                "error_message": calls.error_line,
                "output": calls.failed_output,
                "duration_ms": "duration",
            },
            when=calls.is_failure,
            keep="failure_type is_interrupt",
        ),
        t.Row(
            "Agent.Error",
            {**FAILED, "error_message": calls.error_line, "error_code": "failure_type"},
            when=calls.is_failure,
            derived=True,
        ),
    ),
    "beforeShellExecution": t.Row("Action.Before", SHELL, keep="sandbox"),
    "afterShellExecution": t.Row(
        "Action.After",
        {**SHELL, "output": "output", "duration_ms": "duration"},
        keep="sandbox",
        note="no exit code; never comes for a command in the background",
    ),
    "beforeMCPExecution": t.Row(
        "Action.Before",
        {**MCP, "server_command": "command"},
        note="`command` is the server's launch line",
    ),
    "afterMCPExecution": (
        t.Row("Action.After", {**MCP, **DONE}, when=calls.is_run),
        t.Row(
            "Policy.Blocked",
            {**MCP, **REFUSED, "decision_evidence": t.Const("result_json")},
            when=calls.is_refused,
        ),
    ),
    "beforeReadFile": t.Row(
        "Action.Before",
        {
            **SPECIFIC,
            "action_native": t.Const("Read"),
            "input": calls.file_input,
            "output": "content",
        },
        keep="attachments",
        note="the file is read already, the model has not got its text yet",
    ),
    "afterFileEdit": t.Row(
        "Action.After",
        {
            **SPECIFIC,
            "action_native": t.Const("Write"),
            "action_category": calls.edit_category,
            "input": calls.edit_input,
            "success": t.Const(True),
        },
    ),
    "beforeTabFileRead": t.Row(
        "Action.Before",
        {"action_native": t.Const("TabRead"), "input": calls.file_input, "output": "content"},
        keep="attachments",
        note="inline completion: no generic event tells it",
    ),
    "afterTabFileEdit": t.Row(
        "Action.After",
        {"action_native": t.Const("TabWrite"), "input": calls.edit_input, "success": t.Const(True)},
    ),
    "afterAgentResponse": t.Row(
        "Agent.Response",
        {"response": "text"},
        keep=TOKENS,
        note="its token counts are the turn's, which stop repeats: they count there",
    ),
    "afterAgentThought": t.Row(
        "Model.Responded",
        {"response": "text", "duration_ms": "duration_ms"},
    ),
    "subagentStart": t.Row(
        "Agent.Plan.Start",
        {**SUBAGENT, "parent_call_id": "tool_call_id", "model_id": subagent_model},
        keep="is_parallel_worker git_branch subagent_model",
    ),
    "subagentStop": t.Row(
        "Agent.Plan.End",
        {
            **SUBAGENT,
            "response": "summary",
            "message": "description",
            "stop_reason": "status",
            "error_message": "error_message",
            "duration_ms": "duration_ms",
            "message_count": "message_count",
            "total_actions": "tool_call_count",
        },
        keep=("loop_count modified_files git_branch child_conversation_id agent_transcript_path"),
    ),
    "preCompact": (
        t.Row(
            "Context.UntilCompaction",
            {
                "tokens_used": "context_tokens",
                "tokens_limit": "context_window_size",
                "percentage_used": "context_usage_percent",
            },
            keep=CONTEXT,
            note="the limit is the whole window: where compaction starts is not told",
        ),
        t.Row(
            "Context.Compaction",
            {
                "context_trigger": "trigger",
                "context_phase": t.Const("before"),
                "tokens_before": "context_tokens",
                "message_count": "message_count",
            },
            hook_point="PreCompact",
            keep=CONTEXT,
        ),
    ),
    "stop": (
        t.Row(
            "Agent.Response",
            {
                "final": t.Const(True),
                "stop_reason": "status",
                "input_tokens": "input_tokens",
                "output_tokens": "output_tokens",
                "cache_read_tokens": "cache_read_tokens",
            },
            hook_point="",
            when=is_turn_end,
            keep="loop_count cache_write_tokens",
            note="no text: afterAgentResponse has it",
        ),
        t.Row(
            "Session.End",
            {"end_reason": t.Words("status", {"completed": "completed", "error": "error"})},
            when=is_session_end,
            keep="loop_count",
        ),
    ),
}

VENDOR = t.Vendor(
    "cursor",
    capabilities=Capabilities(confirms_compactions=False),
    claims=claims,
    event="hook_event_name",
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=calls.mcp,
    keep="model_params workspace_roots",
)
