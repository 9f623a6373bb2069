"""Cursor (IDE agent, CLI, Tab, SDK runtime): 21 hook events, camelCase names, snake_case fields.

Source: recordings of the SDK runtime 1.0.32, its hook executor's source, and the vendor's hooks
page. Every payload of a current build carries `cursor_version`; the first builds do not.

No payload shows that a command was refused by the client's permissions or by a person: the SDK
runtime then reports it as done, with exit code 0 and no output.
"""

from __future__ import annotations

import re

from hookstream.normalizers.capabilities import Capabilities
from hookstream.normalizers.cursor.calls import (
    deny_reason,
    edit_category,
    edit_input,
    error_line,
    evidence,
    exit_code,
    failed_exit_code,
    failed_outcome,
    failed_output,
    file_input,
    hook_failure,
    is_blocked,
    is_failed,
    is_failure,
    is_refused,
    is_run,
    mcp,
    mcp_native,
    mcp_server,
    output,
    refused_by,
    refused_reason,
    shell_input,
    success,
)
from hookstream.normalizers.table import (
    Const,
    Row,
    Tool,
    Vendor,
    Words,
    delegate,
    delete,
    derived,
    fetch,
    find,
    is_not_word,
    is_word,
    listing,
    plan_of,
    read,
    reads,
    search,
    shell,
    text_at,
    write,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Record
    from hookstream.normalizers.table import Ignore, Source

    Payload = dict[str, Any]

CHILD_TRANSCRIPT = re.compile(r"[/\\]([^/\\]+)[/\\]subagents[/\\][^/\\]+\.jsonl$")


@reads("generation_id", "conversation_id")
def turn_id(p: Payload, r: Record) -> Any:
    """The SDK runtime repeats the conversation's id as generation_id: no turn is named then."""
    turn = p.get("generation_id")
    return turn if turn != p.get("conversation_id") else None


@reads("model_id", "model")
def model_id(p: Payload, r: Record) -> Any:
    """Tool events say "unknown" while other events of the conversation name the model."""
    for name in (p.get("model_id"), p.get("model")):
        if name and name != "unknown":
            return name
    return None


@reads("cursor_version")
def tool_version(p: Payload, r: Record) -> Any:
    """The SDK runtime writes 1.0.0 whatever its version; who knows the client's goes first."""
    return r.client_version or p.get("cursor_version")


@reads("cwd", "workspace_roots")
def cwd(p: Payload, r: Record) -> Any:
    """Most events have no `cwd`: then the only workspace root, else the runner's."""
    if p.get("cwd"):
        return p["cwd"]
    roots = p.get("workspace_roots")
    if type(roots) is list and len(roots) == 1:
        return roots[0]
    return r.env.get("CURSOR_PROJECT_DIR") if type(r.env) is dict else None


@derived
@reads("transcript_path")
def parent_session(p: Payload, r: Record) -> str | None:
    """A sub-agent's transcript is in its parent's folder; nothing else names the parent."""
    path = p.get("transcript_path")
    found = CHILD_TRANSCRIPT.search(path) if type(path) is str else None
    return found[1] if found else None


@reads("parent_conversation_id", "session_id", "conversation_id")
def named_parent(p: Payload, r: Record) -> Any:
    """Sub-agent events are in the parent's own conversation, which is not a parent of itself."""
    parent = p.get("parent_conversation_id")
    return parent if parent != (p.get("session_id") or p.get("conversation_id")) else None


@reads("session_id")
def is_turn_end(p: Payload, r: Record) -> bool:
    """Build that name the session on `stop` also have a sessionEnd; older ones end with stop."""
    return "session_id" in p


def is_session_end(p: Payload, r: Record) -> bool:
    return "session_id" not in p


plan_type = plan_of("subagent_type")


@reads("subagent_model")
def subagent_model(p: Payload, r: Record) -> Any:
    model = p.get("subagent_model")
    return None if model in ("inherit", "unknown") else model


@reads("attachments")
def attached_files(p: Payload, r: Record) -> list[str] | None:
    """The paths of the files attached to a prompt, rules among them."""
    rows = p.get("attachments")
    paths = [text_at(row, "file_path", "filePath") for row in rows] if type(rows) is list else []
    return [path for path in paths if path] or None


def claims(p: Payload) -> bool:
    """`cursor_version` is Cursor's own. The first builds lack it and have these two ids."""
    if "cursor_version" in p:
        return True
    name = p.get("hook_event_name")
    ids = "conversation_id" in p and "generation_id" in p
    return ids and type(name) is str and name in EVENTS


TOOLS = {
    "Shell": shell(),
    "WriteShellStdin": Tool("shell", "shell"),
    "Read": read(),
    "TabRead": read(),
    "Write": write(),
    "TabWrite": Tool("code_edit", "file_edit", file_path="file_path"),
    "Delete": delete(),
    "Grep": find(path="file_path"),
    "List": listing("file_path"),
    "ReadLints": Tool("read_lints", "other", file_path="file_path"),
    "Fetch": fetch(),
    "WebFetch": fetch(),
    "WebSearch": search("search_term"),
    "ListMcpResources": Tool("mcp:ListMcpResources", "mcp_call"),
    "FetchMcpResource": Tool("mcp:FetchMcpResource", "mcp_call", url="uri"),
    "Task": delegate(),
    "ComputerUse": Tool("browser", "browser"),
    "RecordScreen": Tool("record_screen", "other"),
}

COMMON: dict[str, Source] = {
    "session_id": ("session_id", "conversation_id"),
    "parent_session_id": parent_session,
    "turn_id": turn_id,
    "user_id": "user_email",
    "model_id": model_id,
    "tool_version": tool_version,
    "transcript_path": "transcript_path",
    "cwd": cwd,
}
MODE = Words(
    "composer_mode",
    {
        **dict.fromkeys(("agent", "debug", "triage", "project", "multitask"), "agent"),
        "ask": "chat",
        "chat": "chat",
        "edit": "edit",
        "plan": "plan",
    },
)
CALL: dict[str, Source] = {
    "action_native": "tool_name",
    "input": "tool_input",
    "call_id": "tool_use_id",
    "parent_call_id": "parent_tool_call_id",
    "mcp_server": mcp_server,
}
SPECIFIC: dict[str, Source] = {"reported_by": Const("specific")}
SHELL: dict[str, Source] = {
    **SPECIFIC,
    "action_native": Const("Shell"),
    "input": shell_input,
    "cwd": "cwd",
}
MCP: dict[str, Source] = {
    **SPECIFIC,
    "action_native": mcp_native,
    "input": "tool_input",
    "mcp_server": "mcp_server_name",
    "url": ("mcp_server_url", "url"),
}
DONE: dict[str, Source] = {
    "success": success,
    "exit_code": exit_code,
    "output": output,
    "duration_ms": "duration",
}
DENY: dict[str, Source] = {"decision": Const("deny"), "certainty": Const("observed")}
REFUSED: dict[str, Source] = {
    **DENY,
    "decided_by": refused_by,
    "decision_reason": refused_reason,
}
FAILED: dict[str, Source] = {
    **CALL,
    "error_type": Const("ToolFailed"),
    "origin_event": Const("Action.After"),
}
SUBAGENT: dict[str, Source] = {
    "parent_session_id": named_parent,
    "agent_id": "subagent_id",
    "agent_type": "subagent_type",
    "plan_type": plan_type,
    "task": "task",
}
TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
CONTEXT = ("messages_to_compact", "is_first_compaction", "context_window_size")

EVENTS: dict[str, Row | Ignore | tuple[Row | Ignore, ...]] = {
    "sessionStart": Row(
        "Session.Start",
        "SessionStart",
        {"agent_mode": MODE},
        keep=("is_background_agent",),
        note="fires at every send of one conversation, so it does not say whether it is new",
    ),
    "sessionEnd": (
        Row(
            "Session.Abort",
            "SessionEnd",
            {
                "abort_reason": "reason",
                "duration_ms": "duration_ms",
                "error_message": "error_message",
            },
            when=is_word("reason", "aborted"),
            keep=("is_background_agent", "final_status"),
        ),
        Row(
            "Session.End",
            "SessionEnd",
            {
                "end_reason": Words(
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
            when=is_not_word("reason", "aborted"),
            keep=("is_background_agent", "final_status"),
            note="also at the end of every send; a cancelled run says error",
        ),
    ),
    "workspaceOpen": Row("vendor.cursor.WorkspaceOpen", None, note="names no conversation"),
    "beforeSubmitPrompt": Row(
        "Prompt.Submitted",
        "PreUserInput",
        {"prompt": "prompt", "agent_mode": MODE, "attached_files": attached_files},
        keep=("attachments",),
    ),
    "preToolUse": Row("Action.Before", "PreToolUse", {**CALL, "message": "agent_message"}),
    "postToolUse": (
        Row("Action.After", "PostToolUse", {**CALL, **DONE}, when=is_run),
        Row(
            "Policy.Blocked",
            None,
            {**CALL, **REFUSED, "decision_evidence": Const("tool_output")},
            when=is_refused,
            ignore=("duration",),
        ),
        Row("Agent.Error", None, FAILED, when=is_failed, derived=True),
    ),
    "postToolUseFailure": (
        Row(
            "Policy.Blocked",
            None,
            {
                **CALL,
                **DENY,
                "decided_by": Const("hook"),
                "decision_reason": deny_reason,
                "decision_evidence": evidence,
                "failure": hook_failure,
            },
            when=is_blocked,
        ),
        Row(
            "Action.After",
            "PostToolUse",
            {
                **CALL,
                "success": Const(False),
                "outcome": failed_outcome,
                "exit_code": failed_exit_code,
                "error_message": error_line,
                "output": failed_output,
                "duration_ms": "duration",
            },
            when=is_failure,
            keep=("failure_type", "is_interrupt"),
        ),
        Row(
            "Agent.Error",
            None,
            {**FAILED, "error_message": error_line, "error_code": "failure_type"},
            when=is_failure,
            derived=True,
        ),
    ),
    "beforeShellExecution": Row("Action.Before", "PreToolUse", SHELL, keep=("sandbox",)),
    "afterShellExecution": Row(
        "Action.After",
        "PostToolUse",
        {**SHELL, "output": "output", "duration_ms": "duration"},
        keep=("sandbox",),
        note="no exit code; never comes for a command in the background",
    ),
    "beforeMCPExecution": Row(
        "Action.Before",
        "PreToolUse",
        {**MCP, "server_command": "command"},
        note="`command` is the server's launch line",
    ),
    "afterMCPExecution": (
        Row("Action.After", "PostToolUse", {**MCP, **DONE}, when=is_run),
        Row(
            "Policy.Blocked",
            None,
            {**MCP, **REFUSED, "decision_evidence": Const("result_json")},
            when=is_refused,
            ignore=("duration",),
        ),
    ),
    "beforeReadFile": Row(
        "Action.Before",
        "PreToolUse",
        {
            **SPECIFIC,
            "action_native": Const("Read"),
            "input": file_input,
            "output": "content",
        },
        keep=("attachments",),
        note="the file is read already, the model has not got its text yet",
    ),
    "afterFileEdit": Row(
        "Action.After",
        "PostToolUse",
        {
            **SPECIFIC,
            "action_native": Const("Write"),
            "action_category": edit_category,
            "input": edit_input,
            "success": Const(True),
        },
    ),
    "beforeTabFileRead": Row(
        "Action.Before",
        "PreToolUse",
        {"action_native": Const("TabRead"), "input": file_input, "output": "content"},
        keep=("attachments",),
        note="inline completion: no generic event tells it",
    ),
    "afterTabFileEdit": Row(
        "Action.After",
        "PostToolUse",
        {"action_native": Const("TabWrite"), "input": edit_input, "success": Const(True)},
    ),
    "afterAgentResponse": Row(
        "Agent.Response",
        "PreOutputDeliver",
        {"response": "text"},
        keep=TOKENS,
        note="its token counts are the turn's, which stop repeats: they count there",
    ),
    "afterAgentThought": Row(
        "Model.Responded",
        "PostLLMResponse",
        {"response": "text", "duration_ms": "duration_ms"},
    ),
    "subagentStart": Row(
        "Agent.Plan.Start",
        "PreSubAgentSpawn",
        {**SUBAGENT, "parent_call_id": "tool_call_id", "model_id": subagent_model},
        keep=("is_parallel_worker", "git_branch", "subagent_model"),
    ),
    "subagentStop": Row(
        "Agent.Plan.End",
        "PostSubAgentResult",
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
        keep=(
            "loop_count",
            "modified_files",
            "git_branch",
            "child_conversation_id",
            "agent_transcript_path",
        ),
    ),
    "preCompact": (
        Row(
            "Context.UntilCompaction",
            None,
            {
                "tokens_used": "context_tokens",
                "tokens_limit": "context_window_size",
                "percentage_used": "context_usage_percent",
            },
            keep=CONTEXT,
            note="the limit is the whole window: where compaction starts is not told",
        ),
        Row(
            "Context.Compaction",
            "PreCompact",
            {
                "context_trigger": "trigger",
                "context_phase": Const("before"),
                "tokens_before": "context_tokens",
                "message_count": "message_count",
            },
            keep=CONTEXT,
        ),
    ),
    "stop": (
        Row(
            "Agent.Response",
            None,
            {
                "final": Const(True),
                "stop_reason": "status",
                "input_tokens": "input_tokens",
                "output_tokens": "output_tokens",
                "cache_read_tokens": "cache_read_tokens",
            },
            when=is_turn_end,
            keep=("loop_count", "cache_write_tokens"),
            note="no text: afterAgentResponse has it",
        ),
        Row(
            "Session.End",
            "SessionEnd",
            {"end_reason": Words("status", {"completed": "completed", "error": "error"})},
            when=is_session_end,
            keep=("loop_count",),
        ),
    ),
}

VENDOR = Vendor(
    "cursor",
    capabilities=Capabilities(confirms_compactions=False),
    claims=claims,
    event="hook_event_name",
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    keep=("model_params", "workspace_roots"),
)
