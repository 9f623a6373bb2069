"""Claude Code, 2.1.x: 33 hook events, PascalCase names, snake_case fields.

Source: the vendor's hooks reference, the SDK's types, and recordings of 2.1.329.
"""

from __future__ import annotations

import re

from hookstream.normalizers.capabilities import Capabilities
from hookstream.normalizers.claude_code.refusals import (
    INVALID,
    SPAWN_DENIED,
    WITHHELD,
    batch_guardian,
    is_strange,
    refusal,
    refusal_certainty,
    refusal_evidence,
    refused_by,
    strange_reason,
    text_of,
)
from hookstream.normalizers.table import (
    Const,
    Ignore,
    Row,
    Tool,
    Vendor,
    Words,
    at,
    delegate,
    derived,
    edit,
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
    write,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Record
    from hookstream.normalizers.table import Source

    Payload = dict[str, Any]

CODEX_PATH = re.compile(r"[/\\]\.codex[/\\]|[/\\]rollout-[^/\\]+\.jsonl$")
SHELLS = frozenset(("Bash", "PowerShell"))
OWN_CALL = "toolu_plugin_"
EXIT_CODE = re.compile(r"Exit code (\d{1,5})\b")


@reads("error")
def exit_code(p: Payload, r: Record) -> int | None:
    """A failed shell call says `Exit code N` in the first line of its error."""
    error = p.get("error")
    found = EXIT_CODE.match(error) if type(error) is str else None
    return int(found[1]) if found else None


@reads("error")
def error_line(p: Payload, r: Record) -> str | None:
    """The first line only: the command's output follows."""
    error = p.get("error")
    return error.split("\n", 1)[0] if type(error) is str else None


@reads("error")
def is_spawn_denied(p: Payload, r: Record) -> bool:
    """A mod refused the sub-agent: its call began, and no agent did."""
    error = p.get("error")
    return type(error) is str and error.startswith(SPAWN_DENIED)


def is_failure(p: Payload, r: Record) -> bool:
    return not is_spawn_denied(p, r)


@reads("error", "is_interrupt")
def failed_output(p: Payload, r: Record) -> str | None:
    error = p.get("error")
    return error if type(error) is str and "\n" in error else None


@reads("is_interrupt")
def failed_outcome(p: Payload, r: Record) -> str:
    return "cancelled" if p.get("is_interrupt") is True else "error"


@reads("prompt", "source")
def is_human(p: Payload, r: Record) -> bool:
    """A finished background task starts a turn with a prompt that no person typed."""
    prompt = p.get("prompt")
    return not (type(prompt) is str and prompt.startswith("<task-notification>"))


def is_machine_prompt(p: Payload, r: Record) -> bool:
    return not is_human(p, r)


@reads("agent_type")
def is_agent(p: Payload, r: Record) -> bool:
    """A compaction also raises SubagentStop, with an empty agent_type: no sub-agent."""
    return p.get("agent_type") != ""


plan_type = plan_of("agent_type")


is_shell = is_word("tool_name", *SHELLS)


@derived
@reads("tool_response")
def batch_outcome(p: Payload, r: Record) -> str | None:
    """A batch repeats each call; a text in this tag says the call itself was invalid, unless it is
    none of the client's: history decides whether a mod refused the call. A failed command begins
    with its exit code: it ran, also where no event of failures is captured."""
    text = text_of(p)
    if text.startswith(INVALID):
        if "denied by your permission settings" in text:
            return "denied"
        return None if is_strange(text) else "error"
    is_failure = is_shell(p, r) and EXIT_CODE.match(text) is not None
    return "error" if is_failure else None


@reads("tool_response")
def withheld(p: Payload, r: Record) -> str | None:
    """The text that the model got in the place of a result."""
    text = text_of(p)
    return text if WITHHELD.match(text) is not None else None


@reads("tool_use_id")
def actor_type(p: Payload, r: Record) -> str | None:
    """A call that a mod made by itself: no model asked for it."""
    call_id = p.get("tool_use_id")
    is_own = type(call_id) is str and call_id.startswith(OWN_CALL)
    return "system" if is_own else None


@reads("mcp_server.name")
def mcp_server(p: Payload, r: Record) -> Any:
    return at(p, "mcp_server.name")


@reads("tool_response")
def interrupted(p: Payload, r: Record) -> str | None:
    return "cancelled" if at(p, "tool_response.interrupted") is True else None


@reads("tool_response")
def succeeded(p: Payload, r: Record) -> bool:
    """A tool that ran to its end may still say that it did not do it (TaskUpdate, Skill)."""
    return at(p, "tool_response.success") is not False and interrupted(p, r) is None


def mcp(name: str, payload: Payload) -> tuple[str, str] | None:
    """mcp__<server>__<tool>; the payload's own server name wins where a name holds `__`."""
    if not name.startswith("mcp__"):
        return None
    server = at(payload, "mcp_server.name")
    if type(server) is str and name.startswith(f"mcp__{server}__"):
        return server, name[len(server) + 7 :]
    server, _, tool = name[5:].partition("__")
    return (server, tool) if tool else ("", server)


def claims(p: Payload) -> bool:
    """No event of Claude Code has a timestamp; its transcript is in its own folder."""
    if "timestamp" in p or ("turn_id" in p and "message_id" not in p):
        return False
    name = p.get("hook_event_name")
    if type(p.get("session_id")) is not str or type(name) is not str or name not in EVENTS:
        return False
    path = p.get("transcript_path")
    return type(path) is str and CODEX_PATH.search(path) is None


TOOLS = {
    "Bash": shell(),
    "PowerShell": shell(),
    "Monitor": shell(),
    "Read": read(),
    "Write": write(),
    "Edit": edit(),
    "MultiEdit": edit(),
    "NotebookEdit": edit("notebook_path", action="code_edit"),
    "Glob": find(),
    "Grep": find(),
    "LS": listing(),
    "WebFetch": fetch(),
    "WebSearch": search(),
    "Agent": delegate(),
    "Task": delegate(),
    "SendMessage": delegate(),
    "Workflow": delegate(),
    "ListMcpResourcesTool": Tool("mcp:ListMcpResourcesTool", "mcp_call"),
    "ReadMcpResourceTool": Tool("mcp:ReadMcpResourceTool", "mcp_call", url="uri"),
    "ReadMcpResourceDirTool": Tool("mcp:ReadMcpResourceDirTool", "mcp_call", url="uri"),
    "RemoteTrigger": Tool("other", "web_request"),
    "Skill": Tool("skill", "other"),
}

COMMON: dict[str, Source] = {
    "session_id": "session_id",
    "transcript_path": "transcript_path",
    "cwd": "cwd",
    "turn_id": "prompt_id",
    "permission_mode": "permission_mode",
    "agent_id": "agent_id",
    "agent_type": "agent_type",
}
CALL: dict[str, Source] = {
    "action_native": "tool_name",
    "input": "tool_input",
    "call_id": "tool_use_id",
    "mcp_server": mcp_server,
    "actor_type": actor_type,
}
PROMPT: dict[str, Source] = {"prompt": "prompt"}
START = Words(
    "source", {"startup": "new", "fork": "new", "resume": "resume", "clear": "restart"}, "new"
)

EVENTS: dict[str, Row | Ignore | tuple[Row | Ignore, ...]] = {
    "SessionStart": (
        Row(
            "Session.Start",
            "SessionStart",
            {"start_reason": START, "model_id": "model", "tokens_used": "context_tokens"},
            when=is_not_word("source", "compact"),
            keep=(
                "session_title",
                "seconds_since_last_response",
                "prompt_cache_likely_expired",
                "estimated_cache_write_usd",
            ),
        ),
        Row(
            "Context.Compaction",
            None,
            {"context_phase": Const("restarted"), "model_id": "model"},
            when=is_word("source", "compact"),
            note="the session goes on after a compaction",
        ),
    ),
    "SessionEnd": Row(
        "Session.End",
        "SessionEnd",
        {"end_reason": Words("reason", {"clear": "manual_reset"}, "exit")},
    ),
    "Setup": Row("vendor.claude-code.Setup", None, keep=("trigger",)),
    "UserPromptSubmit": (
        Row(
            "Prompt.Submitted",
            "PreUserInput",
            {"prompt": "prompt", "input_source": Words("source", {"user": "keyboard"})},
            when=is_human,
            keep=("session_title",),
        ),
        Row(
            "vendor.claude-code.TaskNotification",
            None,
            PROMPT,
            when=is_machine_prompt,
            keep=("session_title",),
        ),
    ),
    "UserPromptExpansion": Row(
        "vendor.claude-code.UserPromptExpansion",
        None,
        {"prompt": "prompt"},
        keep=("expansion_type", "command_name", "command_source", "command_args"),
    ),
    "PreToolUse": Row("Action.Before", "PreToolUse", CALL, ignore=("mcp_server",)),
    "PermissionRequest": Row(
        "Agent.Notification",
        None,
        {**CALL, "call_id": None, "notification_type": Const("ToolPermission")},
        ignore=("permission_suggestions", "mcp_server"),
    ),
    "PermissionDenied": Row(
        "Policy.Blocked",
        None,
        {
            **CALL,
            "decision": Const("deny"),
            "decided_by": Const("classifier"),
            "decision_reason": "reason",
            "decision_evidence": Const("PermissionDenied"),
            "certainty": Const("observed"),
        },
        ignore=("mcp_server",),
    ),
    "PostToolUse": Row(
        "Action.After",
        "PostToolUse",
        {
            **CALL,
            "success": succeeded,
            "outcome": interrupted,
            "output": "tool_response",
            "duration_ms": "duration_ms",
            "input_tokens": "tool_response.usage.input_tokens",
            "output_tokens": "tool_response.usage.output_tokens",
            "cache_read_tokens": "tool_response.usage.cache_read_input_tokens",
            "model_id": "tool_response.resolvedModel",
        },
        ignore=("mcp_server",),
    ),
    "PostToolUseFailure": (
        Row(
            "Policy.Blocked",
            None,
            {
                **CALL,
                "decision": Const("deny"),
                "decided_by": Const("mod"),
                "decision_reason": error_line,
                "decision_evidence": Const("PostToolUseFailure"),
                "certainty": Const("observed"),
            },
            when=is_spawn_denied,
            ignore=("mcp_server", "is_interrupt", "duration_ms"),
        ),
        Row(
            "Action.After",
            "PostToolUse",
            {
                **CALL,
                "success": Const(False),
                "outcome": failed_outcome,
                "exit_code": exit_code,
                "error_message": error_line,
                "output": failed_output,
                "duration_ms": "duration_ms",
            },
            when=is_failure,
            ignore=("mcp_server",),
        ),
        Row(
            "Agent.Error",
            None,
            {
                **CALL,
                "error_type": Const("ToolFailed"),
                "error_message": error_line,
                "origin_event": Const("Action.After"),
            },
            when=is_failure,
            derived=True,
        ),
    ),
    "PostToolBatch": Row(
        "Action.After",
        None,
        {
            "action_native": "tool_name",
            "input": "tool_input",
            "call_id": "tool_use_id",
            "output": "tool_response",
            "told_output": withheld,
            "outcome": batch_outcome,
            "decided_by": refused_by,
            "guardian": batch_guardian,
            "decision_evidence": refusal_evidence,
            "certainty": refusal_certainty,
            "decision_reason": strange_reason,
            "refusal": refusal,
            "reported_by": Const("batch"),
        },
        each="tool_calls",
        note="the sessions stage tells executed, refused and invalid calls apart",
    ),
    "Notification": Row(
        "Agent.Notification",
        None,
        {
            "notification_type": Words(
                "notification_type",
                {"permission_prompt": "ToolPermission", "idle_prompt": "IdleTimeout"},
            ),
            "message": "message",
        },
        keep=("title",),
    ),
    "MessageDisplay": Row(
        "vendor.claude-code.MessageDisplay",
        None,
        {"response": "delta", "message_id": "message_id", "final": "final"},
        keep=("index",),
        ignore=("turn_id",),
    ),
    "SubagentStart": Row("Agent.Plan.Start", "PreSubAgentSpawn", {"plan_type": plan_type}),
    "SubagentStop": (
        Row(
            "Agent.Plan.End",
            "PostSubAgentResult",
            {"response": "last_assistant_message", "plan_type": plan_type},
            when=is_agent,
            keep=("stop_hook_active", "agent_transcript_path"),
            ignore=("background_tasks", "session_crons"),
        ),
        Ignore("compaction helper, no sub-agent"),
    ),
    "Stop": Row(
        "Agent.Response",
        "PreOutputDeliver",
        {"response": "last_assistant_message", "final": Const(True)},
        keep=("stop_hook_active",),
        ignore=("background_tasks", "session_crons"),
    ),
    "StopFailure": (
        Row(
            "Model.Failed",
            None,
            {
                "error_code": "error",
                "error_message": ("error_details", "last_assistant_message"),
            },
        ),
        Row(
            "Agent.Error",
            None,
            {
                "error_type": Const("ModelError"),
                "error_code": "error",
                "error_message": "last_assistant_message",
                "origin_event": Const("Model.Failed"),
            },
            derived=True,
        ),
    ),
    "PreCompact": Row(
        "Context.Compaction",
        "PreCompact",
        {"context_trigger": "trigger", "context_phase": Const("before")},
        keep=("custom_instructions",),
    ),
    "PostCompact": Row(
        "Context.Compaction",
        "PostCompact",
        {
            "context_trigger": "trigger",
            "context_phase": Const("after"),
            "summary": "compact_summary",
        },
    ),
    "PreModelSwitch": Row(
        "vendor.claude-code.PreModelSwitch",
        None,
        {"tokens_used": "context_tokens"},
        keep=("from_model", "to_model", "requested_model", "source"),
        ignore=("prompt_cache_warm", "cache_ttl", "estimated_cache_write_usd", "pricing"),
        note="fires with targets that are not taken; PostModelSwitch is the change",
    ),
    "PostModelSwitch": Row(
        "vendor.claude-code.PostModelSwitch",
        None,
        {"tokens_used": "context_tokens", "model_id": "to_model"},
        keep=("from_model", "requested_model", "source"),
        ignore=("prompt_cache_warm", "cache_ttl", "estimated_cache_write_usd", "pricing"),
    ),
    "TaskCreated": Row(
        "vendor.claude-code.TaskCreated",
        None,
        {"task": ("task_description", "task_subject")},
        keep=("task_id", "teammate_name", "team_name"),
    ),
    "TaskCompleted": Row(
        "vendor.claude-code.TaskCompleted",
        None,
        {"task": ("task_description", "task_subject")},
        keep=("task_id", "teammate_name", "team_name"),
    ),
    "TeammateIdle": Row(
        "Agent.Notification",
        None,
        {"notification_type": Const("IdleTimeout")},
        keep=("teammate_name", "team_name"),
    ),
    "InstructionsLoaded": Row(
        "vendor.claude-code.InstructionsLoaded",
        None,
        {"file_path": "file_path"},
        keep=("memory_type", "load_reason", "globs", "trigger_file_path", "parent_file_path"),
    ),
    "ConfigChange": Row(
        "vendor.claude-code.ConfigChange", None, {"file_path": "file_path"}, keep=("source",)
    ),
    "CwdChanged": Row("vendor.claude-code.CwdChanged", None, keep=("old_cwd", "new_cwd")),
    "DirectoryAdded": Row("vendor.claude-code.DirectoryAdded", None, keep=("directory", "source")),
    "FileChanged": Row(
        "vendor.claude-code.FileChanged", None, {"file_path": "file_path"}, keep=("event",)
    ),
    "WorktreeCreate": Row("vendor.claude-code.WorktreeCreate", None, keep=("name",)),
    "WorktreeRemove": Row("vendor.claude-code.WorktreeRemove", None, keep=("worktree_path",)),
    "Elicitation": Row(
        "Agent.Notification",
        None,
        {"mcp_server": "mcp_server_name", "message": "message", "url": "url"},
        keep=("mode", "elicitation_id"),
        ignore=("requested_schema",),
    ),
    "ElicitationResult": Row(
        "vendor.claude-code.ElicitationResult",
        None,
        {"mcp_server": "mcp_server_name", "response": "content"},
        keep=("mode", "action", "elicitation_id"),
    ),
}

VENDOR = Vendor(
    "claude-code",
    capabilities=Capabilities(
        silence_means="refused",
        only_after_question=True,
        batch_names_refusals=True,
        has_mods=True,
    ),
    claims=claims,
    event="hook_event_name",
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore=("effort",),
)
