"""Cline: the VS Code extension (EXT) and the CLI / SDK (3.0), two payloads under the same hooks.

Source: the extension's published protocol, the SDK's types, and recordings of CLI 3.0.65. Both
are registered by file name (PreToolUse); the SDK calls its events otherwise inside the payload
(tool_call), and the extension leaves out every field with a default value (false, 0, "").
"""

from __future__ import annotations

from hookstream.normalizers import table as t
from hookstream.normalizers.capabilities import Capabilities
from hookstream.normalizers.cline import calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload

# The SDK's names of the events -> the names of the hook files.
NAMES = {
    "agent_start": "TaskStart",
    "agent_resume": "TaskResume",
    "agent_abort": "TaskCancel",
    "agent_end": "TaskComplete",
    "agent_error": "TaskError",
    "tool_call": "PreToolUse",
    "tool_result": "PostToolUse",
    "prompt_submit": "UserPromptSubmit",
    "pre_compact": "PreCompact",
    "session_shutdown": "SessionShutdown",
}


@t.reads("hookName")
def event(p: Payload) -> str | None:
    name = p.get("hookName")
    return NAMES.get(name, name) if type(name) is str else None


# Who and where.


@t.reads("sessionContext.rootSessionId taskId")
def session_alias(p: Payload) -> Any:
    """The conversation's id, if it differs from the session's."""
    root = t.at(p, "sessionContext.rootSessionId")
    return p.get("taskId") if root and root != p.get("taskId") else None


@t.reads("agent_id parent_agent_id")
def agent_id(p: Payload) -> Any:
    """Every event has one, the session's own agent too: only a child's is informative."""
    return p.get("agent_id") if is_child(p) else None


@t.reads("parent_agent_id")
def is_child(p: Payload) -> bool:
    return bool(p.get("parent_agent_id"))


is_root = t.negate(is_child)


@t.reads("workspaceRoots")
def cwd(p: Payload) -> Any:
    roots = p.get("workspaceRoots")
    return roots[0] if type(roots) is list and roots else None


@t.reads("workspaceInfo.associatedRemoteUrls")
def repo(p: Payload) -> Any:
    urls = t.at(p, "workspaceInfo.associatedRemoteUrls")
    return urls[0] if type(urls) is list and urls else None


@t.reads("userId")
def user_id(p: Payload) -> Any:
    """The CLI writes the word "unknown"."""
    user = p.get("userId")
    return None if user == "unknown" else user


# No payload names a sub-agent's type.
plan_type = t.plan_of()


@t.derived
@t.reads("preCompact.compactionStrategy")
def trigger(p: Payload) -> str | None:
    strategy = t.at(p, "preCompact.compactionStrategy")
    return "auto" if str(strategy).startswith(("auto-", "standard-truncation")) else None


@t.derived
@t.reads("preCompact.tokensIn preCompact.tokensInCache")
def tokens_before(p: Payload) -> int | None:
    """The last request's prompt, sent and cached; a count of 0 is left out of the payload."""
    counts = (t.at(p, f"preCompact.{name}") for name in ("tokensIn", "tokensInCache"))
    # int64 fields come as numbers or as digits.
    return sum(int(count) for count in counts if str(count).isdecimal()) or None


def claims(p: Payload) -> bool:
    name = str(p.get("hookName"))
    return NAMES.get(name, name) in EVENTS and "clineVersion" in p


def tool(base: t.Tool, *content: str) -> t.Tool:
    """A tool whose arguments of these names are content; the to-do list comes with any call."""
    base.content = base.content | {"task_progress", *content}
    return base


def other(*content: str) -> t.Tool:
    return tool(t.Tool("other", "other"), *content)


TOOLS = {
    # SDK
    "run_commands": t.shell("commands"),
    "read_files": t.read(),
    "editor": tool(t.edit("path"), "new_text", "old_text"),
    "search_codebase": t.find("queries"),
    "fetch_web_content": t.fetch(),
    "spawn_agent": t.delegate(),
    "skills": t.Tool("skill", "other"),
    "ask_question": other("question", "options"),
    "submit_and_exit": other("summary"),
    # EXT
    "execute_command": tool(t.shell()),
    "read_file": tool(t.read("path")),
    "write_to_file": tool(t.write("path")),
    "replace_in_file": tool(t.edit("path")),
    "apply_patch": tool(t.edit("path"), "input"),
    "search_files": tool(t.find("regex")),
    "list_files": tool(t.listing()),
    "list_code_definition_names": tool(t.listing()),
    "web_fetch": tool(t.fetch()),
    "web_search": tool(t.search()),
    "browser_action": tool(t.Tool("browser", "browser", url="url"), "text"),
    "access_mcp_resource": tool(t.Tool("mcp:access_mcp_resource", "mcp_call", url="uri")),
    "new_task": tool(t.delegate(), "context"),
    "use_subagents": tool(t.delegate(), *(f"prompt_{n}" for n in range(1, 6))),
    "use_skill": t.Tool("skill", "other"),
    "attempt_completion": other("result"),
    "ask_followup_question": other("question", "options"),
    "plan_mode_respond": other("response", "options"),
    "act_mode_respond": other("response"),
    "focus_chain": other(),
    "condense": other("context"),
    "summarize_task": other("context"),
    "new_rule": tool(t.write("path")),
    "report_bug": other(
        *"title what_happened steps_to_reproduce api_request_output additional_context".split()
    ),
    "load_mcp_documentation": other(),
}


@t.reads("model.provider model.slug")
def model_id(p: Payload) -> str | None:
    """A gateway's slug has a provider too."""
    return t.model_name(t.at(p, "model.provider"), t.at(p, "model.slug"))


COMMON: t.Facts = {
    "session_id": ("sessionContext.rootSessionId", "taskId"),
    "session_alias": session_alias,
    "timestamp": "timestamp",
    "tool_version": "clineVersion",
    "cwd": cwd,
    "repo": repo,
    "user_id": user_id,
    "agent_id": agent_id,
    "parent_agent_id": "parent_agent_id",
    "model_id": model_id,
}
TARGET: t.Facts = {
    "input": calls.arguments,
    "command": calls.command,
    "file_path": calls.file_path,
    "url": calls.url,
    "action_category": calls.category,
    "mcp_server": calls.mcp_server,
}
BEFORE: t.Facts = {
    **TARGET,
    "action_native": ("tool_call.name", "preToolUse.toolName"),
    "call_id": "tool_call.id",
}
AFTER: t.Facts = {
    **TARGET,
    "action_native": ("tool_result.name", "postToolUse.toolName"),
    "call_id": "tool_result.id",
}
ITERATION = "iteration"
GIT = "workspaceInfo.latestGitCommitHash workspaceInfo.latestGitBranchName"

EVENTS: dict[str, t.Row | tuple[t.Row, ...]] = {
    "TaskStart": (
        t.Row(
            "Session.Start",
            {
                "start_reason": t.Const("new"),
                "task": "taskStart.taskMetadata.initialTask",
            },
            when=is_root,
            keep=f"agent_id taskStart.taskMetadata.ulid {GIT}",
            ignore="taskStart.taskMetadata.taskId",
        ),
        t.Row("Agent.Plan.Start", {"plan_type": plan_type}, when=is_child),
    ),
    "TaskResume": t.Row(
        "Session.Start",
        {
            "start_reason": t.Const("resume"),
            "message_count": "taskResume.previousState.messageCount",
        },
        keep=(
            f"{GIT} taskResume.taskMetadata.ulid taskResume.previousState.lastMessageTs "
            "taskResume.previousState.conversationHistoryDeleted"
        ),
        ignore="taskResume.taskMetadata.taskId",
    ),
    "TaskCancel": (
        t.Row(
            "Session.Abort",
            {"abort_reason": ("reason", "taskCancel.taskMetadata.completionStatus")},
            hook_point="SessionEnd",
            when=is_root,
            keep="taskCancel.taskMetadata.ulid",
            ignore="taskCancel.taskMetadata.taskId",
        ),
        t.Row(
            "Agent.Plan.End",
            {"plan_type": plan_type, "stop_reason": "reason"},
            when=is_child,
        ),
    ),
    "TaskComplete": (
        t.Row(
            "Agent.Response",
            {
                "response": ("turn.outputText", "taskComplete.taskMetadata.result"),
                "final": t.Const(True),
                "stop_reason": "turn.status",
            },
            when=is_root,
            keep=(
                f"{ITERATION} taskComplete.taskMetadata.ulid "
                "taskComplete.taskMetadata.completionStatus"
            ),
            ignore="taskComplete.taskMetadata.taskId",
        ),
        t.Row(
            "Session.End",
            {"end_reason": t.Const("completed")},
            when=is_root,
            note="a completed run alone sends it, and nothing after",
        ),
        t.Row(
            "Agent.Plan.End",
            {
                "plan_type": plan_type,
                "response": "turn.outputText",
                "stop_reason": "turn.status",
            },
            when=is_child,
            keep=ITERATION,
        ),
    ),
    "TaskError": t.Row(
        "Agent.Error",
        {
            "error_type": t.Const("UnhandledException"),
            "error_code": "error.name",
            "error_message": "error.message",
        },
        keep=ITERATION,
        ignore="error.stack",
        note="mostly a request to the model that failed for good; nothing in it says so",
    ),
    "SessionShutdown": t.Row(
        "Session.End",
        {"end_reason": t.Words("reason", {"completed": "completed", "error": "error"}, "exit")},
        note="in the CLI only after a run that was aborted",
    ),
    "UserPromptSubmit": (
        t.Row(
            "Prompt.Submitted",
            {"prompt": "userPromptSubmit.prompt"},
            when=is_root,
            ignore="userPromptSubmit.attachments",
        ),
        t.Row(
            "vendor.cline.UserPromptSubmit",
            {"prompt": "userPromptSubmit.prompt"},
            when=is_child,
            note="the task that another agent gave",
        ),
    ),
    "PreToolUse": t.Row("Action.Before", BEFORE, keep=ITERATION),
    "PostToolUse": (
        t.Row(
            "Policy.Blocked",
            {
                **AFTER,
                "decided_by": t.derived(calls.of_end("decided_by")),
                "decision_reason": calls.of_end("reason"),
                "decision_evidence": calls.evidence,
            },
            when=calls.is_refused,
            keep=ITERATION,
        ),
        t.Row(
            "Action.After",
            {
                **AFTER,
                "success": calls.success,
                "outcome": calls.cut_short,
                "exit_code": calls.of_end("exit_code"),
                "error_message": calls.of_end("message"),
                "output": ("tool_result.output", "postToolUse.result"),
                "duration_ms": ("tool_result.durationMs", "postToolUse.executionTimeMs"),
                "input_tokens": "tool_result.output.usage.inputTokens",
                "output_tokens": "tool_result.output.usage.outputTokens",
            },
            when=t.negate(calls.is_refused),
            keep=ITERATION,
            ignore="tool_result.startedAt tool_result.endedAt",
        ),
        t.tool_failed(AFTER, when=calls.has_failed, error_message=calls.of_end("message")),
    ),
    "PreCompact": t.Row(
        "Context.Compaction",
        {
            "context_phase": t.Const("before"),
            "context_trigger": trigger,
            "strategy": "preCompact.compactionStrategy",
            "message_count": "preCompact.contextSize",
            "tokens_before": tokens_before,
        },
        hook_point="PreCompact",
        keep=(
            "preCompact.ulid preCompact.previousApiReqIndex preCompact.tokensOut "
            "preCompact.tokensOutCache preCompact.deletedRangeStart preCompact.deletedRangeEnd"
        ),
        ignore="preCompact.taskId preCompact.contextJsonPath preCompact.contextRawPath",
        note="the extension only: the CLI knows the file name and never calls it",
    ),
    "Notification": t.Row(
        "Agent.Notification",
        {
            "notification_type": t.Words("notification.severity", {"error": "ErrorAlert"}),
            "message": "notification.message",
        },
        keep=(
            "notification.event notification.source notification.sourceType "
            "notification.sourceId notification.eventId notification.eventVersion "
            "notification.waitingForUserInput notification.requiresUserAction "
            "notification.messageTruncated"
        ),
        note="it names no tool: that a person must act does not say that a permission is asked",
    ),
}

VENDOR = t.Vendor(
    "cline",
    capabilities=Capabilities(silence_means="refused"),
    claims=claims,
    event=event,
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=calls.mcp,
    keep="model.provider",
    ignore=f"{GIT} workspaceInfo.rootPath workspaceInfo.hint sessionContext.hookLogPath",
)
